import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { columnOf, readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'
import { csvBytes, type Row, xlsxBytes } from './survey-bytes.ts'

const folder = tempFolder()
let files = 0

async function read(bytes: Uint8Array, headerRows?: number): Promise<RawTable> {
  const path = folder.write(`table-${files++}`, bytes)
  return readTable(path, { tempDir: folder.path, headerRows })
}

const names = (table: RawTable) => table.columns.map(({ name }) => name)
const headerNotes = (table: RawTable) => table.notes.filter((note) => /header/.test(note))
const body = (rows: number, row: (i: number) => Row): Row[] => Array.from({ length: rows }, (_, i) => row(i))

const INFERRED =
  'This was inferred from their texts; "header_rows: 2" in the dataset\'s entry of the study would declare it. ' +
  'If row 2 is data, declare "header_rows: 1" there.'

describe.each([
  ['CSV', async (rows: readonly Row[]) => csvBytes(rows)],
  ['a workbook', xlsxBytes],
])('a header of several rows in %s', (_, bytesOf) => {
  const readRows = async (rows: readonly Row[], headerRows?: number) => read(await bytesOf(rows), headerRows)

  it('never takes an answer for a declared header when titles were counted as well', async () => {
    const rows: Row[] = [
      ['Survey of May', '', ''],
      ['age', 'sex', 'score'],
      ...body(30, (i) => [20 + i, 'MF'[i % 2]!, i % 5]),
    ]
    for (const declared of [1, 2]) {
      for (const bytes of [csvBytes(rows), await xlsxBytes(rows)]) {
        const table = await read(bytes, declared)
        expect(names(table)).toEqual(['age', 'sex', 'score'])
        expect(table.rowCount).toBe(30)
        expect(columnOf(table, 'age').label).toBeUndefined()
      }
    }
    const labelled: Row[] = [...rows.slice(0, 2), ['How old?', 'Sex', 'Score'], ...rows.slice(2)]
    for (const declared of [2, 3]) {
      const table = await read(csvBytes(labelled), declared)
      expect(columnOf(table, 'age').label).toBe('How old?')
      expect(table.rowCount).toBe(30)
    }
  })

  it('may name nothing but the options of its questions', async () => {
    const options = [...['Male', 'Female'], ...['18-24', '25-34', '35 and older']]
    const ticked = (i: number) => options.map((option, at) => ([i % 2, 2 + (i % 3)].includes(at) ? option : ''))
    const questions: Row = ['Gender', '', 'How old are you?', '', '']
    const table = await readRows([questions, options, ...body(90, ticked)])
    expect(table.rowCount).toBe(90)
    expect(names(table)).toEqual([
      ...['Gender / Male', 'Gender / Female', 'How old are you? / 18-24', 'How old are you? / 25-34'],
      'How old are you? / 35 and older',
    ])
    expect(readColumn(table, 'Gender / Male').slice(0, 3)).toEqual([1, 0, 1])
    expect(table.notes.join()).not.toContain('little more than one text')
  })

  it('may name the options of one question beside columns of numbers', async () => {
    const options = ['North', 'South', 'West']
    const ticked = (i: number) => [...options.map((option, at) => (i % 3 === at ? option : '')), `${20 + (i % 40)}`]
    const questions: Row = ['Region', '', '', 'Age']
    const table = await readRows([questions, [...options, ''], ...body(90, ticked)])
    expect(names(table)).toEqual(['Region / North', 'Region / South', 'Region / West', 'Age'])
    expect(table.rowCount).toBe(90)
    // A person of that age has ticked all of them.
    expect((await readRows([questions, [...options, '34'], ...body(90, ticked)])).rowCount).toBe(91)
  })

  it('is no header again where a person has ticked all options', async () => {
    const options = ['Car', 'Train', 'Bus', 'Daily', 'Weekly']
    const ticked = (i: number) => options.map((option, at) => (i === 40 || (i + at) % 3 === 0 ? option : ''))
    const questions: Row = ['How do you travel?', '', '', 'How often?', '']
    for (const header of [[questions, options], [options]]) {
      const table = await readRows([...header, ...body(90, ticked)])
      expect([table.rowCount, table.droppedRows.repeatedHeader]).toEqual([90, 0])
      expect(readColumn(table, names(table)[0]!).slice(39, 42)).toEqual([1, 1, 0])
    }
    // Nobody has the name of a column of numbers as an answer.
    const numbered = body(90, (i) => [`${i}`, ...ticked(i)])
    const again = await readRows([
      ['no', ...options],
      ...numbered.slice(0, 50),
      ['no', ...options],
      ...numbered.slice(50),
    ])
    expect([again.rowCount, again.droppedRows.repeatedHeader]).toEqual([90, 1])
  })

  it('is one row where each column has a name, and the row below has ticks', async () => {
    const named: Row = ['male', 'female', 'young', 'old']
    const ticked = (i: number) =>
      ['Male', 'Female', '18-34', '35+'].map((option, at) => ([i % 2, 2 + (i % 2)].includes(at) ? option : ''))
    const all = ['Male', 'Female', '18-34', '35+']
    expect((await readRows([named, all, ...body(60, ticked)])).rowCount).toBe(61)
    // Nobody has ticked all boxes of two questions, but a row with half of them is a person.
    const grouped: Row = ['Gender', '', 'Age', '']
    expect((await readRows([grouped, ['Male', '', '18-34', ''], ...body(60, ticked)])).rowCount).toBe(61)
  })

  it('may have groups with a name above their first column only', async () => {
    const table = await readRows([
      ['', 'Satisfaction', '', '', 'Loyalty', ''],
      ['id', 'price', 'service', 'quality', 'again', 'recommend'],
      ...body(10, (i) => [i, 1 + (i % 5), 2, 3, 4, 5 - (i % 5)]),
    ])
    expect(names(table)).toEqual([
      ...['id', 'Satisfaction / price', 'Satisfaction / service', 'Satisfaction / quality'],
      ...['Loyalty / again', 'Loyalty / recommend'],
    ])
    expect(table.columns.every(({ type }) => type === 'number')).toBe(true)
    expect(table.rowCount).toBe(10)
    expect(headerNotes(table)).toEqual([
      'The header spans 2 rows, from row 1 on; the words above each column were joined, as in "Satisfaction / price".',
      INFERRED,
    ])
  })

  it('may have groups that empty columns separate, below a title', async () => {
    const table = await readRows([
      ['Panel of 2024', '', '', '', '', '', ''],
      ['id', 'Before', '', '', 'After', '', ''],
      ['', 'pulse', 'weight', '', 'pulse', 'weight', ''],
      ...body(10, (i) => [`p${i}`, 60 + i, 70.5, '', 61 + i, 70.25, '']),
    ])
    expect(names(table).filter((name) => !name.startsWith('column.'))).toEqual([
      ...['id', 'Before / pulse', 'Before / weight', 'After / pulse', 'After / weight'],
    ])
    expect(columnOf(table, 'After / pulse')).toMatchObject({ type: 'number', missing: 0 })
    expect(table.rowCount).toBe(10)
  })

  it('may have years below groups', async () => {
    const table = await readRows([
      ['', 'Sales', '', 'Costs', ''],
      ['Region', 2023, 2024, 2023, 2024],
      ...body(8, (i) => [`r${i}`, 1.5 + i, 2.5, 3.5, 4.5]),
    ])
    expect(names(table)).toEqual(['Region', 'Sales / 2023', 'Sales / 2024', 'Costs / 2023', 'Costs / 2024'])
  })

  it('may have questions below names, which become labels', async () => {
    const table = await readRows([
      ['age', 'town', 'again'],
      ['How old are you?', 'Where do you live?', 'Would you come again?'],
      ...body(12, (i) => [20 + i, i % 2 === 0 ? 'Bonn' : 'Ulm', i % 3 === 0 ? 'no' : 'yes']),
    ])
    expect(names(table)).toEqual(['age', 'town', 'again'])
    expect(columnOf(table, 'age')).toMatchObject({ type: 'number', label: 'How old are you?', missing: 0 })
    expect(table.rowCount).toBe(12)
    expect(headerNotes(table)).toEqual([
      'The header spans 2 rows, from row 1 on; the first of them has the names, and the text below a name is the label of the column.',
      INFERRED,
    ])
  })

  it('may have units below names', async () => {
    const table = await readRows([
      ['height', 'weight', 'pulse'],
      ['in cm', 'in kg', 'per minute'],
      ...body(5, (i) => [150 + i, 50.5 + i, 60]),
    ])
    expect(table.columns.map(({ type, label }) => [type, label])).toEqual([
      ['number', 'in cm'],
      ['number', 'in kg'],
      ['number', 'per minute'],
    ])
  })

  it.each<[string, Row]>([
    ['in two columns of numbers', ['unknown', 'refused', 'Bonn', 'a note']],
    ['of which nobody else gives one', ['', 'many', 'Kiel', 'another note']],
  ])('does not include a first respondent whose answers are texts %s', async (_, first) => {
    const table = await readRows([
      ['age', 'children', 'town', 'remark'],
      first,
      ...body(20, (i) => [20 + i, i % 4, i % 2 === 0 ? 'Bonn' : 'Kiel', `note ${i}`]),
    ])
    expect(table.rowCount).toBe(21)
    expect(readColumn(table, 'town')[0]).toBe(first[2])
    expect(headerNotes(table)).toEqual([])
  })

  it('does not include a first respondent whose texts others repeat', async () => {
    const rows = body(30, (i) => [
      i % 3 === 0 ? 'yes' : 'no',
      i % 4 === 0 ? 'Bonn' : 'Ulm',
      i % 2 === 0 ? 'car' : 'bus',
    ])
    const table = await readRows([['smokes', 'town', 'travels by'], ...rows])
    expect(table.rowCount).toBe(30)
    expect(headerNotes(table)).toEqual([])
  })

  it('is read as data in case of doubt, with a note on what to declare', async () => {
    const rows: Row[] = [
      ['age', 'children', 'town'],
      ['in years', 'below 18', 'of residence'],
      ...body(10, (i) => [20 + i, i % 4, `town ${i}`]),
    ]
    const table = await readRows(rows)
    expect(table.rowCount).toBe(11)
    expect(headerNotes(table)).toEqual([
      'Row 2 looks like a second header, but was read as data. If it belongs to the header, declare "header_rows: 2" in the ' +
        "dataset's entry of the study.",
    ])
    const declared = await readRows(rows, 2)
    expect(declared.rowCount).toBe(10)
    expect(columnOf(declared, 'age')).toMatchObject({ type: 'number', label: 'in years' })
    expect(headerNotes(declared)).toHaveLength(1)
  })

  it('has the declared number of rows, whatever its contents', async () => {
    const rows: Row[] = [
      ['Panel of 2024', '', ''],
      ['age', 'town', 'again'],
      ['How old are you?', 'Where do you live?', 'Would you come again?'],
      ...body(12, (i) => [20 + i, 'Bonn', 'no']),
    ]
    expect((await readRows(rows)).rowCount).toBe(12)
    const one = await readRows(rows, 1)
    expect([names(one), one.rowCount, headerNotes(one)]).toEqual([
      ['age', 'town', 'again'],
      13,
      headerNotes(one).filter((note) => /^1 (line|title row)/.test(note)),
    ])
    const none = await readRows(rows, 0)
    expect([names(none), none.rowCount]).toEqual([['column.1', 'column.2', 'column.3'], 14])
    // With the title, three rows are above the data.
    const three = await readRows(rows, 3)
    expect([three.rowCount, columnOf(three, 'age').label]).toEqual([12, 'How old are you?'])
    const four = await readRows(rows, 4)
    expect([four.rowCount, columnOf(four, 'age').label]).toEqual([11, 'How old are you? / 20'])
  })

  it('joins the words of declared groups, whose names extend to the right', async () => {
    const table = await readRows(
      [
        ['', 'Price', '', 'Speed', ''],
        ['', 'now', 'then', 'now', 'then'],
        ...body(6, () => ['x', 'low', 'high', 'low', 'high']),
      ],
      2,
    )
    expect(names(table)).toEqual(['column.1', 'Price / now', 'Price / then', 'Speed / now', 'Speed / then'])
    expect(table.rowCount).toBe(6)
  })

  it('cannot be declared with more rows than the file has', async () => {
    await expect(
      readRows(
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
        9,
      ),
    ).rejects.toThrow(/has a header but no rows below it/)
  })
})

describe('merged cells of a workbook', () => {
  const merge = (startRow: number, startCol: number, endRow: number, endCol: number) => ({
    ...{ startRow, startCol, endRow, endCol },
  })
  const sheet = async (rows: readonly Row[], merges: ReturnType<typeof merge>[]) =>
    writeXlsx({ sheets: [{ name: 'Data', rows: rows.map((row) => [...row]), merges }] })
  const rows: Row[] = [
    ['Region', 'Q1', null, null, 'Q2', null, null],
    [null, 'North', 'South', null, 'North', 'South', null],
    ...body(6, (i) => [`r${i}`, i, 2 * i, null, 3 * i, 4 * i, null]),
  ]

  it('may be groups that empty columns separate', async () => {
    const table = await read(await sheet(rows, [merge(0, 0, 1, 0), merge(0, 1, 0, 2), merge(0, 4, 0, 5)]))
    expect(names(table)).toEqual(['Region', 'Q1 / North', 'Q1 / South', 'column.4', 'Q2 / North', 'Q2 / South'])
    expect(columnOf(table, 'Q2 / South')).toMatchObject({ type: 'number', missing: 0 })
  })

  it('may extend over the empty columns', async () => {
    const table = await read(await sheet(rows, [merge(0, 0, 1, 0), merge(0, 1, 0, 3), merge(0, 4, 0, 6)]))
    expect(names(table).slice(0, 6)).toEqual([
      'Region',
      'Q1 / North',
      'Q1 / South',
      'column.4',
      'Q2 / North',
      'Q2 / South',
    ])
    expect(table.rowCount).toBe(6)
  })

  it('form a title if the other cells of their row are above names', async () => {
    const titled: Row[] = [
      ['Panel', 'exported', null, null, 'by us'],
      ['id', 'age', 'town', 'again', 'since'],
      ...body(6, (i) => [i, 20 + i, 'Bonn', 'yes', new Date(Date.UTC(2024, 0, 1 + i))]),
    ]
    const table = await read(await sheet(titled, [merge(0, 1, 0, 3)]))
    expect(names(table)).toEqual(['id', 'age', 'town', 'again', 'since'])
    expect(table.notes).toContain('1 title row above the table was skipped; the table begins in row 2.')
  })

  it('lead to notes with row numbers of the sheet, which count empty rows', async () => {
    const [groups, below, ...data] = rows
    const table = await read(
      await sheet(
        [['Survey'], [], groups!, [], below!, ...data],
        [merge(2, 0, 4, 0), merge(2, 1, 2, 2), merge(2, 4, 2, 5)],
      ),
    )
    expect(table.notes).toContain(
      'The header spans 3 rows, from row 3 on; the words above each column were joined, as in "Q1 / North".',
    )
  })
})
