/**
 * Weights that make the seed's own rows follow a scenario with the least change: raking, without a model.
 *
 * n  kept rows of the seed (the model's sample), D  conditioned categorical columns, K  their combinations of margins
 * f  fraction of a row inside the ranges: 0 or 1, except in bins that a bound cuts     a  case weights, 1 without any
 *
 *   w = a f q(c) / p(c)     p(c)  weighted share of the combination c among the rows inside, q  the projection of p onto the targets
 */

import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { type Conditions, resolveConditions } from '../scenario/conditions.ts'
import { rowsAllowed, rowsInside } from '../scenario/evidence.ts'
import { marginsOf } from '../scenario/margins.ts'
import type { RequestedConditions } from '../scenario/scenario.ts'
import { forcedRowsAreMany } from './forced-support.ts'
import { Effort, mixOf, patternsOf, type Seed } from './seed-patterns.ts'

export interface WeightedSeed {
  readonly conditions: Conditions
  /** Length n: w, summing to 1. */
  readonly weights: Float64Array
  /** Length n: f; 0 also for rows without an allowed level of every column. */
  readonly inside: Float64Array
  /** After Kish (1965); a row counts with the fraction of it that is inside. */
  readonly effectiveRows: number
}

/**
 * Null where too few rows stand behind the scenario: fewer than 10 lie inside everything that it allows; its shares force
 * rows into a combination that fewer than 10 have (see forced-support.ts); no weights have its shares; or fewer than 10
 * effective rows would be left. Null too where finding weights takes too much work (see seed-patterns.ts).
 *
 * @throws RangeError for a scenario that contradicts the columns or itself (see resolveConditions, marginsOf).
 */
export async function weighSeed(seed: Seed, scenario: RequestedConditions): Promise<WeightedSeed | null> {
  const conditions = resolveConditions(seed, scenario)
  const { shares, ranges } = conditions
  const effort = new Effort()
  const grouped = marginsOf(shares, 'conditional')
  const inside = rowsAllowed(seed, shares, grouped, rowsInside(seed, ranges))
  if (sum(inside) < LEAST_ROWS) return null
  if (!(await forcedRowsAreMany(seed, shares, grouped, inside, effort))) return null
  const counted = seed.weights ? inside.map((f, row) => f * seed.weights![row]!) : inside
  // Unlisted levels are read as in a generation: with their shares in the population, otherwise with their shares here.
  for (const reading of ['unconditional', 'conditional'] as const) {
    const margins = marginsOf(shares, reading)
    const patterns = patternsOf(
      shares.map(({ index }) => seed.codes[index]!),
      margins.ofCode,
      counted,
    )
    const mix = await mixOf(patterns, margins, seed.rowCount, effort)
    if (mix === null) continue
    const weights = counted.map((f, row) => {
      const pattern = patterns.ofRow[row]!
      return pattern < 0 ? 0 : (f * mix[pattern]!) / patterns.rows[pattern]!
    })
    const effectiveRows = 1 / sum(weights.map((w, row) => (w === 0 ? 0 : (w * w) / inside[row]!)))
    return effectiveRows < LEAST_ROWS ? null : { conditions, weights, inside, effectiveRows }
  }
  return null
}

export function sum(values: Float64Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}
