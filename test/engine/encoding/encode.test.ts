import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTable, encodeColumn } from '../../../src/engine/encoding/encode.ts'
import type { EncodedNumeric } from '../../../src/engine/model/model.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const encodeNumbers = (source: readonly (number | null)[], decimals = 0) => {
  const { column, codes, positions } = encodeColumn(numeric('x', source, decimals))
  return { column: column as EncodedNumeric, codes, positions }
}

describe('encoding', () => {
  it('keeps the order of levels and uses code 0 for missing', () => {
    const { column, codes } = encodeColumn(categorical('x', ['b', null, 'a', 'b']))
    expect(column).toMatchObject({ kind: 'categorical', levels: ['b', 'a'], missing: 1, codeCount: 3 })
    expect([...codes]).toEqual([1, 0, 2, 1])
  })

  it('has no code for missing where no value is missing', () => {
    const { column, codes } = encodeColumn(categorical('x', ['b', 'a', 'b']))
    expect(column).toMatchObject({ missing: 0, codeCount: 2 })
    expect([...codes]).toEqual([0, 1, 0])
  })

  it('gives every value of a column with few values a bin of its own', () => {
    const { column, codes } = encodeNumbers([3, 1, null, 3, 2])
    expect([...column.values]).toEqual([1, 2, 3])
    expect([...column.cumulative]).toEqual([0, 1, 2, 4])
    expect([...column.binStart]).toEqual([0, 1, 2, 3])
    expect([...codes]).toEqual([3, 1, 0, 3, 2])
  })

  it('treats -0 as 0', () => {
    const { column, codes } = encodeNumbers([-0, 0, 1])
    expect([...column.values]).toEqual([0, 1])
    expect([...codes]).toEqual([0, 0, 1])
  })

  it('cuts a column with many values into about 256 bins of equal mass, and gives frequent values a bin each', () => {
    const values = Array.from({ length: 10_000 }, (_, i) => (i % 5 === 0 ? 1234 : i))
    const { column, codes } = encodeNumbers(values)
    expect(column.codeCount).toBeGreaterThan(200)
    expect(column.codeCount).toBeLessThan(262)
    const spike = column.values.indexOf(1234)
    const bin = column.binStart.indexOf(spike)
    expect(column.binStart[bin + 1]).toBe(spike + 1)
    const rows = new Int32Array(column.codeCount)
    for (const code of codes) rows[code]!++
    rows.forEach((count, code) => {
      if (code !== bin) expect(count).toBeLessThanOrEqual(2 * Math.ceil(values.length / 256))
    })
  })

  it('puts every row into the bin that holds its value, in ascending bins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: -500, max: 500 })), { minLength: 1, maxLength: 2000 }),
        (source) => {
          const { column, codes } = encodeNumbers(source)
          source.forEach((value, i) => {
            if (value === null) {
              expect(codes[i]).toBe(0)
              return
            }
            const bin = codes[i]! - column.missing
            expect(column.values[column.binStart[bin]!]).toBeLessThanOrEqual(value)
            expect(column.values[column.binStart[bin + 1]! - 1]).toBeGreaterThanOrEqual(value)
          })
          expect([...column.values]).toEqual([...column.values].sort((a, b) => a - b))
          expect(column.cumulative[column.values.length]).toBe(source.filter((value) => value !== null).length)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('keeps which value of its bin each row has, so that its own number is known', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: -2000, max: 2000 })), { minLength: 400, maxLength: 2000 }),
        (source) => {
          const { column, codes, positions } = encodeNumbers(source)
          if (positions === null) {
            expect(column.binStart.length - 1).toBe(column.values.length)
            return
          }
          for (const [row, value] of source.entries()) {
            if (value === null) expect([codes[row], positions[row]]).toEqual([0, 0])
            else expect(column.values[column.binStart[codes[row]! - column.missing]! + positions[row]!]).toBe(value)
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('keeps no positions where a bin is one value, nor for levels', () => {
    expect(encodeNumbers([3, 1, null, 3, 2]).positions).toBeNull()
    expect(encodeColumn(categorical('x', ['b', 'a'])).positions).toBeNull()
  })

  it('keeps no positions where a bin has more values than 16 bits count', () => {
    // A spike of nearly all rows leaves few bins for a great many values.
    const values = Array.from({ length: 400_000 }, (_, i) => (i < 330_000 ? 0 : i))
    const { column, positions } = encodeNumbers(values)
    const widest = Math.max(...Array.from(column.binStart.slice(1), (end, bin) => end - column.binStart[bin]!))
    if (widest > 65_536) expect(positions).toBeNull()
    else expect(positions).not.toBeNull()
  })

  it.each([
    { what: 'whole hundreds', values: [300, 500, 1200], decimals: 0, lattice: { scale: 1, step: 100, origin: 300 } },
    { what: 'cents', values: [0.05, 0.1, 12.34], decimals: 2, lattice: { scale: 100, step: 1, origin: 5 } },
    { what: 'days', values: [0, 864e5, 5 * 864e5], decimals: 0, lattice: { scale: 1, step: 864e5, origin: 0 } },
    { what: 'a single value', values: [7, 7], decimals: 0, lattice: { scale: 1, step: 1, origin: 7 } },
    { what: 'values with more decimals than declared', values: [0.123, 1], decimals: 2, lattice: null },
    { what: 'units beyond 2^53', values: [1e5 + 1 / 3, 1e6], decimals: 12, lattice: null },
  ])('finds the lattice of $what', ({ values, decimals, lattice }) => {
    expect(encodeNumbers(values, decimals).column.lattice).toEqual(lattice)
  })

  it('encodes columns in which every value is missing', () => {
    expect(encodeNumbers([null, null]).column).toMatchObject({ codeCount: 1, missing: 1 })
    expect(encodeColumn(categorical('x', [null, null])).column).toMatchObject({ codeCount: 1, missing: 1 })
  })

  it.each([
    { what: 'no rows', table: tableOf([numeric('x', [])]), message: 'the table has no rows' },
    { what: 'no columns', table: { rowCount: 3, seedRows: 3, columns: [] }, message: 'the table has no columns' },
    {
      what: 'columns of different lengths',
      table: tableOf([numeric('x', [1, 2]), categorical('y', ['a'])]),
      message: 'column y has 1 rows, the table 2',
    },
  ])('refuses a table with $what', ({ table, message }) => {
    expect(() => checkTable(table)).toThrow(new RangeError(message))
  })

  it.each([
    { what: 'a value that is not finite', column: numeric('x', [1, Number.NaN]), message: 'the value NaN in row 1' },
    {
      what: 'a code outside the levels',
      column: { ...categorical('x', ['a']), codes: Int32Array.of(0, 1) },
      message: 'code 1 in row 1, but 1 levels',
    },
    {
      what: 'too many levels',
      column: { ...categorical('x', ['a']), levels: Array.from({ length: 65_536 }, (_, i) => `${i}`) },
      message: '65536 levels, more than 65535',
    },
  ])('refuses $what', ({ column, message }) => {
    expect(() => encodeColumn(column)).toThrow(message)
  })
})
