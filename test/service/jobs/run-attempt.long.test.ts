import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StorageError } from '../../../src/objects/storage-error.ts'
import { ProcessDeathError } from '../../../src/service/jobs/processes/work-process.ts'
import { runAttempt } from '../../../src/service/jobs/run-attempt.ts'
import type { Turn } from '../../../src/service/queue/turn.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { DatabaseUnavailableError } from '../../../src/service/store/database.ts'
import { ServiceEvents } from '../../../src/service/telemetry/service-events.ts'
import { type DataService, form, startDataService, surveyCsv } from '../data/data-service.ts'

let service: DataService

beforeAll(async () => {
  service = await startDataService({ work: false })
})
afterAll(async () => await service?.close())

async function newJob(): Promise<string> {
  const upload = { method: 'POST', body: form({ seed_file: new Blob([surveyCsv(60)]) }) }
  return (await service.ask('/v1/datasets', upload)).body.job_id
}

const turnOf = (jobId: string, turn: Partial<Turn> = {}): Turn => ({
  jobId,
  signal: new AbortController().signal,
  place: 'worker',
  isSmall: false,
  reportLarge: () => undefined,
  setbacks: 0,
  wasLost: false,
  ...turn,
})

const statusOf = async (jobId: string) => (await service.ask(`/v1/jobs/${jobId}`)).body

describe('a job', () => {
  it('survives any number of regular stops, and is queued after each', async () => {
    const jobId = await newJob()
    for (let stop = 0; stop < 10; stop++) {
      const stopping = new AbortController()
      const reason = new Error('stopping')
      const running = runAttempt(
        service.context,
        turnOf(jobId, { signal: stopping.signal }),
        async (_attempt, { signal }) => {
          expect((await statusOf(jobId)).status).toBe('running')
          stopping.abort(reason)
          signal.throwIfAborted()
        },
      )
      await expect(running).rejects.toBe(reason)
      expect((await statusOf(jobId)).status).toBe('queued')
    }
  })

  it('starts as soon as the database is available again, even if the first start was never answered', async () => {
    const jobId = await newJob()
    const { db } = service.context
    let failures = 0
    const failing: typeof db = Object.create(db, {
      query: {
        value: async (sql: string, parameters: readonly unknown[]) => {
          const answer = await db.query(sql, parameters)
          // The job begins and its answer is lost; then one request gets no answer.
          if (failures === 2) return answer
          failures++
          throw new DatabaseUnavailableError(new Error('gone'))
        },
      },
    })
    const seen: number[] = []
    await runAttempt({ ...service.context, db: failing }, turnOf(jobId), async ({ attempts }) => {
      seen.push(attempts)
    })
    expect(seen).toEqual([2])
  })

  it('that was lost with its process three times is started once more, as a suspect', async () => {
    const jobId = await newJob()
    for (let death = 0; death < 3; death++) {
      // Neither resolves nor rejects, as in a process that is gone.
      await new Promise<void>((begun) => {
        const turn = turnOf(jobId, { setbacks: death, wasLost: death > 0 })
        void runAttempt(service.context, turn, async (_attempt, { isSuspect }) => {
          expect(isSuspect).toBe(false)
          begun()
          await new Promise(() => undefined)
        })
      })
      expect((await statusOf(jobId)).status).toBe('running')
    }
    const seen: boolean[] = []
    const last = runAttempt(service.context, turnOf(jobId, { setbacks: 3, wasLost: true }), async (_a, control) => {
      seen.push(control.isSuspect)
      throw new ProcessDeathError('killed', 'sampling', 'SIGKILL')
    })
    await expect(last).rejects.toThrow('SIGKILL')
    expect(seen).toEqual([true])
    // Killed by others once more: it waits, and has not failed.
    expect(await statusOf(jobId)).toMatchObject({ status: 'queued' })
  })

  it.each([
    ['a process that somebody kills', () => new ProcessDeathError('killed', 'training', 'SIGKILL')],
    ['a full disk', () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
    ['storage that fails whenever it is used', () => storageFault()],
    ['a database that fails whenever it is used', () => new DatabaseUnavailableError(new Error('gone'))],
  ])('does not fail by %s, which is reported to the operator from the third time on', async (_name, fault) => {
    const jobId = await newJob()
    const postponed: unknown[] = []
    const events = new ServiceEvents()
    events.listen((event) => event.type === 'job.postponed' && postponed.push([event.setbacks, event.pauseMs]))
    for (const setbacks of [1, 2, 5]) {
      const error = fault()
      const attempt = runAttempt({ ...service.context, events }, turnOf(jobId, { setbacks }), async () => {
        throw error
      })
      await expect(attempt).rejects.toBe(error)
    }
    expect(await statusOf(jobId)).toMatchObject({ status: 'queued' })
    expect(postponed).toEqual([
      [3, 15_000],
      [6, 120_000],
    ])
  })

  it.each([
    ['memory of the machine', 'starved', 'more memory than this machine has'],
    ['a crash', 'crash', 'failed unexpectedly'],
  ] as const)('that ends its process by %s each time fails with an error of its own', async (_name, cause, words) => {
    const jobId = await newJob()
    for (let setbacks = 0; setbacks < 3; setbacks++) {
      const attempt = runAttempt(service.context, turnOf(jobId, { setbacks }), async () => {
        throw new ProcessDeathError(cause, 'training', 'SIGKILL')
      })
      await expect(attempt).rejects.toThrow()
    }
    expect(await statusOf(jobId)).toMatchObject({
      status: 'failed',
      error: { code: 'svc_internal', detail: expect.stringContaining(words) },
    })
  })

  it('continues by itself when storage and database are available again', async () => {
    const jobId = await newJob()
    const faults = [storageFault(), new DatabaseUnavailableError(new Error('gone'))]
    await runAttempt(service.context, turnOf(jobId), async () => {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
    })
    expect(faults).toEqual([])
    expect(await service.db.query('select attempts from jobs where job_id = $1', [jobId])).toEqual([{ attempts: 1 }])
  })
})

describe('the deadline of a job', () => {
  const HOUR_MS = 60 * 60_000

  it('does not pass while it waits', async () => {
    const jobId = await newJob()
    service.clock.aheadMs = 20 * HOUR_MS
    await sweep(service.context)
    expect(await statusOf(jobId)).toMatchObject({ status: 'queued' })
    service.clock.aheadMs = 0
  })

  it('starts with the work, and a new attempt does not move it', async () => {
    const jobId = await newJob()
    const begin = async (turn: Partial<Turn>) =>
      await runAttempt(service.context, turnOf(jobId, turn), async () => {
        throw new ProcessDeathError('killed', 'training', 'SIGKILL')
      }).catch(() => undefined)
    service.clock.aheadMs = 20 * HOUR_MS
    await begin({})
    service.clock.aheadMs += HOUR_MS - 60_000
    await begin({ setbacks: 1 })
    await sweep(service.context)
    expect(await statusOf(jobId)).toMatchObject({ status: 'running' })
    service.clock.aheadMs += 60_001
    await begin({ setbacks: 2 })
    expect(await statusOf(jobId)).toMatchObject({ status: 'expired' })
    service.clock.aheadMs = 0
  })

  it('is the configured one, and ends the work', async () => {
    const jobId = await newJob()
    const settings = { ...service.context.settings, jobDeadlineMinutes: 0 }
    await runAttempt({ ...service.context, settings }, turnOf(jobId), async (_attempt, { signal }) => {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    expect(await statusOf(jobId)).toMatchObject({ status: 'expired' })
  })
})

function storageFault(): StorageError {
  return new StorageError('The object storage did not answer.', { status: null, code: 'ECONNRESET', isTransient: true })
}
