/** The order in which columns are sampled. */

import type { Relation } from '../model/relation.ts'
import { isWide } from '../scores/screening.ts'
import type { ColumnShape } from '../scores/training-data.ts'

/**
 * Few codes first; ties in the table's order. Numeric columns of many codes (`WIDE_CODES`) are the exception: in the places that
 * this gives them, they come in descending number of codes.
 *
 * Such columns have fewer codes the more of their rows lie on spikes (zeros, round amounts), and values on a spike predict little.
 * A tree of few leaves follows the one or two columns that its target depends on most. If a bill among the bills of six months
 * came after the payments, it would follow the other bills and lose its relation to the payments; a payment follows the one bill
 * that it is for.
 *
 * Columns of a bound (low ≤ high) stay where their codes put them: low is predicted by its upper bound. Drawn last, its
 * distribution moves (by 0.06 where few codes first gives 0.003, `test/engine/relations`).
 */
export function baseOrder(columns: readonly ColumnShape[], relations: readonly Relation[] = []): number[] {
  const bounded = new Set(
    relations.flatMap((relation) =>
      relation.kind === 'bound' && !relation.when ? relation.terms.map(({ column }) => column) : [],
    ),
  )
  const moves = (c: number): boolean => isWide(columns[c]!) && !bounded.has(c)
  const byCodes = ascendingCodes(
    columns,
    columns.map((_, c) => c),
  )
  const wide = byCodes.filter(moves).sort((a, b) => columns[b]!.codeCount - columns[a]!.codeCount || a - b)
  let next = 0
  return byCodes.map((c) => (moves(c) ? wide[next++]! : c))
}

/**
 * Conditioned categorical columns (ascending codes), then conditioned numeric ones (ascending codes), then the rest in base
 * order. Depends on the set of conditioned columns only.
 *
 * @throws RangeError for an index outside the columns, or twice the same.
 */
export function scenarioOrder(
  columns: readonly ColumnShape[],
  conditioned: readonly number[],
  relations: readonly Relation[] = [],
): number[] {
  const set = new Set(conditioned)
  if (set.size !== conditioned.length) throw new RangeError('a column is conditioned twice')
  for (const c of set) {
    if (columns[c] === undefined) throw new RangeError(`there is no column ${c}, the table has ${columns.length}`)
  }
  const sorted = ascendingCodes(columns, [...set])
  return [
    ...sorted.filter((c) => columns[c]!.kind === 'categorical'),
    ...sorted.filter((c) => columns[c]!.kind === 'numeric'),
    ...baseOrder(columns, relations).filter((c) => !set.has(c)),
  ]
}

function ascendingCodes(columns: readonly ColumnShape[], indices: number[]): number[] {
  return indices.sort((a, b) => columns[a]!.codeCount - columns[b]!.codeCount || a - b)
}
