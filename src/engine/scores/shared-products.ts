/**
 * Cross products of pairs of columns, in memory that all threads share. The thread that first needs a pair sums it. The sums do
 * not depend on which thread that is.
 *
 * d  columns
 */

import type { EncodedColumn } from '../model/model.ts'
import { sharedFloat64, sharedInt32 } from '../threads/shared-arrays.ts'

/** Most bends of a numeric column's piecewise linear function, without its smallest and largest value. */
export const KNOTS = 4
/** Less frequent levels have no effect of their own; the rank on a scale is one more feature. */
export const MAX_LEVEL_FEATURES = 24
/** The value, its logarithm, the indicators of missing and of no logarithm, and the hats. */
const MAX_NUMERIC_FEATURES = 4 + KNOTS + 2

function mostFeatures({ kind, codeCount }: Pick<EncodedColumn, 'kind' | 'codeCount'>): number {
  return kind === 'numeric' ? MAX_NUMERIC_FEATURES : Math.min(codeCount, MAX_LEVEL_FEATURES) + 1
}

/** Wide tables have many pairs and need few of them. 8 MiB hold the pairs of about 64 columns. */
const MAX_VALUES = 1 << 20
/** A thread that has ended never finishes its pair. Other threads stop waiting after a hundred times the duration of one. */
const WAIT_MS = 500

const FREE = 0
const TAKEN = 1
const DONE = 2

/** Pairs of columns a ≤ b, numbered b (b + 1) / 2 + a. */
export interface SharedProducts {
  /** Space for the features of a times the features of b. */
  readonly values: Float64Array
  /** Length d (d + 1) / 2 + 1: the start of each pair's space. */
  readonly at: Int32Array
  /** Length d (d + 1) / 2: FREE, TAKEN or DONE. */
  readonly states: Int32Array
}

/** Null if the products would take too much memory. */
export function sharedProducts(columns: readonly Pick<EncodedColumn, 'kind' | 'codeCount'>[]): SharedProducts | null {
  const most = columns.map(mostFeatures)
  const all = most.reduce((sum, count) => sum + count, 0)
  const ofPairs = most.reduce((sum, count) => sum + count * count, all * all) / 2
  if (ofPairs > MAX_VALUES) return null
  const pairs = pairNumber(0, columns.length)
  const at = sharedInt32(pairs + 1)
  for (let b = 0; b < columns.length; b++) {
    for (let a = 0; a <= b; a++) {
      const pair = pairNumber(a, b)
      at[pair + 1] = at[pair]! + most[a]! * most[b]!
    }
  }
  return { values: sharedFloat64(at[pairs]!), at, states: sharedInt32(pairs) }
}

function pairNumber(a: number, b: number): number {
  return (b * (b + 1)) / 2 + a
}

/**
 * Sums a pair, unless another thread has claimed it.
 *
 * sum  adds to its argument, which is 0
 */
export function claimPair(
  { values, at, states }: SharedProducts,
  a: number,
  b: number,
  sum: (products: Float64Array) => void,
): void {
  const pair = pairNumber(a, b)
  if (Atomics.compareExchange(states, pair, FREE, TAKEN) !== FREE) return
  sum(values.subarray(at[pair], at[pair + 1]))
  Atomics.store(states, pair, DONE)
  Atomics.notify(states, pair)
}

/** The sums of a claimed pair once they are ready; null if the claiming thread has not finished. */
export function claimedPair({ values, at, states }: SharedProducts, a: number, b: number): Float64Array | null {
  const pair = pairNumber(a, b)
  if (Atomics.load(states, pair) !== DONE) Atomics.wait(states, pair, TAKEN, WAIT_MS)
  return Atomics.load(states, pair) === DONE ? values.subarray(at[pair], at[pair + 1]) : null
}
