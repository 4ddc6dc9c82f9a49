import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block, BlockColumn, OutputColumn } from '../../src/base/output-table.ts'
import { RowEncoder } from '../../src/formats/csv/encode-rows.ts'
import { COLUMNS, makeBlock } from './blocks.ts'
import { csvRows } from './reference-csv.ts'

function encoded(columns: readonly OutputColumn[], block: Block, chunkBytes = 1_000): string[] {
  const chunks = Array.from(new RowEncoder(columns, chunkBytes).encode(block), (chunk) => Buffer.from(chunk).toString())
  for (const chunk of chunks) expect(chunk.endsWith('\r\n')).toBe(true)
  return chunks.join('').split('\r\n').slice(0, -1)
}

/** Rows of one column of values, by both ways. */
function both(column: OutputColumn, values: readonly number[]): { fast: string[]; reference: string[] } {
  const block: Block = { rowCount: values.length, columns: [{ values: Float64Array.from(values), valid: null }] }
  return { fast: encoded([column], block), reference: csvRows([column], block) }
}

const whole: OutputColumn = { name: 'n', kind: 'numeric', integer: true, decimals: 0 }
const decimal = (decimals: number): OutputColumn => ({ name: 'x', kind: 'numeric', integer: false, decimals })

describe('rows as bytes of CSV', () => {
  it('equal the rows made as text, for all kinds of columns, with and without missing values', () => {
    const block = makeBlock(0, 3_000)
    expect(encoded(COLUMNS, block).join('\r\n')).toBe(csvRows(COLUMNS, block).join('\r\n'))
  })

  it('may be longer than a chunk', () => {
    const columns: OutputColumn[] = [
      { name: 'a', kind: 'categorical', levels: ['x'.repeat(5_000), ''], integer: false },
      whole,
    ]
    const block: Block = {
      rowCount: 3,
      columns: [
        { codes: Int32Array.of(0, 1, -1) },
        { values: Float64Array.of(1, 2, 3), valid: Uint8Array.of(1, 0, 1) },
      ],
    }
    expect(encoded(columns, block, 16)).toEqual([`${'x'.repeat(5_000)},1`, '"",', ',3'])
  })

  it('do not change when the next block reuses the memory of the first', () => {
    const encoder = new RowEncoder([whole], 100)
    const values = Float64Array.of(1)
    const columns: BlockColumn[] = [{ values, valid: null }]
    const first = Buffer.concat([...encoder.encode({ rowCount: 1, columns })]).toString()
    values[0] = 2
    const second = Buffer.concat([...encoder.encode({ rowCount: 1, columns })]).toString()
    expect([first, second]).toEqual(['1\r\n', '2\r\n'])
  })

  it.each([
    { what: 'whole numbers', column: whole },
    { what: '1 decimal', column: decimal(1) },
    { what: '2 decimals', column: decimal(2) },
    { what: '12 decimals', column: decimal(12) },
    { what: '22 decimals', column: decimal(22) },
    { what: '25 decimals', column: decimal(25) },
    { what: '100 decimals', column: decimal(100) },
  ])('equal the rows made as text for numbers of any size: $what', ({ column }) => {
    const edges = [
      0,
      -0,
      0.5,
      -0.5,
      1.5,
      0.004999,
      -0.004,
      1.005,
      2 ** 31 - 1,
      2 ** 31,
      -(2 ** 31),
      2 ** 32,
      2 ** 52,
      2 ** 53,
    ]
    const small = Array.from({ length: 2_000 }, (_, i) => (i + 1 / 3) * 10 ** -(9 + (i % 12)))
    const large = [1e15, 123_456_789_012.34, 99_999_999.995, 1e20, 1e21, -1e21, 1.7976931348623157e308, 5e-324, 1e-7]
    const { fast, reference } = both(column, [
      ...edges,
      ...small,
      ...large,
      ...edges.map((x) => -x),
      ...large.map((x) => -x),
    ])
    expect(fast).toEqual(reference)
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
        const { fast, reference } = both(column, values)
        expect(fast).toEqual(reference)
      }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }),
        fc.integer({ min: 0, max: 9 }),
        (units, k) => {
          const { fast, reference } = both(
            column,
            units.map((unit) => unit / 10 ** k),
          )
          expect(fast).toEqual(reference)
        },
      ),
    )
  })

  it.each(['date', 'date-time'] as const)('equal the rows made as text for every kind of year: %s', (kind) => {
    const column: OutputColumn = { name: 'd', kind }
    const at = (text: string) => Date.parse(text)
    const edges = [
      at('-000001-12-31T23:59:59.999Z'),
      at('0000-01-01T00:00:00Z'),
      at('0000-02-29T12:00:00Z'),
      at('1600-02-29T00:00:00Z'),
      at('1899-12-31T23:59:59.001Z'),
      at('1900-03-01T00:00:00Z'),
      at('1969-12-31T23:59:59.999Z'),
      0,
      at('2000-02-29T23:59:59Z'),
      at('2024-12-31T23:59:59.5Z'),
      at('9999-12-31T23:59:59.999Z'),
      at('+010000-01-01T00:00:00Z'),
      8.64e15,
      -8.64e15,
      0.4,
      -0.6,
    ]
    const { fast, reference } = both(column, edges)
    expect(fast).toEqual(reference)
    const days = Array.from({ length: 3 * 146_097 }, (_, i) => (i - 200_000) * 86_400_000)
    const every = both(column, days)
    expect(every.fast.join('\n')).toBe(every.reference.join('\n'))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -8.64e15, max: 8.64e15 }), { minLength: 1 }), (values) => {
        const { fast, reference } = both(column, values)
        expect(fast).toEqual(reference)
      }),
    )
  })
})
