import { expect, it } from 'vitest'
import { findSums } from '../../../src/engine/relations/find-sums.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { numeric, tableOf } from '../survey-table.ts'
import { RELATED } from './related-tables.ts'

const ROWS = 500

/** An amount, and two parts of it; `change` overwrites the cells of one row. */
function sumsOf(change: (cells: (number | null)[]) => (number | null)[]): string[] {
  const columns = RELATED.shares!.columns(new RandomStream(3, PURPOSE.value), ROWS)
  const cells = columns.map((column) => (column.kind === 'numeric' ? Array.from<number | null>(column.values) : []))
  const changed = change(cells.map((column) => column[7]!))
  cells.forEach((column, c) => {
    column[7] = changed[c]!
  })
  const table = tableOf(columns.map(({ name }, c) => numeric(name, cells[c]!, 2)))
  return findSums(table, [], new Set()).map(({ terms }) =>
    terms.map(({ column, weight }) => `${weight} ${table.columns[column]!.name}`).join(' '),
  )
}

const FOUND = ['1 rent 1 food -1 spent']

it.each<[string, (cells: (number | null)[]) => (number | null)[]]>([
  ['every cell has a value', (cells) => cells],
  ['a part of some row is missing', ([spent, rent]) => [spent!, rent!, null]],
  ['the whole of some row is missing', ([, rent, food]) => [null, rent!, food!]],
  ['some row has nothing of anything', () => [0, 0, 0]],
])('parts that come up to a column are found where %s', (_, change) => {
  expect(sumsOf(change)).toEqual(FOUND)
})

it('no sum is found if its parts exceed the column in some row', () => {
  expect(sumsOf(() => [10, 9, 9])).toEqual([])
})
