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
  /** Rows that are alike on both sides, with and without the scenarios; null: none are. */
  readonly alike: RowGroups | null
}

export function comparisonOf(seed: Seed, scenario: WeightedSeed, baseline: WeightedSeed): Comparison {
  const { design } = seed
  const replicates = design?.replicates ?? null
  const sides = comparedSides(calibrationOf(scenario), calibrationOf(baseline), design)
  return {
    scenario,
    baseline,
    sides,
    alike: alikeOn(sides.groups, [scenario, baseline]),
    replicates: replicates && {
      scenario: rakedReplicates(scenario, replicates),
      baseline: rakedReplicates(baseline, replicates),
    },
  }
}

function alikeOn(groups: RowGroups | null, sides: readonly WeightedSeed[]): RowGroups | null {
  if (groups === null) return null
  const { ofRow, first } = groups
  for (const of of sides.flatMap(({ counted, inside }) => (counted === inside ? [counted] : [counted, inside]))) {
    for (let row = 0; row < of.length; row++) {
      if (of[row] !== of[first[ofRow[row]!]!]) return null
    }
  }
  return groups
}
