import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import { noteTime, noteWatched, readSweepWatch } from '../../../src/service/retention/sweep-brake.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { type ServiceEvent, ServiceEvents } from '../../../src/service/telemetry/service-events.ts'
import { GRACE_MS } from '../sweep-away.ts'
import { openTestDatabase } from '../test-database.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START_MS = Date.UTC(2026, 0, 1)

let db: Database
/** The database's clock, and since when the process has watched it without a jump. */
const clock = { nowMs: 0, watchedSinceMs: 0 }
const events: ServiceEvent[] = []

const context = {
  get db() {
    return db
  },
  now: () => clock.nowMs,
  clock: {
    now: () => clock.nowMs,
    wrongByMs: null,
    mayWork: true,
    maySweep: true,
    get watchedSinceMs() {
      return clock.watchedSinceMs
    },
  },
  events: new ServiceEvents(),
} as unknown as ServiceContext
context.events?.listen((event) => events.push(event))

beforeAll(async () => {
  db = await openTestDatabase()
  await db.query(`insert into tenants (tenant_id, name, created_at) values ('ten_1', 'T', now())`)
})
afterAll(async () => {
  await db.close()
})
beforeEach(async () => {
  await db.exec(
    'delete from datasets; delete from generations; update sweep_watch set watched_until = null, held_since = null',
  )
  clock.nowMs = START_MS
  clock.watchedSinceMs = START_MS
  events.length = 0
})

/** Makes this number of datasets, which expire one after the other, the first one at `fromMs`. */
async function addDatasets(count: number, fromMs: number, apartMs: number): Promise<void> {
  await db.query(
    `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, model_blob, schema)
      select 'ds_' || $2::text || '_' || n, 'ten_1', 'job', 'ready', true, 'req', $4::timestamptz - interval '24 hours',
        $4::timestamptz + n * $3::double precision * interval '1 millisecond', 1, 'x', 'models/' || $2::text || n, '[]'
      from generate_series(0, $1::integer - 1) as n`,
    [count, String(fromMs), apartMs, new Date(fromMs).toISOString()],
  )
}

const unswept = async (): Promise<number> =>
  (await db.query<{ n: number }>('select count(*)::integer as n from datasets where swept_at is null'))[0]?.n as number
const rows = async (): Promise<number> =>
  (await db.query<{ n: number }>('select count(*)::integer as n from datasets'))[0]?.n as number

/** Minutes go by, and the process sweeps in each. */
async function watch(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    clock.nowMs += MINUTE_MS
    await sweep(context)
  }
}

/** All processes end; the next one starts after so long, or the database's clock has jumped ahead by so much. */
async function nobodyWatchesFor(ms: number): Promise<void> {
  clock.nowMs += ms
  clock.watchedSinceMs = clock.nowMs
}

const held = () => events.filter((event) => event.type === 'sweep.held')

describe('in watched time', () => {
  it('everything may expire in the same minute if it was made in the same minute', async () => {
    await addDatasets(300, START_MS + 10 * MINUTE_MS, 1)
    await watch(9)
    expect(await unswept()).toBe(300)
    await watch(2)
    expect(await unswept()).toBe(0)
    expect(held()).toEqual([])
  })

  it('what a sweep hid is kept for an hour and then removed', async () => {
    await addDatasets(1, START_MS + MINUTE_MS, 1)
    await watch(60)
    expect([await unswept(), await rows()]).toEqual([0, 1])
    await watch(2)
    expect(await rows()).toBe(0)
  })

  it('a process may restart if others ran meanwhile, or if it was off for minutes only', async () => {
    await addDatasets(300, START_MS + 10 * MINUTE_MS, 1)
    await watch(8)
    await nobodyWatchesFor(4 * MINUTE_MS)
    await watch(1)
    expect(await unswept()).toBe(0)
  })
})

it('a process that sweeps nothing watches time as well while there are no workers', async () => {
  await addDatasets(300, START_MS + 10 * MINUTE_MS, 1)
  await watch(1)
  for (let minute = 0; minute < 120; minute++) {
    clock.nowMs += MINUTE_MS
    await noteTime(db, clock)
  }
  expect(await unswept()).toBe(300)
  clock.watchedSinceMs = clock.nowMs
  await watch(1)
  expect([await unswept(), held()]).toEqual([0, []])
})

it('a gap in watched time is left to the operator by a process that sweeps nothing', async () => {
  await addDatasets(300, START_MS + 10 * MINUTE_MS, 1)
  await watch(1)
  await nobodyWatchesFor(25 * HOUR_MS)
  await noteTime(db, clock)
  await watch(1)
  expect(await unswept()).toBe(300)
})

describe('a clock that jumps', () => {
  it.each([
    ['25 hours', 25 * HOUR_MS],
    ['90 minutes', 90 * MINUTE_MS],
  ])('by %s removes no records of a whole day, and is reported', async (_name, ms) => {
    // One every 20 seconds: 257 of them in 86 minutes.
    await addDatasets(257, START_MS + 2 * MINUTE_MS, 20_000)
    await watch(1)
    await nobodyWatchesFor(ms)
    await watch(3)
    expect(await unswept()).toBe(257)
    expect(held()[0]).toMatchObject({ unwatchedMs: ms, living: expect.any(Number) })
    expect((await readSweepWatch(db)).held).toMatchObject({ due: 257, living: 0 })
  })

  it('and is then corrected leaves everything as it was', async () => {
    await addDatasets(257, START_MS + 2 * HOUR_MS, MINUTE_MS)
    await watch(1)
    await nobodyWatchesFor(25 * HOUR_MS)
    await watch(1)
    await nobodyWatchesFor(-25 * HOUR_MS)
    await watch(1)
    expect((await readSweepWatch(db)).held).toBeNull()
    await watch(122)
    expect(await unswept()).toBeLessThan(257)
    expect(await unswept()).toBeGreaterThan(250)
  })

  it('by less than the brake’s limit expires records, which return when the clock is corrected', async () => {
    await addDatasets(10, START_MS + HOUR_MS, 1)
    await addDatasets(200, START_MS + 100 * HOUR_MS, 1)
    await watch(1)
    await nobodyWatchesFor(2 * HOUR_MS)
    await watch(30)
    expect(await unswept()).toBe(200)
    await nobodyWatchesFor(-2 * HOUR_MS)
    await watch(1)
    expect([await unswept(), await rows()]).toEqual([210, 210])
  })

  it('over a small part of very many records holds what the previous hour does not explain', async () => {
    await addDatasets(3000, START_MS + 100 * HOUR_MS, 1)
    await addDatasets(5, START_MS + MINUTE_MS, 1)
    await addDatasets(250, START_MS + HOUR_MS, 1)
    await watch(3)
    await nobodyWatchesFor(2 * HOUR_MS)
    await watch(1)
    expect(await unswept()).toBe(3250)
    expect(held()).toHaveLength(1)
  })
})

describe('a service that was off', () => {
  it('removes what expired meanwhile when that is little', async () => {
    await addDatasets(20, START_MS + HOUR_MS, 1)
    await watch(1)
    await nobodyWatchesFor(60 * HOUR_MS)
    await watch(1)
    expect(await unswept()).toBe(0)
  })

  it('waits for the operator when much expired, and continues after the confirmation', async () => {
    await addDatasets(21, START_MS + HOUR_MS, 1)
    await watch(1)
    await nobodyWatchesFor(60 * HOUR_MS)
    await watch(2)
    expect(await unswept()).toBe(21)
    await noteWatched(db, clock.nowMs)
    await watch(1)
    expect(await unswept()).toBe(0)
    await watch(GRACE_MS / MINUTE_MS)
    expect(await rows()).toBe(0)
  })
})

it('a machine whose clock is wrong sweeps nothing', async () => {
  await addDatasets(1, START_MS - MINUTE_MS, 1)
  const wrong = { ...context, db, clock: { ...context.clock, maySweep: false } } as ServiceContext
  await sweep(wrong)
  expect(await unswept()).toBe(1)
  await sweep(context)
  expect(await unswept()).toBe(0)
})
