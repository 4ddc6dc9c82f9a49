import { isMissing, isValue } from './cell-texts.ts'

/** Values that make a column one of numbers or dates. */
const MIN_VALUES = 3

/** Rows that must follow a header without a cell in the columns that the header leaves empty. */
const ROWS_BELOW = 2

/** A cell of a file of texts is a text; a sheet knows more. */
export interface WatchedCell {
  readonly kind: 'empty' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'error'
  readonly text: string
}

/** A row that may be the header of another table. */
interface Candidate {
  readonly row: number
  /** Columns of the first table that it leaves empty. */
  readonly emptyColumns: readonly number[]
  rowsBelow: number
}

/**
 * Finds out where another table begins below a table, row by row. The cells of both would share columns.
 *
 * A row begins another table if it has a text, and each time another one, in every column that held values alone, and no
 * value anywhere: in three such columns or more, or below an empty row in two or more. Below an empty row one such
 * column is enough if the following rows leave the same columns empty as that row.
 */
export class SecondTable {
  readonly #header: readonly string[] | null
  /** By column, cells so far; columns with a text that is no value are not columns of values. */
  readonly #filled: Uint32Array
  readonly #hasText: Uint8Array
  #rows = 0
  #isBelowGap = false
  #candidate: Candidate | null = null
  #found: number | null = null

  /** @param header of the first table, as its row has it; repeats of it begin no other one. */
  constructor(width: number, header: readonly string[] | null) {
    this.#header = header
    this.#filled = new Uint32Array(width)
    this.#hasText = new Uint8Array(width)
  }

  /** Number of the row with which another table begins; null: none was found so far. */
  get firstRow(): number | null {
    return this.#found
  }

  /**
   * @param row as many cells as the table has columns.
   * @param number of the row in its file or sheet, from 1.
   * @param isBelowGap whether the row before it is empty.
   */
  add(row: readonly WatchedCell[], number: number, isBelowGap: boolean): void {
    if (this.#found !== null || this.#repeatsHeader(row)) return
    if (isBelowGap) this.#isBelowGap = true
    if (this.#candidate !== null) this.#confirm(this.#candidate, row)
    if (this.#found === null && this.#hasTextOverValues(row)) this.#compare(row, number)
    if (this.#found === null) this.#count(row)
  }

  /** Says that all rows were added. */
  end(): void {
    if (this.#candidate !== null && this.#candidate.rowsBelow > 0) this.#found ??= this.#candidate.row
  }

  #repeatsHeader(row: readonly WatchedCell[]): boolean {
    return (
      this.#header !== null && row.every(({ text }, column) => text.trim() === (this.#header?.[column] ?? '').trim())
    )
  }

  #holdsValues(column: number): boolean {
    return this.#hasText[column] === 0 && this.#filled[column]! >= MIN_VALUES
  }

  /** A quick look, which most rows do not pass. */
  #hasTextOverValues(row: readonly WatchedCell[]): boolean {
    for (let column = 0; column < row.length; column++) {
      if (row[column]!.kind === 'text' && this.#holdsValues(column) && isWord(row[column]!)) return true
    }
    return false
  }

  #compare(row: readonly WatchedCell[], number: number): void {
    if (row.some(isValueCell)) return
    const columns = row.flatMap((_, column) => (this.#holdsValues(column) ? [column] : []))
    const words = columns.filter((column) => isWord(row[column]!)).map((column) => row[column]!.text.trim())
    if (new Set(words).size < words.length) return
    if (words.length === columns.length && words.length >= (this.#isBelowGap ? 2 : 3)) this.#found = number
    else if (this.#isBelowGap) this.#candidate ??= this.#candidateOf(row, number)
  }

  #candidateOf(row: readonly WatchedCell[], number: number): Candidate | null {
    const filled = row.filter(({ kind }) => kind === 'text').length
    const emptyColumns = row.flatMap(({ kind }, column) =>
      kind === 'empty' && this.#filled[column]! >= 0.9 * this.#rows ? [column] : [],
    )
    return filled >= 2 && emptyColumns.length > 0 ? { row: number, emptyColumns, rowsBelow: 0 } : null
  }

  #confirm(candidate: Candidate, row: readonly WatchedCell[]): void {
    if (candidate.emptyColumns.some((column) => row[column]!.kind !== 'empty')) this.#candidate = null
    else if (++candidate.rowsBelow === ROWS_BELOW) this.#found = candidate.row
  }

  #count(row: readonly WatchedCell[]): void {
    this.#rows++
    for (let column = 0; column < row.length; column++) {
      const cell = row[column]!
      if (cell.kind === 'empty' || cell.kind === 'error') continue
      this.#filled[column]!++
      // Texts of a column of texts are not looked at again.
      if (this.#hasText[column] === 1) continue
      if (isValueCell(cell)) this.#isBelowGap = false
      else if (isWord(cell)) this.#hasText[column] = 1
    }
  }
}

function isValueCell({ kind, text }: WatchedCell): boolean {
  return kind === 'text' ? isValue(text.trim()) : kind !== 'empty' && kind !== 'error'
}

function isWord({ kind, text }: WatchedCell): boolean {
  return kind === 'text' && !isMissing(text.trim()) && !isValue(text.trim())
}
