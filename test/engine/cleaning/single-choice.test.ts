import { describe, expect, it } from 'vitest'
import type { RawColumn, RawTextColumn } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { mergeSingleChoice } from '../../../src/engine/cleaning/single-choice.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 600

/** Boxes of a question whose answer in row i is `of(i)`, the number of an option; -1: none. */
function boxes(question: string, options: readonly string[], of: (i: number) => number): RawColumn[] {
  return options.map((option, at) =>
    numbers(
      `${question} / ${option}`,
      rows(N, (i) => (of(i) === at ? 1 : 0)),
    ),
  )
}

const AGES = ['18-29', '30-44', '45 and over']
const inTurn = (i: number) => (i % 7 === 6 ? -1 : i % 3)
const other = numbers(
  'score',
  rows(N, (i) => (i * 37) % 101),
)

const namesOf = (columns: readonly RawColumn[]) => columns.map(({ name }) => name)

describe('boxes under one header of which no row has two', () => {
  it('are one column with the options as levels, missing where none is ticked', () => {
    const merged = mergeSingleChoice(table(other, ...boxes('Age', AGES, inTurn)))
    expect(namesOf(merged.columns)).toEqual(['score', 'Age'])
    const age = merged.columns[1] as RawTextColumn
    const expected = rows(N, (i) => AGES[inTurn(i)] ?? null)
    expect(Array.from(age.codes, (code) => age.dictionary[code] ?? null)).toEqual(expected)
    expect(age).toEqual({ ...texts('Age', expected), name: 'Age' })
    expect(merged.notes).toEqual([
      'Columns "Age / 18-29", "Age / 30-44" and 1 more are options of one question, of which no row has two. They became one column "Age"; to keep them apart, declare one of them categorical under "types".',
    ])
  })

  const written = (of: (i: number) => boolean) =>
    texts(
      'Age / Other (please specify)',
      rows(N, (i) => (of(i) ? `about ${i}` : null)),
    )

  it('may have an option with the texts that people wrote', () => {
    const merged = mergeSingleChoice(
      table(
        ...boxes('Age', AGES, inTurn),
        written((i) => i % 14 === 6),
      ),
    )
    expect(namesOf(merged.columns)).toEqual(['Age'])
    const age = merged.columns[0] as RawTextColumn
    expect([age.missing, age.counts[age.dictionary.indexOf('Other (please specify)')]]).toEqual([42, 43])
    expect(merged.notes.join()).toContain('What was written under "Other (please specify)" became that one option.')
  })

  it('are no one question with comments that people wrote who ticked a box', () => {
    const columns = [...boxes('Age', AGES, inTurn), written((i) => i % 13 === 0)]
    expect(mergeSingleChoice(table(...columns)).columns).toEqual(columns)
  })

  const inWords = (yes: string, no: string) =>
    AGES.map((option, at) =>
      texts(
        `Age / ${option}`,
        rows(N, (i) => (inTurn(i) === at ? yes : no)),
      ),
    )

  it.each([
    ['Yes', 'No'],
    ['Checked', 'Unchecked'],
    ['Selected', 'Not selected'],
    ['genannt', 'nicht genannt'],
    ['Coché', 'Non coché'],
    ['Marcado', 'No marcado'],
    ['Ticked', 'Not ticked'],
  ])('may have the words %s and %s', (yes, no) => {
    const merged = mergeSingleChoice(table(...inWords(yes, no), other))
    expect(namesOf(merged.columns)).toEqual(['Age', 'score'])
    expect(merged.columns[0]!.missing).toBe(85)
  })

  it('may have 1 and -1', () => {
    const signed = AGES.map((option, at) =>
      numbers(
        `Age / ${option}`,
        rows(N, (i) => (inTurn(i) === at ? 1 : -1)),
      ),
    )
    expect(namesOf(mergeSingleChoice(table(...signed)).columns)).toEqual(['Age'])
  })

  it.each([
    ['low', 'high'],
    ['Yes', 'Maybe'],
    ['No', 'Never'],
  ])('have no words such as %s and %s, which may be answers', (one, another) => {
    const raw = table(...inWords(one, another), other)
    expect(mergeSingleChoice(raw)).toBe(raw)
  })

  it('are told apart by their questions', () => {
    const two = table(...boxes('Age', AGES, inTurn), ...boxes('Sex', ['f', 'm'], (i) => (i >> 2) % 2), other)
    expect(namesOf(mergeSingleChoice(two).columns)).toEqual(['Age', 'Sex', 'score'])
  })

  it('are one column of the cleaned table, with shares to set', () => {
    const { schema, report } = cleanTable(table(other, ...boxes('Age', AGES, inTurn)), { autoClean: true })
    expect(schema.map(({ name }) => name)).toEqual(['score', 'Age'])
    expect(report.notes[0]).toContain('They became one column "Age"')
  })

  it('stay boxes without cleaning', () => {
    const { schema } = cleanTable(table(other, ...boxes('Age', AGES, inTurn)), { autoClean: false })
    expect(schema).toHaveLength(4)
  })
})

describe('boxes stay boxes', () => {
  const ages = boxes('Age', AGES, inTurn)
  const [first, ...rest] = ages
  it.each([
    [
      'if one row has two',
      [
        ...boxes('Age', AGES.slice(0, 2), inTurn),
        numbers(
          'Age / 45 and over',
          rows(N, (i) => (i === 0 || inTurn(i) === 2 ? 1 : 0)),
        ),
      ],
    ],
    [
      'if so few are ticked that chance keeps them apart',
      boxes('Brand', ['a', 'b', 'c'], (i) => (i % 50 === 0 ? (i / 50) % 3 : -1)),
    ],
    ['if a type is declared for one of them', [{ ...first!, declaredType: 'categorical' as const }, ...rest]],
    [
      'if a column of another kind is under the header',
      [
        ...ages,
        texts(
          'Age / other',
          rows(N, (i) => `t${i % 9}`),
        ),
      ],
    ],
    [
      'if the file has a column of the name of the question',
      [
        ...ages,
        texts(
          'Age',
          rows(N, (i) => `t${i % 9}`),
        ),
      ],
    ],
    ['if they are under headers of their own', ages.map((box) => ({ ...box, name: box.name.replace(' / ', '_') }))],
  ])('%s', (_, columns) => {
    const raw = table(...columns, other)
    expect(mergeSingleChoice(raw)).toBe(raw)
  })
})
