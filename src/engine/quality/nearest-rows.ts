/**
 * Distance to the closest record: whether a synthetic row is nearer to a row that the model was trained on than to any of equally
 * many rows that it has not seen. Distances are Gower's (1971): a column counts |x - y| over its range of values, 0 or 1 for
 * levels, 1 where one of the two is missing.
 *
 * d  columns     q  rows asked about     b  rows of either base
 */

import { sharedFloat32 } from '../threads/shared-arrays.ts'
import type { ComparedRows, Part } from './compared-rows.ts'

/** Comparisons of two cells, in all. */
const COMPARISON_BUDGET = 40_000_000
const MAX_QUERIES = 2_000
/** Distances this near to each other are one: coordinates are 32-bit. */
const TIE = 1e-5

/** Rows as points: the distance of two columns' coordinates is min(1, |x - y|). */
export interface NearestContext {
  readonly d: number
  /** Length q d, row after row; shared. */
  readonly queries: Float32Array
  /** Length b d each. */
  readonly training: Float32Array
  readonly heldOut: Float32Array
}

export interface NearestTask {
  readonly firstQuery: number
  readonly endQuery: number
}

/** Queries of the task that are nearer to a row trained on; a tie counts half. */
export type NearestResult = number

/** Where a missing number lies: 1 or more from every value. A missing level is number 0, hence 1 or more from every level. */
const MISSING = -2

export function nearestContext({ columns, rowCount }: ComparedRows): NearestContext {
  const d = columns.length
  const b = Math.min(rowCount.heldOut, rowCount.training)
  const q = Math.min(rowCount.synthetic, MAX_QUERIES, Math.max(1, Math.floor(COMPARISON_BUDGET / (2 * b * d))))
  /** Number → where it lies. */
  const coordinates = columns.map(({ values, numberCount, rows }) => {
    if (values === null) return Float64Array.from({ length: numberCount }, (_, number) => number)
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const part of ['training', 'heldOut'] as const) {
      const numbers = rows[part]
      for (let i = 0; i < numbers.length; i++) {
        const number = numbers[i]!
        if (number === 0) continue
        low = Math.min(low, values[number]!)
        high = Math.max(high, values[number]!)
      }
    }
    return values
      .map((value) => (high > low ? (value - low) / (high - low) : value === low ? 0 : 1))
      .fill(MISSING, 0, 1)
  })
  // Columns that tell rows apart best come first: a row is then given up after few of them.
  const spread = columns.map(({ rows }, c) => {
    const places = coordinates[c]!
    const numbers = rows.heldOut
    let sum = 0
    for (let i = 1; i < b; i++) {
      sum += Math.min(1, Math.abs(places[numbers[i]!]! - places[numbers[i - 1]!]!))
    }
    return sum
  })
  const order = columns.map((_, c) => c).sort((x, y) => spread[y]! - spread[x]! || x - y)
  const points = (part: Part, count: number): Float32Array => {
    const all = sharedFloat32(count * d)
    const rows = rowCount[part]
    order.forEach((c, k) => {
      const places = coordinates[c]!
      const numbers = columns[c]!.rows[part]
      // The first rows of a part trained on would be the first of the file: rows are taken evenly from all of it.
      for (let i = 0; i < count; i++) all[i * d + k] = places[numbers[Math.floor((i * rows) / count)]!]!
    })
    return all
  }
  return { d, queries: points('synthetic', q), training: points('training', b), heldOut: points('heldOut', b) }
}

export function countNearer({ d, queries, training, heldOut }: NearestContext): (task: NearestTask) => NearestResult {
  const query = new Float64Array(d)
  return ({ firstQuery, endQuery }) => {
    let nearer = 0
    for (let q = firstQuery; q < endQuery; q++) {
      for (let c = 0; c < d; c++) query[c] = queries[q * d + c]!
      const toTraining = nearest(query, training, d, Number.POSITIVE_INFINITY)
      // What is farther than that by more than a tie needs no exact distance.
      const toHeldOut = nearest(query, heldOut, d, toTraining + 2 * TIE)
      nearer += toTraining < toHeldOut - TIE ? 1 : toTraining > toHeldOut + TIE ? 0 : 0.5
    }
    return nearer
  }
}

/** Columns added up before a look at whether the row can still be the nearest. */
const STRIDE = 2

/** Smallest distance below `bound`, or `bound`. A row is left as soon as it cannot be the nearest any more. */
export function nearest(query: Float64Array, base: Float32Array, d: number, bound: number): number {
  let best = bound
  for (let from = 0; from < base.length; from += d) {
    let sum = 0
    for (let c = 0; c < d && sum < best; ) {
      const end = Math.min(d, c + STRIDE)
      for (; c < end; c++) {
        const difference = Math.abs(query[c]! - base[from + c]!)
        sum += difference < 1 ? difference : 1
      }
    }
    if (sum < best) best = sum
  }
  return best
}
