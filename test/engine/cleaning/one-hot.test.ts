import { describe, expect, it } from 'vitest'
import type { RawColumn, RawTextColumn } from '../../../src/base/raw-table.ts'
import { mergeSingleChoice } from '../../../src/engine/cleaning/single-choice.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 600

/** Boxes with these names; row i ticks that of the number `of(i)`, and has no value in any where that is null. */
const boxes = (names: readonly string[], of: (i: number) => number | null): RawColumn[] =>
  names.map((name, at) =>
    numbers(
      name,
      rows(N, (i) => (of(i) === null ? null : of(i) === at ? 1 : 0)),
    ),
  )

const inTurn = (options: number) => (i: number) => (i * 7 + (i >> 3)) % options
const score = numbers(
  'score',
  rows(N, (i) => (i * 37) % 101),
)
const merged = (...columns: RawColumn[]) => mergeSingleChoice(table(score, ...columns))
const namesOf = (columns: readonly RawColumn[]) => columns.map(({ name }) => name)
const answers = (column: RawColumn | undefined) => {
  const { codes, dictionary } = column as RawTextColumn
  return Array.from(codes, (code) => dictionary[code] ?? null)
}

describe('boxes whose names begin alike, of which each row ticks exactly one', () => {
  it.each([
    ['a colon', ['gender: female', 'gender: male'], 'gender', ['female', 'male']],
    [
      'a slash, as KoBo writes it',
      ['care/hospital', 'care/clinic', 'care/none'],
      'care',
      ['hospital', 'clinic', 'none'],
    ],
    ['brackets, as LimeSurvey writes them', ['G1Q4[SQ001]', 'G1Q4[SQ002]'], 'G1Q4', ['SQ001', 'SQ002']],
    ['an underscore, as programs for models write it', ['sex_F', 'sex_M'], 'sex', ['F', 'M']],
    ['a point, as R writes it', ['region.North', 'region.South', 'region.East'], 'region', ['North', 'South', 'East']],
    ['a dash between blanks', ['Q5 - Own home', 'Q5 - Rented'], 'Q5', ['Own home', 'Rented']],
    ['an equals sign', ['wave=2024', 'wave=2025'], 'wave', ['2024', '2025']],
  ])('are one column, where %s joins question and option', (_, names, question, options) => {
    const { columns, notes } = merged(...boxes(names, inTurn(names.length)))
    expect(namesOf(columns)).toEqual(['score', question])
    expect(answers(columns[1])).toEqual(rows(N, (i) => options[inTurn(names.length)(i)]!))
    expect(notes[0]).toContain(`are options of one question, of which each row has exactly one. They became one column`)
  })

  it('belong to the question that the most of them name, and not to a group of questions or a part of an option', () => {
    const group = [
      ...boxes(['about_sex_f', 'about_sex_m'], inTurn(2)),
      ...boxes(['about_home_own', 'about_home_rent', 'about_home_rent_free'], inTurn(3)),
    ]
    expect(namesOf(merged(...group).columns)).toEqual(['score', 'about_sex', 'about_home'])
  })

  it('have no answer where none of them has a value', () => {
    const of = (i: number) => (i % 10 === 0 ? null : inTurn(2)(i))
    const { columns } = merged(...boxes(['sex_f', 'sex_m'], of))
    expect(answers(columns[1])).toEqual(rows(N, (i) => ['f', 'm'][of(i) ?? -1] ?? null))
    expect(columns[1]!.missing).toBe(60)
  })

  it.each([
    ['a colon', ['Age: 18-29', 'Age: 30-44', 'Age: 45+']],
    ['a dash between blanks', ['Age - 18-29', 'Age - 30-44', 'Age - 45+']],
    ['brackets', ['Age [18-29]', 'Age [30-44]', 'Age [45+]']],
  ])('may all be left out by some people, where %s names an option', (_, names) => {
    const of = (i: number) => (i % 8 === 0 ? -1 : inTurn(3)(i))
    const { columns, notes } = merged(...boxes(names, of))
    expect(namesOf(columns)).toEqual(['score', 'Age'])
    expect(columns[1]!.missing).toBe(75)
    expect(notes[0]).toContain('are options of one question, of which no row has two.')
  })

  it('may hold true and false', () => {
    const truths = ['f', 'm'].map((option, at) =>
      texts(
        `sex_${option}`,
        rows(N, (i) => String(inTurn(2)(i) === at)),
        'boolean',
      ),
    )
    const { columns } = merged(...truths)
    expect(namesOf(columns)).toEqual(['score', 'sex'])
    expect(answers(columns[1])).toEqual(rows(N, (i) => ['f', 'm'][inTurn(2)(i)]!))
  })
})

describe('boxes whose names begin alike stay boxes', () => {
  const [first, ...rest] = boxes(['media/tv', 'media/web', 'media/print'], inTurn(3))
  it.each([
    ['if one row ticks none', boxes(['media/tv', 'media/web'], (i) => (i === 5 ? -1 : inTurn(2)(i)))],
    [
      'if so few tick one that chance keeps them apart, though a colon names an option',
      boxes(['Ill: gout', 'Ill: lupus'], (i) => (i % 60 === 0 ? (i / 60) % 2 : -1)),
    ],
    [
      'if one row ticks two, though a colon names an option',
      [...boxes(['Tea: green', 'Tea: black'], inTurn(2)), ...boxes(['Tea: red'], (i) => i - 5)],
    ],
    ['if one row ticks two', [...boxes(['media/tv', 'media/web'], inTurn(2)), ...boxes(['media/print'], (i) => i - 5)]],
    [
      'if a row has values in some of them only',
      [...boxes(['sex_f'], (i) => (i === 5 ? null : inTurn(2)(i))), numbers('sex_m', rows(N, inTurn(2)))],
    ],
    [
      'if only some of them exclude each other',
      [
        numbers(
          'media/radio',
          rows(N, (i) => i % 2),
        ),
        first!,
        ...rest,
      ],
    ],
    ['if a type is declared for one of them', [{ ...first!, declaredType: 'categorical' as const }, ...rest]],
    ...[0, 1, 3].map((declared): [string, RawColumn[]] => [
      `if a type is declared for number ${declared} of them, though a colon names an option`,
      boxes(['Media: tv', 'Media: web', 'Media: print', 'Media: radio'], inTurn(4)).map((box, at) =>
        at === declared ? { ...box, declaredType: 'categorical' as const } : box,
      ),
    ]),
    [
      'if another column has the name of the question',
      [
        texts(
          'media',
          rows(N, (i) => `t${i % 9}`),
        ),
        first!,
        ...rest,
      ],
    ],
    ['if nearly all rows tick the same one', boxes(['sex_f', 'sex_m'], (i) => (i < 5 ? 1 : 0))],
    ['if only letters or a blank are common to their names', boxes(['Tea time', 'Tea pot'], inTurn(2))],
  ])('%s', (_, columns) => {
    expect(namesOf(merged(...columns).columns)).toEqual(['score', ...namesOf(columns)])
  })
})
