/**
 * The factor that makes the intervals of several differences hold together: the 95 % quantile of the largest |z| under the joint
 * normal distribution of the differences, whose correlations are those of their influences.
 *
 * n  kept rows of the seed, P  differences that are looked at together
 */

import { PURPOSE, RandomStream } from '../sampling/random.ts'
import type { SurveyDesign } from '../weighting/survey-design.ts'
import { centredTotals } from './design-variance.ts'

const DRAWS = 10_000
const CONFIDENCE = 0.95
/** Any number: the same question has the same answer. */
const SEED = 20_261
/** A difference of which the others leave less than this part of its variance adds nothing. */
const DEPENDENT = 1e-9

/** The same draws serve all questions; there are as many as the largest question needed. */
let draws = new Float64Array(0)

/**
 * @param influences P arrays of length n: e of each difference (difference-error.ts).
 * @returns At least the quantile of one difference, 1.96; null where none varies.
 */
export function simultaneousQuantile(
  influences: readonly Float64Array[],
  design: SurveyDesign | undefined,
): number | null {
  const vectors = influences.map((e) => (design === undefined ? e : centredTotals(e, design)))
  const varying = vectors.map((e) => ({ e, length: Math.sqrt(dot(e, e)) })).filter(({ length }) => length > 0)
  const P = varying.length
  if (P === 0) return null
  const correlations = new Float64Array(P * P)
  for (let i = 0; i < P; i++) {
    for (let j = 0; j <= i; j++) {
      const r = dot(varying[i]!.e, varying[j]!.e) / (varying[i]!.length * varying[j]!.length)
      correlations[i * P + j] = r
      correlations[j * P + i] = r
    }
  }
  const root = choleskyRoot(correlations, P)
  const normal = standardNormals(DRAWS * P)
  const largest = new Float64Array(DRAWS)
  for (let draw = 0; draw < DRAWS; draw++) {
    let most = 0
    for (let i = 0; i < P; i++) {
      let z = 0
      for (let j = 0; j <= i; j++) z += root[i * P + j]! * normal[draw * P + j]!
      if (z > most) most = z
      else if (-z > most) most = -z
    }
    largest[draw] = most
  }
  largest.sort()
  return Math.max(1.96, largest[Math.ceil(CONFIDENCE * DRAWS) - 1]!)
}

/** P × P, row-major, lower triangle: L with L L' = matrix. Rows that the ones before determine have a diagonal of 0. */
function choleskyRoot(matrix: Float64Array, P: number): Float64Array {
  const root = new Float64Array(P * P)
  for (let i = 0; i < P; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i * P + j]!
      for (let k = 0; k < j; k++) rest -= root[i * P + k]! * root[j * P + k]!
      if (i === j) root[i * P + i] = rest > DEPENDENT ? Math.sqrt(rest) : 0
      else root[i * P + j] = root[j * P + j]! === 0 ? 0 : rest / root[j * P + j]!
    }
  }
  return root
}

/** Box and Muller 1958. */
function standardNormals(count: number): Float64Array {
  if (draws.length >= count) return draws
  const stream = new RandomStream(SEED, PURPOSE.jointNormal)
  draws = new Float64Array(count + (count % 2))
  for (let i = 0; i < draws.length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - stream.real()))
    const angle = 2 * Math.PI * stream.real()
    draws[i] = radius * Math.cos(angle)
    draws[i + 1] = radius * Math.sin(angle)
  }
  return draws
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
