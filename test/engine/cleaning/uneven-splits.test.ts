import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { uniforms } from './answers.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 400

/** Cells of people who tick each option with its probability; null where they tick nothing. */
function ticked(options: Readonly<Record<string, number>>, seed: number, separator = ', '): (string | null)[] {
  const next = uniforms(seed)
  return rows(N, () => {
    const chosen = Object.entries(options).filter(([, probability]) => next() < probability)
    return chosen.length === 0 ? null : chosen.map(([option]) => option).join(separator)
  })
}

const BRANDS = { Alba: 0.5, Brio: 0.4, Cora: 0.3, Dua: 0.2 }
const known = texts('brands known', ticked(BRANDS, 7))
const ages = numbers(
  'age',
  rows(N, (i) => 18 + (i % 50)),
)

/** Cells of whom `asked` people were asked. */
const asked = (cells: readonly (string | null)[], people: number) => cells.map((cell, i) => (i < people ? cell : null))

function notes(...columns: RawColumn[]): string[] {
  const { report } = cleanTable(table(ages, ...columns), { autoClean: true })
  return report.notes.filter((note) => note.includes('parts of one question'))
}

describe('parts of one question of which some are split into their options', () => {
  it('are named: the others have several answers too, but too seldom to be split', () => {
    const single = rows(N, (i) => (i < 2 ? 'Alba, Cora' : ['Alba', 'Brio', 'Cora'][i % 3]!))
    expect(notes(known, texts('brands owned', single))).toEqual([
      'Columns that look like parts of one question were read in different ways. Split into their options: "brands known". Not split: "brands owned". To treat them alike, declare the separator of each in "multiple", or each as categorical in "types".',
    ])
  })

  // By their names they are parts of one question. A question of one answer is told apart by nothing in its cells, so a
  // column that stays whole beside one that was split is named, and not passed over where enough people were asked.
  it('are named where nobody gave two answers, in one note for the question', () => {
    const seldom = texts('q7_1', ticked({ Alba: 0.15, Brio: 0.12, Cora: 0.1 }, 3))
    const singles = (name: string, people: number) =>
      texts(
        name,
        asked(
          rows(N, (i) => ['Alba', 'Brio', 'Cora'][i % 3]!),
          people,
        ),
      )
    expect(notes(seldom, singles('q7_2', 30), singles('q7_3', N), texts('q7_4', ticked(BRANDS, 5)))).toEqual([
      'Columns that look like parts of one question were read in different ways. Split into their options: "q7_1", "q7_4". Not split, because no cell has several answers: "q7_2", "q7_3". If one answer was asked for there, declare that as categorical in "types"; to treat all alike, declare all of them so, or the separator of each in "multiple".',
    ])
  })

  // Their names do not say whether several answers were asked for in each, so they are named and not split.
  it('are named by the first word of their names and the same options', () => {
    const one = texts(
      'drink_work',
      rows(N, (i) => Object.keys(BRANDS)[i % 4]!),
    )
    expect(notes({ ...known, name: 'drink_home' }, one)).toEqual([
      'Columns that look like parts of one question were read in different ways. Split into their options: "drink_home". Not split, because no cell has several answers: "drink_work". If one answer was asked for there, declare that as categorical in "types"; to treat all alike, declare all of them so, or the separator of each in "multiple".',
    ])
    expect(notes({ ...known, name: 'drink_home' }, { ...one, declaredType: 'categorical' })).toEqual([])
    expect(notes({ ...known, name: 'drink_home' }, { ...one, name: 'favourite_drink' })).toEqual([])
  })

  it('are split alike where few people gave two answers of the same list', () => {
    const rare = rows(N, (i) => (i < 2 ? 'Alba, Cora' : ['Alba', 'Brio', 'Cora'][i % 3]!))
    const columns = [ages, { ...known, name: 'q7_1' }, texts('q7_2', rare)]
    const { report } = cleanTable(table(...columns), { autoClean: true })
    expect(report.splitColumns.map(({ from, into }) => [from, into.map(({ option }) => option)])).toEqual([
      ['q7_1', ['Alba', 'Brio', 'Cora', 'Dua']],
      ['q7_2', ['Alba', 'Cora', 'Brio']],
    ])
    expect(report.notes.filter((note) => note.includes('parts of one question'))).toEqual([])
  })

  it('are named by what their names share, with other options too', () => {
    // So few combinations occur that the options do not seem to be ticked freely.
    const cells = rows(N, (i) => ['Soup, Stew', 'Stew, Salad', 'Soup, Salad', 'Soup', 'Stew'][i % 5]!)
    const answers = ticked(BRANDS, 7)
    expect(notes(texts('q7a', answers), texts('q7b', cells))[0]).toContain('Not split: "q7b".')
    expect(notes(texts('q7', answers), texts('q8', cells))).toEqual([])
  })

  it.each([
    [
      'a single answer about the same options',
      texts(
        'brand most often',
        rows(N, (i) => Object.keys(BRANDS)[i % 4]!),
      ),
    ],
    [
      'levels with a comma',
      texts(
        'q7_2',
        rows(N, (i) => ['Yes, always', 'Yes, often', 'No'][i % 3]!),
      ),
    ],
    [
      'two of its options, under another last word',
      texts(
        'q7_other',
        rows(N, (i) => ['Alba', 'Brio'][i % 2]!),
      ),
    ],
    [
      'other words',
      texts(
        'region',
        rows(N, (i) => ['North', 'South'][i % 2]!),
      ),
    ],
    [
      'a declared type',
      {
        ...texts(
          'owned',
          rows(N, (i) => ['Alba, Cora', 'Alba'][i % 2]!),
        ),
        declaredType: 'categorical',
      },
    ],
    ['another question that is split as well', texts('owned', ticked(BRANDS, 9))],
  ] as [string, RawColumn][])('are not %s', (_, column) => {
    expect(notes({ ...known, name: 'q7_1' }, column)).toEqual([])
  })

  it('are looked for only where something is split', () => {
    expect(
      notes(
        texts(
          'a',
          rows(N, (i) => ['Alba', 'Brio'][i % 2]!),
        ),
      ),
    ).toEqual([])
  })
})
