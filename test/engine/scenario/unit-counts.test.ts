import { describe, expect, it } from 'vitest'
import { LEAST_PARTED_ROWS, UNIT_ROWS } from '../../../src/engine/sampling/batches.ts'
import { countsOfUnits } from '../../../src/engine/scenario/unit-counts.ts'

/** Three units, the last of which is short. */
const ROWS = LEAST_PARTED_ROWS + 1
const SIZES = [UNIT_ROWS, UNIT_ROWS, ROWS - 2 * UNIT_ROWS]

const unitsOf = (counts: readonly number[], rows: number, seed: number, part = { firstRow: 0, endRow: rows }) => [
  ...countsOfUnits(Int32Array.from(counts), rows, seed, part),
]

/** Of the rest, and of cells with few rows, one row and none. */
const cellsOf = (rows: number): number[] => {
  const few = [300_000, 1, 0, 40, 90_000]
  return [...few, rows - few.reduce((sum, count) => sum + count, 0)]
}

describe('rows of cells in the units of a table', () => {
  it.each([1_015_809, 2_000_000, 5 * UNIT_ROWS, 5 * UNIT_ROWS + 1, 20_000_000])(
    'are together those of the cells and of the units: %i rows',
    (rows) => {
      for (const counts of [cellsOf(rows), [rows], [0, rows, 0]]) {
        for (let seed = 0; seed < 5; seed++) {
          const units = unitsOf(counts, rows, seed)
          expect(units.map(({ unit }) => unit)).toEqual([...units.keys()])
          let next = 0
          for (const { firstRow, endRow, counts: ofUnit } of units) {
            expect(firstRow).toBe(next)
            expect(endRow).toBe(Math.min(rows, firstRow + UNIT_ROWS))
            expect(ofUnit.reduce((sum, count) => sum + count, 0)).toBe(endRow - firstRow)
            expect(Math.min(...ofUnit)).toBeGreaterThanOrEqual(0)
            next = endRow
          }
          expect(next).toBe(rows)
          const totals = counts.map((_, l) => units.reduce((sum, { counts: ofUnit }) => sum + ofUnit[l]!, 0))
          expect(totals).toEqual(counts)
        }
      }
    },
  )

  it('are those of one unit in a table that cannot be cut, and none in a table without rows', () => {
    const rows = LEAST_PARTED_ROWS
    const counts = Int32Array.from(cellsOf(rows))
    expect(unitsOf([...counts], rows, 1)).toEqual([{ unit: 0, firstRow: 0, endRow: rows, counts }])
    expect(unitsOf([0, 0], 0, 1)).toEqual([])
  })

  it('are the same for whoever asks for some of the units', () => {
    const rows = 7 * UNIT_ROWS + 9
    const all = unitsOf(cellsOf(rows), rows, 5)
    expect(all).toHaveLength(8)
    for (const one of all) expect(unitsOf(cellsOf(rows), rows, 5, one)).toEqual([one])
    const part = { firstRow: 2 * UNIT_ROWS + 1, endRow: 5 * UNIT_ROWS }
    expect(unitsOf(cellsOf(rows), rows, 5, part)).toEqual(all.slice(2, 5))
    expect(unitsOf(cellsOf(rows), rows, 6)).not.toEqual(all)
  })

  it('have the means and covariances of the multivariate hypergeometric law', () => {
    const counts = cellsOf(ROWS)
    const seeds = 1_500
    const [cells, units] = [counts.length, SIZES.length]
    // Of cell l in unit u at u · cells + l, less its expectation.
    const made = Array.from({ length: seeds }, (_, seed) =>
      unitsOf(counts, ROWS, seed).flatMap(({ counts: ofUnit }, u) =>
        Array.from(ofUnit, (count, l) => count - (SIZES[u]! * counts[l]!) / ROWS),
      ),
    )
    const covarianceOf = (i: number, j: number): number => {
      const [u, v, k, l] = [Math.floor(i / cells), Math.floor(j / cells), i % cells, j % cells]
      const ofUnits = SIZES[u]! * ((u === v ? ROWS : 0) - SIZES[v]!)
      const ofCells = counts[k]! * ((k === l ? ROWS : 0) - counts[l]!)
      return (ofUnits / ROWS) * (ofCells / ROWS / (ROWS - 1))
    }
    // How far an average of products may be off, in standard errors: 171 of them are looked at, so 5 is passed once in 10,000 such tests.
    // Of rare cells the products have heavy tails: their fourth moment is bounded by that of a Poisson number.
    const bound = 5
    const spreadOf = (i: number): number => covarianceOf(i, i)
    const fourth = (i: number): number => 3 * spreadOf(i) ** 2 + spreadOf(i)
    for (let i = 0; i < cells * units; i++) {
      const mean = made.reduce((sum, one) => sum + one[i]!, 0) / seeds
      expect(Math.abs(mean), `mean ${i}`).toBeLessThanOrEqual(bound * Math.sqrt(spreadOf(i) / seeds))
      for (let j = 0; j <= i; j++) {
        const product = made.reduce((sum, one) => sum + one[i]! * one[j]!, 0) / seeds
        const error = Math.sqrt(Math.sqrt(fourth(i) * fourth(j)) / seeds)
        expect(Math.abs(product - covarianceOf(i, j)), `${i} ${j}`).toBeLessThanOrEqual(bound * error)
      }
    }
  })
})
