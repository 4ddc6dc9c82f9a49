/**
 * Rows as points, and the nearest of many by Gower's distance (1971): a column contributes |x - y| divided by its range among the
 * real rows, 0 or 1 for levels, and 1 if one of the two values is missing.
 *
 * d  columns     w  words of a row's levels
 *
 * The number of differing levels is a lower bound of the distance. Four levels fit a 32-bit word, a byte each, so a row with too
 * many of them is abandoned after few instructions (of Adult 99 in 100). Levels that share a byte only lower the bound.
 */

import type { Block } from '../../base/output-table.ts'
import { sharedFloat32, sharedInt32 } from '../threads/shared-arrays.ts'
import type { ComparedColumn, ComparedRows, Part } from './compared-rows.ts'

/** Rows as points, one after the other; shared. */
export interface Points {
  /** d of a row: the distance of two columns' coordinates is min(1, |x - y|). */
  readonly coordinates: Float32Array
  /** w per row: a byte per categorical column, 0 in unused bytes. */
  readonly words: Int32Array
}

const LEVELS_PER_WORD = 4

/**
 * Position of a missing number: at least 1 from every value. A missing level is number 0, hence at least 1 from every
 * level.
 */
const MISSING = -2

/** Position of a column's values. */
interface Place {
  readonly column: ComparedColumn
  /** Index of the column in the table. */
  readonly at: number
  /** By number. */
  readonly coordinates: Float64Array
  readonly low: number
  readonly high: number
}

export class RowPoints {
  readonly d: number
  readonly w: number
  /** The most discriminating columns come first, so most rows are abandoned after few columns. */
  readonly #places: readonly Place[]
  readonly #levels: readonly Place[]
  readonly #rowCount: ComparedRows['rowCount']

  constructor({ columns, rowCount }: ComparedRows) {
    const places = columns.map(placeOf)
    const spread = places.map(({ column, coordinates }) => spreadOf(coordinates, column.rows.heldOut))
    this.#places = places.sort((x, y) => spread[y.at]! - spread[x.at]! || x.at - y.at)
    this.#levels = this.#places.filter(({ column }) => column.kind === 'categorical')
    this.#rowCount = rowCount
    this.d = columns.length
    this.w = Math.ceil(this.#levels.length / LEVELS_PER_WORD)
  }

  /** The most discriminating numeric coordinate; null if there is none. */
  get leadingNumber(): number | null {
    const k = this.#places.findIndex(({ column }) => column.kind === 'numeric')
    return k < 0 ? null : k
  }

  /** Space for the points of `count` rows. */
  empty(count: number): Points {
    return { coordinates: sharedFloat32(count * this.d), words: sharedInt32(count * this.w) }
  }

  /** Rows are selected evenly from the whole part: the first ones would be the first of the file. */
  of(part: Part, count: number): Points {
    const points = this.empty(count)
    const rows = this.#rowCount[part]
    const taken = new Int32Array(count)
    for (let i = 0; i < count; i++) taken[i] = Math.floor((i * rows) / count)
    this.#places.forEach(({ column, coordinates }, k) => {
      const numbers = column.rows[part]
      for (let i = 0; i < count; i++) points.coordinates[i * this.d + k] = coordinates[numbers[taken[i]!]!]!
    })
    this.#levels.forEach(({ column }, k) => {
      const numbers = column.rows[part]
      this.#writeBytes(points, k, 0, count, (i) => numbers[taken[i]!]!)
    })
    return points
  }

  /** Places generated rows behind the first `from` points. */
  place(points: Points, from: number, { columns, rowCount }: Block): void {
    const { d } = this
    this.#places.forEach(({ at, low, high }, k) => {
      const cells = columns[at]!
      if ('codes' in cells) {
        for (let i = 0; i < rowCount; i++) points.coordinates[(from + i) * d + k] = cells.codes[i]! + 1
      } else {
        const { values, valid } = cells
        for (let i = 0; i < rowCount; i++) {
          const isMissing = valid !== null && valid[i] === 0
          points.coordinates[(from + i) * d + k] = isMissing ? MISSING : coordinateOf(values[i]!, low, high)
        }
      }
    })
    this.#levels.forEach(({ at }, k) => {
      const cells = columns[at]!
      if ('codes' in cells) this.#writeBytes(points, k, from, rowCount, (i) => cells.codes[i]! + 1)
    })
  }

  /** Writes categorical column k into its byte. */
  #writeBytes({ words }: Points, k: number, from: number, count: number, numberOf: (i: number) => number): void {
    const at = Math.floor(k / LEVELS_PER_WORD)
    const shift = 8 * (k % LEVELS_PER_WORD)
    for (let i = 0; i < count; i++) words[(from + i) * this.w + at]! |= (numberOf(i) & 0xff) << shift
  }
}

function placeOf(column: ComparedColumn, at: number): Place {
  const { values, numberCount, rows } = column
  const coordinates = new Float64Array(numberCount)
  if (values === null) {
    for (let number = 0; number < numberCount; number++) coordinates[number] = number
    return { column, at, coordinates, low: 0, high: 0 }
  }
  // Numbers ascend with their values.
  const lowest = Math.min(lowestPresent(rows.training), lowestPresent(rows.heldOut))
  const highest = Math.max(highestOf(rows.training), highestOf(rows.heldOut))
  const low = lowest < numberCount ? values[lowest]! : Number.POSITIVE_INFINITY
  const high = highest > 0 ? values[highest]! : Number.NEGATIVE_INFINITY
  for (let number = 1; number < numberCount; number++) coordinates[number] = coordinateOf(values[number]!, low, high)
  coordinates[0] = MISSING
  return { column, at, coordinates, low, high }
}

function coordinateOf(value: number, low: number, high: number): number {
  return high > low ? (value - low) / (high - low) : value === low ? 0 : 1
}

/** The smallest number that is not 0 (missing); infinite if there is none. */
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

/** Sum of the distances of neighbours. */
function spreadOf(coordinates: Float64Array, numbers: Int32Array): number {
  let sum = 0
  for (let i = 1; i < numbers.length; i++) {
    sum += Math.min(1, Math.abs(coordinates[numbers[i]!]! - coordinates[numbers[i - 1]!]!))
  }
  return sum
}

/** Distances this close to each other are equal: coordinates are 32-bit. */
export const TIE = 1e-5

/** The current row. */
export interface Query {
  readonly coordinates: Float64Array
  readonly words: Int32Array
}

export function emptyQuery(d: number, w: number): Query {
  return { coordinates: new Float64Array(d), words: new Int32Array(w) }
}

export function takeQuery(query: Query, { coordinates, words }: Points, row: number): void {
  const d = query.coordinates.length
  const w = query.words.length
  for (let c = 0; c < d; c++) query.coordinates[c] = coordinates[row * d + c]!
  for (let k = 0; k < w; k++) query.words[k] = words[row * w + k]!
}

/** Columns that are summed before checking whether the row can still be the nearest. */
const STRIDE = 2

/**
 * Smallest distance below `bound` to a row of `first … end - 1`, or `bound`. A row is abandoned as soon as it cannot be the nearest
 * any more.
 */
export function nearest(query: Query, base: Points, bound: number, first: number, end: number): number {
  const { coordinates, words } = base
  const { coordinates: point, words: levels } = query
  const d = point.length
  const w = levels.length
  let best = bound
  // Counted in whole numbers: levels that differ.
  let most = Math.min(d + 1, Math.ceil(best))
  const last = end * d
  for (let from = first * d, word = first * w; from < last; from += d, word += w) {
    let differing = 0
    for (let k = 0; k < w && differing < most; k++) differing += differingBytes(levels[k]! ^ words[word + k]!)
    if (differing >= most) continue
    let sum = 0
    for (let c = 0; c < d && sum < best; ) {
      const stop = Math.min(d, c + STRIDE)
      for (; c < stop; c++) {
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
