import { expect, it } from 'vitest'
import { withCell, withTable } from '../../../src/explore/page/cells.ts'
import { linkOf, stateOf } from '../../../src/explore/page/link.ts'
import {
  firstState,
  withAnother,
  withCurrent,
  withOutcome,
  withoutCurrent,
} from '../../../src/explore/page/page-state.ts'
import { UNCHANGED, withNumber, withShare } from '../../../src/explore/page/scenario.ts'
import type { ExploredDataset } from '../../../src/explore/wire/messages.ts'

const column = { min: null, max: null, quantiles: [], isDate: false }
const DATASET: ExploredDataset = {
  name: 'panel',
  rows: 10,
  columns: [
    {
      ...column,
      name: 'قصد الشراء',
      levels: [
        { name: 'نعم', share: 0.4 },
        { name: '否', share: 0.6 },
      ],
    },
    { ...column, name: '__proto__', levels: [{ name: 'Yes', share: 0.4 }] },
    { ...column, name: 'age', levels: null, min: 18, max: 90 },
  ],
  first: { outcomes: [{ column: 'age', of: 'mean' }], where: [] },
  comparisons: [],
  studyFile: null,
}

const pair = ['قصد الشراء', '__proto__'] as const
const moved = {
  ...withNumber(withShare(withShare(UNCHANGED, 'قصد الشراء', 'نعم', 0.5), '__proto__', 'Yes', 0.9), 'age', {
    min: '20',
    mean: '41.5',
  }),
  cells: withCell(withTable([], pair), pair, ['نعم', 'Yes'], 0.25),
}

it('a link holds scenarios, outcomes and which scenario is shown', () => {
  const first = withOutcome(withCurrent(firstState(DATASET), { levers: moved, name: 'half' }), {
    column: '__proto__',
    of: 'shares',
  })
  const one = {
    ...withOutcome(first, { column: 'age', of: 0.9 }),
    where: [
      { column: '__proto__', levels: ['Yes'], min: '', max: '' },
      { column: 'age', levels: [], min: '18', max: '' },
    ],
    base: 'valid' as const,
    by: '__proto__',
  }
  const two = withAnother(one, UNCHANGED)
  expect(stateOf(linkOf(two), DATASET)).toEqual(two)
  expect(linkOf(two)).toMatch(/^[A-Za-z0-9_-]+$/)
})

it('what the dataset does not have is left out of a link', () => {
  const other: ExploredDataset = { ...DATASET, columns: DATASET.columns.slice(2) }
  const state = stateOf(linkOf(withCurrent(firstState(DATASET), { levers: moved })), other)
  const { shares, numbers } = state!.scenarios[0]!.levers
  expect([...shares.values()].map((held) => held.size)).toEqual([0, 0])
  expect([...numbers.keys()]).toEqual(['age'])
})

it('a link of an earlier page names columns alone, and no rows', () => {
  const text = btoa(JSON.stringify([[['a', [], [], []]], 0, ['age', '__proto__', 'gone']]))
  expect(stateOf(text, DATASET)).toMatchObject({
    outcomes: [
      { column: 'age', of: 'mean' },
      { column: '__proto__', of: 'shares' },
    ],
    where: [],
  })
})

it('outcomes and rows that the dataset does not have are left out of a link', () => {
  const asked = [
    ['age', 'shares'],
    ['age', 2],
    ['__proto__', 'mean'],
    ['__proto__', 0.5],
    ['age', 0.5],
  ]
  const rows = [
    ['gone', ['Yes'], '', ''],
    ['__proto__', ['Yes', 'No'], '', ''],
  ]
  const text = btoa(JSON.stringify([[['a', [], [], []]], 0, asked, rows, ['some', 'age']]))
  expect(stateOf(text, DATASET)).toMatchObject({
    outcomes: [{ column: 'age', of: 0.5 }],
    where: [{ column: '__proto__', levels: ['Yes'] }],
    base: null,
    by: '',
  })
})

it('a link none of whose outcomes the dataset has asks what the page asks first', () => {
  const text = btoa(JSON.stringify([[['a', [], [], [], []]], 0, [['gone', 'shares']]]))
  expect(stateOf(text, DATASET)).toMatchObject({ outcomes: DATASET.first.outcomes, where: [] })
  const none = { ...firstState(DATASET), outcomes: [] }
  expect(stateOf(linkOf(none), DATASET)).toEqual(none)
})

it.each(['', 'x', '%%%', btoa('null'), btoa('[]'), btoa('[[],0,[]]'), btoa('[[["a",1,2,3]],0,[]]')])(
  'what is no state is none: %j',
  (text) => {
    expect(stateOf(text, DATASET)).toBeNull()
  },
)

it('scenarios of a page have names of their own, and one stays', () => {
  const two = withAnother(withCurrent(firstState(DATASET), { name: 'half' }), moved)
  expect(two.scenarios.map(({ name }) => name)).toEqual(['half', 'half-2'])
  expect(two.current).toBe(1)
  const one = withoutCurrent(two)
  expect(withoutCurrent(one)).toBe(one)
})
