import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openWorkQueue } from '../../../src/service/queue/boss-work-queue.ts'
import { orderedUuids } from '../../../src/service/queue/ordered-uuid.ts'
import type { WorkQueue } from '../../../src/service/queue/work-queue.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openEmbeddedDatabase } from '../../../src/service/store/pglite-database.ts'

let folder: string
let db: Database
let queue: WorkQueue
let errors: unknown[]
const onError = (error: unknown) => void errors.push(error)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-queue-'))
  db = await openEmbeddedDatabase(folder)
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  errors = []
  queue = await openWorkQueue(db, { onError })
  await queue.replaceAll([])
})
afterEach(async () => {
  await queue.stop()
})

const enqueue = async (jobId: string) => {
  await db.transaction(async (tx) => await queue.enqueue(tx, 'training', jobId))
  queue.wake('training')
}
const left = async () => (await db.query('select id from pgboss.job')).length

/** Collects what is handed out; `until(n)` resolves when n jobs were. */
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

it('hands out jobs in order, one at a time per worker', async () => {
  const got = collector()
  let atOnce = 0
  let most = 0
  queue.work('training', 1, async (jobId) => {
    most = Math.max(most, ++atOnce)
    await new Promise(setImmediate)
    atOnce--
    got.add(jobId)
  })
  for (const jobId of ['a', 'b', 'c']) await enqueue(jobId)
  await got.until(3)
  expect(got.seen).toEqual(['a', 'b', 'c'])
  expect(most).toBe(1)
  await queue.stop()
  expect(await left()).toBe(0)
})

it('works on as many jobs at once as it has workers', async () => {
  const started = collector()
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  queue.work('training', 2, async (jobId) => {
    started.add(jobId)
    await gate
  })
  try {
    for (const jobId of ['a', 'b', 'c']) await enqueue(jobId)
    await started.until(2)
    expect(started.seen).toEqual(['a', 'b'])
  } finally {
    release()
  }
  await started.until(3)
})

it('hands out nothing of a transaction that is rolled back', async () => {
  const got = collector()
  queue.work('training', 1, async (jobId) => got.add(jobId))
  const failing = db.transaction(async (tx) => {
    await queue.enqueue(tx, 'training', 'never')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await enqueue('after')
  await got.until(1)
  expect(got.seen).toEqual(['after'])
})

it('keeps queues apart', async () => {
  const got = collector()
  queue.work('generation', 1, async (jobId) => got.add(`generation ${jobId}`))
  queue.work('training', 1, async (jobId) => got.add(`training ${jobId}`))
  await enqueue('a')
  await got.until(1)
  expect(got.seen).toEqual(['training a'])
})

it('keeps a job whose handler fails, and says so', async () => {
  const got = collector()
  queue.work('training', 1, async (jobId) => {
    got.add(jobId)
    throw new Error('not now')
  })
  await enqueue('a')
  await got.until(1)
  await queue.stop()
  expect(await left()).toBe(1)
  expect(errors).toMatchObject([{ message: 'not now' }])
})

it('aborts handlers when it stops, and keeps their jobs', async () => {
  const started = collector()
  queue.work('training', 1, async (jobId, signal) => {
    started.add(jobId)
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await enqueue('a')
  await started.until(1)
  await queue.stop()
  expect(await left()).toBe(1)
})

it('hands out at once what it is refilled with, in that order, and nothing it held before', async () => {
  await enqueue('old')
  const got = collector()
  const jobIds = Array.from({ length: 40 }, (_, i) => `job ${i}`)
  await queue.replaceAll(jobIds.map((jobId) => ({ queue: 'training', jobId })))
  queue.work('training', 3, async (jobId) => got.add(jobId))
  await got.until(jobIds.length)
  expect(got.seen).toEqual(jobIds)
})

it('keeps jobs of one millisecond in order, and of a clock that is set back', () => {
  const times = [5, 5, 5, 3, 6, ...Array.from({ length: 10_000 }, () => 6), 7]
  const newId = orderedUuids(() => times.shift() ?? 8)
  const ids = Array.from({ length: times.length }, newId)
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true)
  expect([...new Set(ids)].sort()).toEqual(ids)
})

it('gives a job of a dead worker to another when its lease has passed', async () => {
  const started = collector()
  queue.work('training', 1, async (jobId, signal) => {
    started.add(jobId)
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await enqueue('a')
  await started.until(1)
  // The worker of another process, which has not renewed for an hour; `maintain` is what pg-boss does now and then.
  await db.query(`update pgboss.job set started_on = now() - interval '1 hour', state = 'active'`)
  const { default: PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: {
      executeSql: async (text, values) => {
        if (values?.length) return { rows: [...(await db.query(text, values))] }
        await db.exec(text)
        return { rows: [] }
      },
    },
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await boss.maintain()
  expect(await db.query('select state from pgboss.job')).toEqual([{ state: 'retry' }])
})

it('announces the end of a job once to everyone who listens for it', () => {
  const heard: string[] = []
  const off = queue.onAnnounced('a', () => heard.push('first'))
  queue.onAnnounced('a', () => heard.push('second'))
  queue.onAnnounced('b', () => heard.push('other'))
  off()
  queue.announce('a')
  queue.announce('a')
  expect(heard).toEqual(['second'])
})
