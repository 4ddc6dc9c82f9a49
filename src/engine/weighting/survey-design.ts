/**
 * How the rows of a survey were drawn: strata, clusters, or the replicate weights that a statistical office publishes instead of
 * them. Standard errors need it; training never reads it.
 *
 * n  rows     R  replicates
 */

import { sharedFloat64, sharedUint32 } from '../threads/shared-arrays.ts'

/** How the rows were drawn, where the study says so; for standard errors only, never for training. */
export interface SurveyDesign {
  /** Length n: stratum of each kept row, 0 … strata - 1; null: one stratum. */
  readonly strata: Uint32Array | null
  /**
   * Length n: cluster (primary sampling unit) of each kept row, 0 … clusters - 1, numbered so that equal codes in different
   * strata are different clusters; null: every row is its own.
   */
  readonly clusters: Uint32Array | null
  readonly replicates: ReplicateWeights | null
}

/** Variance of an estimate d: scale * sum over r of rscales[r] * (d_r - d)². */
export interface ReplicateWeights {
  /** R arrays of length n, in the unit of the case weights that have mean 1. */
  readonly weights: readonly Float64Array[]
  readonly scale: number
  /** Length R. */
  readonly rscales: readonly number[]
}

/** The columns of a design as a file has them. */
export interface DesignColumns {
  /** Length n each: equal numbers are one stratum, or one cluster of a stratum. */
  readonly strata: ArrayLike<number> | null
  readonly clusters: ArrayLike<number> | null
  /** Weights in the unit of the file's own case weights. */
  readonly replicates: ReplicateWeights | null
}

/**
 * @param weights Length n: the file's case weights as they are there; null where all rows count alike.
 * @throws RangeError for a replicate weight that is negative or not finite.
 */
export function surveyDesign(columns: DesignColumns, weights: Float64Array | null): SurveyDesign {
  const strata = columns.strata === null ? null : numbered(columns.strata)
  const clusters = columns.clusters === null ? null : numbered(columns.clusters, strata)
  const { replicates } = columns
  if (replicates === null) return { strata, clusters, replicates }
  const mean = weights === null ? 1 : weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return {
    strata,
    clusters,
    replicates: { ...replicates, weights: replicates.weights.map((replicate) => scaled(replicate, mean)) },
  }
}

export interface DesignCounts {
  /** 1 without declared strata. */
  readonly strata: number
  /** The rows without declared clusters. */
  readonly clusters: number
  /** Strata with a single cluster: their spread is that around the mean of all clusters. */
  readonly lonelyStrata: number
  /** 0 without replicate weights. */
  readonly replicates: number
}

export function designCounts({ strata, clusters, replicates }: SurveyDesign, rowCount: number): DesignCounts {
  const replicateCount = replicates?.weights.length ?? 0
  if (strata === null) {
    const count = clusters === null ? rowCount : countOf(clusters)
    return { strata: 1, clusters: count, lonelyStrata: count === 1 ? 1 : 0, replicates: replicateCount }
  }
  // Clusters are numbered within strata, so each is counted in the stratum of its first row.
  const clustersOf = new Float64Array(countOf(strata))
  const seen = new Uint8Array(clusters === null ? 0 : countOf(clusters))
  for (let row = 0; row < rowCount; row++) {
    if (clusters !== null) {
      if (seen[clusters[row]!] === 1) continue
      seen[clusters[row]!] = 1
    }
    clustersOf[strata[row]!]!++
  }
  return {
    strata: clustersOf.length,
    clusters: clustersOf.reduce((sum, count) => sum + count, 0),
    lonelyStrata: clustersOf.filter((count) => count === 1).length,
    replicates: replicateCount,
  }
}

/** Numbers from 0 in the sequence of their first rows; with strata, one for each pair of stratum and code. */
function numbered(codes: ArrayLike<number>, strata: Uint32Array | null = null): Uint32Array {
  const numbers = sharedUint32(codes.length)
  const known = Array.from({ length: strata === null ? 1 : countOf(strata) }, () => new Map<number, number>())
  let count = 0
  for (let row = 0; row < numbers.length; row++) {
    const numberOf = known[strata === null ? 0 : strata[row]!]!
    let number = numberOf.get(codes[row]!)
    if (number === undefined) {
      number = count++
      numberOf.set(codes[row]!, number)
    }
    numbers[row] = number
  }
  return numbers
}

const countOf = (numbers: Uint32Array): number => numbers.reduce((most, number) => Math.max(most, number + 1), 0)

function scaled(replicate: Float64Array, mean: number): Float64Array {
  const weights = sharedFloat64(replicate.length)
  for (let row = 0; row < weights.length; row++) {
    const weight = replicate[row]!
    if (!(weight >= 0 && Number.isFinite(weight))) throw new RangeError(`row ${row} has the replicate weight ${weight}`)
    weights[row] = weight / mean
  }
  return weights
}
