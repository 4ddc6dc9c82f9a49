import { setTimeout as delay } from 'node:timers/promises'

/** Time as the run sees it, so that tests can control it. */
export interface Clock {
  /** ms since 1970. */
  now(): number
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `tick` every `ms` until the returned function is called; does not keep the process alive. */
  every(ms: number, tick: () => void): () => void
}

/** Node's timers fire at once if they are set to more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The clock of this machine, for `RunEnvironment.clock`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      let left = ms
      do {
        await delay(Math.min(left, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal })
        left -= LONGEST_TIMER_MS
      } while (left > 0)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
  every: (ms, tick) => {
    const timer = setInterval(tick, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** RFC 3339, UTC, with milliseconds. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}
