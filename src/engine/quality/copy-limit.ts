/**
 * Whether a model's rows equal rows of its table more often than new rows of the population would. Its trees have then learnt
 * the table rather than the population: where columns are few and coarse, the combinations of the table are overrepresented, and
 * with them copies of people whose combination is unique.
 *
 * n  rows of the table     d  columns     a  case weights, 1 without any
 */

import type { Table } from '../cleaning/table.ts'
import type { Model } from '../model/model.ts'
import { sampleModel } from '../sampling/sample.ts'
import type { JobOptions } from '../threads/thread-pool.ts'
import { compareRows } from './compared-rows.ts'
import { copyShare } from './exact-copies.ts'

/** Larger tables are not tested: trees copy less with more rows, and growing them again costs more. */
const MAX_ROWS = 50_000
/** If rows are seldom equal even in bins, copies depend on values, which vary within their bins. */
const MIN_COVERAGE = 0.01
/** In 95 of 100 tables, chance moves the coverage at most this far from its expectation. */
const STANDARD_ERRORS = 2

/** How many of a table's rows a model of it may copy. */
export class CopyLimit {
  readonly #table: Table
  /** By value; the same for every model. */
  #coverage: RowCoverage | null = null

  /** @param table At least one row. */
  private constructor(table: Table) {
    this.#table = table
  }

  /**
   * Null if no model is near the limit, or the table is too large to test. Cost: about n d, which is negligible.
   *
   * codes  d arrays of length n: the table in bins
   */
  static of(table: Table, codes: readonly Uint16Array[]): CopyLimit | null {
    if (table.rowCount > MAX_ROWS || rowCoverage(codes, table.rowCount, table.weights).share < MIN_COVERAGE) return null
    return new CopyLimit(table)
  }

  /**
   * Samples as many rows as the table has, and compares them with it.
   *
   * surely   count only an excess that chance does not explain
   * @throws  the signal's reason when aborted
   */
  async isExceeded(model: Model, options: JobOptions, { surely }: { readonly surely: boolean }): Promise<boolean> {
    const rows = compareRows(this.#table, this.#table, await sampleModel(model, options))
    this.#coverage ??= rowCoverage(
      rows.columns.map((column) => column.rows.training),
      this.#table.rowCount,
      this.#table.weights,
    )
    const { share, standardError } = this.#coverage
    return copyShare(rows, 'synthetic') > share + (surely ? STANDARD_ERRORS * standardError : 0)
  }
}

/**
 * The probability that a new row of the population equals one of the rows at hand. Each row that occurs just once would have been
 * new if it had come last, so no row has to be held out.
 *
 *   coverage        1 - N1 / n                              (Good 1953, after Turing)
 *   standard error  sqrt(N1 (1 - N1 / n) + 2 N2) / n        (Esty 1983)
 *
 * Where rows have weights, a new row of the population is one of these with the chance of its weight: N1 is the sum of a over
 * the rows that occur once, and the variance sums a² in place of counts.
 *
 * n  rows     d  columns     N1, N2  different rows that occur once, twice
 */
interface RowCoverage {
  /** 0…1 */
  readonly share: number
  readonly standardError: number
}

/** columns  d arrays of length n, at least 1; equal numbers are equal values. Cost: about n d. */
export function rowCoverage(
  columns: readonly (Uint16Array | Int32Array)[],
  n: number,
  weights?: Float64Array,
): RowCoverage {
  const hashes = new Int32Array(n)
  for (const column of columns) addToHashes(column, hashes)
  let once = 0
  let onceSquares = 0
  let twiceSquares = 0
  for (const [row, times] of occurrences(columns, hashes).entries()) {
    const a = weights?.[row] ?? 1
    if (times === 1) {
      once += a
      onceSquares += a * a
    } else if (times === 2) twiceSquares += a * a
  }
  return { share: 1 - once / n, standardError: Math.sqrt(onceSquares * (1 - once / n) + 2 * twiceSquares) / n }
}

/** A step of FNV-1a over numbers. The shift brings high bits down to those that index the table of rows. */
function addToHashes(column: Uint16Array | Int32Array, hashes: Int32Array): void {
  for (let row = 0; row < hashes.length; row++) {
    const hash = Math.imul(hashes[row]! ^ column[row]!, 0x01000193)
    hashes[row] = hash ^ (hash >>> 15)
  }
}

/** Length n: how often a row occurs, at the first of the equal rows; 0 at the others. Open addressing (Knuth 6.4). */
function occurrences(columns: readonly (Uint16Array | Int32Array)[], hashes: Int32Array): Int32Array {
  const n = hashes.length
  const mask = 2 ** Math.ceil(Math.log2(2 * n)) - 1
  /** 1 + the first of the equal rows; 0 is free. */
  const slots = new Int32Array(mask + 1)
  const times = new Int32Array(n)
  for (let row = 0; row < n; row++) {
    const hash = hashes[row]!
    let slot = hash & mask
    let first = slots[slot]!
    while (first !== 0 && !(hashes[first - 1] === hash && areEqual(columns, first - 1, row))) {
      slot = (slot + 1) & mask
      first = slots[slot]!
    }
    if (first === 0) {
      slots[slot] = row + 1
      times[row] = 1
    } else times[first - 1] = times[first - 1]! + 1
  }
  return times
}

function areEqual(columns: readonly (Uint16Array | Int32Array)[], a: number, b: number): boolean {
  for (let c = 0; c < columns.length; c++) if (columns[c]![a] !== columns[c]![b]) return false
  return true
}
