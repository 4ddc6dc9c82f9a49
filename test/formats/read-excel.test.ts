import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { NOTHING_HIDDEN } from '../../src/formats/excel/hidden-cells.ts'
import { scanSheetXml } from '../../src/formats/excel/scan-sheet.ts'
import { stageSheet } from '../../src/formats/excel/stage-sheet.ts'
import { ZipParts } from '../../src/formats/excel/zip-parts.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

type Rows = NonNullable<WriteSheet['rows']>

async function readBytes(bytes: Uint8Array, signal?: AbortSignal): Promise<RawTable> {
  const path = folder.write(`book-${files++}`, bytes)
  return readTable(path, { tempDir: folder.path, ...(signal === undefined ? {} : { signal }) })
}

async function read(...sheets: WriteSheet[]): Promise<RawTable> {
  const table = await readBytes(await writeXlsx({ sheets }))
  checkConsistency(table)
  return table
}

function readRows(rows: Rows): Promise<RawTable> {
  return read({ name: 'Data', rows })
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

const table: Rows = [
  ['id', 'age', 'town'],
  [1, 34, 'Köln'],
  [2, 51, 'Bonn'],
  [3, 28, 'Trier'],
]

describe('sheets', () => {
  it('are read from the first visible one with contents, and the others are named', async () => {
    const { notes, rowCount } = await read(
      { name: 'Codebook', rows: [['secret']], hidden: true },
      { name: 'Empty', rows: [] },
      { name: 'A & B', rows: table },
      { name: 'More', rows: table },
    )
    expect(rowCount).toBe(3)
    expect(notes).toEqual([
      'Sheet "A & B" was read.',
      '3 other sheets were not read (1 hidden): "Codebook", "Empty", "More". To read another one, declare "sheet: NAME" in ' +
        "the dataset's entry of the study.",
    ])
  })

  it('without values are refused', async () => {
    expect(await refusal(read({ name: 'One', rows: [] }))).toBe('The workbook has no cells with values.')
  })

  it('are not read if they are hidden, even when the visible ones are empty', async () => {
    const hidden = { name: 'Two', rows: table, hidden: true }
    expect(await refusal(read({ name: 'One', rows: [] }, hidden))).toMatch(/hidden sheets, which are not read/)
  })

  it('are refused with a header alone', async () => {
    expect(await refusal(readRows([['id', 'age']]))).toBe('Sheet "Data" has a header but no rows below it.')
  })

  it('are refused with more columns than can be modelled', async () => {
    const wide = Array.from({ length: 5_001 }, (_, i) => `c${i}`)
    expect(await refusal(readRows([wide, wide.map((_, i) => i)]))).toBe(
      'Sheet "Data" has 5001 columns; at most 5000 can be read.',
    )
  })
})

describe('the place of the table', () => {
  const names = (read: RawTable) => read.columns.map((column) => column.name)

  it('is found below title rows and next to empty columns', async () => {
    const read = await readRows([
      ['Panel 2024'],
      [],
      [null, null, 'exported', 'by', null],
      ...table.map((row) => [null, null, ...row]),
    ])
    expect(names(read)).toEqual(['id', 'age', 'town'])
    expect(read.rowCount).toBe(3)
    expect(read.notes).toContain('2 title rows above the table were skipped; the table begins in row 4.')
  })

  it.each([
    ['a title', [['Panel 2024'], ['town', 'age'], ['Bonn', 3], ['Kiel', 4]], ['town', 'age'], 2],
    [
      'no title, but a column without a name',
      [
        ['town', null],
        ['Bonn', 3],
        ['Kiel', 4],
      ],
      ['town', ''],
      2,
    ],
    [
      'no title, but text alone',
      [
        ['town', null],
        ['Bonn', 'small'],
        ['Kiel', 'large'],
      ],
      ['town', ''],
      2,
    ],
  ])('of two columns is found below %s', async (_, rows, header, rowCount) => {
    const read = await readRows(rows)
    expect(names(read)[0]).toBe(header[0])
    if (header[1] !== '') expect(names(read)[1]).toBe(header[1])
    expect([read.columns.length, read.rowCount]).toEqual([2, rowCount])
  })

  it('ends above notes that follow an empty row', async () => {
    const read = await readRows([...table, [], ['Source: own survey']])
    expect(read.rowCount).toBe(3)
    expect(columnOf(read, 'id').type).toBe('number')
    expect(read.notes).toContain('1 row below the table was left out as notes, from row 6 on ("Source: own survey").')
  })

  it('includes sparse last rows that may be data, with a note', async () => {
    const read = await readRows([['name', 'town', 'age'], ['Ann', 'Bonn', 3], ['Bob', 'Köln', 4], ['Cem']])
    expect(readColumn(read, 'name')).toEqual(['Ann', 'Bob', 'Cem'])
    expect(read.notes).toContain(
      'The last row has little more than one text and was kept as data; remove it from the sheet if it is a note.',
    )
  })

  it('includes empty rows and repeats of the header, which are dropped and counted', async () => {
    const read = await readRows([table[0]!, table[1]!, [], [], table[0]!, table[2]!])
    expect(read).toMatchObject({ rowCount: 2, droppedRows: { empty: 2, repeatedHeader: 1 } })
    expect(columnOf(read, 'age').type).toBe('number')
  })

  it('has made-up names if there is no header', async () => {
    const read = await readRows([
      [1, 2],
      [3, 4],
    ])
    expect(names(read)).toEqual(['column.1', 'column.2'])
    expect(read.rowCount).toBe(2)
  })

  it('has unique names, each of one line', async () => {
    const read = await readRows([
      ['age\nin years', 'x', 'x', null],
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ])
    expect(names(read)).toEqual(['age in years', 'x', 'x.1', 'column.4'])
  })
})

describe('a header of several rows', () => {
  const names = (read: RawTable) => read.columns.map((column) => column.name)
  const merge = (startRow: number, startCol: number, endRow: number, endCol: number) => ({
    ...{ startRow, startCol, endRow, endCol },
  })
  const body: Rows = [
    ['Ann', 1, 2, 3, 4],
    ['Bob', 5, 6, 7, 8],
  ]

  it('joins the names of groups merged over columns, with a note', async () => {
    const rows: Rows = [['Region', 'Q1', null, 'Q2', null], [null, 'North', 'South', 'North', 'South'], ...body]
    const merges = [merge(0, 0, 1, 0), merge(0, 1, 0, 2), merge(0, 3, 0, 4)]
    const read = await readSheet({ rows, merges })
    expect(names(read)).toEqual(['Region', 'Q1 / North', 'Q1 / South', 'Q2 / North', 'Q2 / South'])
    expect(readColumn(read, 'Q2 / South')).toEqual([4, 8])
    expect(read.notes).toContain(
      'The header spans 2 rows, from row 1 on; the words above each column were joined, as in "Q1 / North".',
    )
  })

  it('may have three levels, years, and names of the first column in the last row, below a title', async () => {
    const rows: Rows = [
      ['Sales by region', null, null, null, null],
      [null, 'Sales', null, null, null],
      [null, 2023, null, 2024, null],
      ['Region', 'North', 'South', 'North', 'South'],
      ...body,
    ]
    const merges = [merge(0, 0, 0, 4), merge(1, 1, 1, 4), merge(2, 1, 2, 2), merge(2, 3, 2, 4)]
    const read = await readSheet({ rows, merges })
    expect(names(read).slice(0, 2)).toEqual(['Region', '2023 / North'])
    expect(read.rowCount).toBe(2)
  })

  it('does not include a title merged over some columns, or merged data', async () => {
    const rows: Rows = [
      ['Survey', null, null, null, null],
      ['name', 'a', 'b', 'c', 'd'],
      ...body,
      ['Cem', 9, null, 7, 8],
    ]
    const read = await readSheet({ rows, merges: [merge(0, 0, 0, 2), merge(4, 1, 4, 2)] })
    expect(names(read)).toEqual(['name', 'a', 'b', 'c', 'd'])
    expect(read.rowCount).toBe(3)
  })

  function readSheet(sheet: Omit<WriteSheet, 'name'>): Promise<RawTable> {
    return read({ name: 'Data', ...sheet })
  }
})

describe('cells', () => {
  const column = async (values: Rows[number]) => readRows([['n', 'x'], ...values.map((value, i) => [i, value])])

  it.each<[string, Rows[number], string, (string | number | null)[]]>([
    ['whole numbers', [3, -4, 0], 'number', [3, -4, 0]],
    ['decimals', [0.1, 2.5, 1e-7], 'number', [0.1, 2.5, 1e-7]],
    ['numbers larger than any id', [1e20, 2e20, 5], 'number', [1e20, 2e20, 5]],
    ['booleans', [true, false, null], 'boolean', ['true', 'false', null]],
    ['text with leading zeros', ['007', '012', '100'], 'text', ['007', '012', '100']],
    ['numbers stored as text among numbers', ['12', 13, 14.5], 'number', [12, 13, 14.5]],
    ['text among numbers', [12, 'many', 14], 'text', ['12', 'many', '14']],
    ['text of several lines, with quotes', ['a\n"b"', 'c,d', 'e;f'], 'text', ['a\n"b"', 'c,d', 'e;f']],
    ['words for missing values', ['NA', 1, 2], 'number', [null, 1, 2]],
    ['numbers with a comma as text among decimals', [1.234, '1,234', 5], 'text', ['1.234', '1,234', '5']],
    ['dates', [new Date('1900-02-28'), new Date('1900-03-01'), null], 'date', ['1900-02-28', '1900-03-01', null]],
    ['date and time', [new Date('2024-02-29T12:30:00Z'), null], 'date-time', ['2024-02-29T12:30:00', null]],
  ])('%s keep their values', async (_, values, type, expected) => {
    const read = await column(values)
    expect(columnOf(read, 'x').type).toBe(type)
    expect(readColumn(read, 'x')).toEqual(expected)
  })

  it('with dates of the 1904 system have the same days', async () => {
    const rows = [
      ['when', 'n'],
      [new Date('2024-02-29'), 1],
      [new Date('1904-01-02'), 2],
    ]
    const read = await readBytes(await writeXlsx({ sheets: [{ name: 'Data', rows }], dateSystem: '1904' }))
    expect(readColumn(read, 'when')).toEqual(['2024-02-29', '1904-01-02'])
  })

  it('with errors are missing, and are counted', async () => {
    const read = await column([1, '#N/A', '#DIV/0!', 4])
    expect(readColumn(read, 'x')).toEqual([1, null, null, 4])
    expect(read.notes).toContain('Column "x": 2 cells with errors (such as #N/A) read as missing.')
  })

  it('with times of day become seconds since midnight, with a note', async () => {
    const style = { numFmt: 'hh:mm:ss' }
    const cells = new Map([
      ['1,1', { value: 0.5, style }],
      ['2,1', { value: 0.75, style }],
    ])
    const read = await read2({
      rows: [
        ['n', 'at'],
        [1, 0.5],
        [2, 0.75],
      ],
      cells,
    })
    expect(readColumn(read, 'at')).toEqual([43_200, 64_800])
    expect(read.notes).toContain('Column "at" has times of day, which were read as seconds since midnight.')
  })

  it('with formulas have their stored results, and are missing without one', async () => {
    const cells = new Map([
      ['1,1', { formula: 'A2*2', formulaResult: 2, value: 2 }],
      ['2,1', { formula: 'A3*2' }],
    ])
    const read = await read2({
      rows: [
        ['n', 'twice'],
        [1, null],
        [2, null],
      ],
      cells,
    })
    expect(readColumn(read, 'twice')).toEqual([2, null])
    expect(read.notes).toContain(
      '1 formula has no stored result and was read as missing; open the workbook in Excel and save it again.',
    )
  })

  it('with more digits than Excel keeps lead to a note', async () => {
    const read = await column([1234567890123456, 5, 6])
    expect(read.notes).toContain(
      'Column "x" has numbers of more than 15 digits, of which Excel keeps only the first 15.',
    )
  })

  function read2(sheet: Omit<WriteSheet, 'name'>): Promise<RawTable> {
    return read({ name: 'Data', ...sheet })
  }
})

describe('damage and hostility', () => {
  const damaged = /^The file looks like an Excel workbook, but is damaged or was cut short/

  it.each([0.3, 0.6, 0.95])('a workbook cut off after a share of %d is refused', async (share) => {
    const bytes = await writeXlsx({ sheets: [{ name: 'Data', rows: table }] })
    expect(await refusal(readBytes(bytes.subarray(0, Math.floor(share * bytes.length))))).toMatch(damaged)
  })

  it('a part whose bytes do not match their checksum is refused', async () => {
    const bytes = zipOf('part', Buffer.from('<v>1</v>'), false)
    bytes[bytes.indexOf('1')] = 0x32
    expect(await refusal(new ZipParts(bytes).whole('part', 100))).toMatch(damaged)
  })

  it('a workbook with any wrong byte is read or refused', async () => {
    const bytes = await writeXlsx({ sheets: [{ name: 'Data', rows: table }] })
    let refused = 0
    for (let at = 30; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
      const wrong = Uint8Array.from(bytes)
      wrong[at]! ^= 0x5a
      const result = await readBytes(wrong).catch((error: unknown) => error)
      if (result instanceof UnreadableFileError) refused++
      else expect(result).toMatchObject({ columns: expect.anything() })
    }
    expect(refused).toBeGreaterThan(5)
  })

  it('a workbook with a password is refused with advice', async () => {
    const bytes = await writeXlsx({
      sheets: [{ name: 'Data', rows: table }],
      encryption: { password: 'x', spinCount: 1_000 },
    })
    expect(await refusal(readBytes(bytes))).toBe(
      'The workbook has a password. Save it without a password, or export CSV.',
    )
  })

  it('an old container without a workbook is refused', async () => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)])
    expect(await refusal(readBytes(bytes))).toMatch(damaged)
  })

  it('a part that unpacks to more than its limit is not read to its end', async () => {
    const zip = new ZipParts(zipOf('big', Buffer.alloc(50_000_000)))
    expect(await refusal(zip.whole('big', 2 ** 20))).toMatch(/unpacks to more than 1 MB/)
    const stored = new ZipParts(zipOf('big', Buffer.alloc(2_000), false))
    expect(await refusal(stored.whole('big', 1_000))).toMatch(/unpacks to more than/)
    expect((await stored.whole('big', 2_000)).length).toBe(2_000)
  })

  it('reading ends when it is aborted', async () => {
    const bytes = await writeXlsx({ sheets: [{ name: 'Data', rows: table }] })
    await expect(readBytes(bytes, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    const controller = new AbortController()
    const rows = Array.from({ length: 5_000 }, (_, i) => [i, i / 7, `text ${i}`])
    const large = await writeXlsx({ sheets: [{ name: 'Data', rows: [['a', 'b', 'c'], ...rows] }] })
    const reading = readBytes(large, controller.signal)
    setImmediate(() => controller.abort(new Error('enough')))
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('counting elements in the XML', () => {
  const xml =
    '<x:worksheet><x:cols><x:col min="2" max="3" hidden="1"/><x:col min="4" max="4" hidden="0"/></x:cols>' +
    '<x:sheetData><x:row r="1"><x:c r="B1" t="s"><x:v>0</x:v></x:c><x:c r="C1"/></x:row><x:row/>' +
    '<x:row hidden="true" r="3"><x:c><x:f>A1</x:f></x:c><x:c><x:f>A1</x:f><x:v></x:v></x:c><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>' +
    '<x:c r="AA3"><x:v>5</x:v></x:c></x:row></x:sheetData><x:row/><x:mergeCells>' +
    '<x:mergeCell ref="B1:AB2"/><x:mergeCell ref="B900:AB901"/></x:mergeCells></x:worksheet>'

  it.each([1, 7, 64, 10_000])('gives the same number in pieces of %d bytes', async (size) => {
    const bytes = Buffer.from(xml)
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    expect(await scanSheetXml(pieces())).toEqual({
      rows: 3,
      columns: { first: 1, last: 26 },
      formulasWithoutValue: 2,
      merged: [{ top: 0, bottom: 1, left: 1, right: 27 }],
      mergedDown: [
        { top: 0, bottom: 1, left: 1, right: 27 },
        { top: 899, bottom: 900, left: 1, right: 27 },
      ],
      percents: new Map(),
      hidden: { rows: new Set([2]), columns: new Set([1, 2]) },
    })
  })
})

describe('a sheet with one endless piece', () => {
  it.each([
    ['text', '<sheetData><row><c t="str"><v>'],
    ['tag', '<sheetData><row><c t="'],
  ])('of %s is refused, however it is cut', async (_, start) => {
    let pieces = 0
    async function* endless() {
      yield Buffer.from(start)
      for (const piece = Buffer.alloc(100_000, 'a'); pieces < 1_000; pieces++) yield piece
    }
    expect(await refusal(scanSheetXml(endless()))).toMatch(/far more text than Excel allows/)
    expect(pieces).toBeLessThan(25)
  })
})

describe('a text that is stored once and used often', () => {
  it('is refused when its uses have too much text in total', async () => {
    async function* rows() {
      for (let index = 0; ; index++) yield { index, values: ['x'.repeat(30_000)] }
    }
    const staging = stageSheet(
      rows(),
      {
        columns: { first: 0, last: 0 },
        merged: [],
        mergedDown: [],
        totals: [],
        percents: new Map(),
        hidden: NOTHING_HIDDEN,
        formulasWithoutValue: 0,
      },
      { maxSampleRows: 10, maxSampleCells: 10, maxBytes: 5 * 2 ** 20 },
    )
    expect(await refusal(staging)).toMatch(/more than 5 MB of text when written out/)
  })
})

const shared = resolve(import.meta.dirname, '../../../shared/data/formats/excel')

describe.skipIf(!existsSync(shared))('hidden sheets of the binary formats', () => {
  it('are recognized in .xls', async () => {
    const bytes = readFileSync(resolve(shared, 'Absenteeism_at_work.xls'))
    expect((await readBytes(bytes)).rowCount).toBe(740)
    const name = Buffer.from('\x13\x00Absenteeism_at_work', 'latin1')
    bytes[bytes.indexOf(name) - 2] = 1
    expect(await refusal(readBytes(bytes))).toMatch(/has no visible sheet of cells/)
  })

  it('are recognized in .xlsb', async () => {
    const { notes } = await readBytes(readFileSync(resolve(shared, 'any_sheets.xlsb')))
    expect(notes.slice(0, 2)).toEqual([
      'Sheet "Visible" was read.',
      expect.stringMatching(/^3 other sheets were not read \(2 hidden\): "Hidden", "VeryHidden", "Chart"\. To read/),
    ])
  })
})

/** A zip of one part. */
function zipOf(name: string, content: Buffer, deflate = true): Buffer {
  const packed = deflate ? deflateRawSync(content, { level: 1 }) : content
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(deflate ? 8 : 0, 10)
  entry.writeUInt32LE(crc32(content), 16)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(30 + name.length + packed.length, 16)
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end])
}
