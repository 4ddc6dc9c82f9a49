import pLimit from 'p-limit'
import type { RunContext } from '../run-context.ts'
import { endWithError } from './end-scenario.ts'

/** What is left to do for a scenario once the service has nothing more to give for it. */
export type LocalWork = () => Promise<void>

/** Artifacts counted and put in their places at once: bound by cores and the disk, not by the service. */
const LOCAL_AT_ONCE = 8
/** Artifacts that may wait for that, in memory: a service that is faster than the disk has to wait as well. */
const MOST_WAITING = 32

/**
 * Runs one task per scenario, so many at once as the run allows. Where a task resolves with work that needs no service,
 * that is done outside of this number: the next scenario is sent meanwhile. An error ends its scenario; one that is
 * about the whole run is thrown when everything has settled.
 */
export async function inParallel<P extends { readonly id: string }>(
  context: RunContext,
  plans: readonly P[],
  task: (plan: P) => Promise<LocalWork | null>,
): Promise<void> {
  const concurrency = Math.max(1, context.options.concurrency)
  const atService = pLimit(concurrency)
  const atDisk = pLimit(Math.min(concurrency, LOCAL_AT_ONCE))
  const broken: unknown[] = []
  const attempt = async <T>(plan: P, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      try {
        endWithError(context, plan.id, error)
      } catch (unexpected) {
        broken.push(unexpected)
      }
      return null
    }
  }
  await Promise.all(
    plans.map(async (plan) => {
      const local = await atService(async () => {
        const rest = await attempt(plan, async () => {
          if (broken.length > 0) return null
          context.signal.throwIfAborted()
          return task(plan)
        })
        if (rest === null) return null
        let begin = () => {}
        const begun = new Promise<void>((resolve) => {
          begin = resolve
        })
        const done = atDisk(() => {
          begin()
          return attempt(plan, rest)
        })
        if (atDisk.pendingCount > MOST_WAITING) await begun
        return { done }
      })
      await local?.done
    }),
  )
  if (broken.length > 0) throw broken[0]
}
