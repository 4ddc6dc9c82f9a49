import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

function read(names: readonly string[], rows: readonly (readonly string[])[]) {
  const lines = [names, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(','))
  return readTable(folder.write(`imperfect-${files++}.csv`, `${lines.join('\n')}\n`), { tempDir: folder.path })
}

/** 803 cells, the last of which is `last`. */
const mostly = (cell: (i: number) => string, last: string) =>
  Array.from({ length: 803 }, (_, i) => (i === 802 ? last : cell(i)))
const day = (i: number) => `${1 + (i % 12)}/${1 + (i % 28)}/2023`

describe('dates in forms that cannot be told apart', () => {
  it('are kept as text, with a note', async () => {
    const cells = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? `2024-03-${String(1 + (i % 28)).padStart(2, '0')}` : `${1 + (i % 12)}/${1 + (i % 28)}/2024`,
    )
    const path = folder.write(
      'date-forms.csv',
      `${['at,w', ...cells.map((cell, i) => `${cell},${'ab'[i % 2]}`)].join('\n')}\n`,
    )
    const { notes } = await readTable(path, { tempDir: folder.path })
    const note =
      'Column "at" has dates of several forms, of which some could be day first or month first, and were kept as text; write all of them as 2024-12-31.'
    expect(notes).toContain(note)
    const words = folder.write(
      'date-words.csv',
      `${['at,w', ...cells.map((cell, i) => `${i % 3 === 0 ? 'soon' : cell},${'ab'[i % 2]}`)].join('\n')}\n`,
    )
    expect((await readTable(words, { tempDir: folder.path })).notes).not.toContain(note)
  })
})

describe('a column with a slip', () => {
  it.each([
    ['numbers', (i: number) => `${i / 4}`, '12 or so', 'number'],
    ['numbers with decimal commas', (i: number) => `${i},25`, 'none yet', 'number'],
    ['dates', day, 'sometime in May', 'date'],
    ['dates with a day that no month has', day, '2/30/2023', 'date'],
    ['ISO dates', (i: number) => `20${10 + (i % 14)}-01-0${1 + (i % 9)}`, '2023-1', 'date'],
  ])(
    'of %s keeps its type; the slip is missing, and a note counts it without quoting it',
    async (_, cell, last, type) => {
      const table = await read(
        ['v', 'w'],
        mostly(cell, last).map((value) => [value, 'x']),
      )
      expect(columnOf(table, 'v')).toMatchObject({ type, missing: 1 })
      expect(readColumn(table, 'v').at(-1)).toBe(null)
      const kind = type === 'number' ? 'number' : 'date'
      expect(table.notes).toContain(`Column "v" has 1 value that is not a ${kind}, which was read as missing.`)
      expect(table.notes.join(' ')).not.toContain(last)
    },
  )

  it('of dates with four-digit years has no note about two-digit ones', async () => {
    const table = await read(
      ['v', 'w'],
      mostly((i) => `2023-01-${10 + (i % 20)}`, '3 May').map((value) => [value, 'x']),
    )
    expect(table.notes).toEqual(['Column "v" has 1 value that is not a date, which was read as missing.'])
  })

  it('may have a few slips', async () => {
    const cells = Array.from({ length: 1_000 }, (_, i) => (i % 250 === 7 ? `slip ${i}` : `${i}`))
    const table = await read(
      ['v', 'w'],
      cells.map((value) => [value, 'x']),
    )
    expect(columnOf(table, 'v')).toMatchObject({ type: 'number', missing: 4 })
    expect(table.notes).toContain('Column "v" has 4 values that are not numbers, which were read as missing.')
  })

  it.each([
    [
      'days that a month lacks',
      (i: number) => (i % 50 === 7 ? '31.04.2023' : `${10 + (i % 18)}.0${1 + (i % 9)}.2023`),
      6,
    ],
    [
      'days that nobody knew',
      (i: number) => (i % 25 === 7 ? '2023-05-00' : `2023-0${1 + (i % 9)}-${10 + (i % 18)}`),
      12,
    ],
    [
      'both a day that a month lacks and a word',
      (i: number) => (i === 9 ? 'soon' : i % 50 === 7 ? '2023-02-30' : `2023-01-${10 + (i % 18)}`),
      7,
    ],
  ])('of dates may have %s, however often one comes', async (_, cell, missing) => {
    const cells = Array.from({ length: 300 }, (_, i) => cell(i))
    const table = await read(
      ['v', 'w'],
      cells.map((value) => [value, 'x']),
    )
    expect(columnOf(table, 'v')).toMatchObject({ type: 'date', missing })
    expect(table.notes).toContain(`Column "v" has ${missing} values that are not dates, which were read as missing.`)
  })

  it('stays text where many dates are in no calendar, with a note', async () => {
    const cells = Array.from({ length: 300 }, (_, i) => (i % 5 === 0 ? '2023-05-00' : `2023-05-${10 + (i % 18)}`))
    const table = await read(
      ['v', 'w'],
      cells.map((value) => [value, 'x']),
    )
    expect(columnOf(table, 'v').type).toBe('text')
    expect(table.notes).toEqual([
      'Column "v" has dates of which many are in no calendar, such as 2024-02-30 or 2024-05-00, and were kept as text; correct them in the file, or empty those cells.',
    ])
  })

  it.each([
    ['many other texts', Array.from({ length: 1_000 }, (_, i) => (i % 100 === 7 ? `slip ${i}` : `${i}`))],
    ['another text that is given often', Array.from({ length: 2_000 }, (_, i) => (i % 400 === 7 ? 'refused' : `${i}`))],
    ['one number and another answer', Array.from({ length: 1_000 }, (_, i) => (i === 7 ? 'yes' : '0'))],
    [
      'days first and months first',
      Array.from({ length: 1_000 }, (_, i) => ['1/2/2023', '13/2/2023', '2/13/2023'][i % 300 > 1 ? 0 : 1 + (i % 300)]!),
    ],
    ['numbers and a code with leading zeros', mostly((i) => `${i}`, '007')],
  ])('is not assumed where a column has %s', async (_, cells) => {
    const table = await read(
      ['v', 'w'],
      cells.map((value) => [value, 'x']),
    )
    expect(columnOf(table, 'v').type).toBe('text')
  })
})

describe('whole numbers joined by commas', () => {
  it('are several answers where decimals have points', async () => {
    const table = await read(
      ['answers', 'height'],
      [
        ['1,2', '1.75'],
        ['3', '1.8'],
        ['2,10', '1.69'],
      ],
    )
    expect(columnOf(table, 'answers').type).toBe('text')
    expect(readColumn(table, 'answers')).toEqual(['1,2', '3', '2,10'])
    expect(table.notes).toEqual([
      'Column "answers" has whole numbers joined by commas, which were read as several answers and not as one number.',
    ])
  })

  it('are decimals where no other column has decimals, or others have commas', async () => {
    const alone = await read(
      ['v', 'w'],
      [
        ['1,2', '5'],
        ['3', '6'],
        ['2,10', '7'],
      ],
    )
    expect(readColumn(alone, 'v')).toEqual([1.2, 3, 2.1])
    const others = await read(
      ['v', 'w', 'x'],
      [
        ['1,2', '1.5', '0,25'],
        ['3', '2.5', '1,75'],
        ['2,1', '3.5', '-2,5'],
      ],
    )
    expect(readColumn(others, 'v')).toEqual([1.2, 3, 2.1])
  })

  it('are decimals in a column with decimals of other forms', async () => {
    const table = await read(
      ['v', 'w'],
      [
        ['1,25', '1.5'],
        ['-3,5', '2.5'],
        ['2,2', '3.5'],
      ],
    )
    expect(readColumn(table, 'v')).toEqual([1.25, -3.5, 2.2])
  })
})

describe('a checkbox', () => {
  it.each([
    ['a text', 'Selected'],
    ['a one', '1'],
    ['true', 'true'],
  ])('becomes 1 or 0 with %s where it is ticked', async (_, tick) => {
    const table = await read(
      ['box', 'w'],
      [
        [tick, 'a'],
        ['', 'b'],
        [tick, 'c'],
        ['', 'd'],
        ['', 'e'],
      ],
    )
    expect(columnOf(table, 'box')).toMatchObject({
      type: 'number',
      missing: 0,
      distinct: 2,
      min: 0,
      max: 1,
      counts: new Map([
        [0, 3],
        [1, 2],
      ]),
    })
    expect(readColumn(table, 'box')).toEqual([1, 0, 1, 0, 0])
    expect(table.notes).toEqual(['Column "box" has one answer or none, which were read as 1 and 0.'])
  })

  it.each([
    ['a word for a missing value', ['x', 'NA', 'x', '']],
    ['two answers', ['x', 'y', 'x', '']],
    ['an answer of one person', ['my own words', '', '', '']],
    ['a number that is not one', ['2020', '2020', '', '2020']],
    ['no empty cell', ['x', 'x', 'x', 'x']],
  ])('is not assumed in a column with %s', async (_, cells) => {
    const table = await read(
      ['v', 'w'],
      cells.map((value, i) => [value, `w${i}`]),
    )
    expect(columnOf(table, 'v').missing).toBe(cells.filter((cell) => cell === '' || cell === 'NA').length)
    expect(table.notes.join(' ')).not.toContain('one answer or none')
  })
})
