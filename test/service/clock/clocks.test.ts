import { beforeEach, describe, expect, it } from 'vitest'
import { DatabaseClock, EmbeddedClock } from '../../../src/service/clock/open-clock.ts'
import { clockFault } from '../../../src/service/clock/service-clock.ts'
import type { Queryable } from '../../../src/service/store/database.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START_MS = Date.UTC(2026, 0, 1)

/** A machine and a database, with a true time that `pass` advances. */
class World {
  trueMs = START_MS
  /** How far each clock is off. */
  wallMs = 0
  databaseMs = 0
  /** The time that the steady clock missed while the machine slept. */
  sleptMs = 0
  /** The time to the database, and again back from it. */
  wayMs = 0
  isDatabaseAway = false

  readonly clocks = {
    wall: () => this.trueMs + this.wallMs,
    steady: () => this.trueMs - this.sleptMs - START_MS + 12_345,
    sleepless: () => this.trueMs - START_MS,
  }

  readonly db = {
    query: async () => {
      if (this.isDatabaseAway) throw new Error('away')
      this.pass(this.wayMs)
      const ms = this.trueMs + this.databaseMs
      this.pass(this.wayMs)
      return [{ ms }]
    },
  } as unknown as Queryable

  pass(ms: number): void {
    this.trueMs += ms
  }

  sleep(ms: number): void {
    this.pass(ms)
    this.sleptMs += ms
  }
}

let world: World
beforeEach(() => {
  world = new World()
})

describe('the clock of a shared database', () => {
  const open = async () => await DatabaseClock.open(world.db, world.clocks)

  it('shows the time of the database, whatever the machine’s clock says', async () => {
    world.wallMs = 25 * HOUR_MS
    const clock = await open()
    expect(clock.now()).toBe(world.trueMs)
    world.pass(MINUTE_MS)
    expect(clock.now()).toBe(world.trueMs)
  })

  it.each([
    ['90 minutes ahead', 90 * MINUTE_MS, '1 h 30 min ahead of'],
    ['25 hours ahead', 25 * HOUR_MS, '25 h ahead of'],
    ['an hour behind', -HOUR_MS, '1 h behind'],
    ['31 seconds ahead', 31_000, '31 s ahead of'],
  ])(
    'keeps its time when the machine jumps to %s, stops the work and reports the jump until the machine is right again',
    async (_name, ms, words) => {
      const clock = await open()
      const since = clock.watchedSinceMs
      world.pass(10 * MINUTE_MS)
      world.wallMs = ms
      expect(clock.now()).toBe(world.trueMs)
      await clock.check()
      expect(clock).toMatchObject({ wrongByMs: ms, mayWork: false, maySweep: false, watchedSinceMs: since })
      expect(clock.now()).toBe(world.trueMs)
      expect(clockFault(clock)).toContain(`The clock of this machine is ${words} the database's.`)
      world.wallMs = 0
      await clock.check()
      expect(clock).toMatchObject({ wrongByMs: null, mayWork: true, maySweep: true })
      expect(clockFault(clock)).toBeNull()
    },
  )

  it('may differ from the machine by 30 seconds plus the time that the database took to answer', async () => {
    world.wallMs = 30_000
    const clock = await open()
    expect(clock.wrongByMs).toBeNull()
    world.wayMs = 20_000
    world.wallMs = 45_000
    await clock.check()
    expect(clock.wrongByMs).toBeNull()
    world.wallMs = 75_000
    await clock.check()
    expect(clock.wrongByMs).not.toBeNull()
  })

  it('stays exact when the database takes long to answer', async () => {
    const clock = await open()
    world.wayMs = 10_000
    await clock.check()
    expect(clock.now()).toBe(world.trueMs)
  })

  it('continues by itself while the database is unavailable', async () => {
    const clock = await open()
    const since = clock.watchedSinceMs
    world.isDatabaseAway = true
    world.pass(3 * HOUR_MS)
    await clock.check()
    expect(clock.now()).toBe(world.trueMs)
    world.isDatabaseAway = false
    await clock.check()
    expect(clock.watchedSinceMs).toBe(since)
  })

  it('follows a database whose clock is set, and counts the watched time from then on', async () => {
    const clock = await open()
    world.pass(HOUR_MS)
    world.databaseMs = 25 * HOUR_MS
    world.wallMs = 25 * HOUR_MS
    await clock.check()
    expect(clock.now()).toBe(world.trueMs + 25 * HOUR_MS)
    expect(clock).toMatchObject({ wrongByMs: null, watchedSinceMs: world.trueMs + 25 * HOUR_MS })
  })

  it('does not claim to have checked the time while its machine slept', async () => {
    const clock = await open()
    world.sleep(8 * HOUR_MS)
    await clock.check()
    expect(clock.now()).toBe(world.trueMs)
    expect(clock).toMatchObject({ wrongByMs: null, watchedSinceMs: world.trueMs })
  })
})

describe('the clock of an embedded database', () => {
  it('keeps its time when the machine’s clock jumps, continues jobs, and removes nothing', async () => {
    const clock = new EmbeddedClock(world.clocks)
    world.pass(MINUTE_MS)
    world.wallMs = 25 * HOUR_MS
    await clock.check()
    expect(clock.now()).toBe(world.trueMs)
    expect(clock).toMatchObject({ wrongByMs: 25 * HOUR_MS, mayWork: true, maySweep: false })
    expect(clockFault(clock)).toContain('has jumped 25 h ahead')
    world.wallMs = 0
    await clock.check()
    expect(clock).toMatchObject({ wrongByMs: null, maySweep: true })
  })

  it('does not take the sleep of its machine for a jump', async () => {
    const clock = new EmbeddedClock(world.clocks)
    world.pass(MINUTE_MS)
    world.sleep(8 * HOUR_MS)
    await clock.check()
    expect(clock.now()).toBe(world.trueMs)
    expect(clock.wrongByMs).toBeNull()
    world.pass(MINUTE_MS)
    await clock.check()
    expect(clock.now()).toBe(world.trueMs)
  })

  it('follows a clock that is corrected little by little', async () => {
    const clock = new EmbeddedClock(world.clocks)
    for (let minutes = 0; minutes < 10; minutes++) {
      world.pass(MINUTE_MS)
      world.wallMs += 20_000
      await clock.check()
    }
    expect(clock.now()).toBe(world.trueMs + 200_000)
    expect(clock.wrongByMs).toBeNull()
  })
})
