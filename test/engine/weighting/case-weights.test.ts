import { describe, expect, it } from 'vitest'
import { caseWeights, effectiveRows } from '../../../src/engine/weighting/case-weights.ts'
import { codesOfCopies, copyRows, worthOfCopies } from '../../../src/engine/weighting/row-copies.ts'

describe('case weights', () => {
  it('are scaled to a mean of 1, whatever their scale', () => {
    expect([...caseWeights(Float64Array.of(1, 2, 3))!]).toEqual([0.5, 1, 1.5])
    expect([...caseWeights(Float64Array.of(1000, 2000, 3000))!]).toEqual([0.5, 1, 1.5])
  })

  it('are left out if all are equal', () => {
    expect(caseWeights(Float64Array.of(2.5, 2.5, 2.5))).toBeUndefined()
  })

  it.each([
    ['a negative weight', [1, -1], 'row 1 has the weight -1'],
    ['no number', [1, Number.NaN], 'row 1 has the weight NaN'],
    ['infinity', [Number.POSITIVE_INFINITY, 1], 'row 0 has the weight Infinity'],
    ['nothing but 0', [0, 0], 'all weights are 0'],
  ])('refuse %s', (_name, weights, message) => {
    expect(() => caseWeights(Float64Array.from(weights))).toThrow(message)
  })

  it('give the effective rows of the formula of Kish', () => {
    expect(effectiveRows(Float64Array.of(3, 3, 3, 3))).toBe(4)
    // (1 + 1 + 2)² / (1 + 1 + 4)
    expect(effectiveRows(Float64Array.of(1, 1, 2))).toBeCloseTo(16 / 6, 12)
    expect(effectiveRows(Float64Array.of(0, 0, 5))).toBe(1)
    expect(effectiveRows(new Float64Array(3))).toBe(0)
  })
})

describe('copies of weighted rows', () => {
  const weights = caseWeights(Float64Array.from({ length: 1_000 }, (_, i) => ((i * 37) % 101) ** 2 / 50))!
  const copies = copyRows(weights, 10)
  const counts = new Int32Array(1_000)
  for (const row of copies.rowOf) counts[row]!++

  it('number as many as the weight of each row and run of rows says, to less than one', () => {
    let running = 0
    let copied = 0
    for (const [row, weight] of weights.entries()) {
      running += 8 * weight
      copied += counts[row]!
      expect(Math.abs(counts[row]! - 8 * weight)).toBeLessThan(1)
      expect(Math.abs(copied - running)).toBeLessThanOrEqual(0.5 + 1e-9)
    }
    expect(copied).toBe(8_000)
  })

  it('are adjacent, and the first copy of each row is marked', () => {
    expect([...copies.rowOf]).toEqual([...copies.rowOf].sort((a, b) => a - b))
    const first = [...copies.isFirst.keys()].filter((i) => copies.isFirst[i] === 1).map((i) => copies.rowOf[i])
    expect(first).toEqual([...counts.keys()].filter((row) => counts[row]! > 0))
  })

  it('have the codes of their rows', () => {
    const codes = Uint16Array.from({ length: 1_000 }, (_, row) => row % 7)
    expect([...codesOfCopies(codes, copies)]).toEqual(Array.from(copies.rowOf, (row) => row % 7))
  })

  it.each([
    ['a small table', 1_000, 10, 8],
    ['many rows', 80_000, 10, 5],
    ['many columns', 10_000, 500, 4],
    ['very many rows', 200_000, 100, 2],
  ])('are fewer per row in larger tables, but at least 2: %s', (_name, n, d, k) => {
    const uneven = caseWeights(Float64Array.from({ length: n }, (_, i) => 1 + (i % 2)))!
    expect(copyRows(uneven, d).rowOf.length).toBe(k * n)
  })

  it('count as much as the rows behind them', () => {
    const all = Int32Array.from(copies.rowOf.keys())
    const effective = effectiveRows(Float64Array.from(counts))
    expect(worthOfCopies(copies, all) * all.length).toBeCloseTo(effective, 9)
    // Rounding to whole copies changes the effective rows by less than 1 %.
    expect(effective / effectiveRows(weights)).toBeCloseTo(1, 2)
    expect(copies.perEffectiveRow * effectiveRows(weights)).toBeCloseTo(all.length, 6)
  })

  it('count a row each if all are of different rows, and without weights', () => {
    const firsts = Int32Array.from([...copies.isFirst.keys()].filter((i) => copies.isFirst[i] === 1))
    expect(worthOfCopies(copies, firsts)).toBe(1)
    expect(worthOfCopies(null, Int32Array.of(0, 1, 2))).toBe(1)
  })
})
