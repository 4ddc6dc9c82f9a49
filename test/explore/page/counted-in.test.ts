import { expect, it } from 'vitest'
import { changedRows, choicesOf, countedIn, withoutRows, withRows } from '../../../src/explore/page/counted-in.ts'
import type { ExploredColumn } from '../../../src/explore/wire/messages.ts'

const column = { min: null, max: null, quantiles: [], isDate: false }
const COLUMNS: readonly ExploredColumn[] = [
  { ...column, name: '__proto__', levels: [{ name: 'North', share: 0.4 }] },
  { ...column, name: 'age', levels: null },
  { ...column, name: 'since', levels: null, isDate: true },
]

it('what is chosen is asked for, and what chooses nothing is not', () => {
  const empty = ['__proto__', 'age', 'since', 'gone', ''].reduce(withRows, [])
  expect(countedIn(empty, COLUMNS)).toEqual([])
  const levels = changedRows(empty, '__proto__', { levels: ['North'] })
  const typed = changedRows(changedRows(levels, 'age', { min: '18', max: 'many' }), 'since', { max: '2024-06-30' })
  const where = countedIn(typed, COLUMNS)
  expect(where).toEqual([
    { column: '__proto__', levels: ['North'] },
    { column: 'age', min: 18 },
    { column: 'since', max: '2024-06-30' },
  ])
  expect(countedIn(choicesOf(where), COLUMNS)).toEqual(where)
  expect(countedIn(withoutRows(typed, 'age'), COLUMNS)).toHaveLength(2)
})
