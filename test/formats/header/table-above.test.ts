import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../../src/formats/read-table.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
let files = 0

type Cells = (string | number)[]

const answers: Cells[] = [
  ['person', 'region', 'age', 'buys'],
  ...Array.from({ length: 80 }, (_, i) => [i + 1, ['North', 'South'][i % 2]!, 20 + (i % 50), ['Yes', 'No'][i % 2]!]),
]
const note = (names: string, rows: number) =>
  `The skipped rows above the header look like a table of their own (${names}, with ${rows} rows), which was not read. ` +
  'Put it into a file of its own if its rows are data.'

async function notesOn(path: string): Promise<string[]> {
  const { rowCount, notes } = await readTable(path, { tempDir: folder.path })
  expect(rowCount).toBe(80)
  return notes.filter((text) => text.includes('of their own'))
}

function csvOf(rows: readonly Cells[]): string {
  return folder.write(`above-${files++}.csv`, `${rows.map((cells) => cells.join(',')).join('\n')}\n`)
}

const codes: Cells[] = [['code', 'meaning'], ...Array.from({ length: 9 }, (_, i) => [i + 1, `answer ${i}`])]

describe('a small table above the one that is read', () => {
  it.each<[string, Cells[]]>([
    ['an empty line', [[]]],
    ['nothing', []],
    ['a title', [[], ['Answers']]],
  ])('is named where %s lies between', async (_, between) => {
    expect(await notesOn(csvOf([...codes, ...between, ...answers]))).toEqual([note('"code", "meaning"', 9)])
  })

  it('is named on a sheet', async () => {
    const path = folder.write(
      'above.xlsx',
      await writeXlsx({ sheets: [{ name: 'Data', rows: [...codes, [], ...answers] }] }),
    )
    expect(await notesOn(path)).toEqual([note('"code", "meaning"', 9)])
  })

  it.each<[string, Cells[]]>([
    ['titles', [['Shopping survey'], ['run in May'], ['80 people'], ['by Eva'], ['second try'], ['final']]],
    [
      'remarks about the file',
      [
        ['Name', 'Shopping'],
        ['Date', '2024-05-01'],
        ['Rows', 80],
        ['Contact', 'Eva'],
      ],
    ],
    ['texts in two columns', Array.from({ length: 8 }, (_, i) => [`What ${i}`, `said ${i}`])],
  ])('is not seen in %s', async (_, titles) => {
    expect(await notesOn(csvOf([...titles, [], ...answers]))).toEqual([])
  })
})
