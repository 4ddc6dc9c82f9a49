import { describe, expect, it } from 'vitest'
import { columnKinds } from '../../../src/engine/cleaning/column-kinds.ts'
import { numbers, rows } from './raw-columns.ts'

/** Columns whose rows go through the given numbers in turn. */
function kinds(columns: Readonly<Record<string, readonly number[]>>) {
  const made = Object.entries(columns).map(([name, values]) =>
    numbers(
      name,
      rows(600, (i) => values[i % values.length]!),
    ),
  )
  return columnKinds(made).map((kind) => (kind === 'categorical' ? 'levels' : 'numbers'))
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('whole numbers', () => {
  it.each([
    ['1 to 5', range(1, 5), 'levels'],
    ['0 and 1', [0, 1], 'levels'],
    ['1 to 10', range(1, 10), 'levels'],
    ['1 to 5 without 4', [1, 2, 3, 5], 'levels'],
    ['0 to 10', range(0, 10), 'numbers'],
    ['0 to 10 without 4', [0, 1, 2, 3, 5, 6, 7, 8, 9, 10], 'numbers'],
    ['0 to 10 without 4 and 7', [0, 1, 2, 3, 5, 6, 8, 9, 10], 'numbers'],
    ['1 to 12', range(1, 12), 'numbers'],
    ['1 to 12 without 5 and 9', [1, 2, 3, 4, 6, 7, 8, 10, 11, 12], 'numbers'],
    ['0, 5 and 10', [0, 5, 10], 'numbers'],
    ['-1 and 1', [-1, 1], 'levels'],
    ['-1 and 0', [-1, 0], 'levels'],
    ['-1 to 1', [-1, 0, 1], 'numbers'],
    ['-2 and 1', [-2, 1], 'numbers'],
    ['-1 and 2', [-1, 2], 'numbers'],
    ['3 to 5', range(3, 5), 'numbers'],
  ])('from %s are %s of which kind does not depend on a code that is absent', (_, values, kind) => {
    expect(kinds({ c: values })).toEqual([kind])
  })
})

describe('numbers of a register', () => {
  /** Forty numbers far apart, each of many rows, and others of one row. */
  const documents = rows(40, (i) => 20_000_000 + 417_013 * i + (i % 7))

  it('are levels: rows repeat a few of very many possible numbers', () => {
    expect(kinds({ interviewer: documents })).toEqual(['levels'])
  })

  it.each([
    ['rounded amounts', rows(40, (i) => 20_000 + 2_500 * i)],
    ['amounts that are mostly one', [...rows(300, () => 15_000), ...rows(20, (i) => 20_000 + 41_701 * i)]],
    [
      'amounts that most people round',
      rows(600, (i) => (i % 3 > 0 ? 20_000 + 5_000 * (i % 16) : 20_011 + ((i * 977) % 80_000))),
    ],
    ['amounts that seldom repeat', rows(600, (i) => 20_000 + 4_171 * i)],
    ['numbers in a row', rows(40, (i) => 20_000_000 + i)],
    ['small numbers', rows(40, (i) => 7 * i)],
    ['a few codes', rows(8, (i) => 20_000_000 + 417_013 * i)],
  ])('are not %s', (_, values) => {
    expect(kinds({ c: values })).toEqual(['numbers'])
  })
})

describe('items of a battery', () => {
  it.each([
    ['numbers', ['q1', 'q2', 'q3', 'q4']],
    ['letters', ['Q5a', 'Q5b', 'Q5c', 'Q5d']],
    ['a number after the question', ['q_7_1', 'q_7_2', 'q_7_3', 'q_7_4']],
    ['texts in brackets', ['Rate [Price]', 'Rate [Taste]', 'Rate [Look]', 'Rate [Smell]']],
    ['words after the name of the question', ['rate_price', 'rate_taste', 'rate_look', 'rate_smell']],
    ['words after a point', ['rate.price', 'rate.taste', 'rate.look.inside', 'rate.smell']],
    ['texts after a colon', ['Rate: Price', 'Rate: Taste', 'Rate: Look', 'Rate: Smell']],
  ])('named by %s are levels together, though nobody gave the lowest answers to one', (_, [a, b, c, d]) => {
    const columns = { [a!]: range(1, 5), [b!]: range(1, 5), [c!]: range(3, 5), [d!]: range(1, 5) }
    expect(kinds(columns)).toEqual(['levels', 'levels', 'levels', 'levels'])
  })

  it('are levels together where half of them have all answers', () => {
    const columns = { rate_a: range(3, 5), rate_b: range(1, 5), rate_c: [2, 4, 5], rate_d: range(1, 5) }
    expect(kinds(columns)).toEqual(['levels', 'levels', 'levels', 'levels'])
  })

  it('are levels together as neighbours with the same highest answer, whatever their names', () => {
    const page = { price: range(1, 5), taste: range(2, 5), look: range(1, 5), smell: range(1, 5), size: range(3, 5) }
    expect(kinds({ age: range(18, 80), ...page })).toEqual(['numbers', ...Object.keys(page).map(() => 'levels')])
  })

  it('are numbers together, though nobody gave the highest answers to one', () => {
    const columns = { n1: range(0, 10), n2: range(0, 8), n3: range(0, 10), n4: range(0, 10) }
    expect(kinds(columns)).toEqual(['numbers', 'numbers', 'numbers', 'numbers'])
  })

  it.each<[string, [string, string, string]]>([
    ['numbers behind the question', ['Q4_1', 'Q4_2', 'Q4_3']],
    ['codes in brackets', ['G1Q1[SQ001]', 'G1Q1[SQ002]', 'G1Q1[SQ003]']],
    [
      'texts behind a colon',
      ['How satisfied are you with: Price', 'How satisfied are you with: Taste', 'How satisfied are you with: Smell'],
    ],
    ['words behind the question', ['trust_police', 'trust_courts', 'trust_parl']],
  ])(
    'are of one kind by the one of them that has the whole scale, where their names say that they are one question: %s',
    (_, [a, b, c]) => {
      expect(kinds({ [a]: range(1, 7), [b]: [2, 3, 5, 6], [c]: range(4, 7) })).toEqual(['levels', 'levels', 'levels'])
      expect(kinds({ [a]: range(0, 10), [b]: range(1, 10), [c]: range(0, 8) })).toEqual([
        'numbers',
        'numbers',
        'numbers',
      ])
      // A scale of five beside one of eleven, yes and no, and an amount stay what they are.
      expect(kinds({ [a]: range(0, 10), [b]: range(1, 5), [c]: [0, 1] })).toEqual(['numbers', 'levels', 'levels'])
      expect(kinds({ [a]: range(1, 7), [b]: range(1, 40), [c]: range(3, 9) })).toEqual(['levels', 'numbers', 'numbers'])
    },
  )

  it('are levels together where fewer have the whole scale than not', () => {
    const columns = { q1: range(1, 10), q2: range(2, 10), q3: range(5, 9), q4: range(1, 10), q5: [1, 2, 9, 10] }
    expect(kinds(columns)).toEqual(['levels', 'levels', 'levels', 'levels', 'levels'])
  })

  it('are numbers together around zero, though nobody gave the lower answers to one', () => {
    expect(kinds({ d1: range(-3, 3), d2: range(-3, 3), d3: range(1, 3) })).toEqual(['numbers', 'numbers', 'numbers'])
  })

  it.each([
    ['an amount beyond the scale', { q1: range(1, 5), q2: range(1, 5), q3: range(18, 80), q4: range(1, 5) }, 2],
    ['a column of another name', { q1: range(1, 5), q2: range(1, 5), rooms: range(3, 5), q4: range(1, 5) }, 2],
    ['one of two columns', { q1: range(1, 5), q2: range(3, 5) }, 1],
    ['a number among yes and no', { q1: [0, 1], q2: [0, 1], q3: range(3, 5), q4: [0, 1] }, 2],
  ])('do not take in %s', (_, columns, at) => {
    expect(kinds(columns)[at]).toBe('numbers')
  })

  it('leave yes and no what they are beside scales from 0 to 10', () => {
    const columns = { v1: range(0, 10), v2: [0, 1], v3: range(0, 10), v4: range(0, 10) }
    expect(kinds(columns)).toEqual(['numbers', 'levels', 'numbers', 'numbers'])
  })
})
