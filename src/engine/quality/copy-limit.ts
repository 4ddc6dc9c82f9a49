/**
 * Whether a model's rows equal rows of its table more often than new rows of the population would. Its trees have then learnt
 * the table rather than the population: where columns are few and coarse, the combinations that the table happens to have come
 * too often, and with them copies of people who have one to themselves.
 *
 * n  rows of the table     d  columns
 */

import type { Table } from '../cleaning/table.ts'
import type { Model } from '../model/model.ts'
import type { JobOptions } from '../threads/thread-pool.ts'
import { compareRows } from './compared-rows.ts'
import { copyShare } from './exact-copies.ts'
import { type RowCoverage, rowCoverage } from './row-coverage.ts'
import { sampleModel } from './sample-model.ts'

/** Larger tables are taken as they are: trees copy the less the more rows there are, and growing them again costs the more. */
const MAX_ROWS = 50_000
/** Where rows are seldom alike even in bins, copies are a matter of values, which move within their bins. */
const MIN_COVERAGE = 0.01
/** As far as this from its expectation chance takes the coverage in 95 of 100 tables. */
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
   * Null where no model is near the limit, or the table too large to ask. Cost: about n d, next to nothing.
   *
   * codes  d arrays of length n: the table in bins
   */
  static of(table: Table, codes: readonly Uint16Array[]): CopyLimit | null {
    if (table.rowCount > MAX_ROWS || rowCoverage(codes, table.rowCount).share < MIN_COVERAGE) return null
    return new CopyLimit(table)
  }

  /**
   * Samples as many rows as the table has, and compares them with it.
   *
   * surely   only by more than chance explains
   * @throws  the signal's reason when aborted
   */
  async isExceeded(model: Model, options: JobOptions, { surely }: { readonly surely: boolean }): Promise<boolean> {
    const rows = compareRows(this.#table, this.#table, await sampleModel(model, options))
    this.#coverage ??= rowCoverage(
      rows.columns.map((column) => column.rows.training),
      this.#table.rowCount,
    )
    const { share, standardError } = this.#coverage
    return copyShare(rows, 'synthetic') > share + (surely ? STANDARD_ERRORS * standardError : 0)
  }
}
