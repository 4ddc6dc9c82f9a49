import { beyondTolerance, CheckedClock, type MachineClocks } from './service-clock.ts'

/** The sleepless clock may be as coarse as a second: a smaller difference is no sleep. */
const SLEEP_MS = 5_000

/**
 * The clock of an embedded database: what the machine's showed at the start, and the time since. There is no second
 * opinion. When the machine's clock jumps, jobs go on by the time as it was reckoned, and nothing that has expired is
 * removed until the two agree again or the service is started anew.
 */
export class EmbeddedClock extends CheckedClock {
  readonly mayWork = true
  /** Nobody but this machine's clock can tell how long the service was off: it is believed at the start. */
  readonly watchedSinceMs = Number.NEGATIVE_INFINITY
  readonly #clocks: MachineClocks
  #offsetMs: number
  /** What the sleepless clock is ahead of the steady one; more than before: the machine slept. */
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
    // A clock that is set right a little at a time is followed.
    if (this.wrongByMs === null) this.#offsetMs += aheadMs
  }
}
