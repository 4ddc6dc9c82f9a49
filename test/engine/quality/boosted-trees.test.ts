import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BoostedRows, boostAndScore } from '../../../src/engine/quality/boosted-trees.ts'
import { referenceBoostAndScore } from './reference-boosted-trees.ts'

/** Rows of a few features, some of them nominal, whose labels lean on the first. */
const tables = fc
  .record({
    sizes: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 3 }),
    nominal: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    cells: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), { minLength: 40, maxLength: 120 }),
  })
  .map(({ sizes, nominal, cells }): BoostedRows => {
    const firstBin = Int32Array.of(
      0,
      ...sizes.map((_, f) => sizes.slice(0, f + 1).reduce((sum, size) => sum + size, 0)),
    )
    return {
      d: sizes.length,
      firstBin,
      nominal: Uint8Array.from(sizes, (_, f) => (nominal[f] === true ? 1 : 0)),
      bins: Int32Array.from(cells.flatMap((row) => sizes.map((size, f) => firstBin[f]! + (row[f]! % size)))),
      labels: Uint8Array.from(cells, (row) => (row[0] % sizes[0]! < sizes[0]! / 2 || row[3] % 4 === 0 ? 1 : 0)),
    }
  })

const OPTIONS = { trees: 4, leaves: 5, leafRows: 4, learningRate: 0.3 }

describe('boosted trees', () => {
  it('score rows as the reference implementation does', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const rows = Array.from(table.labels, (_, row) => row)
        const train = rows.filter((row) => row % 3 !== 0)
        const scored = rows.filter((row) => row % 3 === 0)
        const fast = boostAndScore(table, Int32Array.from(train), Int32Array.from(scored), OPTIONS)
        const expected = referenceBoostAndScore(table, train, scored, OPTIONS)
        for (let i = 0; i < expected.length; i++) expect(fast[i]).toBeCloseTo(expected[i]!, 9)
      }),
      { numRuns: 60, seed: 20261121 },
    )
  })

  it('give lower scores to rows of the other class', () => {
    const labels = Uint8Array.from({ length: 200 }, (_, row) => (row % 2 === 0 ? 1 : 0))
    const table: BoostedRows = {
      d: 1,
      firstBin: Int32Array.of(0, 2),
      nominal: Uint8Array.of(0),
      bins: Int32Array.from(labels, (label) => 1 - label),
      labels,
    }
    const [one, other] = boostAndScore(
      table,
      Int32Array.from({ length: 100 }, (_, row) => row),
      Int32Array.of(198, 199),
      OPTIONS,
    )
    expect(one).toBeGreaterThan(0)
    expect(other).toBeLessThan(0)
  })
})
