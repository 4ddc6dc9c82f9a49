/**
 * Weights that make the seed's own rows follow a scenario with the least change: raking, without a model.
 *
 * n  kept rows of the seed (the model's sample), D  conditioned categorical columns, K  their combinations of margins
 * f  1 for rows inside the ranges and with an allowed level of every column, else 0 (see rowsInside)     a  case weights, 1 without any
 *
 *   w = a f q(c) / p(c)     p(c)  weighted share of the combination c among the rows inside, q  the projection of p onto the targets
 */

import { type Disclosure, LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { type Conditions, resolveConditions } from '../scenario/conditions.ts'
import { rowsAllowed, rowsInside } from '../scenario/evidence.ts'
import { type Margins, marginsOf } from '../scenario/margins.ts'
import type { RequestedConditions } from '../scenario/scenario.ts'
import { forcedRowsAreMany } from './forced-support.ts'
import { Effort, mixOf, patternsOf, type Seed, type SeedPatterns } from './seed-patterns.ts'
import { effectiveCount, sum } from './spread.ts'

export interface WeightedSeed {
  readonly conditions: Conditions
  /** Length n: w, summing to 1. */
  readonly weights: Float64Array
  /** Length n: f. */
  readonly inside: Float64Array
  /** After Kish (1965). */
  readonly effectiveRows: number
  readonly margins: Margins
  readonly patterns: SeedPatterns
}

/**
 * Null where no weights have the scenario's shares, and where finding them takes too much work (see seed-patterns.ts). Where the
 * seed is protected, also where too few rows stand behind the scenario: fewer than 10 lie inside everything that it allows; its
 * shares force rows into a combination that fewer than 10 have (see forced-support.ts); or fewer than 10 effective rows would be
 * left.
 *
 * @throws RangeError for a scenario that contradicts the columns or itself (see resolveConditions, marginsOf).
 */
export async function weighSeed(
  seed: Seed,
  scenario: RequestedConditions,
  disclosure: Disclosure = 'protected',
): Promise<WeightedSeed | null> {
  const conditions = resolveConditions(seed, scenario)
  const { shares, ranges } = conditions
  const effort = new Effort()
  const margins = marginsOf(shares)
  const inside = rowsAllowed(seed, shares, margins, rowsInside(seed, ranges))
  const isProtected = disclosure === 'protected'
  const people = sum(inside)
  if (people === 0 || (isProtected && people < LEAST_ROWS)) return null
  if (isProtected && !(await forcedRowsAreMany(seed, shares, margins, inside, effort))) return null
  const counted = seed.weights ? inside.map((f, row) => f * seed.weights![row]!) : inside
  const patterns = patternsOf(
    shares.map(({ index }) => seed.codes[index]!),
    margins.ofCode,
    counted,
  )
  const mix = await mixOf(patterns, margins, seed.rowCount, effort)
  if (mix === null) return null
  const weights = counted.map((a, row) => {
    const pattern = patterns.ofRow[row]!
    return pattern < 0 ? 0 : (a * mix[pattern]!) / patterns.rows[pattern]!
  })
  const effectiveRows = effectiveCount(weights)
  if (isProtected && effectiveRows < LEAST_ROWS) return null
  return { conditions, weights, inside, effectiveRows, margins, patterns }
}
