import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodedRows } from '../../src/formats/coded/coded-rows.ts'
import { readCodedColumns } from '../../src/formats/coded/read-coded-columns.ts'
import type { CompactType } from '../../src/formats/columns/compact-texts.ts'

const ROWS = 40

/** @param forgetAt the row from which on no column may hold its texts; null: all hold them. */
function read(rows: readonly (readonly string[])[], forgetAt: number | null, decided = new Map<number, CompactType>()) {
  const width = rows[0]!.length
  const taken = new CodedRows({ width, header: null, maxSampleRows: 30, decided })
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      const bytes = Buffer.from(cell)
      if (bytes.length > 0) taken.field(column, bytes, 0, bytes.length)
    }
    taken.endRecord()
    if (forgetAt !== null && row >= forgetAt) taken.shrink(0)
  }
  const mistaken = taken.mistaken()
  if (mistaken.size > 0) return read(rows, forgetAt, new Map([...decided, ...mistaken]))
  const table = { rowCount: taken.rowCount, texts: taken.columns, sampledIds: taken.sampledIds() }
  const columns = Array.from({ length: width }, (_, at) => ({ name: `column ${at}`, at, declared: 'untyped' as const }))
  return readCodedColumns(table, columns, { delimiter: ',' })
}

/** Values of one kind. */
const kinds = [
  fc.oneof(fc.integer().map(String), fc.float({ noNaN: true }).map(String), fc.double().map(String)),
  fc.constantFrom('1', '-1', '+1', '0', '-0', '1.0', '1.50', '.5', '5.', '-.25', '1e3', '1E-3', '2.5e2', '123456.789'),
  fc.constantFrom('9007199254740991', '9007199254740992', '-9007199254740993', '1', '1e999', '12345678901234567890123'),
  fc.constantFrom('0.1234567890123456', '123456789012345.6', '1234567890123456.7', '3.', '1e-20', '0.000000000000001'),
  fc.constantFrom('007', '1', '2', '0', '0.5'),
  fc.constantFrom('1,5', '2', '1.234,5', '1 000', '12%', '$3'),
  fc.constantFrom('2024-01-31', '31/12/2024', '1.2.99', '17:30', 'true', 'false', 'TRUE'),
  fc.constantFrom('yes', 'no', ' yes', 'no\u00a0', 'perhaps', 'É', 'à', '\u3000x', 'a\nb', 'a"b'),
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\0')),
]
const other = fc.constantFrom(
  '',
  'NA',
  'n/a',
  'NaN',
  'null',
  ' ',
  '-',
  '.',
  '*',
  'inf',
  'Infinity',
  '#DIV/0!',
  'x',
  '7',
  'Na ',
)
/** Columns of few values, so that each value matters. */
const column = fc
  .constantFrom(...kinds)
  .chain((kind) => fc.tuple(fc.array(kind, { minLength: 1, maxLength: 3 }), fc.array(other, { maxLength: 2 })))
  .chain(([values, others]) => {
    return fc.array(fc.constantFrom(...values, ...others), { minLength: ROWS, maxLength: ROWS })
  })

describe('columns that no longer hold their texts', () => {
  it('equal columns with all their texts', () => {
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 20, max: ROWS }),
        (columns, rowCount) => {
          // No row is empty; each value occurs before texts are forgotten.
          const cells = columns.map((values) => [...new Set(values), ...values])
          const rows = Array.from({ length: rowCount }, (_, row) => [`r${row}`, ...cells.map((own) => own[row]!)])
          expect(read(rows, 12)).toEqual(read(rows, null))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('may be many', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => [`${i / 8}`, `person ${i}`, `${i % 11}`, ` ${i % 3} `, 'x'])
    const held = read(rows, null)
    expect(held.columns.map(({ type, distinct }) => [type, distinct])).toEqual([
      ['number', 30_000],
      ['text', 30_000],
      ['number', 11],
      ['number', 3],
      ['text', 1],
    ])
    expect(read(rows, 20_000)).toEqual(held)
  })

  it.each([
    ['texts after numbers', (i: number) => (i < 500 ? `${i}` : `person ${i}`), 'text'],
    ['decimal commas after whole numbers', (i: number) => (i < 500 ? `${i}` : `${i},5`), 'number'],
    ['a code with leading zeros after numbers', (i: number) => (i < 900 ? `${i + 100}` : '007'), 'text'],
    ['a number beyond 2^53 after smaller ones', (i: number) => (i < 900 ? `${i}` : '9007199254740993'), 'text'],
    ['a text after dates', (i: number) => (i < 900 ? new Date(864e5 * i).toISOString().slice(0, 10) : 'never'), 'text'],
    ['one slip after numbers', (i: number) => (i === 900 ? 'none' : `${i}`), 'number'],
  ])('are read a second time after %s', (_, cell, type) => {
    const rows = Array.from({ length: 1_000 }, (__, i) => [cell(i), 'x'])
    const held = read(rows, null)
    expect(held.columns[0]!.type).toBe(type)
    expect(read(rows, 300)).toEqual(held)
  })
})
