/**
 * The variance of a total over a sample with strata and clusters: that between the clusters of each stratum, with replacement.
 *
 * n  rows,  e  the influence of each row
 *
 *   e_hc = sum of e in cluster c of stratum h     variance = sum over h of n_h / (n_h - 1) · sum over c of (e_hc - mean_h)²
 *
 * A stratum of one cluster has no variance of its own. It is centred at the grand mean, which is 0 for influences, as the option
 * "adjust" of R's survey package does (Lumley 2010, section 3.2.1).
 */

import type { SurveyDesign } from '../weighting/survey-design.ts'

export function clusteredVariance(e: Float64Array, design: SurveyDesign): number {
  let variance = 0
  for (const total of centredTotals(e, design)) variance += total * total
  return variance
}

/**
 * One number for each cluster, so that the sum of products of two vectors is their covariance: its total less the mean of its
 * stratum, times √(n_h / (n_h - 1)). Rows without declared strata and clusters are clusters of one stratum.
 */
export function centredTotals(e: Float64Array, { strata, clusters }: SurveyDesign): Float64Array {
  const clusterCount = clusters === null ? e.length : countOf(clusters)
  const totals = new Float64Array(clusterCount)
  const stratumOf = new Int32Array(clusterCount).fill(-1)
  for (let row = 0; row < e.length; row++) {
    const cluster = clusters === null ? row : clusters[row]!
    totals[cluster]! += e[row]!
    stratumOf[cluster] = strata === null ? 0 : strata[row]!
  }
  const stratumCount = strata === null ? 1 : countOf(strata)
  const size = new Float64Array(stratumCount)
  const mean = new Float64Array(stratumCount)
  for (let c = 0; c < clusterCount; c++) {
    if (stratumOf[c]! < 0) continue
    size[stratumOf[c]!]!++
    mean[stratumOf[c]!]! += totals[c]!
  }
  for (let h = 0; h < stratumCount; h++) mean[h] = size[h] === 1 ? 0 : mean[h]! / size[h]!
  return totals.map((total, c) => {
    const h = stratumOf[c]!
    return h < 0 ? 0 : (total - mean[h]!) * Math.sqrt(size[h] === 1 ? 1 : size[h]! / (size[h]! - 1))
  })
}

/** Clusters minus strata, at least 1. */
export function designDegrees({ strata, clusters }: SurveyDesign): number {
  const rows = clusters ?? strata
  const used = clusters === null ? (rows?.length ?? 0) : new Set(clusters).size
  return Math.max(1, used - (strata === null ? 1 : new Set(strata).size))
}

function countOf(codes: Uint32Array): number {
  let most = -1
  for (let row = 0; row < codes.length; row++) if (codes[row]! > most) most = codes[row]!
  return most + 1
}
