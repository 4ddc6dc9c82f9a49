import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

function read(cells: readonly string[]) {
  const lines = ['joined;region', ...cells.map((cell, i) => `${cell};${['North', 'South'][i % 2]}`)]
  return readTable(folder.write(`months-${files++}.csv`, `${lines.join('\n')}\n`), { tempDir: folder.path })
}

/** 300 people of `months` months from January 2019 on. */
const people = (months: number, write: (year: number, month: number) => string) =>
  Array.from({ length: 300 }, (_, i) => write(2019 + Math.floor((i % months) / 12), 1 + ((i % months) % 12)))
const two = (number: number) => String(number).padStart(2, '0')
const NAMES = 'Jan Feb März April Mai Juni Juli Aug. Sept. Okt Nov Dez'.split(' ')

const FORMS: [string, (year: number, month: number) => string][] = [
  ['year first', (year, month) => `${year}-${two(month)}`],
  ['year last', (year, month) => `${two(month)}/${year}`],
  ['year last, without zeros', (year, month) => `${month}/${year}`],
  ['with names', (year, month) => `${NAMES[month - 1]} ${year}`],
  ['as Eurostat writes them', (year, month) => `${year}M${two(month)}`],
]

describe('months without a day', () => {
  it.each(FORMS)('are dates where they are many, with a note: %s', async (_, write) => {
    const table = await read(people(60, write))
    expect(columnOf(table, 'joined')).toMatchObject({ type: 'date', missing: 0, distinct: 60 })
    expect(readColumn(table, 'joined').slice(0, 13).at(-1)).toBe('2020-01-01')
    expect(table.notes).toContain(
      'Column "joined" has months without a day, each of which was read as the first day of the month; to have levels, declare the column "categorical" in "types".',
    )
  })

  it('are dates where each has few rows', async () => {
    const cells = people(20, FORMS[0]![1]).slice(0, 80)
    expect(columnOf(await read(cells), 'joined').type).toBe('date')
  })

  it.each([
    ['waves of half a year', people(6, FORMS[0]![1])],
    ['the months of two years that have their rows', people(24, FORMS[3]![1])],
    ['months beside other words', people(60, FORMS[0]![1]).map((cell, i) => (i % 4 === 0 ? 'unknown yet' : cell))],
    ['years of school', people(60, (year, month) => `${year - 100 + 3 * month}-${two((year + 3 * month + 1) % 100)}`)],
    ['numbers of cases', people(60, (year, month) => `${year}-${two(7 * month)}`)],
  ])('are texts: %s', async (_, cells) => {
    expect(columnOf(await read(cells), 'joined').type).toBe('text')
  })
})
