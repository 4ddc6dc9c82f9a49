import { durationText } from '../../base/text/amount-text.ts'

/** A machine's clock is wrong if it differs from the service's by more than this. */
const TOLERANCE_MS = 30_000
const CHECK_MS = 60_000

/**
 * The service's time. It is set from the database's clock, or from this machine's if the database is embedded, and
 * advances with a clock that cannot be set. So a jump of the machine's clock does not change it.
 */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /**
   * How far the machine's clock is ahead of the service's (behind: negative) if that is more than 30 s; otherwise null.
   */
  readonly wrongByMs: number | null
  /** Whether this process may take jobs and remove blobs. */
  readonly mayWork: boolean
  /** Whether it may remove what has expired. */
  readonly maySweep: boolean
  /** The time, by `now`, since which this process has seen time pass without a jump. */
  readonly watchedSinceMs: number
}

/** The clocks of a machine; tests pass their own. */
export interface MachineClocks {
  /** The clock that people and programs set. Milliseconds since 1970. */
  readonly wall: () => number
  /** A clock that cannot be set. Milliseconds since any moment; may stop while the machine sleeps. */
  readonly steady: () => number
  /** The same, but continues while the machine sleeps; may be as coarse as a second. */
  readonly sleepless: () => number
}

/** Called after each check that finds the clock wrong, and with null after the first one that does not. */
export type ClockListener = (wrongByMs: number | null) => void

/** A service's clock that compares itself with the machine's, every minute after watching starts. */
export abstract class CheckedClock implements ServiceClock {
  abstract readonly now: () => number
  abstract readonly mayWork: boolean
  abstract readonly maySweep: boolean
  abstract readonly watchedSinceMs: number
  wrongByMs: number | null = null
  #timer: NodeJS.Timeout | null = null

  /** Compares the clocks and sets the time. If that is impossible now, the next check does it. */
  abstract check(): Promise<void>

  watch(notify: ClockListener): void {
    let wasWrong = false
    const report = (): void => {
      if (this.wrongByMs !== null || wasWrong) notify(this.wrongByMs)
      wasWrong = this.wrongByMs !== null
    }
    report()
    this.#timer = setInterval(() => void this.check().then(report), CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }
}

/** A difference of two clocks if it is more than the tolerance. */
export const beyondTolerance = (ms: number): number | null => (Math.abs(ms) > TOLERANCE_MS ? Math.round(ms) : null)

/**
 * Why this process takes no jobs, for readiness checks; null if its clock is right. Requests are answered anyway,
 * because their times use the database's clock.
 */
export function clockFault(clock: ServiceClock | undefined): string | null {
  if (clock === undefined || clock.wrongByMs === null) return null
  const off = durationText(Math.abs(clock.wrongByMs))
  const isAhead = clock.wrongByMs > 0
  if (clock.mayWork) {
    return `The clock of this machine has jumped ${off} ${isAhead ? 'ahead' : 'back'}. Nothing that has expired is removed until the clock is right again or the service is restarted.`
  }
  return `The clock of this machine is ${off} ${isAhead ? 'ahead of' : 'behind'} the database's. This process takes no jobs and removes nothing until the two agree. Set both by NTP.`
}
