/**
 * What the seed's own rows, weighted to two scenarios, say about their difference: among all rows, and inside each level of a
 * column. See outcome-estimates.ts for the formulas.
 */

import { roundedEffectiveRows } from '../disclosure/rounded-counts.ts'
import type { Model } from '../model/model.ts'
import type { RequestedConditions } from '../scenario/scenario.ts'
import { type EstimatedOutcome, estimateOutcomes } from './outcome-estimates.ts'
import { isDifferenceReleasable } from './released-estimates.ts'
import type { Seed } from './seed-patterns.ts'
import { type WeightedSeed, weighSeed } from './seed-weights.ts'
import { type Segment, segmentsOf } from './segments.ts'

/** Fewer effective rows than this are low support: a convention. */
const LOW_SUPPORT_ROWS = 50

export interface EstimateOptions {
  readonly scenario: RequestedConditions
  /** Without conditions: the population as it is. */
  readonly baseline: RequestedConditions
  /** Names of columns: shares of the levels of categorical ones, means of numeric ones. */
  readonly outcomes: readonly string[]
  /** A categorical column: the same inside each of its levels as well. */
  readonly by?: string | undefined
  /** Most levels released of a column. */
  readonly maxLevels: number
  /** Most of them inside a segment; absent: as many. */
  readonly maxSegmentLevels?: number | undefined
}

export interface EstimatedSide {
  /** Rounded down; null: too few rows. */
  readonly effectiveRows: number | null
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
  seed: Seed & Partial<Pick<Model, 'base'>>,
  { scenario, baseline, outcomes, by, maxLevels, maxSegmentLevels = maxLevels }: EstimateOptions,
): Promise<Estimates & { readonly segments?: readonly EstimatedSegment[] }> {
  const one = await weighSeed(seed, scenario)
  const other = await weighSeed(seed, baseline)
  const isReleasable = one !== null && other !== null && isDifferenceReleasable(one, other)
  const whole = isReleasable ? { scenario: one, baseline: other, rows: null } : null
  return {
    scenario: sideOf(one),
    baseline: sideOf(other),
    outcomes: estimateOutcomes(seed, outcomes, maxLevels, whole),
    ...(by === undefined
      ? {}
      : {
          segments: segmentsOf(seed, by, one, other).map((segment) => ({
            level: segment.level,
            status: segment.status,
            ...sidesOf(segment),
            outcomes: estimateOutcomes(seed, outcomes, maxSegmentLevels, segment.compared),
          })),
        }),
  }
}

function sidesOf({ compared }: Segment): Pick<Estimates, 'scenario' | 'baseline'> {
  return { scenario: sideOf(compared?.scenario ?? null), baseline: sideOf(compared?.baseline ?? null) }
}

function sideOf(weighted: WeightedSeed | null): EstimatedSide {
  if (weighted === null) return { effectiveRows: null, lowSupport: true }
  const { effectiveRows } = weighted
  return { effectiveRows: roundedEffectiveRows(effectiveRows), lowSupport: effectiveRows < LOW_SUPPORT_ROWS }
}
