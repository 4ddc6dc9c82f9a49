import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { columnOf, readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'
import { csvBytes, type Row, xlsxBytes } from './survey-bytes.ts'

const folder = tempFolder()
let files = 0

const read = (bytes: Uint8Array, headerRows?: number): Promise<RawTable> =>
  readTable(folder.write(`groups-${files++}`, bytes), { tempDir: folder.path, headerRows })

const names = (table: RawTable) => table.columns.map(({ name }) => name)
const body = (row: (i: number) => Row): Row[] => Array.from({ length: 60 }, (_, i) => row(i))
const sums = (i: number): number[] => [100 + ((i * 37) % 211), 90 + ((i * 53) % 199), 3 + (i % 11), 2 + (i % 7)]
const answers = (i: number): string[] => [0, 1, 2, 3].map((at) => ['yes', 'no'][(i + at * (i % 3)) % 2]!)

const SPEND: Row = ['spend', 'spend', 'visits', 'visits']
const SEX: Row = ['f', 'm', 'f', 'm']

/** Header and columns as pandas writes them. */
const PANDAS: readonly [string, readonly Row[], (i: number) => Row, readonly string[]][] = [
  [
    'a pivot table',
    [
      ['', ...SPEND],
      ['sex', ...SEX],
      ['shop', '', '', '', ''],
    ],
    (i) => [i + 1, ...sums(i)],
    ['shop', 'spend / f', 'spend / m', 'visits / f', 'visits / m'],
  ],
  [
    'a pivot table without its index',
    [
      ['shop', ...SPEND],
      ['', ...SEX],
    ],
    (i) => [i + 1, ...sums(i)],
    ['shop', 'spend / f', 'spend / m', 'visits / f', 'visits / m'],
  ],
  [
    'a pivot table of waves with numbers',
    [
      ['', ...SPEND],
      ['wave', 1, 2, 1, 2],
      ['shop', '', '', '', ''],
    ],
    (i) => [i + 1, ...sums(i)],
    ['shop', 'spend / 1', 'spend / 2', 'visits / 1', 'visits / 2'],
  ],
  [
    'groups of two columns with means and sums',
    [
      ['', '', ...SPEND],
      ['', '', 'mean', 'sum', 'mean', 'sum'],
      ['shop', 'sex', '', '', '', ''],
    ],
    (i) => [1 + (i >> 1), 'fm'[i % 2]!, ...sums(i)],
    ['shop', 'sex', 'spend / mean', 'spend / sum', 'visits / mean', 'visits / sum'],
  ],
  [
    'columns of two levels',
    [
      ['home', 'home', 'work', 'work'],
      ['tea', 'milk', 'tea', 'milk'],
    ],
    (i) => sums(i).map((value) => value % 8),
    ['home / tea', 'home / milk', 'work / tea', 'work / milk'],
  ],
  [
    'texts in columns of two levels',
    [
      ['home', 'home', 'work', 'work'],
      ['tea', 'milk', 'tea', 'milk'],
    ],
    answers,
    ['home / tea', 'home / milk', 'work / tea', 'work / milk'],
  ],
  [
    'one value by years',
    [
      ['shop', 'spend', 'spend'],
      ['', 2023, 2024],
    ],
    (i) => [i + 1, ...sums(i).slice(0, 2)],
    ['shop', 'spend / 2023', 'spend / 2024'],
  ],
  [
    'columns of three levels',
    [
      ['shop', 'spend', 'spend', 'spend', 'spend'],
      ['', 'f', 'f', 'm', 'm'],
      ['', 2023, 2024, 2023, 2024],
    ],
    (i) => [i + 1, ...sums(i)],
    ['shop', 'spend / f / 2023', 'spend / f / 2024', 'spend / m / 2023', 'spend / m / 2024'],
  ],
]

describe.each(PANDAS)('groups named above each of their columns: %s', (_, header, row, expected) => {
  it.each([
    ['CSV', csvBytes],
    ['a workbook', xlsxBytes],
  ])('are the header of %s', async (_, bytesOf) => {
    const table = await read(await bytesOf([...header, ...body(row)]))
    expect(names(table)).toEqual(expected)
    expect(table.rowCount).toBe(60)
    expect(readColumn(table, expected.at(-1)!).slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((i) => row(i).at(-1)))
    expect(table.notes.join('\n')).toContain(`"header_rows: ${header.length}" in the dataset's entry of the study`)
  })

  it('are the same header when it is declared', async () => {
    const table = await read(csvBytes([...header, ...body(row)]), header.length)
    expect(names(table)).toEqual(expected)
    expect(table.rowCount).toBe(60)
  })
})

describe('cells merged over the groups of a data frame', () => {
  it.each([
    ['an index without a name', [['', '', '', '', '']], ['column.1']],
    ['an index with one', [['shop', '', '', '', '']], ['shop']],
  ] as [string, Row[], string[]][])('may stand beside %s', async (_, index, first) => {
    const header = [['', 'spend', '', 'visits', ''], ['', ...SEX], ...index]
    const merges = [1, 3].map((startCol) => ({ startRow: 0, endRow: 0, startCol, endCol: startCol + 1 }))
    const rows = [...header, ...body((i) => [i + 1, ...sums(i)])].map((row) =>
      row.map((cell) => (cell === '' ? null : cell)),
    )
    const table = await read(await writeXlsx({ sheets: [{ name: 'Data', rows, merges }] }))
    expect(names(table)).toEqual([...first, 'spend / f', 'spend / m', 'visits / f', 'visits / m'])
    expect(table.rowCount).toBe(60)
  })
})

describe('a row below repeated names is data', () => {
  it.each([
    ['of levels that come again', [['q', 'q', 'r', 'r']], (i) => (i === 0 ? ['yes', 'no', 'yes', 'no'] : answers(i))],
    ['of texts that differ in every row', [['comment', 'comment']], (i) => [`said ${i} so`, `then ${i} more`]],
    ['of values', [['score', 'score', 'rate', 'rate']], (i) => sums(i)],
    [
      'with refusals in place of numbers',
      [['score', 'score', 'rate', 'rate']],
      (i) => (i === 0 ? ['refused', 'unsure', 'refused', 'refused'] : sums(i)),
    ],
    [
      'of a person who answered nothing',
      [['town', 'q', 'q', 'r', 'r']],
      (i) => (i === 0 ? ['Ulm', '', '', '', ''] : [['Rome', 'Pisa'][i % 2]!, ...answers(i)]),
    ],
  ] as [string, Row[], (i: number) => Row][])('%s', async (_, header, row) => {
    const table = await read(csvBytes([...header, ...body(row)]))
    expect(table.rowCount).toBe(60)
    expect(names(table)).toContain(`${header[0]!.at(-1)}.1`)
    expect(table.notes.join('\n')).not.toContain('The header spans')
  })

  it('where one row is declared', async () => {
    const rows = [['home', 'home', 'work', 'work'], ['tea', 'milk', 'tea', 'milk'], ...body(answers)]
    const table = await read(csvBytes(rows), 1)
    expect(names(table)).toEqual(['home', 'home.1', 'work', 'work.1'])
    expect(columnOf(table, 'home').distinct).toBe(3)
  })

  it('where headings of sections stand below merged groups as well', async () => {
    const header: Row[] = [
      ['', 'spend', '', 'visits', ''],
      ['', ...SEX],
    ]
    const merges = [1, 3].map((startCol) => ({ startRow: 0, endRow: 0, startCol, endCol: startCol + 1 }))
    const data = body((i) => (i % 20 === 0 ? [`Region ${i}`, '', '', '', ''] : [`shop ${i}`, ...sums(i)]))
    const rows = [...header, ...data].map((row) => row.map((cell) => (cell === '' ? null : cell)))
    const table = await read(await writeXlsx({ sheets: [{ name: 'Data', rows, merges }] }))
    expect(names(table)[0]).toBe('column.1')
    expect(readColumn(table, 'column.1')[0]).toBe('Region 0')
  })
})
