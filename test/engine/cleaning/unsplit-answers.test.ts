import { describe, expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { uniforms } from './answers.ts'
import { rows, table, texts } from './raw-columns.ts'

const N = 600

/** Cells of N people who name `size` of the options, in the sequence of the list or of their taste. */
function chosen(options: readonly string[], size: number, joint: string, isRanked = false): string[] {
  const next = uniforms(3)
  return rows(N, () => {
    const drawn = options.map((option) => ({ option, key: next() })).sort((a, b) => a.key - b.key)
    const picked = drawn.slice(0, size).map(({ option }) => option)
    return (isRanked ? picked : options.filter((option) => picked.includes(option))).join(joint)
  })
}

function clean(cells: readonly string[]) {
  const sex = texts(
    'sex',
    rows(cells.length, (i) => (i % 2 === 0 ? 'f' : 'm')),
  )
  const { report } = cleanTable(table(sex, texts('q', cells)), { autoClean: true })
  const [split] = report.splitColumns
  return { options: split?.into.map(({ option }) => option).sort() ?? null, notes: report.notes }
}

const TOPICS = ['Brand', 'Price', 'Quality', 'Service', 'Speed']

describe('as many answers in every cell', () => {
  it.each([
    ['pairs of words', chosen(TOPICS, 2, ', '), TOPICS],
    ['three codes', chosen(['1', '2', '3', '4', '5', '6'], 3, ','), ['1', '2', '3', '4', '5', '6']],
  ])('are split where they have the sequence of the list: %s', (_, cells, options) => {
    expect(clean(cells).options).toEqual(options)
  })

  it('stay whole in any sequence, which may be a rank, with a note', () => {
    const { options, notes } = clean(chosen(TOPICS, 2, ', ', true))
    expect(options).toBeNull()
    expect(notes).toContain(
      'Columns of several answers in a cell were kept whole, because their sequence may be a rank; to split them, declare the separator in "multiple": "q" (",").',
    )
  })

  it.each([
    ['words', chosen(TOPICS, 5, ', ', true), ','],
    ['codes', chosen(['1', '2', '3', '4'], 4, '', true).map((cell) => [...cell].join(',')), ','],
    ['codes between signs', chosen(['1', '2', '3'], 3, '>', true), '>'],
    ['printed lists', chosen(["'a'", "'b'", "'c'"], 3, ', ', true).map((cell) => `[${cell}]`), ','],
    ['words and a separator at the end', chosen(TOPICS, 5, ';', true).map((cell) => `${cell};`), ';'],
    ['words, where one of twenty gave up', chosen(TOPICS, 5, ', ', true).map((c, i) => (i % 20 ? c : 'Price')), ','],
  ])('of all of the list are rankings, with a note: %s', (_, cells, separator) => {
    const { options, notes } = clean([...cells.slice(0, 500), ...cells.slice(0, 100)])
    expect(options).toBeNull()
    expect(notes).toContain(
      `Columns whose cells have the same answers in another sequence, as rankings have, were kept whole, and sequences of few rows are lost; to use the places, write a column for each answer in the file, with its place: "q" ("${separator}").`,
    )
  })

  it.each([
    ['a list that all have', rows(N, () => 'Brand, Price, Quality')],
    ['two forms of one', rows(N, (i) => (i % 2 ? 'Brand, Price, Quality' : 'Quality, Price, Brand'))],
    ['dates', rows(N, (i) => `0${1 + (i % 3)}/0${1 + ((i + 1) % 3)}/2024`)],
    ['pairs', rows(N, (i) => (i % 2 ? 'Yes, No' : 'No, Yes'))],
  ])('are no rankings, and have no note: %s', (_, cells) => {
    expect(clean(cells).notes.filter((note) => note.includes('rankings'))).toEqual([])
  })

  it.each([
    ['towns and countries', ['Leeds, UK', 'York, UK', 'Paris, FR', 'Lyon, FR', 'Rome, IT', 'Milan, IT']],
    ['names', ['Smith, John', 'Jones, Mary', 'Smith, Mary', 'Lee, Ann', 'Jones, John', 'Lee, Bob']],
  ])('are no answers, and have no note: %s', (_, cells) => {
    expect(clean(rows(N, (i) => cells[i % cells.length]!))).toEqual({ options: null, notes: [] })
  })
})

describe('codes of several answers', () => {
  const next = uniforms(5)
  const ticked = (options: readonly string[], joint: string) =>
    rows(N, () => options.filter(() => next() < 0.5).join(joint) || options[0]!)

  it.each([
    ['that begin with zeros', ticked(['01', '03', '11'], ','), ['01', '03', '11']],
    ['of five digits', ticked(['10011', '10022', '20033'], ','), ['10011', '10022', '20033']],
    ['behind a separator', ticked(['101', '204', '305'], ',').map((cell) => `,${cell}`), ['101', '204', '305']],
    [
      'between blanks, and an answer in words that excludes all others',
      ticked(['1', '2', '3'], ' ').map((cell, i) => (i % 9 === 0 ? 'None of these' : cell)),
      ['1', '2', '3', 'None of these'],
    ],
    [
      'in words, between semicolons here and commas there',
      ticked(['Milk', 'Tea', 'Water'], '; ').map((cell, i) => (i % 4 === 0 ? cell.replaceAll(';', ',') : cell)),
      ['Milk', 'Tea', 'Water'],
    ],
  ])('are split: %s', (_, cells, options) => {
    expect(clean(cells).options).toEqual(options)
  })

  it.each([
    ['prices', rows(N, (i) => `${String(1 + (i % 12)).padStart(2, '0')},${[50, 99, 95, 49][i % 4]}`)],
    ['rooms beside words', rows(N, (i) => ['1', '2', '3', 'No answer', 'More than four'][i % 5]!)],
    ['an answer with a comma', rows(N, (i) => ['Yes', 'No', 'Yes, always', 'No, never', 'Yes; no'][i % 5]!)],
  ])('are no %s', (_, cells) => {
    expect(clean(cells).options).toBeNull()
  })
})
