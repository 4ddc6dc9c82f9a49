import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Turn } from '../../../src/service/queue/turn.ts'
import { openWorkQueue, type QueueTiming, type WorkQueue } from '../../../src/service/queue/work-queue.ts'
import { ENDED_JOBS_CHANNEL } from '../../../src/service/records/job-records.ts'
import { type Database, DatabaseUnavailableError } from '../../../src/service/store/database.ts'
import { openTestDatabase } from '../test-database.ts'

let db: Database
let queue: WorkQueue
let errors: unknown[]
const onError = (error: unknown) => void errors.push(error)

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(async () => {
  await db.close()
})
beforeEach(async () => {
  errors = []
  queue = await openWorkQueue(db, { onError })
  await db.query('delete from queue_entries')
})
afterEach(async () => {
  await queue.stop()
})

const entryOf = (jobId: string) => ({ queue: 'training', jobId, tenantId: 'ten_A', workMs: 5_000 }) as const
const enqueue = async (jobId: string) => {
  await db.transaction(async (tx) => await queue.enqueue(tx, entryOf(jobId)))
}
const left = async () => (await db.query('select job_id from queue_entries')).length

/** Workers for one queue, without a guest and a reserve. */
const workers = (concurrency: number, handle: (jobId: string, signal: AbortSignal, turn: Turn) => unknown) => ({
  concurrency,
  hasExtra: false,
  handle: async (turn: Turn) => void (await handle(turn.jobId, turn.signal, turn)),
})

/** Collects the jobs that are handed out; `until(n)` resolves when there are n. */
function collector() {
  const seen: string[] = []
  const waiters: { n: number; resolve: () => void }[] = []
  return {
    seen,
    add(jobId: string) {
      seen.push(jobId)
      for (const waiter of waiters) if (seen.length >= waiter.n) waiter.resolve()
    },
    until: (n: number) =>
      new Promise<void>((resolve) => {
        if (seen.length >= n) resolve()
        else waiters.push({ n, resolve })
      }),
  }
}

const untilAborted = async (signal: AbortSignal) =>
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

it('assigns jobs in sequence, one at a time per worker', async () => {
  const got = collector()
  let atOnce = 0
  let most = 0
  queue.work(
    'training',
    workers(1, async (jobId) => {
      most = Math.max(most, ++atOnce)
      await new Promise(setImmediate)
      atOnce--
      got.add(jobId)
    }),
  )
  for (const jobId of ['a', 'b', 'c']) await enqueue(jobId)
  await got.until(3)
  expect(got.seen).toEqual(['a', 'b', 'c'])
  expect(most).toBe(1)
  await queue.stop()
  expect(await left()).toBe(0)
})

it('lets workers prepare for an expected job', async () => {
  let prepared = 0
  queue.expect('training')
  queue.work('training', { ...workers(1, () => undefined), prepare: () => prepared++ })
  expect(prepared).toBe(0)
  queue.expect('generation')
  queue.expect('training')
  expect(prepared).toBe(1)
  await queue.stop()
  queue.expect('training')
  expect(prepared).toBe(1)
})

it('works on as many jobs at once as it has workers', async () => {
  const started = collector()
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  queue.work(
    'training',
    workers(2, async (jobId) => {
      started.add(jobId)
      await gate
    }),
  )
  try {
    for (const jobId of ['a', 'b', 'c']) await enqueue(jobId)
    await started.until(2)
    expect(started.seen).toEqual(['a', 'b'])
  } finally {
    release()
  }
  await started.until(3)
})

it('assigns no job of a transaction that is rolled back', async () => {
  const got = collector()
  queue.work(
    'training',
    workers(1, (jobId) => got.add(jobId)),
  )
  const failing = db.transaction(async (tx) => {
    await queue.enqueue(tx, entryOf('never'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await enqueue('after')
  await got.until(1)
  expect(got.seen).toEqual(['after'])
})

it('keeps queues apart', async () => {
  const got = collector()
  queue.work(
    'generation',
    workers(1, (jobId) => got.add(`generation ${jobId}`)),
  )
  queue.work(
    'training',
    workers(1, (jobId) => got.add(`training ${jobId}`)),
  )
  await enqueue('a')
  await got.until(1)
  expect(got.seen).toEqual(['training a'])
})

it('keeps a job whose handler fails, and says so', async () => {
  const got = collector()
  queue.work(
    'training',
    workers(1, (jobId) => {
      got.add(jobId)
      throw new Error('not now')
    }),
  )
  await enqueue('a')
  await got.until(1)
  await queue.stop()
  expect(await left()).toBe(1)
  expect(errors).toMatchObject([{ message: 'not now' }])
})

it('aborts handlers when it stops, and keeps their jobs', async () => {
  const started = collector()
  queue.work(
    'training',
    workers(1, async (jobId, signal) => {
      started.add(jobId)
      await untilAborted(signal)
    }),
  )
  await enqueue('a')
  await started.until(1)
  await queue.stop()
  expect(await left()).toBe(1)
})

it('immediately reassigns the jobs that the last process held or postponed, in the old sequence', async () => {
  await queue.stop()
  const jobIds = Array.from({ length: 40 }, (_, i) => `job ${i}`)
  for (const jobId of jobIds) await enqueue(jobId)
  await db.query(`update queue_entries set holder = gen_random_uuid(), available_at = now() + interval '1 hour'
    where job_id in ('job 0', 'job 7')`)
  await db.query(`update queue_entries set available_at = now() + interval '1 hour' where job_id = 'job 3'`)
  queue = await openWorkQueue(db, { onError })
  await queue.recover()
  const got = collector()
  queue.work(
    'training',
    workers(1, (jobId, _signal, { setbacks }) => got.add(setbacks === 0 ? jobId : `${jobId}, lost once`)),
  )
  await got.until(jobIds.length)
  const lost = ['job 0', 'job 7']
  expect(got.seen).toEqual(jobIds.map((jobId) => (lost.includes(jobId) ? `${jobId}, lost once` : jobId)))
})

it('releases the jobs of a lost answer at once, and no job that it works on', async () => {
  let isLosing = false
  const losing: Database = Object.create(db, {
    query: {
      value: async (sql: string, parameters: readonly unknown[]) => {
        const answer = await db.query(sql, parameters)
        const isTaken = /^with recursive waiting/.test(sql.trim()) && answer.length > 0
        if (!isLosing || !isTaken) return answer
        isLosing = false
        throw new DatabaseUnavailableError(new Error('the connection broke before the answer'))
      },
    },
    listen: { value: db.listen.bind(db) },
  })
  await queue.stop()
  queue = await openWorkQueue(losing, { onError, pollMs: 10 })
  const got = collector()
  let letGo = (): void => undefined
  const first = new Promise<void>((resolve) => {
    letGo = resolve
  })
  queue.work(
    'training',
    workers(2, async (jobId, _signal, { setbacks }) => {
      got.add(`${jobId}, ${setbacks} setbacks`)
      if (jobId === 'worked on') await first
    }),
  )
  await enqueue('worked on')
  await got.until(1)
  isLosing = true
  await enqueue('lost')
  await got.until(2)
  letGo()
  expect(got.seen).toEqual(['worked on, 0 setbacks', 'lost, 0 setbacks'])
  expect(errors).toEqual([expect.any(DatabaseUnavailableError)])
})

/** Another process on the same database, at a pace of its own. */
const openOther = async (timing: QueueTiming) => await openWorkQueue(db, { ...timing, onError })

it('wakes the workers of other queues on the same database', async () => {
  const other = await openOther({ pollMs: 2 ** 31 - 1 })
  try {
    const got = collector()
    other.work(
      'training',
      workers(1, (jobId) => got.add(jobId)),
    )
    await enqueue('a')
    await got.until(1)
    await enqueue('b')
    await got.until(2)
    expect(got.seen).toEqual(['a', 'b'])
  } finally {
    await other.stop()
  }
})

it('assigns a job only once when two workers request it simultaneously', async () => {
  const other = await openOther({})
  try {
    const got = collector()
    for (const each of [queue, other])
      each.work(
        'training',
        workers(4, (jobId) => got.add(jobId)),
      )
    const jobIds = Array.from({ length: 40 }, (_, i) => `job ${i}`)
    await Promise.all(jobIds.map(enqueue))
    await got.until(jobIds.length)
    await Promise.all([queue.stop(), other.stop()])
    expect(got.seen.toSorted()).toEqual(jobIds.toSorted())
    expect(await left()).toBe(0)
  } finally {
    await other.stop()
  }
})

describe('a worker that does not renew its lease', () => {
  /** Its queue renews nothing as long as a test lasts. */
  async function standStill(): Promise<void> {
    await queue.stop()
    queue = await openOther({ leaseMs: 3_600_000 })
  }

  /** A job that runs until it is released, and whose lease then expires as if the process had been paused. */
  async function loseLease() {
    const first = collector()
    let signal: AbortSignal | undefined
    let finish: () => void = () => undefined
    queue.work(
      'training',
      workers(1, async (jobId, given) => {
        signal = given
        first.add(jobId)
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      }),
    )
    await enqueue('a')
    await first.until(1)
    await db.query(`update queue_entries set available_at = now() - interval '1 day'`)
    return { signal: signal as AbortSignal, finish: () => finish() }
  }

  it('loses the job to another one', async () => {
    await standStill()
    const { finish } = await loseLease()
    const other = await openOther({ pollMs: 100 })
    try {
      const got = collector()
      other.work(
        'training',
        workers(1, (jobId) => got.add(jobId)),
      )
      await got.until(1)
      expect(got.seen).toEqual(['a'])
    } finally {
      finish()
      await other.stop()
    }
  })

  it('can no longer remove the job, which the other worker holds, from the queue', async () => {
    await standStill()
    const { finish } = await loseLease()
    const other = await openOther({ pollMs: 100 })
    try {
      const got = collector()
      other.work(
        'training',
        workers(1, async (jobId, signal) => {
          got.add(jobId)
          await untilAborted(signal)
        }),
      )
      await got.until(1)
      finish()
      await queue.stop()
      expect(await db.query('select holder is not null as held from queue_entries')).toEqual([{ held: true }])
    } finally {
      await other.stop()
    }
  })

  it('is named when its job is assigned again', async () => {
    await queue.stop()
    queue = await openOther({ leaseMs: 3000 })
    const { signal, finish } = await loseLease()
    // Another worker takes the job in this way.
    await db.query(`update queue_entries set holder = gen_random_uuid(), available_at = now() + interval '1 day'`)
    await once(signal, 'abort')
    expect(signal.reason).toMatchObject({ message: expect.stringContaining('another worker') })
    finish()
  })
})

it('keeps a job for the worker that renews its lease', async () => {
  await queue.stop()
  queue = await openOther({ leaseMs: 3000 })
  const started = collector()
  queue.work(
    'training',
    workers(2, async (jobId, signal) => {
      started.add(jobId)
      await untilAborted(signal)
    }),
  )
  await enqueue('a')
  await started.until(1)
  const leaseEnd = async () =>
    (await db.query<{ at: string }>('select available_at::text as at from queue_entries'))[0]?.at
  const begun = await leaseEnd()
  // Renewed three times: longer than the lease without one.
  for (let renewals = 0, last = begun; renewals < 3; ) {
    const now = await leaseEnd()
    if (now !== last) renewals++
    last = now
    await new Promise(setImmediate)
  }
  expect(started.seen).toEqual(['a'])
})

it('notifies every listener of the end of a job once it is committed', async () => {
  const heard: string[] = []
  const off = queue.onJobEnded('a', () => heard.push('first'))
  queue.onJobEnded('b', () => heard.push('other'))
  off()
  const notified = new Promise<void>((resolve) => {
    queue.onJobEnded('a', () => {
      heard.push('second')
      resolve()
    })
  })
  await db.transaction(async (tx) => {
    await tx.query('select pg_notify($1, $2)', [ENDED_JOBS_CHANNEL, 'a'])
    expect(heard).toEqual([])
  })
  await notified
  expect(heard).toEqual(['second'])
})
