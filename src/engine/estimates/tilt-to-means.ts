/**
 * Weights with given margins and means, with the least change of weights that have the margins already: the I-projection (Csiszar
 * 1975), which is raking with auxiliary totals (Deville and Särndal 1992).
 *
 *   w = w0 exp(theta' x)     sum w x = T     x  regressors.ts, with g (y - t) for each mean: g is 1 where the row has a value
 *
 * w0 may be the projection on the margins alone: projecting that once more is projecting the seed on both. Newton's method finds
 * theta. Bounds of means are complementary: one that the mix keeps by itself has the multiplier 0, any other holds with equality. They
 * are added where the mix is beyond them and dropped where their multiplier becomes 0.
 *
 * n  kept rows of the seed, p  means
 */

import type { Margins } from '../scenario/margins.ts'
import { exponential } from '../tilting/exponential.ts'
import { generalisedInverse } from './generalised-inverse.ts'
import type { SeedMean } from './mean-targets.ts'
import { gramOf, type Regressors, regressorsOf } from './regressors.ts'
import type { Effort, SeedPatterns } from './seed-patterns.ts'

/** Newton's steps. A mean at the very end of the values halves its distance with each step or faster. */
const MOST_STEPS = 200

/** The logarithm of a weight changes by no more in a step; `exponential` is exact up to it. */
const LONGEST_STEP = 4

/** Totals this close to their targets, in units of their terms' sizes, are met. */
const CLOSE = 1e-11
/** Beyond this, further steps change rounding errors alone. */
const CLOSEST = 1e-15

/** More changes of the bounds that hold with equality are no progress. */
const MOST_CHANGES = 50

/** A mean is beyond its bound if it is so by more than this part of the values' sizes. */
const BEYOND = 1e-10

export interface TiltedWeights {
  /** Length n, summing to 1. */
  readonly weights: Float64Array
  /** For each mean that holds with equality, length n: g (y - t). Then for each bound of which chance decides that it does not. */
  readonly numbers: readonly Float64Array[]
  /** For each mean: theta, which multiplies its numbers; 0 for one that does not hold with equality. */
  readonly pulls: readonly number[]
}

/**
 * Null where no weights on the rows have the margins and means, or where the effort is used up.
 *
 * @param weights Length n: w0, with the margins; summing to 1.
 */
export function tiltToMeans(
  weights: Float64Array,
  patterns: SeedPatterns,
  margins: Margins,
  means: readonly SeedMean[],
  effort: Effort,
): TiltedWeights | null {
  if (means.length === 0) return { weights, numbers: [], pulls: [] }
  const held = new Map<SeedMean, Held>()
  for (const mean of means) if (mean.min === mean.max) held.set(mean, { end: 'min', sign: 0, pull: 0 })
  let tilted = weights
  for (let change = 0; change < MOST_CHANGES && !effort.isSpent; change++) {
    const active = [...held]
    const numbers = active.map(([mean, { end }]) => mean.values.map((y) => (Number.isNaN(y) ? 0 : y - mean[end])))
    if (active.length === 0) tilted = weights
    else {
      const pulling = active.map(([, pull]) => pull)
      const solved = solve(tilted, regressorsOf(patterns, margins, numbers), margins, pulling, effort)
      if (solved === null) return null
      tilted = solved.weights
      if (solved.idle !== null) {
        held.delete(active[solved.idle]![0])
        continue
      }
    }
    const beyond = worstBeyond(tilted, means, held)
    if (beyond === null) {
      const free = means.filter((mean) => !held.has(mean))
      const pulls = means.map((mean) => held.get(mean)?.pull ?? 0)
      return { weights: tilted, numbers: [...numbers, ...free.flatMap((mean) => nearlyHeld(tilted, mean))], pulls }
    }
    if (beyond === 'no value') return null
    held.set(beyond.mean, { end: beyond.end, sign: beyond.end === 'min' ? 1 : -1, pull: 0 })
  }
  return null
}

/** A bound is a matter of chance within so many standard errors of the mean. */
const CHANCE = 2

/**
 * What a bound that the mix keeps by itself adds to the regressors: nothing, unless the mean is so near to it that in another sample
 * the bound would pull. The error of a difference then is that of a bound that does; without it a difference of 0 would seem to be
 * known exactly.
 */
function nearlyHeld(weights: Float64Array, { values, min, max }: SeedMean): Float64Array[] {
  let [total, sum] = [0, 0]
  values.forEach((y, row) => {
    if (Number.isNaN(y)) return
    total += weights[row]!
    sum += weights[row]! * y
  })
  const mean = sum / total
  let squares = 0
  values.forEach((y, row) => {
    if (!Number.isNaN(y)) squares += (weights[row]! * (y - mean)) ** 2
  })
  const gap = Math.min(mean - min, max - mean)
  return gap > (CHANCE * Math.sqrt(squares)) / total ? [] : [values.map((y) => (Number.isNaN(y) ? 0 : y - mean))]
}

/** A mean that holds with equality. */
interface Held {
  readonly end: 'min' | 'max'
  /** Of its entry of theta: a bound pulls one way only; 0: both ways. */
  readonly sign: -1 | 0 | 1
  /** Its entry of theta. */
  pull: number
}

/** The mean that is furthest beyond a bound, relative to the sizes of its values. */
function worstBeyond(
  weights: Float64Array,
  means: readonly SeedMean[],
  held: ReadonlyMap<SeedMean, Held>,
): { readonly mean: SeedMean; readonly end: 'min' | 'max' } | 'no value' | null {
  let worst: { readonly mean: SeedMean; readonly end: 'min' | 'max'; readonly by: number } | null = null
  for (const mean of means) {
    let [total, sum, size] = [0, 0, 0]
    mean.values.forEach((y, row) => {
      if (Number.isNaN(y)) return
      total += weights[row]!
      sum += weights[row]! * y
      size += weights[row]! * Math.abs(y)
    })
    if (!(total > 0)) return 'no value'
    if (held.has(mean)) continue
    for (const end of ['min', 'max'] as const) {
      const by = ((end === 'min' ? 1 : -1) * (mean[end] * total - sum)) / Math.max(size, Math.abs(mean[end]) * total)
      if (Number.isFinite(mean[end]) && by > Math.max(BEYOND, worst?.by ?? 0)) worst = { mean, end, by }
    }
  }
  return worst
}

/**
 * Newton's steps, until the totals are reached or a bound would pull the wrong way. There the step ends, and `idle` is that bound. Each
 * step brings the dual function down, so that no set of bounds comes back.
 *
 * @param pulling For each number; `pull` is brought up to date.
 * @returns Null if the totals are not reached.
 */
function solve(
  start: Float64Array,
  regressors: Regressors,
  margins: Margins,
  pulling: readonly Held[],
  effort: Effort,
): { readonly weights: Float64Array; readonly idle: number | null } | null {
  const { numbers, m, entries, width, ofRow } = regressors
  const first = m - numbers.length
  const wanted = new Float64Array(m)
  wanted[0] = 1
  for (let d = 0; d < width - 1; d++) {
    for (let margin = margins.start[d]!; margin < margins.start[d + 1]! - 1; margin++) {
      wanted[1 + margin - d] = margins.targets[margin]!
    }
  }
  let weights = start
  let errorBefore = Number.POSITIVE_INFINITY
  for (let step = 0; step < MOST_STEPS && !effort.isSpent; step++) {
    effort.spend(weights.length * (1 + numbers.length ** 2) + entries.length * width + m ** 3)
    const gram = gramOf(regressors, weights)
    // The intercept's row of the gram has the totals.
    const gap = wanted.map((target, a) => target - gram[a]!)
    let error = 0
    for (let a = 0; a < m; a++) {
      const size = a < first ? 1 : sizeOf(numbers[a - first]!, weights)
      if (gap[a] !== 0) error = Math.max(error, Math.abs(gap[a]!) / size)
    }
    if (error <= CLOSEST || (error <= CLOSE && error > errorBefore / 2)) return { weights, idle: null }
    errorBefore = error
    const inverse = generalisedInverse(gram, m)
    const slopes = wanted.map((_, a) => gap.reduce((sum, each, b) => sum + inverse[a * m + b]! * each, 0))
    const change = weights.map((w, row) => {
      if (w === 0) return 0
      let sum = 0
      for (let i = ofRow[row]! * width, d = 0; d < width; d++, i++) if (entries[i]! >= 0) sum += slopes[entries[i]!]!
      for (let j = 0; j < numbers.length; j++) sum += slopes[first + j]! * numbers[j]![row]!
      return sum
    })
    const longest = change.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
    if (!Number.isFinite(longest)) return null
    let part = Math.min(1, LONGEST_STEP / longest)
    let idle: number | null = null
    pulling.forEach(({ sign, pull }, j) => {
      const by = slopes[first + j]!
      if (sign === 0 || sign * (pull + part * by) >= 0) return
      part = -pull / by
      idle = j
    })
    weights = weights.map((w, row) => w * exponential(part * change[row]!))
    pulling.forEach((each, j) => {
      each.pull += part * slopes[first + j]!
    })
    if (idle !== null) return { weights, idle }
  }
  return null
}

/** What an error of a total is measured by: the weighted size of its terms. */
function sizeOf(numbers: Float64Array, weights: Float64Array): number {
  let size = 0
  for (let row = 0; row < weights.length; row++) size += weights[row]! * Math.abs(numbers[row]!)
  return size
}
