import { uptime } from 'node:os'
import type { Database, Queryable } from '../store/database.ts'
import { beyondTolerance, CheckedClock, type MachineClocks } from './service-clock.ts'

const MACHINE_CLOCKS: MachineClocks = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  sleepless: () => uptime() * 1000,
}

/** The service's clock on this machine, already set. @throws DatabaseUnavailableError */
export async function openClock(db: Database, options: { readonly isAlone: boolean }): Promise<CheckedClock> {
  return options.isAlone ? new EmbeddedClock(MACHINE_CLOCKS) : await DatabaseClock.open(db, MACHINE_CLOCKS)
}

/** The sleepless clock may be as coarse as a second, so a smaller difference is not sleep. */
const SLEEP_MS = 5_000

/**
 * The clock of an embedded database: the machine's time at the start plus the elapsed time. There is no second clock to
 * compare with. When the machine's clock jumps, jobs continue on the service's time. Nothing that has expired is
 * removed until the clocks agree again or the service restarts.
 */
export class EmbeddedClock extends CheckedClock {
  readonly mayWork = true
  /** Only this machine's clock knows how long the service was off, so it is trusted at the start. */
  readonly watchedSinceMs = Number.NEGATIVE_INFINITY
  readonly #clocks: MachineClocks
  #offsetMs: number
  /** How far the sleepless clock is ahead of the steady one. If this grows, the machine slept. */
  #sleptMs: number

  constructor(clocks: MachineClocks) {
    super()
    this.#clocks = clocks
    this.#offsetMs = clocks.wall() - clocks.steady()
    this.#sleptMs = clocks.sleepless() - clocks.steady()
  }

  readonly now = (): number => Math.floor(this.#clocks.steady() + this.#offsetMs)

  get maySweep(): boolean {
    return this.wrongByMs === null
  }

  async check(): Promise<void> {
    const { wall, steady, sleepless } = this.#clocks
    const steadyMs = steady()
    const sleptMs = sleepless() - steadyMs
    if (sleptMs - this.#sleptMs > SLEEP_MS) {
      this.#offsetMs += sleptMs - this.#sleptMs
      this.#sleptMs = sleptMs
    }
    const aheadMs = wall() - (steadyMs + this.#offsetMs)
    this.wrongByMs = beyondTolerance(aheadMs)
    // A clock that is corrected in small steps is followed.
    if (this.wrongByMs === null) this.#offsetMs += aheadMs
  }
}

/**
 * The clock of a shared database, which is the same for all its processes. A process whose machine's clock differs
 * takes no work until the two agree again. One of them is wrong, and the process cannot know which.
 */
export class DatabaseClock extends CheckedClock {
  watchedSinceMs = 0
  readonly #db: Queryable
  readonly #clocks: MachineClocks
  /** How far `now` is ahead of the steady clock; null before the first answer. */
  #offsetMs: number | null = null

  /** @throws DatabaseUnavailableError */
  static async open(db: Queryable, clocks: MachineClocks): Promise<DatabaseClock> {
    const clock = new DatabaseClock(db, clocks)
    await clock.#set()
    return clock
  }

  private constructor(db: Queryable, clocks: MachineClocks) {
    super()
    this.#db = db
    this.#clocks = clocks
  }

  readonly now = (): number => Math.floor(this.#clocks.steady() + (this.#offsetMs ?? Number.NaN))

  get mayWork(): boolean {
    return this.wrongByMs === null
  }

  get maySweep(): boolean {
    return this.wrongByMs === null
  }

  /** If the database does not answer, the clock does not change. */
  async check(): Promise<void> {
    await this.#set().catch(() => undefined)
  }

  async #set(): Promise<void> {
    const { wall, steady } = this.#clocks
    const wallMs = wall()
    const askedMs = steady()
    const [answer] = await this.#db.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms',
    )
    const answeredMs = steady()
    const databaseMs = (answer as { ms: number }).ms
    // The database read its clock at some moment between request and answer.
    const earliest = databaseMs - answeredMs
    const latest = databaseMs - askedMs
    this.wrongByMs = beyondTolerance(beside(wallMs - askedMs, earliest, latest))
    if (this.#offsetMs === null || beyondTolerance(beside(this.#offsetMs, earliest, latest)) !== null) {
      // The database's clock was set, or this machine stood still: this process does not know how much time has passed.
      this.#offsetMs = (earliest + latest) / 2
      this.watchedSinceMs = this.now()
    } else this.#offsetMs = Math.min(latest, Math.max(earliest, this.#offsetMs))
  }
}

/** How far a value is above a range, or below it (negative); 0 inside. */
function beside(value: number, low: number, high: number): number {
  return value > high ? value - high : Math.min(0, value - low)
}
