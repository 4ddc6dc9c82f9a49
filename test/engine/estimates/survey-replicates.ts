/** Replicate weights of the people in strata and clusters, as statistical offices make them. */

import type { ReplicateWeights } from '../../../src/engine/weighting/survey-design.ts'
import { people240, type SurveyRow } from './survey-people.ts'

/** Clusters of each of the four strata. */
const SIZE = 6
const BOOTSTRAPS = 30
export const RHO = 0.3

type Rows = readonly SurveyRow[]

/** Factors of a row's weight, one for each replicate. */
const FACTORS: Readonly<
  Record<string, { readonly count: number; readonly factor: (r: number, row: SurveyRow) => number }>
> = {
  // Each leaves out one cluster; the others of its stratum stand in for it.
  JKn: {
    count: 4 * SIZE,
    factor: (r, { cluster, stratum }) => (cluster === r ? 0 : stratum === Math.floor(r / SIZE) ? SIZE / (SIZE - 1) : 1),
  },
  // Five clusters of each stratum, drawn with replacement.
  bootstrap: {
    count: BOOTSTRAPS,
    factor: (r, { cluster, stratum }) => {
      const drawn = Array.from(
        { length: SIZE - 1 },
        (_, k) => (17 * r * r + 31 * r * (k + 1) + 7 * k + 5 * Number(stratum)) % SIZE,
      )
      return (drawn.filter((at) => at === Number(cluster) % SIZE).length * SIZE) / (SIZE - 1)
    },
  },
  // One half of each stratum: its even or its odd clusters, by a Hadamard matrix of order 8.
  BRR: { count: 8, factor: (r, row) => (isInHalf(r, row) ? 2 : 0) },
  Fay: { count: 8, factor: (r, row) => (isInHalf(r, row) ? 2 - RHO : RHO) },
}

function isInHalf(r: number, { stratum, cluster }: SurveyRow): boolean {
  const common = r & (Number(stratum) + 1)
  const sign = (common ^ (common >> 1) ^ (common >> 2)) & 1
  return Number(cluster) % 2 === sign
}

/** Scales as R's survey has them for `svrepdesign`. */
const SCALES: Readonly<Record<string, number>> = {
  JKn: 1,
  bootstrap: 1 / (BOOTSTRAPS - 1),
  BRR: 1 / 8,
  Fay: 1 / (8 * (1 - RHO) ** 2),
}

export const REPLICATE_KINDS = Object.keys(FACTORS)

export function rscalesOf(kind: string): number[] {
  return new Array(FACTORS[kind]!.count).fill(kind === 'JKn' ? (SIZE - 1) / SIZE : 1)
}

export function replicateWeights(kind: string, rows: Rows): ReplicateWeights {
  const { count, factor } = FACTORS[kind]!
  return {
    weights: Array.from({ length: count }, (_, r) =>
      Float64Array.from(rows, (row) => Number(row.weight) * factor(r, row)),
    ),
    scale: SCALES[kind]!,
    rscales: rscalesOf(kind),
  }
}

/** The people with their replicate weights as columns. */
export function peopleWithReplicates(kind: string): SurveyRow[] {
  const rows = people240()
  const { weights } = replicateWeights(kind, rows)
  return rows.map((row, i) => ({
    ...row,
    ...Object.fromEntries(weights.map((replicate, r) => [`replicate ${r + 1}`, replicate[i]!])),
  }))
}
