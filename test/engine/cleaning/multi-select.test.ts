import { describe, expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { splitCell } from '../../../src/engine/cleaning/split-cell.ts'
import { uniforms } from './answers.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 600

/** Cells of N respondents who tick each option with its probability, in the order of the options; null where nobody asked. */
function ticked(options: Readonly<Record<string, number>>, separator: string, asked = 1): (string | null)[] {
  const next = uniforms(7)
  return rows(N, () => {
    const chosen = Object.entries(options).filter(([, probability]) => next() < probability)
    return next() >= asked || chosen.length === 0 ? null : chosen.map(([option]) => option).join(separator)
  })
}

function clean(values: readonly (string | null)[], autoClean = true) {
  const keep = numbers(
    'age',
    rows(values.length, (i) => 18 + (i % 50)),
  )
  return cleanTable(table(keep, texts('q_7', values)), { autoClean })
}

function optionsOf(values: readonly (string | null)[]): string[] | null {
  const [split] = clean(values).report.splitColumns
  return split === undefined ? null : split.into.map(({ option }) => option)
}

const DRINKS = { Tea: 0.5, Coffee: 0.6, Water: 0.3, Juice: 0.2 }
/** In the order of their probability. */
const RANKED = ['Coffee', 'Tea', 'Water', 'Juice']

it('codes of three digits are several answers even where only two pairs occur', () => {
  const cells = rows(N, (i) => ['101', '101,204', '204,305'][i % 3]!)
  expect(optionsOf(cells)).toEqual(['101', '204', '305'])
  const names = rows(N, (i) => ['Leeds', 'Leeds,UK', 'UK,Europe'][i % 3]!)
  expect(optionsOf(names)).toBeNull()
})

describe('a column that holds several answers', () => {
  it.each([
    ['commas and blanks', ', '],
    ['bare commas', ','],
    ['semicolons', ';'],
    ['vertical bars', '|'],
    ['line ends', '\n'],
    ['slashes', '/'],
    ['slashes and blanks', ' / '],
    ['ampersands', '&'],
    ['ampersands and blanks', ' & '],
    ['plus signs', '+'],
    ['plus signs and blanks', ' + '],
    ['two colons', '::'],
  ])('by %s is split into its options', (_, separator) => {
    expect(optionsOf(ticked(DRINKS, separator))).toEqual(RANKED)
  })

  it.each([
    ['a separator at the end of every cell', ticked(DRINKS, ';').map((cell) => cell && `${cell};`), RANKED],
    [
      'commas within brackets',
      ticked({ 'Espresso (black, no milk)': 0.6, Tea: 0.5, 'Other [e.g. soup, broth]': 0.3 }, ', '),
      ['Espresso (black, no milk)', 'Tea', 'Other [e.g. soup, broth]'],
    ],
    [
      'commas within an option',
      ticked({ 'Milk, dairy alternative, or creamer': 0.6, Sugar: 0.5, Syrup: 0.3 }, ', '),
      ['Milk, dairy alternative, or creamer', 'Sugar', 'Syrup'],
    ],
    [
      'thousands in the options',
      ticked({ 'Under 1,000': 0.6, 'Over 1,000': 0.5, None: 0.3 }, ', '),
      ['Under 1,000', 'Over 1,000', 'None'],
    ],
    ['commas in options separated by semicolons', ticked({ 'a, b': 0.6, 'b, c': 0.5 }, '; '), ['a, b', 'b, c']],
    ['two options', ticked({ Dogs: 0.6, Cats: 0.5 }, ', '), ['Dogs', 'Cats']],
    ['codes of options', ticked({ 1: 0.6, 2: 0.5, 3: 0.3, 12: 0.2 }, ','), ['1', '2', '3', '12']],
    ['codes of three digits', ticked({ 101: 0.6, 204: 0.5, 305: 0.3 }, ','), ['101', '204', '305']],
    ['codes of three digits between blanks', ticked({ 101: 0.6, 204: 0.5, 305: 0.3 }, ' '), ['101', '204', '305']],
    ['codes of four digits', ticked({ 1001: 0.6, 1002: 0.5, 2004: 0.3 }, ','), ['1001', '1002', '2004']],
    ['years', ticked({ 2019: 0.6, 2020: 0.5, 2021: 0.3 }, ', '), ['2019', '2020', '2021']],
    [
      'the separators of SharePoint',
      ticked({ Tea: 0.6, 'Red wine': 0.5, Water: 0.3 }, ';#').map((cell) => cell && `;#${cell};#`),
      ['Tea', 'Red wine', 'Water'],
    ],
    [
      'blanks between names with capitals, of which some have underscores',
      ticked({ Maize: 0.6, Sweet_Potato: 0.5, Rice: 0.3 }, ' '),
      ['Maize', 'Sweet_Potato', 'Rice'],
    ],
    [
      'blanks between names with capitals',
      ticked({ Maize: 0.6, Beans: 0.5, Rice: 0.3 }, ' '),
      ['Maize', 'Beans', 'Rice'],
    ],
    ['blanks between letters', ticked({ A: 0.6, B: 0.5, C: 0.3 }, ' '), ['A', 'B', 'C']],
    ['codes between slashes', ticked({ 11: 0.6, 23: 0.5, 98: 0.3 }, '/'), ['11', '23', '98']],
    [
      'codes with a comma at the end',
      ticked({ 1: 0.6, 2: 0.5, 12: 0.3 }, ',').map((cell) => cell && `${cell},`),
      ['1', '2', '12'],
    ],
    [
      'names of options between blanks',
      ticked({ maize: 0.6, sweet_potato: 0.5, beans: 0.3 }, ' '),
      ['maize', 'sweet_potato', 'beans'],
    ],
    [
      'lists as Python prints them',
      ticked({ "'cows'": 0.6, "'goats'": 0.5, "'hens, geese'": 0.3 }, ', ').map((cell) => `[${cell ?? ''}]`),
      ['cows', 'goats', 'hens, geese'],
    ],
    [
      'lists as JSON',
      ticked({ '"Tea"': 0.6, '"Milk"': 0.5, '"Rum"': 0.3 }, ',').map((cell) => cell && `[${cell}]`),
      ['Tea', 'Milk', 'Rum'],
    ],
    ['lists of codes', ticked({ 1: 0.6, 2: 0.5, 12: 0.3 }, ', ').map((cell) => cell && `[${cell}]`), ['1', '2', '12']],
    [
      'lists as PostgreSQL prints them',
      ticked({ tea: 0.6, milk: 0.5, rum: 0.3 }, ',').map((cell) => cell && `{${cell}}`),
      ['tea', 'milk', 'rum'],
    ],
    [
      'lists as R prints them',
      ticked({ '"Tea"': 0.6, '"Milk"': 0.5, '"Rum"': 0.3 }, ', ').map((cell) => cell && `c(${cell})`),
      ['Tea', 'Milk', 'Rum'],
    ],
    ...['、', '；', '，'].map((mark): [string, (string | null)[], string[]] => [
      `the mark ${mark}`,
      ticked({ 紅茶: 0.6, 牛乳: 0.5, 'ラム（黒、甘）': 0.3 }, mark),
      ['紅茶', '牛乳', 'ラム（黒、甘）'],
    ]),
    [
      'codes, and an answer in words that goes with no other',
      ticked({ 1: 0.6, 2: 0.5, 12: 0.3 }, ',').map((cell, i) => (i % 6 === 0 ? 'None of these' : cell)),
      ['1', '2', '12', 'None of these'],
    ],
    [
      'an option that goes with no other',
      ticked(DRINKS, ', ').map((cell, i) => (i % 6 === 0 ? 'None of these' : cell)),
      [...RANKED, 'None of these'],
    ],
    [
      'many options that hardly anybody ticks alone',
      ticked(Object.fromEntries(rows(12, (i) => [`Brand ${String.fromCharCode(65 + i)}`, 0.7])), ', '),
      rows(12, (i) => `Brand ${String.fromCharCode(65 + i)}`),
    ],
    ['cells in the order of ticking', ticked(DRINKS, ', ').map((cell, i) => (i % 2 ? cell : turned(cell))), RANKED],
  ])('is recognized in spite of %s', (_, values, options) => {
    expect([...(optionsOf(values) ?? [])].sort()).toEqual([...options].sort())
  })

  it('becomes one column of 0 and 1 per option, each missing for people who did not answer', () => {
    const values = ticked(DRINKS, ', ', 0.8)
    const { table: cleaned, schema, report } = clean(values)
    expect(schema.slice(1).map(({ name }) => name)).toEqual(['q.7.Coffee', 'q.7.Tea', 'q.7.Water', 'q.7.Juice'])
    for (const [i, option] of RANKED.entries()) {
      const column = cleaned.columns[i + 1]!
      if (column.kind !== 'categorical') throw new Error('not categorical')
      expect(column).toMatchObject({ integer: true, sourceName: 'q_7' })
      expect(schema[i + 1]).toMatchObject({ sourceName: 'q_7', sourceOption: option, type: 'categorical' })
      expect([...column.levels].sort()).toEqual(['0', '1'])
      const expected = values.map((cell) => (cell === null ? null : cell.split(', ').includes(option) ? '1' : '0'))
      expect(Array.from(column.codes, (code) => column.levels[code] ?? null)).toEqual(expected)
      expect(report.splitColumns[0]!.into[i]).toEqual({
        name: `q.7.${option}`,
        option,
        rows: expected.filter((value) => value === '1').length,
      })
    }
    expect(report).toMatchObject({ inputColumns: 2, cleanColumns: 5, droppedColumns: [], renamedColumns: [] })
  })

  it('lists the answers that are too rare for a column, and leaves the other columns unchanged', () => {
    const values = ticked(DRINKS, ', ').map((cell, i) => (i % 50 === 0 ? `${cell ?? 'Tea'}, my own number ${i}` : cell))
    const [split] = clean(values).report.splitColumns
    expect(split!.into.map(({ option }) => option)).toEqual(RANKED)
    expect(split!.otherAnswers).toHaveLength(12)
    expect(split).toMatchObject({ otherAnswersOmitted: 0, otherAnswers: expect.arrayContaining(['my own number 50']) })
  })

  it('has 0 in every column for a cell with rare answers only', () => {
    const values = ticked(DRINKS, ', ').map((cell, i) => (i === 3 ? 'only once' : cell))
    const { table: cleaned } = clean(values)
    for (const column of cleaned.columns.slice(1)) {
      if (column.kind !== 'categorical') throw new Error('not categorical')
      expect(column.levels[column.codes[3]!]).toBe('0')
    }
  })

  it('stays whole without auto_clean', () => {
    const { report, schema } = clean(ticked(DRINKS, ', '), false)
    expect(report.splitColumns).toEqual([])
    expect(schema.map(({ name }) => name)).toEqual(['age', 'q_7'])
  })

  it('is split before its many combinations could look like free text or identifiers', () => {
    const brands = Object.fromEntries(rows(20, (i) => [`A brand that is named ${i}`, 0.5]))
    const { report } = clean(ticked(brands, '; '))
    expect(report.droppedColumns).toEqual([])
    expect(report.splitColumns[0]!.into).toHaveLength(20)
  })
})

/** One of the texts per row, in turn. */
function inTurn(...cells: (string | null)[]): (string | null)[] {
  return rows(N, (i) => cells[i % cells.length]!)
}

const NAMES = ['Smith', 'Jones', 'Brown', 'Garcia', 'Kim', 'Novak', 'Rossi', 'Silva']

describe('a column that only looks like several answers', () => {
  it.each([
    ['levels with a comma', inTurn('Yes, always', 'Yes, sometimes', 'No')],
    ['levels with a comma that all have one', inTurn('No, not rude at all', 'Yes, somewhat rude', 'Yes, very rude')],
    ['levels that others begin with', inTurn('Yes', 'Yes', 'Yes, but rarely', 'No', 'No', 'No, never')],
    ['names', rows(N, (i) => `${NAMES[i % 8]}, ${['John', 'Ann', 'Lee'][i % 3]}`)],
    ['places', inTurn('Paris, France', 'Lyon, France', 'Rome, Italy', 'Milan, Italy', 'France', 'Italy')],
    [
      'places typed with their country and without',
      rows(N, (i) => {
        const [town, country] = [['Leeds', 'York', 'Bath', 'Oxford'][i % 4]!, ['UK', 'England'][(i >> 2) % 2]!]
        return [town, country, `${town}, ${country}`][i % 3]!
      }),
    ],
    ['addresses', rows(N, (i) => `${i % 90} Main Street, Springfield`)],
    ['ranges with thousands', inTurn('1,000-2,000', '2,000-5,000', 'Below 1,000', 'More than 5,000')],
    ['decimal commas among texts', inTurn('1,5 l', '2,5 l', '0,75 l', 'none')],
    ['education levels', inTurn('BUP, FP2, COU', 'ESO, EGB, FP1', 'University')],
    ['pairs that never change', inTurn('bread, butter', 'cheese', 'bread, butter', 'ham')],
    ['remarks', rows(N, (i) => (i % 3 === 0 ? `Well, it was ${i}, I think, fine` : `nothing ${i}, really`))],
    ['one cell of several answers', inTurn('a', 'b', 'c').map((cell, i) => (i === 5 ? 'a, b' : cell))],
    ['matches of two out of three', inTurn('Ajax, Roma', 'Roma, Porto', 'Ajax, Porto')],
    [
      'typed words of which a few come back',
      rows(N, (i) => (i % 2 ? `thing ${i}, stuff ${i}` : ['good', 'cheap', 'good, cheap'][(i / 2) % 3]!)),
    ],
    ['answers in small letters', inTurn('very good', 'good', 'bad', 'very bad', 'neither good nor bad')],
    ['directions', inTurn('north', 'south', 'east', 'west', 'north east', 'south west', 'north west', 'south east')],
    ['colours', inTurn('light blue', 'dark blue', 'blue', 'light', 'dark', 'green')],
    ['prices with thousands', inTurn('1,500', '2,500', '1,000', '2,000', '500', '900')],
    ['prices with thousands, or none', inTurn('1,500', '2,500', '1,200', '2,200', 'nothing')],
    ['texts in brackets', inTurn('[Yes]', '[No]', '[Do not know]')],
    ['dates and fractions', inTurn('1/2', '3/4', '1/4', '2/3', '1', '2', '3', '4')],
    ['days of a month', rows(N, (i) => `${1 + (i % 12)}/${1 + ((i * 7) % 28)}`)],
    ['pressures of blood', rows(N, (i) => (i % 9 === 0 ? '120' : `${110 + (i % 5) * 10}/${70 + (i % 4) * 5}`))],
    ['names with ampersands', inTurn('R&D', 'Sales', 'R&D', 'H&M', 'M&S', 'Tesco')],
    ['two names and both', inTurn('A/B', 'A', 'B', 'AB')],
    ['languages and grades', inTurn('C++', 'C', 'Java', 'A+', 'A', 'A-', '65+')],
    ['units', inTurn('km/h', 'm/s', 'mph', 'km', 'm')],
    ['pronouns', inTurn('he/him', 'she/her', 'they/them', 'she/they', 'he/they', 'he', 'she')],
    ['parts of the sky', inTurn('N/E', 'N/W', 'S/E', 'S/W', 'N', 'S', 'E', 'W')],
    ['slashes', inTurn('divorced/widowed', 'single', 'married/cohabiting')],
  ])('is not split: %s', (_, values) => {
    expect(clean(values).report.splitColumns).toEqual([])
  })
})

function turned(cell: string | null): string | null {
  return cell === null ? null : cell.split(', ').reverse().join(', ')
}

describe('a cell with several answers', () => {
  it.each([
    ['a, b', ',', ['a', 'b']],
    ['a;b;', ';', ['a', 'b']],
    [';; a ;', ';', ['a']],
    ['a (b, c), d', ',', ['a (b, c)', 'd']],
    ['a (b, c', ',', ['a (b', 'c']],
    [':), a', ',', [':)', 'a']],
    ['1,000, 2', ',', ['1,000', '2']],
    ['tv/web 1/2', '/', ['tv', 'web 1/2']],
    ['C++ + A+', '+', ['C++', 'A+']],
    ['R&D & tv', ' & ', ['R&D', 'tv']],
    ['a::b', '::', ['a', 'b']],
    ['', ',', []],
  ] as const)('%j is split at %j into %j', (text, separator, parts) => {
    expect(splitCell(text, separator)).toEqual(parts)
  })

  it('with codes is split between digits', () => {
    expect(splitCell('1,3,12', ',', true)).toEqual(['1', '3', '12'])
  })
})
