import type { MergedRange } from '../header/merged-groups.ts'
import type { CellRow, SheetCell } from './sheet-source.ts'

/** What the merged cells of a column gave to rows. */
export interface FilledColumn {
  /** Merged cells. */
  readonly cells: number
  /** Rows that had no cell of their own and were given the value. */
  readonly rows: number
}

/** A merged cell that the current row may lie in. */
interface OpenCell {
  readonly cell: SheetCell
  /** Last row, from 0. */
  readonly bottom: number
  hasFilled: boolean
}

/**
 * Gives the rows of data that a merged cell spans its value: a workbook stores it in the first of them alone. A cell that is
 * merged over columns as well belongs to the first of these. Merged cells that begin above the data give nothing.
 */
export class MergedDown {
  readonly #byTop = new Map<number, MergedRange[]>()
  readonly #firstColumn: number
  readonly #open: (OpenCell | null)[]
  readonly #filled: { cells: number; rows: number }[]

  /** @param ranges in rows and columns of the sheet; the cells of the rows begin at `firstColumn`. */
  constructor(ranges: readonly MergedRange[], firstColumn: number, width: number) {
    for (const range of ranges) {
      const others = this.#byTop.get(range.top)
      if (others === undefined) this.#byTop.set(range.top, [range])
      else others.push(range)
    }
    this.#firstColumn = firstColumn
    this.#open = new Array<OpenCell | null>(width).fill(null)
    this.#filled = Array.from({ length: width }, () => ({ cells: 0, rows: 0 }))
  }

  /** By column. */
  get filled(): readonly FilledColumn[] {
    return this.#filled
  }

  /** The row with the values of the merged cells that it lies in. Rows come in the sequence of the sheet. */
  fill(row: CellRow): CellRow {
    if (this.#byTop.size === 0) return row
    let cells: SheetCell[] | null = null
    for (const [column, open] of this.#open.entries()) {
      if (open === null) continue
      if (open.bottom < row.index) this.#open[column] = null
      else if (row.cells[column]!.kind === 'empty') {
        cells ??= [...row.cells]
        cells[column] = open.cell
        const filled = this.#filled[column]!
        if (!open.hasFilled) filled.cells++
        open.hasFilled = true
        filled.rows++
      }
    }
    for (const { left, bottom } of this.#byTop.get(row.index) ?? []) {
      const column = left - this.#firstColumn
      const cell = row.cells[column]
      if (cell !== undefined && cell.kind !== 'empty') this.#open[column] = { cell, bottom, hasFilled: false }
    }
    return cells === null ? row : { index: row.index, cells }
  }
}
