/**
 * The weight that the values of a column have under a mean: exp(pull z), z = (y - t) / scale; 1 for missing, which has no part in the
 * mean. Weights are divided by the largest one, so that none overflows.
 *
 * K  codes of the column, V  its distinct values
 */

import { weightsInside } from '../sampling/decode.ts'
import { exponential } from '../tilting/exponential.ts'
import type { DrawnColumn } from './conditions.ts'
import type { WeightedCodes } from './range-mass.ts'

/** `exponential` is exact up to it. */
const EXACT = 4
/** Below, a weight is 0. */
const SMALLEST = -700

const EVERYTHING = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }

export interface TiltedCodes extends WeightedCodes {
  /** Length K: z of each code's values, by weight. */
  readonly numbers: Float64Array
  /** Length V: running sums, from the first value of each bin on, of what its values count for. */
  readonly running: Float64Array
  /** Where the mean is to be, if the tilt takes it there; null for bounds that hold without a tilt. */
  readonly heldAt: number | null
}

/** Standard deviation of the column's values; 1 where all are equal. */
export function scaleOf({ column: { values, cumulative } }: DrawnColumn): number {
  const total = cumulative[values.length]!
  let [mean, squares] = [0, 0]
  for (let v = 0; v < values.length; v++) mean += ((cumulative[v + 1]! - cumulative[v]!) / total) * values[v]!
  for (let v = 0; v < values.length; v++) {
    squares += ((cumulative[v + 1]! - cumulative[v]!) / total) * (values[v]! - mean) ** 2
  }
  const scale = Math.sqrt(squares)
  return scale > 0 && Number.isFinite(scale) ? scale : 1
}

export function tiltedCodes(drawn: DrawnColumn, target: number, scale: number, pull: number): TiltedCodes {
  const { column, range } = drawn
  const { values, cumulative, binStart, missing } = column
  const z = values.map((value) => (value - target) / scale)
  // Weights rise or fall with the values: the largest is at an end.
  let most = range === null && missing === 1 ? 0 : Number.NEGATIVE_INFINITY
  for (const end of [z[0], z.at(-1)]) most = Math.max(most, pull * (end ?? 0))
  const fractions = new Float64Array(column.codeCount)
  const numbers = new Float64Array(column.codeCount)
  const running = new Float64Array(values.length)
  if (range === null && missing === 1) fractions[0] = power(-most)
  for (let bin = 0; bin < binStart.length - 1; bin++) {
    const [first, end] = [binStart[bin]!, binStart[bin + 1]!]
    const inside = weightsInside(column, range ?? EVERYTHING, first, end)
    let [sum, weighted, before] = [0, 0, 0]
    for (let v = first; v < end; v++) {
      const here = (inside[v - first]! - before) * power(pull * z[v]! - most)
      before = inside[v - first]!
      sum += here
      weighted += here * z[v]!
      running[v] = sum
    }
    fractions[bin + missing] = Math.min(1, sum / (cumulative[end]! - cumulative[first]!))
    if (sum > 0) numbers[bin + missing] = weighted / sum
  }
  const { min, max } = drawn.mean!
  return { fractions, numbers, running, heldAt: pull !== 0 || min === max ? target : null }
}

/** e^x for x up to 0, the same on every machine. */
function power(x: number): number {
  if (x < SMALLEST) return 0
  let halvings = 0
  for (let y = x; y < -EXACT; y /= 2) halvings++
  let result = exponential(x / 2 ** halvings)
  for (let i = 0; i < halvings; i++) result *= result
  return result
}
