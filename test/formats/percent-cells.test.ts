import { type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { percentStyles } from '../../src/formats/excel/percent-cells.ts'
import { scanSheetXml } from '../../src/formats/excel/scan-sheet.ts'
import { xlsPercents } from '../../src/formats/excel/xls-percents.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { xlsBytes } from './ole-bytes.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'
import { type XlsbCell, type XlsbSheet, xlsbBytes } from './xlsb-bytes.ts'

const folder = tempFolder()
let files = 0

type Cell = string | number | null | { readonly value: number; readonly format: string }

/** The table of a sheet of one column "take-up" beside a column of towns. */
async function readSheet(cells: readonly Cell[], header: Cell = 'take-up'): Promise<RawTable> {
  const formatted: NonNullable<WriteSheet['cells']> = new Map()
  const rows = [header, ...cells].map((cell, row) => {
    const town = row === 0 ? 'town' : `town ${row}`
    if (cell === null || typeof cell !== 'object') return [town, cell]
    formatted.set(`${row},1`, { value: cell.value, style: { numFmt: cell.format } })
    return [town, cell.value]
  })
  const bytes = await writeXlsx({ sheets: [{ name: 'Data', rows, cells: formatted }] })
  return readTable(folder.write(`percent-${files++}.xlsx`, bytes), { tempDir: folder.path })
}

function readCsv(cells: readonly string[]): Promise<RawTable> {
  const text = ['town;take-up', ...cells.map((cell, i) => `town ${i + 1};${cell}`)].join('\n')
  return readTable(folder.write(`percent-${files++}.csv`, Buffer.from(text)), { tempDir: folder.path })
}

const percent = (value: number): Cell => ({ value, format: '0%' })
const notesOf = (table: RawTable) => table.notes.filter((note) => note.includes('take-up'))
const NOTE = 'Column "take-up" has percentages, which were read as numbers ("12%" as 12).'

describe('a column of cells with a percent format', () => {
  it.each([
    ['numbers', [percent(0.12), percent(0.345), percent(1), null], ['12%', '34.5%', '100%', '']],
    // The second is stored as 0.12000000000000001, and times 100 the third would be 7.000000000000001.
    ['sums', [percent(0.1), percent(0.1 + 0.02), percent(0.07), percent(-0.3)], ['10%', '12%', '7%', '-30%']],
    ['tiny numbers', [percent(0.000000123), percent(0.5), percent(0.25)], ['0.0000123%', '50%', '25%']],
    ['numbers and a word for missing', [percent(0.12), 'n/a', percent(0.4)], ['12%', 'n/a', '40%']],
    ['numbers and texts of percentages', [percent(0.12), '15 %', percent(0.4)], ['12%', '15 %', '40%']],
  ] satisfies [string, Cell[], string[]][])(
    'of %s is read as the same column of a CSV file',
    async (_, cells, texts) => {
      const [sheet, csv] = [await readSheet(cells), await readCsv(texts)]
      expect(readColumn(sheet, 'take-up')).toEqual(readColumn(csv, 'take-up'))
      expect(columnOf(sheet, 'take-up').type).toBe('number')
      expect(notesOf(sheet)).toEqual(notesOf(csv))
      expect(notesOf(sheet)).toContain(NOTE)
    },
  )

  it('may have a header that is a number without the format', async () => {
    const table = await readSheet([percent(0.12), percent(0.4), percent(0.33)], 2024)
    expect(readColumn(table, '2024')).toEqual([12, 40, 33])
  })
})

describe('a column of numbers as they are stored', () => {
  it.each([
    ['without a format', [0.12, 0.4, 0.25]],
    ['with a sign that is text', [12, 40, 25].map((value) => ({ value, format: '0"%"' }))],
    ['with an escaped sign', [12, 40, 25].map((value) => ({ value, format: '0\\%' }))],
    ['with a sign in one of two sections', [0.12, 0.4, 0.25].map((value) => ({ value, format: '0%;0.00' }))],
  ] satisfies [string, Cell[]][])('%s keeps them', async (_, cells) => {
    const table = await readSheet(cells)
    expect(readColumn(table, 'take-up')).toEqual(
      cells.map((cell) => (cell !== null && typeof cell === 'object' ? cell.value : cell)),
    )
    expect(table.notes).toEqual(['Sheet "Data" was read.'])
  })

  it('keeps them with a note when only some have a percent format', async () => {
    const table = await readSheet([percent(0.12), 40, percent(0.25)])
    expect(readColumn(table, 'take-up')).toEqual([0.12, 40, 0.25])
    expect(table.notes).toContain(
      'Column "take-up" has a percent format in some cells only, and the numbers were read as they are stored ("12%" as 0.12).',
    )
  })
})

describe('a percentage in a text', () => {
  it('may have a narrow blank before its sign, as French programs write it', async () => {
    expect(readColumn(await readCsv(['12\u202f%', '3,5\u202f%', '7\u00a0%']), 'take-up')).toEqual([12, 3.5, 7])
  })
})

describe('the styles of a workbook', () => {
  it('show percentages by numbers of their own, and by codes', () => {
    const xml =
      '<x:styleSheet><x:numFmts><x:numFmt numFmtId="164" formatCode="0.0%;[Red]\\-0.0%;&quot;none&quot;"/>' +
      '<x:numFmt numFmtId="165" formatCode="0.0&quot;%&quot;"/></x:numFmts>' +
      '<x:cellStyleXfs><x:xf numFmtId="9"/></x:cellStyleXfs>' +
      '<x:cellXfs count="5"><x:xf numFmtId="0"/><x:xf numFmtId="9"/><x:xf numFmtId="10"><x:alignment/></x:xf>' +
      '<x:xf numFmtId="164"/><x:xf numFmtId="165"/></x:cellXfs><x:dxfs><x:xf numFmtId="9"/></x:dxfs></x:styleSheet>'
    expect([...percentStyles(xml)]).toEqual([1, 2, 3])
    expect([...percentStyles('<styleSheet><cellXfs><xf numFmtId="9"/>')]).toEqual([])
  })

  it.each([1, 7, 10_000])('are found at the cells in pieces of %d bytes', async (size) => {
    const bytes = Buffer.from(
      '<worksheet><sheetData><row><c s="2"><v>0.5</v></c><c s="2" t="s"><v>0</v></c></row><row r="4"><c r="A4"><v>1</v></c>' +
        '<c r="B4" s="2" t="n"><v>0.1</v></c><c r="C4" s="2"/></row></sheetData></worksheet>',
    )
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const { percents } = await scanSheetXml(pieces(), new Set([2]))
    expect([...percents]).toEqual([
      [0, { lastPercent: 0, lastOther: 3 }],
      [1, { lastPercent: 3, lastOther: -1 }],
    ])
  })
})

describe('an .xls workbook', () => {
  const RATES = Array.from({ length: 40 }, (_, i) => [20 + i, (i + 1) / 100])
  const read = (formatOf: (row: number, column: number) => string | null) =>
    readTable(folder.write(`percent-${files++}.xls`, xlsBytes(['age', 'take-up'], RATES, null, false, formatOf)), {
      tempDir: folder.path,
    })

  it.each(['0%', '0.0%', '0%;[Red]-0%'])(
    'has its numbers with the format %s read as Excel shows them',
    async (format) => {
      const table = await read((_, column) => (column === 1 ? format : null))
      expect(readColumn(table, 'take-up').slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
      expect(readColumn(table, 'age').slice(0, 2)).toEqual([20, 21])
      expect(notesOf(table)).toContain(NOTE)
    },
  )

  it('keeps stored numbers where some cells have another format, with a note, and where none has the format', async () => {
    const some = await read((row, column) => (column === 1 && row > 0 ? '0%' : null))
    expect(readColumn(some, 'take-up').slice(0, 2)).toEqual([0.01, 0.02])
    expect(notesOf(some).join()).toContain('has a percent format in some cells only')
    const none = await read((_, column) => (column === 1 ? '0.00" %"' : null))
    expect(readColumn(none, 'take-up').slice(0, 2)).toEqual([0.01, 0.02])
    expect(notesOf(none)).toEqual([])
  })

  it('is read without formats where its structure is cut off', () => {
    const bytes = xlsBytes(['age', 'take-up'], RATES, null, false, () => '0%')
    expect(xlsPercents(bytes)[0]?.get(1)).toEqual({ lastPercent: 40, lastOther: -1 })
    for (let length = 0; length < bytes.length; length += 97)
      expect(() => xlsPercents(bytes.subarray(0, length))).not.toThrow()
  })
})

describe('an .xlsb workbook', () => {
  const town = (row: number): XlsbCell => ({ value: `town ${row}` })
  const sheet = (cells: readonly XlsbCell[]) => [
    [{ value: 'town' }, { value: 'take-up' }],
    ...cells.map((cell, i) => [town(i + 1), cell]),
  ]
  const read = (sheets: readonly XlsbSheet[]) =>
    readTable(folder.write(`percent-${files++}.xlsb`, xlsbBytes(sheets)), { tempDir: folder.path })

  it.each(['0%', '0.00%', '0.0%;[Red]-0.0%'])(
    'has its numbers with the format %s read as Excel shows them',
    async (format) => {
      const cells = [{ value: 0.12 }, { value: 1 }, { value: 0.345, formula: true }, { value: -0.3 }]
      const table = await read([{ name: 'Data', rows: sheet(cells.map((cell) => ({ ...cell, format }))) }])
      expect(readColumn(table, 'take-up')).toEqual([12, 100, 34.5, -30])
      expect(notesOf(table)).toEqual([NOTE])
    },
  )

  it('keeps stored numbers where some cells have another format, with a note, and where none has the format', async () => {
    const some = await read([{ name: 'Data', rows: sheet([{ value: 0.12, format: '0%' }, { value: 40 }]) }])
    expect(readColumn(some, 'take-up')).toEqual([0.12, 40])
    expect(notesOf(some).join()).toContain('has a percent format in some cells only')
    const none = await read([{ name: 'Data', rows: sheet([{ value: 12.5, format: '0.0"%"' }, { value: 40 }]) }])
    expect(readColumn(none, 'take-up')).toEqual([12.5, 40])
    expect(notesOf(none)).toEqual([])
  })

  it('has the formats of the sheet that is read, wherever its part stands', async () => {
    const shares = sheet([0.1, 0.2].map((value) => ({ value, format: '0%' })))
    const plain = sheet([{ value: 0.1 }, { value: 0.2 }])
    const hidden = { name: 'Shares', hidden: true, rows: shares }
    expect(readColumn(await read([hidden, { name: 'Plain', rows: plain }]), 'take-up')).toEqual([0.1, 0.2])
    const other = { name: 'Plain', hidden: true, rows: plain }
    expect(readColumn(await read([other, { name: 'Shares', rows: shares }]), 'take-up')).toEqual([10, 20])
  })
})
