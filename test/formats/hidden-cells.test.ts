import { type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { hiddenInXls } from '../../src/formats/excel/hidden-cells.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { xlsBytes } from './ole-bytes.ts'
import { tempFolder } from './temp-folder.ts'
import { xlsbBytes } from './xlsb-bytes.ts'

const folder = tempFolder()
let files = 0

const HEADER = ['age', 'paid', 'visits']
const ROWS = Array.from({ length: 60 }, (_, i) => [20 + (i % 40), 5 + ((i * 7) % 50), 1 + (i % 9)])

interface Hidden {
  /** From 0, the header is row 0. */
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

const WRITERS: readonly [string, (hidden: Hidden) => Buffer | Promise<Uint8Array>][] = [
  [
    '.xlsx',
    ({ rows, columns }) => {
      const rowDefs: NonNullable<WriteSheet['rowDefs']> = new Map(rows.map((row) => [row, { hidden: true }]))
      const shown = HEADER.map((_, at) => ({ hidden: columns.includes(at) }))
      return writeXlsx({ sheets: [{ name: 'Data', rows: [HEADER, ...ROWS], rowDefs, columns: shown }] })
    },
  ],
  [
    '.xlsb',
    ({ rows, columns }) =>
      xlsbBytes([
        {
          name: 'Data',
          rows: [HEADER, ...ROWS].map((row) => row.map((value) => ({ value }))),
          ...{ hiddenRows: rows, hiddenColumns: columns },
        },
      ]),
  ],
  ['.xls', (hidden) => xlsBytes(HEADER, ROWS, null, false, () => null, hidden)],
]

/** The rows that were read, and what is noted of hidden ones. */
async function read(write: (typeof WRITERS)[number][1], hidden: Hidden) {
  const path = folder.write(`hidden-${files++}`, Buffer.from(await write(hidden)))
  const { rowCount, columns, notes } = await readTable(path, { tempDir: folder.path })
  return {
    rowCount,
    names: columns.map(({ name }) => name),
    notes: notes.filter((note) => note.includes('the sheet hides')),
  }
}

describe.each(WRITERS)('what a sheet of an %s workbook hides', (_, write) => {
  it('is read like the others, with one note on the rows and one on the columns', async () => {
    expect(await read(write, { rows: [3, 4, 11], columns: [1] })).toEqual({
      rowCount: 60,
      names: HEADER,
      notes: [
        '3 rows that the sheet hides (by hand or by a filter) were read like the others; where they do not belong to the data, delete them from the sheet.',
        'Column "paid", which the sheet hides, was read like the others; where it does not belong to the data, name it in "drop".',
      ],
    })
  })

  it('is not noted where it is no row of the data', async () => {
    expect((await read(write, { rows: [0, 200], columns: [40] })).notes).toEqual([])
  })

  it('is not noted where it is nothing', async () => {
    expect((await read(write, { rows: [], columns: [] })).notes).toEqual([])
  })
})

describe('an .xls workbook that is cut off', () => {
  it('hides nothing', () => {
    const bytes = xlsBytes(HEADER, ROWS, null, false, () => null, { rows: [3], columns: [1] })
    expect(hiddenInXls(bytes)).toEqual([{ rows: new Set([3]), columns: new Set([1]) }])
    for (let length = 0; length < bytes.length; length += 97)
      expect(() => hiddenInXls(bytes.subarray(0, length))).not.toThrow()
  })
})
