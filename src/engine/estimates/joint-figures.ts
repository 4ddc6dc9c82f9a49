/** What figures of every kind have in common: the quantile of intervals that hold together, and degrees of freedom. */

import type { Difference } from './difference-error.ts'
import type { EstimatedDifference } from './figures.ts'
import type { Seed } from './seed-patterns.ts'
import { simultaneousQuantile } from './simultaneous.ts'

/** Quantiles that are known already, by figure: those of one family are equal. */
export type Known = Map<string, number | null>

/** @param key Of the figure. */
export function jointQuantile(
  key: string,
  influence: Float64Array,
  others: readonly Float64Array[],
  { known, seed }: { readonly known: Known; readonly seed: Pick<Seed, 'design'> },
): Pick<EstimatedDifference, 'simultaneousQuantile'> {
  let quantile = known.get(key)
  if (quantile === undefined) {
    if (others.length === 0) return {}
    quantile = simultaneousQuantile([influence, ...others], seed.design)
    known.set(key, quantile)
  }
  return quantile === null ? {} : { simultaneousQuantile: quantile }
}

/** With replicates as many as vary, less one. */
export function degreesOf(
  { degreesOfFreedom }: Pick<Difference, 'degreesOfFreedom'>,
  { design }: Pick<Seed, 'design'>,
): number | null {
  const most = design?.replicates ? Math.max(1, design.replicates.weights.length - 1) : Number.POSITIVE_INFINITY
  const degrees = Math.min(most, degreesOfFreedom)
  return Number.isFinite(degrees) ? degrees : null
}
