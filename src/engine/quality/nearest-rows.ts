/**
 * Distance to the closest record: whether a synthetic row is nearer to a row that the model was trained on than to any of equally
 * many rows that it has not seen. Distances are Gower's (1971): a column counts |x - y| over its range of values, 0 or 1 for
 * levels, 1 where one of the two is missing.
 *
 * d  columns     q  rows asked about     b  rows of either base     w  words of a row's levels
 *
 * Levels in which two rows differ are their least distance. Four levels are a 32-bit word, a byte each, and a row that differs in
 * too many of them is given up after few instructions (of Adult 99 in 100). Levels that share a byte only make it less.
 */

import { sharedFloat32, sharedInt32 } from '../threads/shared-arrays.ts'
import type { ComparedColumn, ComparedRows, Part } from './compared-rows.ts'

/** Comparisons of two cells, in all. */
const COMPARISON_BUDGET = 40_000_000
const MAX_QUERIES = 2_000
/** Distances this near to each other are one: coordinates are 32-bit. */
const TIE = 1e-5

export interface NearestContext {
  readonly d: number
  readonly w: number
  /** q rows. */
  readonly queries: Points
  /** b rows each. */
  readonly training: Points
  readonly heldOut: Points
}

/** Rows as points, one after the other; shared. */
export interface Points {
  /** d of a row: the distance of two columns' coordinates is min(1, |x - y|). */
  readonly coordinates: Float32Array
  /** w of a row: a byte per categorical column, 0 in those that are left over. */
  readonly words: Int32Array
}

export interface NearestTask {
  readonly firstQuery: number
  readonly endQuery: number
}

/** Queries of the task that are nearer to a row trained on; a tie counts half. */
export type NearestResult = number

const LEVELS_PER_WORD = 4

/** Where a missing number lies: 1 or more from every value. A missing level is number 0, hence 1 or more from every level. */
const MISSING = -2

export function nearestContext({ columns, rowCount }: ComparedRows): NearestContext {
  const d = columns.length
  const b = Math.min(rowCount.heldOut, rowCount.training)
  const q = Math.min(rowCount.synthetic, MAX_QUERIES, Math.max(1, Math.floor(COMPARISON_BUDGET / (2 * b * d))))
  const coordinates = columns.map((column) => coordinatesOf(column))
  // Columns that tell rows apart best come first: a row is then given up after few of them.
  const spread = columns.map(({ rows }, c) => spreadOf(coordinates[c]!, rows.heldOut.subarray(0, b)))
  const order = columns.map((_, c) => c).sort((x, y) => spread[y]! - spread[x]! || x - y)
  const levels = order.filter((c) => columns[c]!.kind === 'categorical')
  const w = Math.ceil(levels.length / LEVELS_PER_WORD)
  const points = (part: Part, count: number): Points => {
    const all = sharedFloat32(count * d)
    const words = sharedInt32(count * w)
    const rows = rowCount[part]
    // The first rows of a part trained on would be the first of the file: rows are taken evenly from all of it.
    const taken = new Int32Array(count)
    for (let i = 0; i < count; i++) taken[i] = Math.floor((i * rows) / count)
    order.forEach((c, k) => {
      writeCoordinates(all, k, d, coordinates[c]!, columns[c]!.rows[part], taken)
    })
    levels.forEach((c, k) => {
      const shift = 8 * (k % LEVELS_PER_WORD)
      writeBytes(words, Math.floor(k / LEVELS_PER_WORD), w, shift, columns[c]!.rows[part], taken)
    })
    return { coordinates: all, words }
  }
  return { d, w, queries: points('synthetic', q), training: points('training', b), heldOut: points('heldOut', b) }
}

/** By number: where it lies. */
function coordinatesOf({ values, numberCount, rows }: ComparedColumn): Float64Array {
  const coordinates = new Float64Array(numberCount)
  if (values === null) {
    for (let number = 0; number < numberCount; number++) coordinates[number] = number
    return coordinates
  }
  // Numbers ascend with their values.
  const lowest = Math.min(lowestPresent(rows.training), lowestPresent(rows.heldOut))
  const highest = Math.max(highestOf(rows.training), highestOf(rows.heldOut))
  const low = lowest < numberCount ? values[lowest]! : Number.POSITIVE_INFINITY
  const high = highest > 0 ? values[highest]! : Number.NEGATIVE_INFINITY
  for (let number = 1; number < numberCount; number++) {
    const value = values[number]!
    coordinates[number] = high > low ? (value - low) / (high - low) : value === low ? 0 : 1
  }
  coordinates[0] = MISSING
  return coordinates
}

/** The smallest number that is not 0, missing; infinite when there is none. */
function lowestPresent(numbers: Int32Array): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > 0 && numbers[i]! < lowest) lowest = numbers[i]!
  return lowest
}

function highestOf(numbers: Int32Array): number {
  let highest = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > highest) highest = numbers[i]!
  return highest
}

/** Distances of neighbours, added up. */
function spreadOf(coordinates: Float64Array, numbers: Int32Array): number {
  let sum = 0
  for (let i = 1; i < numbers.length; i++) {
    sum += Math.min(1, Math.abs(coordinates[numbers[i]!]! - coordinates[numbers[i - 1]!]!))
  }
  return sum
}

/** Of one column, as coordinate k of d. */
function writeCoordinates(
  all: Float32Array,
  k: number,
  d: number,
  coordinates: Float64Array,
  numbers: Int32Array,
  taken: Int32Array,
): void {
  for (let i = 0; i < taken.length; i++) all[i * d + k] = coordinates[numbers[taken[i]!]!]!
}

/** Of one column, into one byte of word `at` of w. */
function writeBytes(
  words: Int32Array,
  at: number,
  w: number,
  shift: number,
  numbers: Int32Array,
  taken: Int32Array,
): void {
  for (let i = 0; i < taken.length; i++) words[i * w + at]! |= (numbers[taken[i]!]! & 0xff) << shift
}

export function countNearer({
  d,
  w,
  queries,
  training,
  heldOut,
}: NearestContext): (task: NearestTask) => NearestResult {
  const query: Query = { coordinates: new Float64Array(d), words: new Int32Array(w) }
  return ({ firstQuery, endQuery }) => {
    let nearer = 0
    for (let q = firstQuery; q < endQuery; q++) {
      for (let c = 0; c < d; c++) query.coordinates[c] = queries.coordinates[q * d + c]!
      for (let k = 0; k < w; k++) query.words[k] = queries.words[q * w + k]!
      const toTraining = nearest(query, training, Number.POSITIVE_INFINITY)
      // What is farther than that by more than a tie needs no exact distance.
      const toHeldOut = nearest(query, heldOut, toTraining + 2 * TIE)
      nearer += toTraining < toHeldOut - TIE ? 1 : toTraining > toHeldOut + TIE ? 0 : 0.5
    }
    return nearer
  }
}

/** One row, at hand. */
interface Query {
  readonly coordinates: Float64Array
  readonly words: Int32Array
}

/** Columns added up before a look at whether the row can still be the nearest. */
const STRIDE = 2

/** Smallest distance below `bound`, or `bound`. A row is left as soon as it cannot be the nearest any more. */
function nearest(query: Query, base: Points, bound: number): number {
  const { coordinates, words } = base
  const { coordinates: point, words: levels } = query
  const d = point.length
  const w = levels.length
  let best = bound
  // As whole numbers: levels that differ are counted.
  let most = Math.min(d + 1, Math.ceil(best))
  for (let from = 0, word = 0; from < coordinates.length; from += d, word += w) {
    let differing = 0
    for (let k = 0; k < w && differing < most; k++) differing += differingBytes(levels[k]! ^ words[word + k]!)
    if (differing >= most) continue
    let sum = 0
    for (let c = 0; c < d && sum < best; ) {
      const end = Math.min(d, c + STRIDE)
      for (; c < end; c++) {
        const difference = Math.abs(point[c]! - coordinates[from + c]!)
        sum += difference < 1 ? difference : 1
      }
    }
    if (sum < best) {
      best = sum
      most = Math.ceil(best)
    }
  }
  return best
}

/** Bytes that are not 0, counted within the word (Warren 2012, 6-1). */
function differingBytes(word: number): number {
  const marks = ((((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080) >>> 7
  return Math.imul(marks, 0x01010101) >>> 24
}
