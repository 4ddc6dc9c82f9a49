import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

type Cells = readonly (string | number)[]

/** Notes about labels of groups in a text file of these rows. */
async function notesOn(header: Cells, rows: readonly Cells[]): Promise<string[]> {
  const text = [header, ...rows].map((cells) => cells.join(',')).join('\n')
  const { notes } = await readTable(folder.write(`groups-${files++}.csv`, `${text}\n`), { tempDir: folder.path })
  return notes.filter((note) => note.includes('label'))
}

const REGIONS = ['North', 'South', 'East']
/** Ten people of each region. */
const people = REGIONS.flatMap((region) =>
  Array.from({ length: 10 }, (_, i) => [i === 0 ? region : '', 20 + ((7 * i) % 31), ['Yes', 'No'][i % 2]!]),
)
const named = (columns: string) => expect.stringContaining(`${columns} labels that stand once, above empty cells`)

describe('labels of groups in a text file', () => {
  it('are named with the declaration that fills the cells below', async () => {
    expect(await notesOn(['region', 'age', 'buys'], people)).toEqual([
      'Column "region" has labels that stand once, above empty cells, as pivot tables show groups; those cells were read as missing; if they belong to the group above, declare the columns under "fill_down" in the study.',
    ])
  })

  it('are named behind numbers of rows', async () => {
    const rows = people.map((cells, i) => [101 + i, ...cells])
    expect(await notesOn(['id', 'region', 'age', 'buys'], rows)).toEqual([named('Column "region" has')])
  })

  it('are named where other columns have empty cells, too', async () => {
    const rows = people.map(([region, age, buys], i) => [
      region!,
      i % 4 === 1 ? '' : age!,
      i % 3 === 1 && region === '' ? '' : buys!,
    ])
    expect(await notesOn(['region', 'age', 'buys'], rows)).toEqual([named('Column "region" has')])
  })

  it('are named where the same come again in each wave', async () => {
    const rows = ['spring', 'autumn'].flatMap((wave) => people.map((cells) => [...cells, wave]))
    expect(await notesOn(['region', 'age', 'buys', 'wave'], rows)).toEqual([named('Column "region" has')])
  })

  it('are counted where they stand in rows of their own', async () => {
    const rows = people.flatMap(([region, ...cells]) =>
      region === ''
        ? [['', ...cells]]
        : [
            [region!, '', ''],
            ['', ...cells],
          ],
    )
    expect(await notesOn(['region', 'age', 'buys'], rows)).toEqual([
      named('Column "region" has'),
      'Column "region" has 3 rows with a label and nothing else, which count as people; if they are headings, delete them in the file.',
    ])
  })

  it.each<[string, (i: number) => string]>([
    [
      'answers that few people gave',
      (i) => (i % 5 === 0 ? ['late', 'late', 'dear', 'cold', 'dear', 'late'][i / 5]! : ''),
    ],
    ['answers that most people gave', (i) => (i % 5 === 1 ? '' : REGIONS[(i * i) % 3]!)],
    ['ticks', (i) => (i % 4 === 0 ? 'x' : '')],
    ['remarks that begin below the first person', (i) => (i % 9 === 4 ? `remark ${i}` : '')],
  ])('are not %s', async (_, cell) => {
    const rows = people.map(([, ...cells], i) => [cell(i), ...cells])
    expect(await notesOn(['what', 'age', 'buys'], rows)).toEqual([])
  })
})
