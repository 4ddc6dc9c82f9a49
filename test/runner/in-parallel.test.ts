import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Generate, inParallel, inParallelHere } from '../../src/runner/generations/in-parallel.ts'
import type { PlannedRun } from '../../src/runner/session/plan-run.ts'

const CONCURRENCY = 20
const plans = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}` }))
const runOf = (concurrency: number) =>
  ({ options: { concurrency }, signal: new AbortController().signal }) as unknown as PlannedRun
const run = runOf(CONCURRENCY)

/** Work that goes on when the test says so. */
class Held {
  begun = 0
  ended = 0
  readonly #waiting: (() => void)[] = []

  readonly work = async (): Promise<void> => {
    this.begun++
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.ended++
  }

  get open(): number {
    return this.begun - this.ended
  }

  release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

/** The value of a task whose request is ready immediately. */
const ready = (generate: Generate) => async (): Promise<Generate> => generate

/** Everything that can go on by itself has gone on after a while of turns. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await endOfTurn()
}

it('has as many generations at the service at once as the run allows', async () => {
  const generation = new Held()
  const all = inParallel(
    run,
    plans,
    ready(async () => {
      await generation.work()
      return async () => async () => {}
    }),
  )
  for (let ended = 0; ended < plans.length; ended += CONCURRENCY) {
    await settle()
    expect(generation.open).toBe(CONCURRENCY)
    generation.release()
  }
  await all
})

it('prepares as many requests before their turn as may be at the service, and none where it sends one at a time', async () => {
  for (const [concurrency, before] of [
    [CONCURRENCY, CONCURRENCY],
    [1, 0],
  ] as const) {
    const generation = new Held()
    let ready = 0
    const all = inParallel(runOf(concurrency), plans, async () => {
      ready++
      return async () => {
        await generation.work()
        return null
      }
    })
    while (generation.ended < plans.length) {
      await settle()
      expect(ready).toBe(Math.min(plans.length, generation.begun + before))
      generation.release()
    }
    await all
  }
})

it('requests the next generation while an artifact is on its way, up to the bound on such artifacts', async () => {
  const download = new Held()
  let asked = 0
  const all = inParallel(
    run,
    plans,
    ready(async () => {
      asked++
      return async () => {
        await download.work()
        return async () => {}
      }
    }),
  )
  await settle()
  expect(download.open).toBe(CONCURRENCY)
  expect(asked).toBe(2 * CONCURRENCY)
  while (download.ended < plans.length) {
    download.release()
    await settle()
    expect(asked - download.ended).toBeLessThanOrEqual(2 * CONCURRENCY)
  }
  await all
  expect(asked).toBe(plans.length)
})

it.each(['download', 'local work'])(
  'requests nothing before the %s of the previous scenario is done, with one at a time',
  async (lane) => {
    const held = new Held()
    let asked = 0
    const all = inParallel(
      runOf(1),
      plans,
      ready(async () => {
        asked++
        return async () => {
          if (lane === 'download') await held.work()
          return async () => {
            if (lane === 'local work') await held.work()
          }
        }
      }),
    )
    for (let ended = 0; ended < plans.length; ended++) {
      await settle()
      expect({ asked, open: held.open, ended: held.ended }).toEqual({ asked: ended + 1, open: 1, ended })
      held.release()
    }
    await all
  },
)

it('delays requests when the disk is slower than the service, so that waiting artifacts use bounded memory', async () => {
  const local = new Held()
  let asked = 0
  const all = inParallel(
    run,
    plans,
    ready(async () => {
      asked++
      return async () => local.work
    }),
  )
  await settle()
  expect(local.open).toBe(20)
  expect(asked).toBeLessThanOrEqual(20 + 8 + 2 * CONCURRENCY)
  expect(asked).toBeGreaterThan(CONCURRENCY)
  while (local.ended < plans.length) {
    local.release()
    await endOfTurn()
  }
  await all
  expect(asked).toBe(plans.length)
})

it('does work that needs no service in sequence', async () => {
  const local = new Held()
  const all = inParallelHere(run, plans, local.work)
  while (local.ended < plans.length) {
    await settle()
    expect(local.open).toBeLessThanOrEqual(20)
    local.release()
  }
  await all
})
