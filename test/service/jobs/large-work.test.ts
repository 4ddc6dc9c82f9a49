import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LargeWork } from '../../../src/service/jobs/large-work.ts'

const SECOND_MS = 1_000
let readied: number
let large: LargeWork
beforeEach(() => {
  vi.useFakeTimers()
  readied = 0
  large = new LargeWork(() => void readied++)
})
afterEach(() => void vi.useRealTimers())

const work = (ms: number) => large.watch(async () => await new Promise<void>((resolve) => setTimeout(resolve, ms)))

it('nothing is made ready beside work that ends soon', async () => {
  const done = work(2.9 * SECOND_MS)
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS)
  await done
  expect(readied).toBe(0)
})

it('what may be needed is kept ready while work goes on, and no longer', async () => {
  const done = work(5.5 * SECOND_MS)
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
  await done
  // At 3, 4 and 5 s.
  expect(readied).toBe(3)
})

it('many that end soon are as one that does not', async () => {
  const all = (async () => {
    for (let i = 0; i < 10; i++) await work(0.72 * SECOND_MS)
  })()
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
  await all
  // 7.2 s in all.
  expect(readied).toBe(5)
})

it('many that end soon are not, where time passes between them', async () => {
  const all = (async () => {
    for (let i = 0; i < 10; i++) {
      await work(0.72 * SECOND_MS)
      await new Promise<void>((resolve) => setTimeout(resolve, 0.3 * SECOND_MS))
    }
  })()
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
  await all
  expect(readied).toBe(0)
})

it('work that fails has ended', async () => {
  const fault = new Error('a fault')
  await expect(large.watch(async () => await Promise.reject(fault))).rejects.toBe(fault)
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS)
  expect(readied).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
