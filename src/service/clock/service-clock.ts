/** A machine's clock that is farther from the service's than this is wrong. */
const TOLERANCE_MS = 30_000
const CHECK_MS = 60_000

/**
 * What time it is for the service. Its hands are set by the database's clock, or by this machine's where the database is
 * embedded, and moved by a clock that nobody sets: a jump of the machine's clock moves nothing.
 */
export interface ServiceClock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** How far the machine's clock is ahead of the service's (behind: negative) when that is more than 30 s; else null. */
  readonly wrongByMs: number | null
  /** Whether this process may take jobs and remove blobs. */
  readonly mayWork: boolean
  /** Whether it may remove what has expired. */
  readonly maySweep: boolean
  /** Since then, by `now`, this process has seen time pass without a jump. */
  readonly watchedSinceMs: number
}

/** The clocks of a machine; tests pass their own. */
export interface MachineClocks {
  /** The one that people and programs set. Milliseconds since 1970. */
  readonly wall: () => number
  /** One that nobody sets. Milliseconds since any moment; may stand still while the machine sleeps. */
  readonly steady: () => number
  /** The same, and goes on while the machine sleeps; may be as coarse as a second. */
  readonly sleepless: () => number
}

/** Told of each check that finds the clock wrong, and with null of the first one that does not any more. */
export type ClockListener = (wrongByMs: number | null) => void

/** A service's clock that compares itself with the machine's, every minute once it is watched. */
export abstract class CheckedClock implements ServiceClock {
  abstract readonly now: () => number
  abstract readonly mayWork: boolean
  abstract readonly maySweep: boolean
  abstract readonly watchedSinceMs: number
  wrongByMs: number | null = null
  #timer: NodeJS.Timeout | null = null

  /** Compares the clocks now, and sets the hands. What cannot be compared now is compared at the next check. */
  abstract check(): Promise<void>

  watch(tell: ClockListener): void {
    let wasWrong = false
    const look = (): void => {
      if (this.wrongByMs !== null || wasWrong) tell(this.wrongByMs)
      wasWrong = this.wrongByMs !== null
    }
    look()
    this.#timer = setInterval(() => void this.check().then(look), CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }
}

/** A difference of two clocks, where it is more than they may differ. */
export const beyondTolerance = (ms: number): number | null => (Math.abs(ms) > TOLERANCE_MS ? Math.round(ms) : null)

/**
 * What keeps this process from working on jobs, for whoever asks whether it is ready; null: its clock does not. Requests
 * are answered all the same: their times go by the database's clock.
 */
export function clockFault(clock: ServiceClock | undefined): string | null {
  if (clock === undefined || clock.wrongByMs === null) return null
  const off = durationText(Math.abs(clock.wrongByMs))
  const isAhead = clock.wrongByMs > 0
  if (clock.mayWork) {
    return `The clock of this machine has jumped ${off} ${isAhead ? 'ahead' : 'back'}. Nothing that has expired is removed until it is right again, or the service is started anew.`
  }
  return `The clock of this machine is ${off} ${isAhead ? 'ahead of' : 'behind'} the database's. This process takes no jobs and removes nothing until the two agree. Set both by NTP.`
}

/** Whole units, the largest two that count: `25 h`, `1 h 30 min`, `45 s`. */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}
