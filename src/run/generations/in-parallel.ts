import pLimit, { type LimitFunction } from 'p-limit'
import { endWithError } from '../session/end-scenario.ts'
import type { PlannedRun } from '../session/plan-run.ts'

/** What is left to do for a scenario once the service has nothing more to give for it. */
export type LocalWork = () => Promise<void>

/** Brings a finished generation's artifact here; resolves with what is left to do with it. */
export type Fetch = () => Promise<LocalWork>

/** Sees a generation through to its end at the service. Null where there is nothing to fetch. */
export type Generate = () => Promise<Fetch | null>

/** Artifacts counted and put in their places at once: bound by the disk, not by the service. */
const LOCAL_AT_ONCE = 20
/** Artifacts that may wait for that, in memory: a service that is faster than the disk has to wait as well. */
const MOST_WAITING = 8

/**
 * Runs one task per scenario, in lanes: so many generations at once as the run allows, as many made ready before them (what
 * `task` itself does), as many downloads beside them, and local work. Each waits for the next where that falls behind: a
 * request is in the journal, an artifact on its way here, and the one before it on its way to its place, while the service
 * makes the next. An error ends its scenario; one that is about the whole run is thrown when everything has settled.
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
          // Nothing is requested before it is known what came of the last.
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

/** The same for what needs no service. */
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

/** Puts work into the next lane and lets go of this one when it has begun there, or few enough wait for it. */
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

/** Work whose failure ends its scenario. After a failure that is about the whole run, nothing more is begun. */
class Attempts {
  readonly #run: PlannedRun
  readonly #broken: unknown[] = []

  constructor(run: PlannedRun) {
    this.#run = run
  }

  /** Work that is not begun after a failure or an abort. Null there, and where it failed. */
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
