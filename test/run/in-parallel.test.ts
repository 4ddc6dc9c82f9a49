import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inParallel } from '../../src/run/generations/in-parallel.ts'
import type { RunContext } from '../../src/run/run-context.ts'

const plans = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}` }))
const contextOf = (concurrency: number) =>
  ({ options: { concurrency }, signal: new AbortController().signal }) as unknown as RunContext

it('lets a disk that is slower than the service hold up requests, so that what waits in memory is bounded', async () => {
  let asked = 0
  let done = 0
  const waiting: (() => void)[] = []
  const all = inParallel(contextOf(20), plans, async () => {
    asked++
    return () =>
      new Promise<void>((resolve) => waiting.push(resolve)).then(() => {
        done++
      })
  })
  // Everything that can go on without the disk has gone on when nothing more is asked for a while of turns.
  for (let turn = 0; turn < 50; turn++) await endOfTurn()
  expect(waiting).toHaveLength(8)
  expect(asked).toBeLessThanOrEqual(8 + 32 + 20)
  expect(asked).toBeGreaterThan(20)
  while (done < plans.length) {
    for (const resolve of waiting.splice(0)) resolve()
    await endOfTurn()
  }
  await all
  expect(asked).toBe(plans.length)
})
