import { type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { cleanTable } from '../../src/engine/clean.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

type Row = NonNullable<WriteSheet['rows']>[number]

async function write(sheets: WriteSheet[]): Promise<string> {
  return folder.write(`book-${files++}`, await writeXlsx({ sheets }))
}

async function read(...sheets: WriteSheet[]): Promise<RawTable> {
  const table = await readTable(await write(sheets), { tempDir: folder.path })
  checkConsistency(table)
  return table
}

/** Visits to four shops: what was paid adds up to 258.5, and the mean age is 42.25. */
const visits: Row[] = [
  ['shop', 'age', 'paid'],
  ['Lidl', 20, 40.25],
  ['Spar', 31, 99],
  ['Spar', 58, 18.75],
  ['Aldi', 60, 100.5],
]

const readRows = (...below: Row[]) => read({ name: 'Visits', rows: [...visits, ...below] })

describe('a copy of a table below itself', () => {
  const more: Row[] = [...visits, ['Lidl', 44, 7.5]]

  it.each([
    ['directly', [...more, ...more]],
    ['behind an empty row', [...more, [null, null, null], ...more]],
    ['twice', [...more, ...more, ...more]],
  ])('is refused: %s', async (_, rows) => {
    await expect(read({ name: 'Visits', rows })).rejects.toThrow(
      'The table of sheet "Visits" comes a second time below itself, row for row the same.',
    )
  })

  it('is none where a header comes again above other answers', async () => {
    const other: Row[] = more.map((row, i) => (i === 3 ? ['Spar', 59, 18.75] : row))
    const table = await read({ name: 'Visits', rows: [...more, ...other] })
    expect(table.rowCount).toBe(10)
    expect(table.droppedRows.repeatedHeader).toBe(1)
  })
})

describe('a row of totals', () => {
  it.each<[string, Row]>([
    ['a sum and a mean', ['Total', 42.25, 258.5]],
    ['a rounded mean', ['Grand total:', 42.3, 258.5]],
    ['sums alone', ['Summe', null, 258.5]],
    ['counts', ['N =', 4, 4]],
    ['a count in its label', ['N = 4', null, null]],
    ['means', ['Mittelwert', 42.25, 64.625]],
    ['a figure of another kind beside a sum', ['Razem', 77, 258.5]],
    ['a sign for means', ['Ø', 42.25, 64.625]],
    ['no label and sums alone', [null, null, 258.5]],
    ['a label of another language', ['합계', null, 258.5]],
    ['a label that nobody knows and two sums', ['I alt', 169, 258.5]],
  ])('with %s is no respondent', async (_, row) => {
    const table = await readRows(row)
    expect(table.rowCount).toBe(4)
    expect(columnOf(table, 'paid')).toMatchObject({ max: 100.5 })
    expect(columnOf(table, 'shop')).toMatchObject({ missing: 0, distinct: 3 })
    const label = row[0] === null ? '' : ` ("${row[0]}")`
    expect(table.notes).toContain(`A row of totals is no data and was left out: row 6${label}.`)
  })

  it('may stand among others, below an empty row and above notes', async () => {
    const table = await readRows(
      [],
      ['Total', 169, 258.5],
      ['Mean', 42.25, 64.63],
      ['SD', 19.8, 41.5],
      ['Till receipts'],
    )
    expect(table.rowCount).toBe(4)
    expect(table.droppedRows.empty).toBe(0)
    expect(table.notes).toContain('Rows of totals are no data and were left out: 3 rows from row 7 on ("Total").')
    expect(readColumn(table, 'age')).toEqual([20, 31, 58, 60])
  })

  it('is one that a table of the workbook declares, whatever it is called and comes to', async () => {
    const columns = [{ name: 'shop', totalLabel: 'Stand' }, { name: 'age' }, { name: 'paid', totalFunction: 'max' }]
    const [header, ...body] = visits
    const tables = [{ name: 'T', range: 'A1:C6', columns, showTotalRow: true }]
    const declared = await read({ name: 'Visits', rows: [header!, ...body, ['Stand', 33, 100.5]], tables })
    expect(declared.rowCount).toBe(4)
    expect(declared.notes).toContain('A row of totals is no data and was left out: row 6 ("Stand").')
    expect((await readRows(['Stand', 33, 100.5])).rowCount).toBe(5)
  })

  it('is kept with a note where its figures come to something else', async () => {
    const table = await readRows(['Total', 44, 61.5])
    expect(table.rowCount).toBe(5)
    expect(table.notes).toContain(
      'A row at the end begins with "Total", but its figures are not those of the rows above, so it was kept as data. Remove it from the file if it is no answer.',
    )
  })

  it.each<[string, Row[]]>([
    [
      'has a label that is a value of its column',
      [
        ['Total', 25, 12],
        ['Spar', 30, 15],
        ['Total', 38.2, 285.5],
      ],
    ],
    ['has a value that only adds up', [['Esso', 33, 258.5]]],
    ['has two values, of which one adds up', [['Esso', 169, 18.5]]],
    [
      'is followed by other rows',
      [
        ['Total', 42.25, 258.5],
        ['Spar', 30, 15],
      ],
    ],
    ['lacks an answer, and paid less than the sum', [[null, 42.25, 64.5]]],
  ])('is not a row that %s', async (_, rows) => {
    const table = await readRows(...rows)
    expect(table.rowCount).toBe(4 + rows.length)
    expect(table.notes.filter((note) => /totals|"Total"/.test(note))).toEqual([])
  })

  it.each<[string, Row[]]>([
    ['sums and means', [['Total', 169, 258.5]]],
    [
      'several figures',
      [
        ['Total', 169, 258.5],
        ['Mean', 42.25, 64.63],
      ],
    ],
    ['a label that nobody knows', [['All visits', 169, 258.5]]],
  ])('stands directly under the header, with %s', async (_, rows) => {
    const [header, ...body] = visits
    const table = await read({ name: 'Visits', rows: [header!, ...rows, ...body] })
    expect(readColumn(table, 'paid')).toEqual([40.25, 99, 18.75, 100.5])
    const places =
      rows.length === 1
        ? 'A row of totals is no data and was left out: row 2'
        : 'Rows of totals are no data and were left out: 2 rows from row 2 on'
    expect(table.notes).toContain(`${places} ("${rows[0]![0]}").`)
  })

  it('is no first row with other figures', async () => {
    const [header, ...body] = visits
    expect((await read({ name: 'Visits', rows: [header!, ['Total', 44, 61.5], ...body] })).rowCount).toBe(5)
  })

  /** Days of two shops, with what groups of rows come to. */
  const north: Row[] = [
    ['North', 'Mon', 4, 10.5],
    ['North', 'Tue', 5, 20],
  ]
  const south: Row[] = [
    ['South', 'Mon', 7, 1.5],
    ['South', 'Tue', 1, 40],
    ['South', 'Wed', 2, 3],
  ]
  const days: Row = ['area', 'day', 'visits', 'paid']
  it.each<[string, Row[], number[]]>([
    ['labels', [...north, ['North total', null, 9, 30.5], ...south, ['South total', null, 10, 44.5]], [4, 8]],
    [
      'labels, and a grand total',
      [...north, ['Subtotal', null, 9, 30.5], ...south, ['Subtotal', null, 10, 44.5], ['Total', null, 19, 75]],
      [4, 8, 9],
    ],
    ['no labels', [...north, [null, null, 9, 30.5], ...south, [null, null, 10, 44.5]], [4, 8]],
    [
      'totals of several groups',
      [
        ...[
          ...north,
          ['Subtotal', null, 9, 30.5],
          ...south,
          ['Subtotal', null, 10, 44.5],
          ['Total 2023', null, 19, 75],
        ],
        ...[
          ...south,
          ['Subtotal', null, 10, 44.5],
          ...north,
          ['Subtotal', null, 9, 30.5],
          ['Total 2024', null, 19, 75],
        ],
      ],
      [4, 8, 9, 13, 16, 17],
    ],
  ])('is a subtotal within the table, with %s', async (_, rows, left) => {
    const table = await read({ name: 'Days', rows: [days, ...rows] })
    expect(columnOf(table, 'area')).toMatchObject({ missing: 0, distinct: 2 })
    expect(table.rowCount).toBe(rows.length - left.length)
    expect(table.notes.find((note) => note.includes('totals'))).toContain(
      `left out: rows ${left.slice(0, 5).join(', ')}`,
    )
  })

  it.each<[string, Row[]]>([
    ['come to something else', [...north, ['North total', null, 11, 30.5], ...south, ['South total', null, 10, 44.5]]],
    [
      'have no labels, and other rows below them',
      [...north, [null, null, 9, 30.5], ...south, [null, null, 10, 44.5], ...north],
    ],
  ])('is no row of several that %s', async (_, rows) => {
    expect((await read({ name: 'Days', rows: [days, ...rows] })).rowCount).toBe(rows.length)
  })

  it('is a label alone where formulas have no stored result', async () => {
    const formula = { formula: 'SUM(C2:C5)' }
    const cells = new Map([['5,2', formula]])
    const rows: Row[] = [...visits, ['Total', null, null]]
    expect((await read({ name: 'Visits', rows, cells })).rowCount).toBe(4)
    expect((await read({ name: 'Visits', rows })).rowCount).toBe(5)
  })

  it('is a label alone in a column of numbers', async () => {
    const numbered: Row[] = visits.map((row, i) => [i === 0 ? 'no' : i, ...row])
    expect((await read({ name: 'Visits', rows: [...numbered, ['Total', null, null, null]] })).rowCount).toBe(4)
    expect((await read({ name: 'Visits', rows: [...numbered, [5, 'Total', null, null]] })).rowCount).toBe(5)
  })
})

describe('cells merged over rows', () => {
  const down = (startRow: number, endRow: number, startCol: number, endCol = startCol) => ({
    ...{ startRow, startCol, endRow, endCol },
  })
  const rows: Row[] = [
    ['town', 'wave', 'score'],
    ['Gent', 1, 5],
    [null, 2, 6],
    [null, 3, 7],
    ['Brugge', 1, 8],
    [null, 2, null],
  ]

  it('give their value to all rows that they span', async () => {
    const table = await read({ name: 'Data', rows, merges: [down(1, 3, 0), down(4, 5, 0)] })
    expect(readColumn(table, 'town')).toEqual(['Gent', 'Gent', 'Gent', 'Brugge', 'Brugge'])
    expect(readColumn(table, 'score')).toEqual([5, 6, 7, 8, null])
    expect(table.notes).toContain('Column "town": 2 merged cells gave their values to all rows that they span, 3 more.')
  })

  it('give it beyond the rows in which the header is sought, and with their type', async () => {
    const many: Row[] = Array.from({ length: 400 }, (_, i) => [i % 4 === 0 ? i : null, (i * 7) % 13])
    const merges = Array.from({ length: 100 }, (_, i) => down(1 + 4 * i, 4 + 4 * i, 0))
    const table = await read({ name: 'Data', rows: [['house', 'age'], ...many], merges })
    expect(columnOf(table, 'house')).toMatchObject({ type: 'number', missing: 0, distinct: 100, max: 396 })
    expect(readColumn(table, 'house').slice(393, 400)).toEqual([392, 392, 392, 396, 396, 396, 396])
  })

  it('give nothing to empty rows, to columns beside them, or from the header down', async () => {
    const merges = [down(0, 1, 2), down(4, 8, 0, 1)]
    const table = await read({
      name: 'Data',
      rows: [
        ['town', 'wave', 'score'],
        ['Gent', 1, null],
        ['Gent', 2, 6],
        ['Gent', 3, 7],
        ['Brugge', 4, 8],
        [null, null, 9],
      ],
      merges,
    })
    expect(readColumn(table, 'town')).toEqual(['Gent', 'Gent', 'Gent', 'Brugge', 'Brugge'])
    expect(readColumn(table, 'wave')).toEqual([1, 2, 3, 4, null])
    expect(readColumn(table, 'score')).toEqual([null, 6, 7, 8, 9])
  })

  it('are no empty cells of the same look that are not merged', async () => {
    const table = await read({ name: 'Data', rows, merges: [down(1, 2, 0)] })
    expect(readColumn(table, 'town')).toEqual(['Gent', 'Gent', null, 'Brugge', null])
  })
})

describe('labels of groups that stand once, unmerged', () => {
  const rows: Row[] = [
    ['country', 'area', 'month', 'visits'],
    ['Spain', 'North', 'May', 4],
    [null, null, 'June', 7],
    [null, 'South', 'May', 1],
    [null, null, 'June', 3],
    ['Italy', 'North', 'May', 9],
    [null, null, 'June', 2],
  ]
  const notesOn = async (data: Row[]) =>
    (await read({ name: 'Visits', rows: data })).notes.filter((note) => note.includes('pivot'))

  it('are named by a note, which says that the cells below are missing', async () => {
    expect(await notesOn(rows)).toEqual([
      'Columns "country" and "area" have labels that stand once, above empty cells, as pivot tables show groups; those cells were read as missing; ' +
        'if they belong to the group above, declare the columns under "fill_down" in the study.',
    ])
  })

  it.each<[string, (row: Row, i: number) => Row]>([
    [
      'answers of a few people',
      ([, , month, visits], i) => [[null, 'yes', null, 'no', 'yes', null][i - 1]!, 'a', month!, visits!],
    ],
    ['a ticked box', ([, , month, visits], i) => [i % 3 === 1 ? 'x' : null, 'a', month!, visits!]],
    ['a remark behind the answers', ([country, , month, visits]) => [month!, 'a', visits!, country!]],
  ])('are not %s', async (_, change) => {
    expect(await notesOn(rows.map((row, i) => (i === 0 ? row : change(row, i))))).toEqual([])
  })
})

describe('the sheet that is read when none is named', () => {
  const answers = { name: 'Answers', rows: visits }
  const sheetOf = async (...sheets: WriteSheet[]) => (await read(...sheets)).sheet?.name

  it.each<[string, WriteSheet]>([
    ['sentences', { name: 'Start', rows: [['Shopping survey 2024'], ['Run in May'], ['Ask Eva for more']] }],
    ['a title alone', { name: 'Start', rows: [['Shopping survey 2024']] }],
    ['a header alone', { name: 'Plan', rows: [['shop', 'age', 'paid']] }],
    [
      'texts in some places',
      {
        name: 'Start',
        rows: [
          ['Survey', null, null],
          ['Run', 'in May', null],
          [null, null, 'Eva'],
          ['End', null, null],
        ],
      },
    ],
    [
      'a list of codes by its name',
      {
        name: 'Codebook',
        rows: [
          ['name', 'means'],
          ['age', 'years'],
          ['paid', 'euros'],
        ],
      },
    ],
    [
      'a list of numbered codes by its name',
      {
        name: 'Légende',
        rows: [
          ['code', 'means'],
          [1, 'yes'],
          [2, 'no'],
        ],
      },
    ],
  ])('is not one with %s above a table in another', async (_, first) => {
    const table = await read(first, answers)
    expect(table.sheet).toEqual({ name: 'Answers', others: [first.name] })
    expect(table.rowCount).toBe(4)
  })

  it.each<[string, WriteSheet, WriteSheet]>([
    ['a table before a larger one', { name: 'Wave 1', rows: visits.slice(0, 3) }, answers],
    ['a column of numbers', { name: 'Scores', rows: [['score'], [4], [5], [3]] }, answers],
    [
      'levels in two columns',
      {
        name: 'Pairs',
        rows: [
          ['a', 'b'],
          ['x', 'y'],
          ['x', 'z'],
        ],
      },
      answers,
    ],
    [
      'answers under the name of notes',
      { name: 'Info', rows: visits },
      {
        name: 'Codes',
        rows: [
          ['c', 'n'],
          [1, 'a'],
        ],
      },
    ],
    [
      'the only content',
      { name: 'Read me', rows: [['Note'], ['Run in May'], ['Ask Eva']] },
      { name: 'Empty', rows: [] },
    ],
  ])('is the first with %s', async (_, first, second) => {
    expect(await sheetOf(first, second)).toBe(first.name)
  })

  it('is the first with enough rows to learn from, whatever the sheets above it are called', async () => {
    const many = Array.from({ length: 13 }, () => visits.slice(1)).flat()
    const words: WriteSheet = {
      name: '説明',
      rows: [
        ['name', 'means'],
        ['age', 'years'],
        ['paid', 'euros'],
      ],
    }
    const codes = { name: 'Codes', rows: visits.slice(0, 4) }
    expect(await sheetOf(words, codes, { name: 'Answers', rows: [visits[0]!, ...many] })).toBe('Answers')
    expect(await sheetOf(words, codes, answers)).toBe('説明')
    expect(await sheetOf(codes, { name: 'Ages', rows: many.map((row) => row.slice(1)) })).toBe('Codes')
  })

  it('is never a hidden one, which a name reads', async () => {
    const sheets = [
      { name: 'Note', rows: [['Shopping survey'], ['Run in May']] },
      { ...answers, hidden: true },
    ]
    expect(await sheetOf(...sheets)).toBe('Note')
    const named = await readTable(await write(sheets), { tempDir: folder.path, sheet: 'Answers' })
    expect([named.rowCount, named.sheet?.name]).toEqual([4, 'Answers'])
  })

  it('is named where nothing is left of it', async () => {
    const sheets = [
      { name: 'Numbers', rows: [['no'], ...Array.from({ length: 60 }, (_, i) => [`k-${i}`])] },
      { name: 'Words', rows: [['Ask Eva for the data']] },
    ]
    const raw = await read(...sheets)
    expect(() => cleanTable(raw, { autoClean: true })).toThrow(
      /^Nothing is left .* Sheet "Numbers" was read, and not "Words"; "sheet: NAME" or --sheet NAME chooses one\.$/,
    )
  })
})
