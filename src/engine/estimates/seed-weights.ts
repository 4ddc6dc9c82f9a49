/**
 * Weights that make the seed's own rows follow a scenario with the least change: raking, without a model.
 *
 * n  kept rows of the seed (the model's sample), D  conditioned categorical columns, K  their combinations of margins
 * f  1 for rows inside the ranges and with an allowed level of every column, else 0 (see rowsInside)     a  case weights, 1 without any
 *
 *   w = a f q(c) / p(c)     p(c)  weighted share of the combination c among the rows inside, q  the projection of p onto the targets
 *
 * A scenario that states means, or bounds of shares, tilts these once more (tilt-to-means.ts).
 */

import type { Part } from '../disclosure/asked-group.ts'
import { CountTeller } from '../disclosure/noisy-counts.ts'
import { type Disclosure, LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { RowKeys } from '../disclosure/row-keys.ts'
import { type Conditions, codesOfRows, resolveConditions } from '../scenario/conditions.ts'
import { rowsAllowed, rowsInside } from '../scenario/evidence.ts'
import { groupParts } from '../scenario/group-parts.ts'
import { marginsOf } from '../scenario/margins.ts'
import type { RequestedConditions } from '../scenario/scenario.ts'
import { forcedRowsAreMany } from './forced-support.ts'
import { boundedShares, type SeedMean, seedMeans, statedShares } from './mean-targets.ts'
import { Effort, mixOf, patternsOf, type Seed } from './seed-patterns.ts'
import { effectiveCount } from './spread.ts'
import { tiltToMeans } from './tilt-to-means.ts'
import { type SupportingRows, type ToldSupport, toldSupport } from './told-support.ts'

export interface WeightedSeed extends SupportingRows {
  readonly conditions: Conditions
  /** Length n: a f. */
  readonly counted: Float64Array
  /** After Kish (1965). */
  readonly effectiveRows: number
  /** The parts of the question (asked-group.ts); empty unless its figures have noise. */
  readonly parts: readonly Part[]
  readonly teller: CountTeller
  /** Of all its rows. */
  readonly told: ToldSupport
  /** The means that the scenario states, and then its shares with bounds. */
  readonly means: readonly SeedMean[]
  /** For each of them that holds with equality, or nearly so, length n: what has the weighted sum 0 (see tilt-to-means.ts). */
  readonly numbers: readonly Float64Array[]
  /** For each mean: the multiplier of its values; 0 where it does not hold with equality. */
  readonly pulls: readonly number[]
}

/**
 * Null where no weights have the scenario's shares and means, and where finding them takes too much work (see seed-patterns.ts). Where the
 * seed is protected, also where too few rows stand behind the scenario: too few lie inside everything that it allows; its
 * shares force rows into a combination that too few have (see forced-support.ts); or fewer than 10 effective rows would be
 * left.
 *
 * @throws RangeError for a scenario that contradicts the columns or itself (see resolveConditions, marginsOf, seedMeans), and for
 * means, bounds and cells of a protected seed: where a mean can no longer be met tells the largest value, where a bound begins to bind
 * a share.
 */
export async function weighSeed(
  seed: Seed,
  scenario: RequestedConditions,
  disclosure: Disclosure = 'protected',
): Promise<WeightedSeed | null> {
  const conditions = resolveConditions(seed, scenario)
  const { shares, tables, ranges } = conditions
  const bounded = boundedShares(seed, shares)
  const means = [...seedMeans(seed, scenario), ...bounded]
  const effort = new Effort()
  // Bounds that contradict the shares are told, and so are those of levels of which the shares leave nothing.
  if (bounded.length > 0) marginsOf(shares)
  const margins = marginsOf([...statedShares(shares), ...tables])
  const codes = codesOfRows(seed, conditions)
  const inside = rowsAllowed(codes, margins, rowsInside(seed, ranges))
  const isProtected = disclosure !== 'exact'
  if (isProtected && means.length + tables.length > 0) {
    throw new RangeError('a protected seed takes no means, no bounds of shares and no cells')
  }
  const parts = disclosure instanceof RowKeys ? groupParts(disclosure, seed, conditions) : []
  const teller = new CountTeller(disclosure, parts)
  const people = teller.count(inside)
  if (people.rows === 0 || teller.told(people) === null) return null
  if (isProtected && !(await forcedRowsAreMany(seed, shares, margins, inside, teller, effort))) return null
  const counted = seed.weights ? inside.map((f, row) => f * seed.weights![row]!) : inside
  const patterns = patternsOf(codes, margins.ofCode, counted)
  const mix = await mixOf(patterns, margins, seed.rowCount, effort)
  if (mix === null) return null
  const raked = new Float64Array(counted.length)
  for (let row = 0; row < raked.length; row++) {
    const pattern = patterns.ofRow[row]!
    if (pattern >= 0) raked[row] = (counted[row]! * mix[pattern]!) / patterns.rows[pattern]!
  }
  const tilted = tiltToMeans(raked, patterns, margins, means, effort)
  if (tilted === null) return null
  const { weights, numbers, pulls } = tilted
  const told = toldSupport({ weights, inside, patterns, margins }, teller, null)
  if (isProtected && told.effectiveRows < LEAST_ROWS) return null
  const effectiveRows = effectiveCount(weights)
  const side = { conditions, weights, inside, counted, effectiveRows, parts, teller, told, margins, patterns }
  return { ...side, means, numbers, pulls }
}
