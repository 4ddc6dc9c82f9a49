import { describe, expect, it } from 'vitest'
import {
  backoffMs,
  type FailedTry,
  isCode,
  type Move,
  NO_TRIES,
  nextMove,
  pollDelayMs,
  retryAfterMs,
  verdictOnStatus,
} from '../../src/client/retry-timing.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

describe('backoff', () => {
  it.each([
    [0, 250, 500],
    [1, 500, 1000],
    [2, 1000, 2000],
    [3, 2000, 4000],
    [5, 8000, 16000],
    [6, 15000, 30000],
    [40, 15000, 30000],
  ])('before repeat %i lies between %i and %i ms', (n, least, most) => {
    expect(backoffMs(n, 0)).toBe(least)
    expect(backoffMs(n, 1)).toBe(most)
  })
})

describe('poll delays', () => {
  it('grow by 1.6 from a quarter of a second to 15 s', () => {
    const delays = [0, 1, 2, 5, 8, 9, 30].map((n) => Math.round(pollDelayMs(n, 1)))
    expect(delays).toEqual([250, 400, 640, 2621, 10737, 15000, 15000])
  })

  it('are shortened by a fifth at most', () => {
    expect(pollDelayMs(0, 0)).toBe(200)
    expect(pollDelayMs(30, 0)).toBe(12000)
  })

  it('make about ten requests for a job of one minute', () => {
    let elapsed = 0
    let polls = 0
    while (elapsed < 60_000) elapsed += pollDelayMs(polls++, 0.5)
    expect(polls).toBeGreaterThanOrEqual(10)
    expect(polls).toBeLessThanOrEqual(13)
  })
})

describe('Retry-After', () => {
  it.each([
    { value: '3', ms: 3000 },
    { value: ' 0 ', ms: 0 },
    { value: 'Fri, 20 Nov 2026 12:00:07 GMT', ms: 7000 },
    { value: 'Fri, 20 Nov 2026 11:00:00 GMT', ms: 0 },
    { value: '-1', ms: null },
    { value: '1.5', ms: null },
    { value: 'soon', ms: null },
    { value: '99999999999999', ms: null },
    { value: 'Fri, 99 Nov 2026 12:00:07 GMT', ms: null },
    { value: '', ms: null },
    { value: null, ms: null },
  ])('$value is $ms ms', ({ value, ms }) => {
    expect(retryAfterMs(value, null, NOW)).toBe(ms)
  })

  it('as a date is measured against the clock of the service when that is known', () => {
    const date = 'Fri, 20 Nov 2026 12:00:07 GMT'
    expect(retryAfterMs(date, 'Fri, 20 Nov 2026 12:00:05 GMT', NOW + 3_600_000)).toBe(2000)
    expect(retryAfterMs(date, 'yesterday', NOW)).toBe(7000)
  })
})

describe('an error code', () => {
  it.each([
    ['svc_idempotency_conflict', true],
    ['acme_idempotency_conflict', true],
    ['idempotency_conflict', true],
    ['svc_idempotency_conflicts', false],
    ['svcidempotency_conflict', false],
    [null, false],
  ])('%s is recognised behind any prefix: %s', (code, known) => {
    expect(isCode(code, 'idempotency_conflict')).toBe(known)
  })
})

describe('the verdict on an answer', () => {
  const of = (
    status: number,
    repetition: 'free' | 'keyed' | 'once',
    code: string | null = null,
    retryAfter: number | null = null,
  ) => verdictOnStatus({ status, code, retryAfterMs: retryAfter }, repetition)

  it.each([408, 429, 500, 502, 503, 504])('%i is repeated', (status) => {
    expect(of(status, 'free')).toBe('repeat')
    expect(of(status, 'keyed')).toBe('repeat')
  })

  it.each([301, 400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 501])('%i is final', (status) => {
    expect(of(status, 'free')).toBe('final')
    expect(of(status, 'keyed')).toBe('final')
  })

  it('409 about a key means in flight, for a request that has a key', () => {
    expect(of(409, 'keyed', 'svc_idempotency_conflict')).toBe('in_flight')
    expect(of(409, 'keyed')).toBe('in_flight')
    expect(of(409, 'free', 'svc_idempotency_conflict')).toBe('final')
    expect(of(409, 'keyed', 'svc_other')).toBe('final')
  })

  it('409 about a dataset in training is repeated after Retry-After', () => {
    expect(of(409, 'free', 'svc_dataset_not_ready', 2000)).toBe('repeat')
    expect(of(409, 'keyed', 'svc_dataset_not_ready', 2000)).toBe('repeat')
    expect(of(409, 'free', 'svc_dataset_not_ready')).toBe('final')
  })

  it('repeats a call that must not happen twice only when it was not begun', () => {
    expect(of(429, 'once')).toBe('repeat')
    expect(of(503, 'once')).toBe('final')
  })
})

describe('what follows a failed try', () => {
  const failed = (fields: Partial<FailedTry> = {}): FailedTry => ({
    verdict: 'repeat',
    status: 503,
    replayId: null,
    retryAfterMs: null,
    ...fields,
  })

  /** Moves until the call is over; the clock stands still but for the waits. */
  function play(tries: (n: number) => FailedTry, deadlineMs = Number.POSITIVE_INFINITY) {
    let history = NO_TRIES
    let nowMs = 0
    const delays: number[] = []
    for (let n = 1; ; n++) {
      const next: { move: Move; history: typeof NO_TRIES } = nextMove(history, tries(n), {
        nowMs,
        deadlineMs,
        random: 1,
      })
      history = next.history
      if (!next.move.go) return { tries: n, because: next.move.because, delays }
      delays.push(next.move.delayMs)
      nowMs += next.move.delayMs
    }
  }

  it('is at most five more tries', () => {
    expect(play(() => failed())).toEqual({ tries: 6, because: 'tries', delays: [500, 1000, 2000, 4000, 8000] })
  })

  it('is no try when the failure is final', () => {
    expect(play(() => failed({ verdict: 'final', status: 400 }))).toEqual({ tries: 1, because: 'final', delays: [] })
  })

  it('is a wait of at least Retry-After', () => {
    expect(play((n) => failed({ retryAfterMs: n === 1 ? 7000 : null })).delays.slice(0, 2)).toEqual([7500, 1000])
  })

  it('is no try when it would begin after the deadline', () => {
    expect(play(() => failed(), 1400)).toEqual({ tries: 2, because: 'deadline', delays: [500] })
    expect(play(() => failed({ retryAfterMs: 60_000 }), 30_000)).toEqual({ tries: 1, because: 'deadline', delays: [] })
  })

  it('is no try when the same server failure returns with the same request id', () => {
    expect(play(() => failed({ replayId: 'r1' }))).toMatchObject({ tries: 2, because: 'replayed' })
    expect(play((n) => failed({ replayId: `r${n}` }))).toMatchObject({ tries: 6, because: 'tries' })
    expect(play((n) => failed({ replayId: 'r1', status: n % 2 === 0 ? 500 : 503 }))).toMatchObject({ because: 'tries' })
    expect(play(() => failed({ replayId: 'r1', status: 429 }))).toMatchObject({ tries: 6, because: 'tries' })
  })

  it('is at most seven more tries for a key in flight', () => {
    const inFlight = failed({ verdict: 'in_flight', status: 409, retryAfterMs: 1000 })
    expect(play(() => inFlight)).toMatchObject({ tries: 8, because: 'in_flight' })
  })

  it('is at most 60 s for a key in flight', () => {
    const inFlight = failed({ verdict: 'in_flight', status: 409, retryAfterMs: 20_000 })
    expect(play(() => inFlight)).toMatchObject({ tries: 3, because: 'in_flight' })
  })

  it('has separate counts of failures and conflicts', () => {
    const mixed = play((n) => (n % 2 === 0 ? failed({ verdict: 'in_flight', status: 409 }) : failed()))
    expect(mixed).toMatchObject({ tries: 11, because: 'tries' })
  })
})
