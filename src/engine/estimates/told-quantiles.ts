/** The quantiles of an outcome, as they are told. */

import type { ComparedSides } from './difference-error.ts'
import type { EstimatedDifference } from './figures.ts'
import { degreesOf, jointQuantile, type Known } from './joint-figures.ts'
import { type QuantileDifference, quantileDifference, sortedRows } from './quantile-estimates.ts'
import { exactFigures } from './released-estimates.ts'
import { type Replicates, replicateError } from './replicates.ts'
import type { Seed } from './seed-patterns.ts'

export interface EstimatedQuantile extends EstimatedDifference {
  /** Of the rows up to it. */
  readonly share: number
}

interface AskedQuantiles {
  readonly seed: Seed
  readonly comparison: {
    readonly sides: ComparedSides
    readonly replicates: { readonly scenario: Float64Array[]; readonly baseline: Float64Array[] } | null
  }
  /** Length n: 0 where a row does not count; null: all do. */
  readonly counts: Uint8Array | null
  /** Not null: of a protected seed. */
  readonly noisy: object | null
  readonly others: readonly { readonly sides: ComparedSides; readonly counts: Uint8Array | null }[]
  readonly known: Known
  /** The column. */
  readonly name: string
}

/**
 * Without those that too few rows support, and without any of a protected seed: a quantile is the value of some row, which the noise of a mean
 * would not hide.
 */
export function toldQuantiles(
  shares: readonly number[],
  values: Float64Array,
  { seed, comparison, counts, noisy, others, known, name }: AskedQuantiles,
): EstimatedQuantile[] {
  if (noisy !== null) return []
  const rows = sortedRows(values, counts)
  return shares.flatMap((share) => {
    const found = quantileDifference(comparison.sides, rows, share, counts)
    if (found === null) return []
    const influences = others.flatMap(
      (other) =>
        quantileDifference(other.sides, sortedRows(values, other.counts), share, other.counts)?.influence ?? [],
    )
    const figures = {
      scenario: found.scenario,
      baseline: found.baseline,
      difference: found.difference,
      standardError: errorOf(found, seed.design?.replicates ?? null, comparison.replicates),
      degreesOfFreedom: degreesOf(found, seed),
      ...jointQuantile(JSON.stringify([name, 'quantile', share]), found.influence, influences, { known, seed }),
    }
    return [{ share, ...exactFigures(figures) }]
  })
}

/** Replicate weights give the error of the shares up to both quantiles; their slopes make it that of the quantiles. */
function errorOf(
  { standardError, linear, linearDifference, roundingVariance }: QuantileDifference,
  design: Replicates | null,
  replicates: AskedQuantiles['comparison']['replicates'],
): number {
  if (design === null || replicates === null) return standardError
  const { scenario, baseline } = replicates
  const error = replicateError(scenario, baseline, design, linear.scenario, linearDifference, linear.baseline)
  return Math.hypot(error, Math.sqrt(roundingVariance))
}
