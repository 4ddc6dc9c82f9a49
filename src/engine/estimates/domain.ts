/**
 * The rows of a seed that outcomes are counted in, by levels and ranges, whatever the scenarios are.
 *
 * n  kept rows of the seed
 *
 * The weights are those of the whole sides, as for segments: a scenario means the same in every group of rows. Only the rows of the group
 * count in its figures (Särndal, Swensson and Wretman 1992, estimates for domains).
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
import type { AskedGroup, AskedSegment } from './outcome-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { type ToldSupport, toldSupport } from './told-support.ts'

export interface Domain {
  readonly conditions: Conditions
  /** Length n: 1 for its rows, else 0. */
  readonly rows: Uint8Array
}

export interface DomainRows {
  readonly asked: AskedSegment
  readonly scenario: ToldSupport
  readonly baseline: ToldSupport
}

/** Above this fraction a row is in, in models that store bins and not the rows' own values. */
const MOSTLY = 0.5

/**
 * @param where Levels with shares that sum to 1, and ranges.
 * @throws RangeError for a condition that contradicts the columns.
 */
export function domainOf(seed: Seed, where: RequestedConditions): Domain {
  const conditions = resolveConditions(seed, where)
  const { shares, ranges } = conditions
  const inside = rowsAllowed(codesOfRows(seed, conditions), marginsOf(shares), rowsInside(seed, ranges))
  return { conditions, rows: Uint8Array.from(inside, (part) => (part >= MOSTLY ? 1 : 0)) }
}

/**
 * The group on both sides. Null where no row is there; of a protected seed, where too few rows, or fewer than 10 effective ones, lie inside it
 * on a side.
 */
export function insideDomain(
  seed: Seed,
  { conditions, rows }: Domain,
  one: WeightedSeed,
  other: WeightedSeed,
  disclosure: Disclosure,
): DomainRows | null {
  const asked = (side: WeightedSeed): AskedGroup => {
    const parts = disclosure instanceof RowKeys ? partsOf(disclosure, seed, side, conditions) : []
    return { parts, teller: new CountTeller(disclosure, parts) }
  }
  const group = { rows, index: null, scenario: asked(one), baseline: asked(other) }
  const scenario = toldSupport(one, group.scenario.teller, rows)
  const baseline = toldSupport(other, group.baseline.teller, rows)
  const least = disclosure === 'exact' ? 0 : LEAST_ROWS
  const isSupported = ({ people, effectiveRows }: ToldSupport): boolean =>
    people !== null && people > 0 && effectiveRows > 0 && effectiveRows >= least
  return isSupported(scenario) && isSupported(baseline) ? { asked: group, scenario, baseline } : null
}

/**
 * The parts of the scenario and of the group together: each may leave out one person among the rows that the others leave. The same words on
 * both sides are one part.
 */
function partsOf(keys: RowKeys, seed: Seed, side: WeightedSeed, { shares, ranges }: Conditions): Part[] {
  const all = groupParts(keys, seed, {
    shares: [...side.conditions.shares, ...shares],
    tables: [],
    ranges: [...side.conditions.ranges, ...ranges],
    means: [],
  })
  const named = new Map<string, Part>()
  for (const part of all) {
    const same = named.get(part.name)
    named.set(part.name, { name: part.name, isFine: part.isFine || same?.isFine === true })
  }
  return [...named.values()]
}
