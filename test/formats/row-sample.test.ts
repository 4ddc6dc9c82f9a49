import { describe, expect, it } from 'vitest'
import { mix32, sampleRowIndexes, sampleSize } from '../../src/formats/reading/row-sample.ts'

describe('a sample of rows', () => {
  it('has the rows with the smallest hashes', () => {
    const byHash = Array.from({ length: 5_000 }, (_, i) => i).sort((a, b) => mix32(a) - mix32(b))
    const expected = byHash.slice(0, 700).sort((a, b) => a - b)
    expect([...sampleRowIndexes(5_000, 700)]).toEqual(expected)
  })

  it.each([
    [10, 10],
    [10, 20],
    [0, 5],
  ])('has all of %i rows when %i are wanted', (rowCount, wanted) => {
    expect([...sampleRowIndexes(rowCount, wanted)]).toEqual(Array.from({ length: rowCount }, (_, i) => i))
  })

  it('grows by rows only: a larger sample contains the smaller one', () => {
    const large = new Set(sampleRowIndexes(100_000, 5_000))
    expect([...sampleRowIndexes(100_000, 500)].every((row) => large.has(row))).toBe(true)
  })

  it('is spread evenly, whatever pattern the file repeats', () => {
    const rows = sampleRowIndexes(1_000_000, 20_000)
    for (const period of [2, 7, 10, 64, 1_000]) {
      const counts = new Array<number>(period).fill(0)
      for (const row of rows) counts[row % period]!++
      const expected = rows.length / period
      const chiSquare = counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
      // Mean of chi-square is period - 1, its variance twice that; five deviations.
      expect(chiSquare).toBeLessThan(period - 1 + 5 * Math.sqrt(2 * period))
    }
  })
})

describe('the rows of a table in memory', () => {
  it.each([
    [5, 3, 5],
    [5_000, 3, 200],
    [5_000, 10, 100],
    [5_000, 5_000, 1],
  ])('number, of %i rows with %i columns, %i', (rowCount, columns, held) => {
    expect(sampleSize(rowCount, columns, { maxSampleRows: 200, maxSampleCells: 1_000 })).toBe(held)
  })
})
