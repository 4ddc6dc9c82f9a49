/**
 * Two weightings of the same rows, as all outcomes need them.
 *
 * n  kept rows of the seed, R  replicates
 */

import { calibrationOf } from './calibration.ts'
import { type ComparedSides, comparedSides } from './difference-error.ts'
import { rakedReplicates } from './replicates.ts'
import type { RowGroups } from './row-groups.ts'
import type { Seed } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'

/** Both sides, and what all outcomes need of them. */
export interface Comparison {
  readonly scenario: WeightedSeed
  readonly baseline: WeightedSeed
  readonly sides: ComparedSides
  /** R arrays of weights for each side; null without replicates. */
  readonly replicates: { readonly scenario: Float64Array[]; readonly baseline: Float64Array[] } | null
  /** Of a protected seed, length n: rows of one group are alike on both sides, with and without the scenarios; null: none are. */
  readonly alike: Int32Array | null
}

export function comparisonOf(seed: Seed, scenario: WeightedSeed, baseline: WeightedSeed): Comparison {
  const { design } = seed
  const replicates = design?.replicates ?? null
  const sides = comparedSides(calibrationOf(scenario), calibrationOf(baseline), design)
  return {
    scenario,
    baseline,
    sides,
    alike: scenario.teller.least > 0 ? alikeOn(sides.groups, [scenario, baseline]) : null,
    replicates: replicates && {
      scenario: rakedReplicates(scenario, replicates),
      baseline: rakedReplicates(baseline, replicates),
    },
  }
}

function alikeOn(groups: RowGroups | null, sides: readonly WeightedSeed[]): Int32Array | null {
  if (groups === null) return null
  const { ofRow, first } = groups
  const isAlike = sides.every(({ counted }) => counted.every((weight, row) => weight === counted[first[ofRow[row]!]!]))
  return isAlike ? ofRow : null
}
