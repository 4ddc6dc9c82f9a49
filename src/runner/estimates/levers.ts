/** What can be moved in a dataset, and by what questions the effect of moving it is found. */

import { plural } from '../../base/text/amount-text.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'

export type Conditions = EstimateRequest['scenario']

/** A share that is moved: of a level, or of the values above the median of a number. */
export interface Lever {
  readonly column: string
  /** Null: the values above `split`. */
  readonly level: string | null
  readonly split: number | null
  /** Null where the service does not tell it. */
  readonly from: number | null
  readonly to: number | null
  /** As a fraction of 1. */
  readonly moved: number
  /** The difference of these two, times `scale`, is what moving the lever does. */
  readonly scenario: Conditions
  readonly baseline: Conditions
  readonly scale: number
}

/** Why a column is no lever. */
export interface NotMoved {
  readonly column: string
  readonly why: string
}

/** Levels of a column that are moved, the most frequent ones: nobody decides on the share of one town in hundreds. */
const MOST_LEVELS = 12

/**
 * The levers of a dataset. Of a categorical column each of its most frequent levels: its share is raised by `step` or to 1, while the
 * other levels keep their proportions; of two levels the rarer one, because the other says the same. Of a number the share of the
 * values above its median, raised by `step` at the cost of the others: every figure is linear in that share, so that its change is
 * `step` times the difference between the rows above and the others.
 *
 * @param outcome The column of the figure, which is none.
 * @param isLinear Whether the figure is linear in a share; of another one numbers are no levers.
 */
export function leversOf(
  schema: readonly AnySchemaColumn[],
  outcome: string,
  { step, isLinear }: { readonly step: number; readonly isLinear: boolean },
): { readonly levers: readonly Lever[]; readonly notMoved: readonly NotMoved[] } {
  const levers: Lever[] = []
  const notMoved: NotMoved[] = []
  for (const column of schema) {
    if (column.name === outcome) continue
    const found =
      column.levels !== undefined ? levelLevers(column, step) : isLinear ? numberLever(column, step) : NOT_LINEAR
    if (typeof found === 'string') notMoved.push({ column: column.name, why: found })
    else levers.push(...found)
    const rarer = (column.levels?.length ?? 0) - MOST_LEVELS
    if (rarer > 0 && typeof found !== 'string')
      notMoved.push({ column: column.name, why: plural(rarer, 'rarer level') })
  }
  return { levers, notMoved }
}

const NOT_LINEAR = 'numbers move shares and means of all rows alone'

function levelLevers(
  { name, levels = [], level_shares: shares = [] }: AnySchemaColumn,
  step: number,
): Lever[] | string {
  const known = levels.slice(0, MOST_LEVELS).flatMap((level, i) => {
    const share = shares[i]
    return share == null || share >= 1 ? [] : [{ level, share }]
  })
  if (known.length === 0) return 'the service does not tell the shares of its levels'
  const rarest = known.reduce((a, b) => (b.share < a.share ? b : a))
  return (levels.length === 2 ? [rarest] : known).map(({ level, share: from }) => {
    const to = Math.min(1, rounded(from + step))
    const scenario = { categorical: { [name]: { [level]: to } } }
    return { column: name, level, split: null, from, to, moved: rounded(to - from), scenario, baseline: {}, scale: 1 }
  })
}

function numberLever({ name, min, max, quantiles, format }: AnySchemaColumn, step: number): Lever[] | string {
  if (format !== undefined) return 'dates are not moved'
  const median = quantiles?.q50
  if (typeof median !== 'number' || typeof min !== 'number' || typeof max !== 'number')
    return 'the service does not tell its median'
  const above = next(median)
  if (above > max || median < min) return 'no value lies above its median'
  const range = (from: number, to: number): Conditions => ({ numeric: { [name]: { min: from, max: to } } })
  return [
    {
      ...{ column: name, level: null, split: median, from: null, to: null, moved: step },
      ...{ scenario: range(above, max), baseline: range(min, median), scale: step },
    },
  ]
}

/** Shares have three decimals; sums of them show no more. */
const rounded = (value: number): number => Number(value.toFixed(6))

/** The least number above one: ranges include both ends. */
function next(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  const bits = new BigInt64Array(1)
  const numbers = new Float64Array(bits.buffer)
  numbers[0] = value
  bits[0] = bits[0]! + (value > 0 ? 1n : -1n)
  return numbers[0]
}
