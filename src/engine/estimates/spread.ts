/**
 * How many rows stand behind a weighted figure.
 *
 * n  rows,  z  a vector over them
 */

/**
 * k(z) = 2 (sum z²)² / (sum z⁴ - (sum z²)² / n): a sum with as many equal squares would vary as much (Satterthwaite's idea for
 * degrees of freedom). Infinity where all squares are equal.
 *
 * @param times How often each entry counts; null: once.
 */
export function spreadOf(z: Float64Array, times: Float64Array | null = null): number {
  let squares = 0
  let fourths = 0
  for (let i = 0; i < z.length; i++) {
    const square = z[i]! * z[i]!
    const t = times === null ? 1 : times[i]!
    squares += t * square
    fourths += t * square * square
  }
  return spreadFrom(squares, fourths, times === null ? z.length : sum(times))
}

/** @param n Entries, each as often as it counts. */
function spreadFrom(squares: number, fourths: number, n: number): number {
  const below = fourths - (squares * squares) / n
  return below < 1e-12 * fourths || fourths === 0 ? Number.POSITIVE_INFINITY : (2 * squares * squares) / below
}

/** (sum of z)² / sum of z² (Kish 1965); 0 where all are 0. */
export function effectiveCount(z: Float64Array): number {
  let sum = 0
  let squares = 0
  for (let i = 0; i < z.length; i++) {
    sum += z[i]!
    squares += z[i]! * z[i]!
  }
  return squares > 0 ? (sum * sum) / squares : 0
}

export interface Support {
  /** After Kish (1965). */
  readonly effectiveRows: number
  /** The rows that the limits of an interval are held against: Kish's count overstates where few rows have most of the weight. */
  readonly support: number
}

/**
 * In one pass, and without a copy: it is asked for each outcome, of files with millions of rows.
 *
 * @param counts Length n: 0 for entries that count as 0; null: all count.
 * @param repeated How often each entry counts, and how many they are with those that count as 0; absent: each once, and n.
 */
export function supportOf(
  z: Float64Array,
  counts: Uint8Array | null,
  repeated: { readonly times: Float64Array; readonly length: number } | null = null,
): Support {
  let [total, squares, fourths] = [0, 0, 0]
  for (let i = 0; i < z.length; i++) {
    if (counts !== null && counts[i] === 0) continue
    const square = z[i]! * z[i]!
    const t = repeated === null ? 1 : repeated.times[i]!
    total += t * z[i]!
    squares += t * square
    fourths += t * square * square
  }
  const effectiveRows = squares > 0 ? (total * total) / squares : 0
  const support = Math.min(effectiveRows, spreadFrom(squares, fourths, repeated?.length ?? z.length))
  return { effectiveRows, support }
}

export function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}
