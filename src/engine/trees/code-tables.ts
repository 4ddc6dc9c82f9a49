/**
 * Counts of a node's rows by bin of each predictor and code of the target, for targets with few codes. A node's counts are the sum
 * of its children's counts: only the rows of the smaller child are counted; the larger child gets the difference.
 *
 * n  rows of a node     K  codes of the target, at most 16     B  bins of all predictors together     G  target classes
 */

import { mostBins, type RowCells } from './row-cells.ts'

/** The counts of one node. */
export class CodeTable {
  readonly #cells: RowCells
  readonly #k: number
  readonly #classOf: Uint8Array
  /** Length B · K, by bin; counts of predictors that are not counted are arbitrary. */
  readonly values: Int32Array
  /** How many predictors are counted, by rank (see row-cells.ts). */
  counted = 0

  constructor(cells: RowCells, k: number, classOf: Uint8Array) {
    this.#cells = cells
    this.#k = k
    this.#classOf = classOf
    this.values = new Int32Array(cells.binCount * k)
  }

  /** The same by class: table[bin · G + class]. */
  groupInto(table: Int32Array, g: number): void {
    const k = this.#k
    const { values } = this
    const classOf = this.#classOf
    const bins = this.#cells.binsOf(this.counted)
    table.fill(0, 0, bins * g)
    for (let b = 0, from = 0, to = 0; b < bins; b++, from += k, to += g) {
      for (let c = 0; c < k; c++) table[to + classOf[c]!]! += values[from + c]!
    }
  }
}

/** The tables of one tree. Returned tables are reused. */
export class CodeTables {
  readonly #cells: RowCells
  readonly #codes: Uint16Array
  readonly #k: number
  readonly #classOf: Uint8Array
  readonly #free: CodeTable[] = []
  readonly #local: Uint8Array

  /**
   * codes    length of the table: the target's, below k
   * classOf  length K: class of every code in the current node; read when a table is grouped
   */
  constructor(cells: RowCells, codes: Uint16Array, k: number, classOf: Uint8Array) {
    this.#cells = cells
    this.#codes = codes
    this.#k = k
    this.#classOf = classOf
    this.#local = new Uint8Array(codes.length)
  }

  /** The counts of the node rows[start … end - 1]; null if it is too small for tables. */
  of(rows: Int32Array, start: number, end: number): CodeTable | null {
    return this.#count(rows, start, end, this.#worthwhile(end - start))
  }

  giveBack(table: CodeTable | null): void {
    if (table) this.#free.push(table)
  }

  /**
   * Turns `table`, of a node of n rows, into the table of its larger child.
   *
   * @returns the table of its smaller child, rows[start … end - 1]; null if that is too small for tables.
   */
  split(table: CodeTable, rows: Int32Array, start: number, end: number, n: number): CodeTable | null {
    const larger = Math.min(table.counted, this.#worthwhile(n - (end - start)))
    const small = this.#count(rows, start, end, larger)
    if (!small) {
      table.counted = 0
      return null
    }
    const { values } = table
    const minus = small.values
    const cells = this.#cells.binsOf(larger) * this.#k
    subtract(values, minus, cells)
    table.counted = larger
    small.counted = this.#worthwhile(end - start)
    return small
  }

  #worthwhile(n: number): number {
    return this.#cells.predictorsUpTo(mostBins(n, this.#k))
  }

  #count(rows: Int32Array, start: number, end: number, counted: number): CodeTable | null {
    if (counted === 0) return null
    const table = this.#free.pop() ?? new CodeTable(this.#cells, this.#k, this.#classOf)
    const local = this.#local
    gather(this.#codes, rows, start, end, local)
    this.#cells.count(table.values, counted, rows, start, end - start, local, this.#k)
    table.counted = counted
    return table
  }
}

function gather(codes: Uint16Array, rows: Int32Array, start: number, end: number, out: Uint8Array): void {
  for (let i = start; i < end; i++) out[i - start] = codes[rows[i]!]!
}

function subtract(values: Int32Array, minus: Int32Array, cells: number): void {
  for (let i = 0; i < cells; i++) values[i] = values[i]! - minus[i]!
}
