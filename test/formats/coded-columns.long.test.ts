import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCodedColumns } from '../../src/formats/coded/read-coded-columns.ts'
import { loadRows } from '../../src/formats/csv/load-rows.ts'
import { DuckDbSession } from '../../src/formats/reading/duckdb-session.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const OPTIONS = { maxSampleRows: 30, maxSampleCells: 1_000 }
const ROWS = 40
let files = 0

/** @param maxTextBytes 0: the texts of all columns go to DuckDB, which then types these columns. */
async function read(rows: readonly (readonly string[])[], maxTextBytes: number) {
  const width = rows[0]!.length
  const path = folder.write(
    `coded-${files++}.csv`,
    rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join(''),
  )
  const file = {
    path,
    bomBytes: 0,
    dialect: { delimiter: ',', quote: '"', escape: '"' },
    skipRecords: 0,
    width,
    header: null,
  }
  const session = await DuckDbSession.open({ tempDir: folder.path, readPaths: [], threads: 1 })
  try {
    const loaded = await loadRows(session, file, OPTIONS, maxTextBytes)
    const columns = Array.from({ length: width }, (_, at) => {
      return { name: `column ${at}`, at, expression: `c${at}`, declared: 'untyped' as const }
    })
    return await readCodedColumns(session, loaded!.table, columns, ',')
  } finally {
    await session.close()
  }
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
/** Of few values, so that each has a say. */
const column = fc
  .constantFrom(...kinds)
  .chain((kind) => fc.tuple(fc.array(kind, { minLength: 1, maxLength: 3 }), fc.array(other, { maxLength: 2 })))
  .chain(([values, others]) => {
    return fc.array(fc.constantFrom(...values, ...others), { minLength: ROWS, maxLength: ROWS })
  })

describe('columns of a clear type', () => {
  it('are what DuckDB makes of their texts, and texts that were forgotten are still counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(column, { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 3, max: ROWS }),
        async (columns, rowCount) => {
          // No row is empty.
          const rows = Array.from({ length: rowCount }, (_, row) => [`r${row}`, ...columns.map((cells) => cells[row]!)])
          expect(await read(rows, Number.POSITIVE_INFINITY)).toEqual(await read(rows, 0))
        },
      ),
      { numRuns: 10 },
    )
  })

  it('need not be few', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => [`${i / 8}`, `person ${i}`, `${i % 11}`, ` ${i % 3} `, 'x'])
    const here = await read(rows, Number.POSITIVE_INFINITY)
    expect(here.columns.map(({ type, distinct }) => [type, distinct])).toEqual([
      ['number', 30_000],
      ['text', 30_000],
      ['number', 11],
      ['number', 3],
      ['text', 1],
    ])
    expect(await read(rows, 0)).toEqual(here)
  })
})
