import { describe, expect, it } from 'vitest'
import { releasedQuantiles } from '../../../src/engine/disclosure/released-quantiles.ts'

const whole = { format: null, decimals: 0 } as const
const upTo = (n: number) => Float64Array.from({ length: n }, (_, i) => i)

it('a value that ten rows share is released as it is', () => {
  const scale = Float64Array.from({ length: 300 }, (_, i) => 1 + Math.floor(i / 60))
  expect(releasedQuantiles(whole, scale)).toEqual([1, 2, 3, 4, 5])
})

describe('a value that fewer than ten rows share', () => {
  it('is rounded until ten rows round to the same value', () => {
    // For 1000 different ages in days, a multiple of 20 represents 20 rows, and a multiple of 10 represents 11.
    expect(releasedQuantiles(whole, upTo(1000))).toEqual([50, 250, 500, 750, 950])
    const known = releasedQuantiles(
      whole,
      upTo(1000).map((v) => v * 1000 + 137),
    )
    expect(known).toEqual([50_000, 250_000, 500_000, 750_000, 950_000])
  })

  it('is rounded to fewer decimals in a column with decimals', () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => Math.round(i * 13.7) / 1000)
    const [, , median] = releasedQuantiles({ format: null, decimals: 3 }, values)
    expect(median).toBe(6.8)
  })
})

it('a quantile with fewer than ten rows on one side is not released', () => {
  expect(releasedQuantiles(whole, upTo(100))).toEqual([
    null,
    expect.any(Number),
    expect.any(Number),
    expect.any(Number),
    null,
  ])
  expect(releasedQuantiles(whole, upTo(15))).toEqual([null, null, null, null, null])
  expect(releasedQuantiles(whole, upTo(0))).toEqual([null, null, null, null, null])
})

it('no value that fewer than ten rows share is released, wherever it lies', () => {
  for (let seed = 1; seed < 60; seed++) {
    const values = Float64Array.from({ length: 250 }, (_, i) =>
      Math.round(Math.exp(((i * seed * 7919) % 997) / 120) * 3),
    ).sort()
    for (const value of releasedQuantiles(whole, values)) {
      if (value === null) continue
      const same = values.filter((v) => v === value).length
      // A value is either frequent, or a round number that also represents its neighbours.
      if (same < 10) expect(value % 5).toBe(0)
    }
  }
})

it('rounded quantiles stay in ascending sequence', () => {
  const values = Float64Array.from({ length: 400 }, (_, i) => (i < 200 ? 100 + i / 1000 : 101 + i))
  const released = releasedQuantiles({ format: null, decimals: 3 }, values) as number[]
  expect(released).toEqual([...released].sort((a, b) => a - b))
})

it('weights move quantiles, but each row counts once for the release', () => {
  const values = upTo(1000)
  const before = new Float64Array(1001)
  for (let i = 0; i < 1000; i++) before[i + 1] = before[i]! + (i < 500 ? 3 : 1)
  const [, , median] = releasedQuantiles(whole, values, before)
  expect(median).toBe(330)
})

describe('quantiles of dates', () => {
  const day = (text: string) => Date.parse(text)

  it('are released as they are if ten rows share them', () => {
    const values = Float64Array.from({ length: 300 }, (_, i) => day('2026-10-01') + Math.floor(i / 30) * 86_400_000)
    expect(releasedQuantiles({ format: 'date', decimals: 0 }, values)[2]).toBe(day('2026-10-05'))
  })

  it('are otherwise rounded to the middle of a month or a year', () => {
    const births = Float64Array.from({ length: 400 }, (_, i) => day('1950-01-01') + i * 5 * 86_400_000)
    expect(releasedQuantiles({ format: 'date', decimals: 0 }, births)[2]).toBe(day('1952-07-02'))
    const visits = Float64Array.from({ length: 400 }, (_, i) => day('2026-01-01') + i * 43_200_000)
    expect(releasedQuantiles({ format: 'date', decimals: 0 }, visits)[0]).toBe(day('2026-01-16'))
  })
})
