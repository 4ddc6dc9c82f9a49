import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { correctWork, removeEntry, takeEntry } from '../../../src/service/queue/queue-entries.ts'
import { attemptEnd, pauseMs, type Turn } from '../../../src/service/queue/turn.ts'
import { openWorkQueue, type WorkQueue } from '../../../src/service/queue/work-queue.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openTestDatabase } from '../test-database.ts'

let db: Database
let queue: WorkQueue
let errors: unknown[]

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(async () => {
  await db.close()
})
beforeEach(async () => {
  errors = []
  await db.exec('delete from queue_entries; delete from queue_turns')
  await open()
})
afterEach(async () => await queue.stop())

/** Opens a queue whose workers only notifications wake. */
const open = async (tenantJobs: number | null = null) => {
  queue = await openWorkQueue(db, { pollMs: 2 ** 31 - 1, tenantJobs, onError: (error) => errors.push(error) })
}

/** Queues jobs that are named after their tenant: `A1` and `a1` are tenant A's, those in lower case take a tenth of a second. */
const order = async (...jobIds: string[]) => {
  const seconds = (jobId: string) => (jobId === jobId.toUpperCase() ? 10 : 0.1)
  await orderWork(Object.fromEntries(jobIds.map((jobId) => [jobId, seconds(jobId)])))
}

/** Queues jobs that should take so many seconds. */
const orderWork = async (jobs: Readonly<Record<string, number>>) => {
  for (const [jobId, seconds] of Object.entries(jobs)) {
    const entry = { queue: 'training', jobId, tenantId: jobId.charAt(0).toUpperCase(), workMs: seconds * 1000 } as const
    await db.transaction(async (tx) => await queue.enqueue(tx, entry))
  }
}

/** Workers that take every job and end it on request. */
function startWorkers(concurrency: number, { hasExtra } = { hasExtra: true }) {
  const begun: string[] = []
  const running = new Map<string, (end?: Error) => void>()
  const larger = new Map<string, () => void>()
  let tell: () => void = () => undefined
  queue.work('training', {
    concurrency,
    hasExtra,
    handle: async ({ jobId, place, signal, reportLarge }: Turn) => {
      begun.push(place === 'worker' ? jobId : `${jobId} by the ${place}`)
      await new Promise<void>((resolve, reject) => {
        running.set(jobId, (error) => (error === undefined ? resolve() : reject(error)))
        larger.set(jobId, reportLarge)
        signal.addEventListener('abort', () => reject(signal.reason))
        tell()
      })
    },
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        tell = resolve
      })
    }
  }
  return {
    begun,
    /** Resolves when as many have been begun as there are names, and says which. */
    async beginnings(count: number) {
      await until(() => running.size >= count)
      return begun
    },
    /** The job is larger than it looked, and ends. */
    async endAsLarge(jobId: string) {
      await until(() => running.has(jobId))
      larger.get(jobId)?.()
      running.get(jobId)?.()
    },
    async end(jobId: string, error?: Error) {
      await until(() => running.has(jobId))
      running.get(jobId)?.(error)
    },
  }
}

const TAKER = { queue: 'training', holder: randomUUID(), leaseMs: 60_000, tenantJobs: null, smallExcept: null } as const
const WORKERS_ALONE = { hasExtra: false }

/** Takes the next `count` jobs; each ends before the next is taken, after the time that was expected. */
const takeInTurn = async (count: number) => {
  const taken: string[] = []
  while (taken.length < count) {
    const entry = await takeEntry(db, TAKER)
    if (entry === null || entry === 'raced') break
    taken.push(entry.jobId)
    await removeEntry(db, entry)
  }
  return taken
}

describe('tenants', () => {
  it('take turns, however many jobs one of them requested before', async () => {
    await order('A1', 'A2', 'A3', 'A4', 'A5', 'B1', 'B2', 'C1')
    expect(await takeInTurn(8)).toEqual(['A1', 'B1', 'C1', 'A2', 'B2', 'A3', 'A4', 'A5'])
  })

  it('with fewer running jobs go first, although another one waited longer', async () => {
    await order('A1', 'A2', 'A3', 'A4')
    const { beginnings, end } = startWorkers(2, WORKERS_ALONE)
    expect(await beginnings(2)).toEqual(['A1', 'A2'])
    await order('B1', 'B2', 'B3')
    // A has one running still, B none, then each has one: A's turn was longer ago.
    await end('A1')
    expect(await beginnings(3)).toEqual(['A1', 'A2', 'B1'])
    await end('A2')
    // B has one running, A none.
    expect(await beginnings(4)).toEqual(['A1', 'A2', 'B1', 'A3'])
  })

  it('have no more running jobs than the operator allows, although workers are idle', async () => {
    await queue.stop()
    await open(1)
    await order('A1', 'A2', 'B1')
    const { beginnings, end } = startWorkers(5, WORKERS_ALONE)
    expect(await beginnings(2)).toEqual(['A1', 'B1'])
    await end('A1')
    expect(await beginnings(3)).toEqual(['A1', 'B1', 'A2'])
  })

  it('have the same amount of work done, not the same number of jobs', async () => {
    await orderWork({ A1: 10, A2: 10, A3: 10, B1: 5, B2: 5, B3: 5, B4: 5, C1: 1, C2: 1, C3: 60 })
    expect(await takeInTurn(10)).toEqual(['A1', 'B1', 'C1', 'C2', 'C3', 'B2', 'A2', 'B3', 'B4', 'A3'])
  })

  it('that were away are at most a minute of work behind', async () => {
    await orderWork({ A1: 10, B1: 10, B2: 10, B3: 10, B4: 10, B5: 10, B6: 10, B7: 10 })
    await db.query(`update queue_turns set worked_ms = 3600000 where tenant_id = 'A'`)
    expect(await takeInTurn(8)).toEqual(['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'A1', 'B7'])
  })

  it('are charged for the time that a job took, not for the time that it should take', async () => {
    await order('A1')
    const { end } = startWorkers(1)
    await end('A1')
    const charged = 'select 1 from queue_turns where worked_ms >= 10000'
    while ((await db.query(charged)).length > 0) await new Promise(setImmediate)
    await queue.stop()

    await correctWork(db, { queue: 'training', tenantId: 'A' }, 35_000)
    await orderWork({ A2: 10, B1: 10, B2: 10, B3: 10, B4: 10 })
    expect(await takeInTurn(5)).toEqual(['B1', 'B2', 'B3', 'B4', 'A2'])
  })
})

describe('very many tenants', () => {
  it('all get their turn, although one choice does not consider all of them', async () => {
    await db.exec(`
      insert into queue_turns (queue, tenant_id) select 'training', 'ten_' || md5(n::text) from generate_series(1, 450) as n;
      insert into queue_entries (job_id, queue, tenant_id, is_small)
        select 'job_' || n, 'training', 'ten_' || md5(n::text), false from generate_series(1, 450) as n`)
    const tenants = new Set<string>()
    for (;;) {
      const taken = await takeEntry(db, TAKER)
      if (taken === null || taken === 'raced') break
      tenants.add(taken.tenantId)
    }
    expect(tenants.size).toBe(450)
  })

  it('whose jobs are postponed do not delay a tenant whose jobs are not', async () => {
    await db.exec(`
      insert into queue_turns (queue, tenant_id) select 'training', 'ten_' || md5(n::text) from generate_series(1, 450) as n;
      insert into queue_entries (job_id, queue, tenant_id, is_small, available_at)
        select 'job_' || n, 'training', 'ten_' || md5(n::text), false,
          case when n <> 77 then now() + interval '1 hour' end from generate_series(1, 450) as n`)
    expect(await takeEntry(db, TAKER)).toMatchObject({ jobId: 'job_77' })
  })
})

describe('a tenant that has nothing running', () => {
  it('does not wait behind the long jobs of another one: a guest takes its job', async () => {
    await order('A1', 'A2')
    const { beginnings, end } = startWorkers(1)
    await beginnings(1)
    await order('B1', 'B2')
    expect(await beginnings(2)).toEqual(['A1', 'B1 by the guest'])
    await order('C1')
    await end('A1')
    expect(await beginnings(3)).toEqual(['A1', 'B1 by the guest', 'C1'])
  })

  it('has its small jobs done beside a long one of the guest', async () => {
    await order('A1')
    const { beginnings } = startWorkers(1)
    await beginnings(1)
    await order('B1')
    await beginnings(2)
    await order('C1', 'd1')
    expect(await beginnings(3)).toEqual(['A1', 'B1 by the guest', 'd1 by the reserve'])
  })

  it('uses a worker while one is idle', async () => {
    const { beginnings } = startWorkers(2)
    await order('a1', 'b1')
    expect(await beginnings(2)).toEqual(['a1', 'b1'])
  })
})

describe('a small job', () => {
  it('leaves the guest to others', async () => {
    await order('A1')
    const { beginnings } = startWorkers(1)
    await beginnings(1)
    await order('b1', 'C1')
    expect(await beginnings(3)).toEqual(['A1', 'b1 by the reserve', 'C1 by the guest'])
  })

  it('waits for the jobs that its own tenant requested before', async () => {
    await order('A1')
    const { beginnings, end } = startWorkers(1)
    await beginnings(1)
    await order('a2', 'b1')
    expect(await beginnings(2)).toEqual(['A1', 'b1 by the reserve'])
    await end('A1')
    expect(await beginnings(3)).toEqual(['A1', 'b1 by the reserve', expect.stringMatching(/^a2/)])
  })

  it('that proves to be large is assigned again, without the limit', async () => {
    await order('A1')
    const { begun, beginnings, end } = startWorkers(1)
    await beginnings(1)
    await order('b1')
    await beginnings(2)
    await end('b1', attemptEnd('too_large'))
    while (begun.length < 3) await new Promise(setImmediate)
    await order('c1')
    expect(await beginnings(3)).toEqual(['A1', 'b1 by the reserve', 'b1 by the guest', 'c1 by the reserve'])
    expect(await db.query(`select is_small, work_ms, setbacks from queue_entries where job_id = 'b1'`)).toEqual([
      { is_small: false, work_ms: 1_501, setbacks: 0 },
    ])
    expect(errors).toEqual([])
  })

  it('that was larger than expected excludes its tenant from the reserve, and no other tenant', async () => {
    await order('A1')
    const { beginnings, endAsLarge } = startWorkers(1)
    await beginnings(1)
    await order('b1')
    await endAsLarge('b1')
    await order('b2')
    await beginnings(3)
    await order('c1')
    expect(await beginnings(4)).toEqual(['A1', 'b1 by the reserve', 'b2 by the guest', 'c1 by the reserve'])
  })
})

describe('interrupted work', () => {
  const entry = async () =>
    await db.query<{ setbacks: number; trouble: string; pauses: boolean }>(
      'select setbacks, trouble, available_at > now() as pauses from queue_entries where holder is null',
    )

  it('is postponed and keeps the reason', async () => {
    await order('A1')
    const { end } = startWorkers(1)
    await end('A1', new Error('the cable was cut'))
    while ((await entry()).length === 0) await new Promise(setImmediate)
    expect(await entry()).toEqual([{ setbacks: 1, trouble: 'the cable was cut', pauses: true }])
    expect(errors).toMatchObject([{ message: 'the cable was cut' }])
  })

  it('is counted once when its worker does not return, even when it is postponed for that', async () => {
    await order('A1')
    await db.query(`update queue_entries set holder = gen_random_uuid(), available_at = now() - interval '1 second'`)
    const { end } = startWorkers(1)
    await end('A1', attemptEnd('lost_again'))
    while ((await entry()).length === 0) await new Promise(setImmediate)
    expect(await entry()).toMatchObject([{ setbacks: 1, pauses: true }])
  })

  it('waits longer from the third time on, up to ten minutes', () => {
    const seconds = Array.from({ length: 12 }, (_, i) => pauseMs(i + 1) / 1000)
    expect(seconds).toEqual([5, 5, 15, 30, 60, 120, 240, 480, 600, 600, 600, 600])
    expect(pauseMs(100_000)).toBe(600_000)
  })
})
