/**
 * When a failed try is repeated, and how long to wait: pure functions without a clock or randomness of their own.
 * The numbers come from the study language, section 11 ("Transport") and section 6.1 (conflicts in flight).
 */

/** Tries of one call, the first included. */
export const MAX_TRIES = 6
/** Tries of a POST whose key is in flight elsewhere, and their total time. */
export const MAX_CONFLICT_TRIES = 8
export const MAX_CONFLICT_MS = 60_000

const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 30_000
const FIRST_POLL_MS = 250
const POLL_GROWTH = 1.6
const LONGEST_POLL_MS = 15_000

/** 408 is our addition to the statuses that the specification lists as worth repeating. */
const REPEATED_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504]

/** Wait before repeat `n` (0 = before the second try): uniform in [½, 1] · 0.5 s · 2ⁿ, at most 30 s. `random` in [0, 1). */
export function backoffMs(n: number, random: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** n) * (0.5 + random / 2)
}

/** Wait before poll `n` (0 = the first): 0.25 s · 1.6ⁿ, at most 15 s, and up to a fifth less. `random` in [0, 1). */
export function pollDelayMs(n: number, random: number): number {
  return Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * POLL_GROWTH ** n) * (0.8 + random / 5)
}

/**
 * How long poll `n` asks the service to delay its reply, in whole seconds: about as long as the delay after it, at
 * least 1.
 */
export function holdSeconds(n: number): number {
  return Math.max(1, Math.round(pollDelayMs(n + 1, 1) / 1000))
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * `Retry-After` in milliseconds from now: seconds or an HTTP date (RFC 9110, 10.2.3); null when absent or neither.
 * A date is measured against the reply's own `Date`, so that a wrong clock on either side does not matter.
 */
export function retryAfterMs(retryAfter: string | null, date: string | null, nowMs: number): number | null {
  const value = retryAfter?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  if (!HTTP_DATE.test(value)) return null
  const until = Date.parse(value)
  const from = date !== null && HTTP_DATE.test(date.trim()) ? Date.parse(date) : nowMs
  return Number.isNaN(until) || Number.isNaN(from) ? null : Math.max(0, until - from)
}

/** True for an error code whatever the service's prefix (`svc_` in the specification) is. */
export function isCode(code: string | null, name: string): boolean {
  return code === name || (code?.endsWith(`_${name}`) ?? false)
}

/**
 * What repeating a call means. `free`: nothing happens twice (reads, the token mint, signup). `keyed`: a POST that
 * creates work and has an idempotency key. `once`: a second execution would be another one, so the request is repeated
 * only if it certainly was not carried out (credential claims, approvals).
 */
export type Repetition = 'free' | 'keyed' | 'once'

/** `in_flight`: another request with the same key is in progress. */
export type Verdict = 'repeat' | 'in_flight' | 'final'

/** How to react to an unsuccessful answer. */
export function verdictOnStatus(
  answer: { readonly status: number; readonly code: string | null; readonly retryAfterMs: number | null },
  repetition: Repetition,
): Verdict {
  if (answer.status === 409) {
    if (isCode(answer.code, 'dataset_not_ready')) return answer.retryAfterMs === null ? 'final' : 'repeat'
    // Our keys are derived from the body, so a conflict can only mean that the key is in flight.
    const aboutKey = answer.code === null || isCode(answer.code, 'idempotency_conflict')
    return aboutKey && repetition === 'keyed' ? 'in_flight' : 'final'
  }
  if (repetition === 'once') return answer.status === 429 ? 'repeat' : 'final'
  return REPEATED_STATUSES.includes(answer.status) ? 'repeat' : 'final'
}

/** The facts about one failed try that the timing needs. */
export interface FailedTry {
  readonly verdict: Verdict
  /** Null when there was no answer. */
  readonly status: number | null
  /** The request id in the answer. A replayed failure has the id of the first failure. */
  readonly replayId: string | null
  readonly retryAfterMs: number | null
}

export type Move =
  | { readonly go: true; readonly delayMs: number }
  | { readonly go: false; readonly because: 'final' | 'tries' | 'in_flight' | 'replayed' | 'deadline' }

/** State between the tries of one call. */
export interface TryHistory {
  readonly failures: number
  readonly conflicts: number
  readonly firstConflictMs: number | null
  readonly last: FailedTry | null
}

export const NO_TRIES: TryHistory = { failures: 0, conflicts: 0, firstConflictMs: null, last: null }

/** Decides what follows a failed try. Conflicts in flight are counted separately from failures. */
export function nextMove(
  history: TryHistory,
  failed: FailedTry,
  clock: { readonly nowMs: number; readonly deadlineMs: number; readonly random: number },
): { readonly move: Move; readonly history: TryHistory } {
  const inFlight = failed.verdict === 'in_flight'
  const next: TryHistory = {
    failures: history.failures + (inFlight ? 0 : 1),
    conflicts: history.conflicts + (inFlight ? 1 : 0),
    firstConflictMs: history.firstConflictMs ?? (inFlight ? clock.nowMs : null),
    last: failed,
  }
  const stop = (because: Exclude<Move, { go: true }>['because']) =>
    ({ move: { go: false, because }, history: next }) as const
  if (failed.verdict === 'final') return stop('final')
  if (isReplay(history.last, failed)) return stop('replayed')
  const delayMs = delayBefore(inFlight ? next.conflicts : next.failures, failed.retryAfterMs, clock.random)
  if (inFlight) {
    const elapsedMs = clock.nowMs + delayMs - (next.firstConflictMs ?? clock.nowMs)
    if (next.conflicts >= MAX_CONFLICT_TRIES || elapsedMs > MAX_CONFLICT_MS) return stop('in_flight')
  } else if (next.failures >= MAX_TRIES) return stop('tries')
  if (clock.nowMs + delayMs >= clock.deadlineMs) return stop('deadline')
  return { move: { go: true, delayMs }, history: next }
}

/** The same server failure under the same request id: it was stored with the key, and every repeat will return it. */
function isReplay(last: FailedTry | null, failed: FailedTry): boolean {
  if (last === null || failed.status === null || failed.status < 500) return false
  return failed.replayId !== null && failed.status === last.status && failed.replayId === last.replayId
}

/**
 * Never waits less than `Retry-After`. Adds up to half a second of jitter, so that many waiting clients do not return
 * at the same moment.
 */
function delayBefore(failure: number, retryAfter: number | null, random: number): number {
  return retryAfter === null ? backoffMs(failure - 1, random) : retryAfter + backoffMs(0, random)
}
