import pLimit, { type LimitFunction } from 'p-limit'
import { endWithError } from '../session/end-scenario.ts'
import type { PlannedRun } from '../session/plan-run.ts'

/** The work that remains for a scenario once the service is no longer needed. */
export type LocalWork = () => Promise<void>

/** Fetches a finished generation's artifact; resolves with the local work that remains. */
export type Fetch = () => Promise<LocalWork>

/** Follows a generation to its end at the service. Null when there is nothing to fetch. */
export type Generate = () => Promise<Fetch | null>

/** Artifacts that are counted and moved to their places at once: bound by the disk, not by the service. */
const LOCAL_AT_ONCE = 20
/** Artifacts that may wait for that in memory: a service that is faster than the disk has to wait as well. */
const MOST_WAITING = 8

/**
 * Runs one task per scenario, in lanes: at most as many generations at once as the run allows, as many prepared before
 * them (what `task` itself does), as many downloads, and local work. Each lane waits if the next one falls behind. So
 * while the service makes one artifact, the next request is in the journal, the previous artifact is being downloaded,
 * and the one before that is being stored. An error ends its scenario; an error that concerns the whole run is thrown
 * when everything has settled.
 */
export async function inParallel<P extends { readonly id: string }>(
  run: PlannedRun,
  plans: readonly P[],
  task: (plan: P) => Promise<Generate | null>,
): Promise<void> {
  const concurrency = Math.max(1, run.options.concurrency)
  const oneByOne = concurrency === 1
  const ready = pLimit(oneByOne ? 1 : 2 * concurrency)
  const atService = pLimit(concurrency)
  const onTheWay = pLimit(concurrency)
  const atDisk = pLimit(Math.min(concurrency, LOCAL_AT_ONCE))
  const attempts = new Attempts(run)
  await Promise.all(
    plans.map(async (plan) => {
      const fetched = await ready(async () => {
        const generate = await attempts.begin(plan, () => task(plan))
        if (generate === null) return null
        return atService(async () => {
          const fetch = await attempts.begin(plan, generate)
          if (fetch === null) return null
          const fetching = await handOver(onTheWay, 0, async () => {
            const local = await attempts.make(plan, fetch)
            return local === null ? null : handOver(atDisk, MOST_WAITING, () => attempts.make(plan, local))
          })
          // The next request waits for the result of the last one.
          if (oneByOne) await (await fetching.done)?.done
          return fetching
        })
      })
      const kept = await fetched?.done
      await kept?.done
    }),
  )
  attempts.throwIfBroken()
}

/** The same for work that needs no service. */
export async function inParallelHere<P extends { readonly id: string }>(
  run: PlannedRun,
  plans: readonly P[],
  task: (plan: P) => Promise<void>,
): Promise<void> {
  const atDisk = pLimit(Math.min(Math.max(1, run.options.concurrency), LOCAL_AT_ONCE))
  const attempts = new Attempts(run)
  await Promise.all(plans.map((plan) => atDisk(() => attempts.begin(plan, () => task(plan)))))
  attempts.throwIfBroken()
}

/** Moves work into the next lane, and frees this lane when the work has begun there, or few enough wait for it. */
async function handOver<T>(
  lane: LimitFunction,
  mostWaiting: number,
  work: () => Promise<T>,
): Promise<{ done: Promise<T> }> {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const done = lane(() => {
    begin()
    return work()
  })
  if (lane.pendingCount > mostWaiting) await begun
  return { done }
}

/** Work whose failure ends its scenario. After a failure that concerns the whole run, no more work begins. */
class Attempts {
  readonly #run: PlannedRun
  readonly #broken: unknown[] = []

  constructor(run: PlannedRun) {
    this.#run = run
  }

  /** Begins work, unless a failure or an abort came before. Null then, and when it failed. */
  async begin<T>(plan: { readonly id: string }, work: () => Promise<T>): Promise<T | null> {
    return this.make(plan, async () => {
      if (this.#broken.length > 0) return null
      this.#run.signal.throwIfAborted()
      return work()
    })
  }

  async make<T>(plan: { readonly id: string }, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      try {
        endWithError(this.#run, plan.id, error)
      } catch (unexpected) {
        this.#broken.push(unexpected)
      }
      return null
    }
  }

  throwIfBroken(): void {
    if (this.#broken.length > 0) throw this.#broken[0]
  }
}
