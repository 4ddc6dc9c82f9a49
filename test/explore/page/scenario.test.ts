import { expect, it } from 'vitest'
import { withCell, withoutTable, withTable } from '../../../src/explore/page/cells.ts'
import { newestFirst } from '../../../src/explore/page/newest-answer.ts'
import {
  conditionsOf,
  type Scenario,
  shareOf,
  UNCHANGED,
  withLock,
  withMix,
  withNumber,
  withShare,
} from '../../../src/explore/page/scenario.ts'
import type { ExploredColumn } from '../../../src/explore/wire/messages.ts'

const brand: ExploredColumn = {
  name: 'brand',
  levels: [
    { name: 'a', share: 0.5 },
    { name: 'b', share: 0.3 },
    { name: 'c', share: 0.2 },
  ],
  min: null,
  max: null,
  quantiles: [],
  isDate: false,
}
const age: ExploredColumn = { name: 'age', levels: null, min: 18, max: 90, quantiles: [], isDate: false }

it('gives a moved level its share at the cost of the others, in proportion', () => {
  const scenario = withShare(UNCHANGED, 'brand', 'a', 0.75)
  expect(shareOf(scenario, brand, 'b')).toBeCloseTo(0.15)
  expect(shareOf(scenario, brand, 'c')).toBeCloseTo(0.1)
  expect(conditionsOf(scenario, [brand])).toEqual({ categorical: { brand: { a: 0.75 } } })
})

it('keeps a held level while another one is moved, which gets at most the rest', () => {
  const scenario = withShare(withLock(UNCHANGED, brand, 'b'), 'brand', 'a', 0.9)
  expect(conditionsOf(scenario, [brand])).toEqual({ categorical: { brand: { b: 0.3, a: 0.7 } } })
  expect(shareOf(scenario, brand, 'c')).toBeCloseTo(0)
})

it('takes an end of a range that nobody typed from the data, and no text for a number', () => {
  expect(conditionsOf(withNumber(UNCHANGED, 'age', { max: '60', mean: '40' }), [age])).toEqual({
    numeric: { age: { min: 18, max: 60 } },
    means: { age: 40 },
  })
  expect(conditionsOf(withNumber(UNCHANGED, 'age', { mean: 'forty' }), [age])).toEqual({})
})

it('holds cells that are typed, at most all rows, one table for two columns', () => {
  const conditions = (cells: Scenario['cells']) => conditionsOf({ ...UNCHANGED, cells }, [brand])
  const of = ['brand', '__proto__'] as const
  const empty = withTable([], of)
  expect(conditions(empty)).toEqual({})
  expect(withTable(empty, ['__proto__', 'brand'])).toBe(empty)
  const held = withCell(withCell(empty, of, ['a', 'Yes'], 0.7), of, ['b', '"'], 0.6)
  expect(conditions(held)).toEqual({
    cells: [
      {
        columns: ['brand', '__proto__'],
        shares: [
          { levels: ['a', 'Yes'], share: 0.7 },
          { levels: ['b', '"'], share: 0.3 },
        ],
      },
    ],
  })
  expect(conditions(withCell(held, of, ['b', '"'], null)).cells![0]!.shares).toHaveLength(1)
  expect(conditions(withoutTable(held, of))).toEqual({})
})

it('has one question in flight, and asks and shows only the newest of those that came meanwhile', async () => {
  const sent: { question: number; answer: (text: string) => void }[] = []
  const shown: string[] = []
  const ask = newestFirst<number, string>(
    (question) => new Promise((answer) => sent.push({ question, answer })),
    (answer) => shown.push(answer),
  )
  for (const question of [1, 2, 3]) ask(question)
  expect(sent.map(({ question }) => question)).toEqual([1])
  sent[0]!.answer('of 1')
  await expect.poll(() => sent.map(({ question }) => question)).toEqual([1, 3])
  sent[1]!.answer('of 3')
  await expect.poll(() => shown).toEqual(['of 3'])
})

it('takes over the nearest mix, and leaves what it does not name', () => {
  const of = ['brand', 'region'] as const
  const typed = withNumber(withShare(UNCHANGED, 'brand', 'a', 0.9), 'age', { max: '60', mean: '80' })
  const stated = { ...typed, cells: withCell(withTable([], of), of, ['b', 'north'], 0.5) }
  const mixed = withMix(stated, {
    categorical: { brand: { a: 0.7 } },
    means: { age: 55.5 },
    cells: [{ columns: ['brand', 'region'], shares: [{ levels: ['b', 'north'], share: 0.3 }] }],
  })
  expect(conditionsOf(mixed, [brand, age])).toEqual({
    categorical: { brand: { a: 0.7 } },
    numeric: { age: { min: 18, max: 60 } },
    means: { age: 55.5 },
    cells: [{ columns: ['brand', 'region'], shares: [{ levels: ['b', 'north'], share: 0.3 }] }],
  })
  expect(conditionsOf(withMix(stated, {}), [brand, age])).toEqual(conditionsOf(stated, [brand, age]))
})
