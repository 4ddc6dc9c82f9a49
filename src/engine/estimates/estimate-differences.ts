/**
 * What the seed's own rows, weighted to two scenarios, say about their difference: among all rows, and inside each level of a
 * column. See difference-error.ts for the formulas.
 */

import { roundedEffectiveRows } from '../disclosure/rounded-counts.ts'
import type { RowKeys } from '../disclosure/row-keys.ts'
import type { RequestedConditions } from '../scenario/scenario.ts'
import { comparisonOf } from './comparison.ts'
import { domainOf, insideDomain } from './domain.ts'
import {
  type EstimatedOutcome,
  estimateOutcomes,
  type OtherDifference,
  type RequestedOutcome,
} from './outcome-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import { type WeightedSeed, weighSeed } from './seed-weights.ts'
import { type Segment, segmentsOf } from './segments.ts'
import type { ToldSupport } from './told-support.ts'

/** Less support than this is low: a convention. */
const LOW_SUPPORT_ROWS = 50

export interface EstimateOptions {
  readonly scenario: RequestedConditions
  /** Without conditions: the population as it is. */
  readonly baseline: RequestedConditions
  /** Shares of the levels of categorical columns, means of numeric ones. */
  readonly outcomes: readonly RequestedOutcome[]
  /** A categorical column: the same inside each of its levels as well. */
  readonly by?: string | undefined
  /** The rows that outcomes are counted in: levels with shares that sum to 1, and ranges; absent: all rows. */
  readonly where?: RequestedConditions | undefined
  /** Most levels released of a column. */
  readonly maxLevels: number
  /** Most of them inside a segment; absent: as many. */
  readonly maxSegmentLevels?: number | undefined
  /** `exact`: the owner of the seed asks. Otherwise the keys that give all figures their noise. */
  readonly disclosure: 'exact' | RowKeys
  /** Other scenarios whose differences from the baseline are looked at together with this one's. */
  readonly together?: readonly RequestedConditions[] | undefined
}

export interface EstimatedSide {
  /** After Kish (1965); rounded down where the seed is protected. Null: too few rows. */
  readonly effectiveRows: number | null
  /** The smaller of the effective rows and their spread (see supportOf), likewise. */
  readonly support: number | null
  readonly lowSupport: boolean
}

export interface EstimatedSegment extends Estimates, Pick<Segment, 'level' | 'status'> {}

export interface Estimates {
  readonly scenario: EstimatedSide
  readonly baseline: EstimatedSide
  readonly outcomes: readonly EstimatedOutcome[]
}

/**
 * @throws RangeError for a missing column, for a `by` that is not categorical, and for a scenario that contradicts the
 * columns or itself. A scenario with too few supporting rows does not throw: its side reports that, and no outcome has
 * numbers.
 */
export async function estimateDifferences(
  seed: Seed,
  options: EstimateOptions,
): Promise<Estimates & { readonly segments?: readonly EstimatedSegment[] }> {
  return await differencesFrom(seed, options, await baselineOf(seed, options))
}

/** Several questions one after another, each answered as if it were asked alone. A baseline that stays is weighted once. */
export async function* estimateEach(
  seed: Seed,
  pairs: readonly Pick<EstimateOptions, 'scenario' | 'baseline'>[],
  common: Omit<EstimateOptions, 'scenario' | 'baseline'>,
): AsyncGenerator<Estimates> {
  let known: string | null = null
  let side: WeightedSeed | null = null
  for (const { scenario, baseline } of pairs) {
    const key = keyOf(baseline)
    if (key !== known) side = await baselineOf(seed, { baseline, disclosure: common.disclosure })
    known = key
    yield await differencesFrom(seed, { ...common, scenario, baseline }, side)
  }
}

/** The baseline that was weighted last for the owner of a seed: who moves levers holds everything against the same one. */
const last = new WeakMap<Seed, { readonly key: string; readonly side: WeightedSeed | null }>()

async function baselineOf(
  seed: Seed,
  { baseline, disclosure }: Pick<EstimateOptions, 'baseline' | 'disclosure'>,
): Promise<WeightedSeed | null> {
  // The noise of others depends on their keys.
  if (disclosure !== 'exact') return await weighSeed(seed, baseline, disclosure)
  const key = keyOf(baseline)
  const known = last.get(seed)
  if (known?.key === key) return known.side
  const side = await weighSeed(seed, baseline, disclosure)
  last.set(seed, { key, side })
  return side
}

const keyOf = ({ shares, cells, ranges, means = [] }: RequestedConditions): string =>
  JSON.stringify([
    cells,
    shares.map(({ column, levels, bounds = [] }) => [column, [...levels], [...bounds]]),
    ranges,
    means,
  ])

async function differencesFrom(
  seed: Seed,
  options: EstimateOptions,
  other: WeightedSeed | null,
): Promise<Estimates & { readonly segments?: readonly EstimatedSegment[] }> {
  const { scenario, outcomes, by, where, maxLevels, maxSegmentLevels = maxLevels, disclosure } = options
  const one = await weighSeed(seed, scenario, disclosure)
  const comparison = one !== null && other !== null ? comparisonOf(seed, one, other) : null
  const domain = where === undefined ? null : domainOf(seed, where)
  const part =
    domain === null || one === null || other === null ? null : insideDomain(seed, domain, one, other, disclosure)
  const isWithheld = domain !== null && part === null
  const told = (side: WeightedSeed | null, ofPart: ToldSupport | undefined): ToldSupport | null =>
    domain === null ? (side?.told ?? null) : (ofPart ?? null)
  const asked = { outcomes, keys: disclosure === 'exact' ? null : disclosure }
  const inSegments = new Map<string, number | null>()
  return {
    scenario: sideOf(told(one, part?.scenario), disclosure),
    baseline: sideOf(told(other, part?.baseline), disclosure),
    outcomes: estimateOutcomes(seed, isWithheld ? null : comparison, {
      ...asked,
      maxLevels,
      segment: part?.asked ?? null,
      together: {
        others: other === null ? [] : await othersOf(seed, other, options, domain?.rows ?? null),
        known: new Map(),
      },
    }),
    ...(by !== undefined && {
      segments: segmentsOf(seed, by, isWithheld ? null : one, other, disclosure, part?.asked ?? null).map(
        ({ level, status, inside }, at, all) => ({
          level,
          status,
          scenario: sideOf(inside?.scenario ?? null, disclosure),
          baseline: sideOf(inside?.baseline ?? null, disclosure),
          outcomes: estimateOutcomes(seed, inside === null ? null : comparison, {
            ...asked,
            maxLevels: maxSegmentLevels,
            segment: inside?.asked ?? null,
            // The segments of a comparison are looked at together.
            together: {
              others: all.flatMap((segment, i) =>
                i === at || segment.inside === null || comparison === null
                  ? []
                  : [{ sides: comparison.sides, segment: segment.inside.asked.rows }],
              ),
              known: inSegments,
            },
          }),
        }),
      ),
    }),
  }
}

/**
 * The differences of the other scenarios that have weights.
 *
 * @param rows Those that count; null: all.
 */
async function othersOf(
  seed: Seed,
  baseline: WeightedSeed,
  { together = [], disclosure }: EstimateOptions,
  rows: Uint8Array | null,
): Promise<OtherDifference[]> {
  const others: OtherDifference[] = []
  for (const conditions of together) {
    const weighted = await weighSeed(seed, conditions, disclosure)
    if (weighted !== null) others.push({ sides: comparisonOf(seed, weighted, baseline).sides, segment: rows })
  }
  return others
}

function sideOf(side: ToldSupport | null, disclosure: EstimateOptions['disclosure']): EstimatedSide {
  if (side === null) return { effectiveRows: null, support: null, lowSupport: true }
  const told = (rows: number): number => (disclosure === 'exact' ? rows : roundedEffectiveRows(rows))
  return {
    effectiveRows: told(side.effectiveRows),
    support: told(side.support),
    lowSupport: side.support < LOW_SUPPORT_ROWS,
  }
}
