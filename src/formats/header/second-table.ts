import { isMissing, isValue } from './cell-texts.ts'

/** Values that make a column one of numbers or dates. */
const MIN_VALUES = 3

/** Rows that must follow a header and look like rows of another table. */
const ROWS_BELOW = 2

/** Texts of a column that are remembered; a column with more of them says little about one that is new. */
const MAX_TEXTS = 200

/** Rows of a column for each of its levels. */
const LEVEL_ROWS = 4

/** A cell of a file of texts is a text; a sheet knows more. */
export interface WatchedCell {
  readonly kind: 'empty' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'error'
  readonly text: string
}

/** A row that may be the header of another table. */
interface Candidate {
  readonly row: number
  /** Whether a row below it looks like one of another table. */
  readonly isFollowedBy: (row: readonly WatchedCell[]) => boolean
  /** Rows below it that are enough where the file ends. */
  readonly rowsAtEnd: number
  rowsBelow: number
}

/**
 * Finds out where another table begins below a table, row by row. The cells of both would share columns.
 *
 * A row begins another table if it has a text, and each time another one, in every column that held values alone, and no
 * value anywhere: in three such columns or more, or below an empty row in two or more. Two are enough if the following rows
 * have texts where values were, or values where texts were. Below an empty row one such column is enough if it has the column's
 * own name, or if the following rows show another table: they leave the same columns empty as that row, or have new texts in
 * all columns that repeated a few levels.
 */
export class SecondTable {
  readonly #header: readonly string[] | null
  /** By column, cells so far; columns with a text that is no value are not columns of values. */
  readonly #filled: Uint32Array
  readonly #hasText: Uint8Array
  readonly #hasValue: Uint8Array
  /** The first texts of each column. */
  readonly #texts: readonly Set<string>[]
  #rows = 0
  #isBelowGap = false
  #candidate: Candidate | null = null
  #found: number | null = null

  /** @param header of the first table, as its row has it; repeats of it begin no other one. */
  constructor(width: number, header: readonly string[] | null) {
    this.#header = header
    this.#filled = new Uint32Array(width)
    this.#hasText = new Uint8Array(width)
    this.#hasValue = new Uint8Array(width)
    this.#texts = Array.from({ length: width }, () => new Set<string>())
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
    const candidate = this.#candidate
    if (candidate !== null && candidate.rowsBelow >= candidate.rowsAtEnd) this.#found ??= candidate.row
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
    const isWhole = words.length === columns.length
    if (isWhole && words.length >= (this.#isBelowGap ? 2 : 3)) this.#found = number
    else if (isWhole && this.#isBelowGap && this.#names(row, columns[0]!)) this.#found = number
    else if (this.#isBelowGap) this.#candidate ??= this.#candidateOf(row, number)
    else if (isWhole && words.length === 2 && row.every(isWord)) this.#candidate ??= this.#otherKinds(columns, number)
  }

  #names(row: readonly WatchedCell[], column: number): boolean {
    return row.every(isWord) && row[column]!.text.trim() === this.#header?.[column]?.trim()
  }

  #candidateOf(row: readonly WatchedCell[], number: number): Candidate | null {
    const filled = row.filter(({ kind }) => kind === 'text').length
    const emptyColumns = row.flatMap(({ kind }, column) =>
      kind === 'empty' && this.#filled[column]! >= 0.9 * this.#rows ? [column] : [],
    )
    if (filled < 2) return null
    if (emptyColumns.length > 0) {
      const isFollowedBy: Candidate['isFollowedBy'] = (below) =>
        emptyColumns.every((column) => below[column]!.kind === 'empty')
      return { row: number, isFollowedBy, rowsAtEnd: 1, rowsBelow: 0 }
    }
    const isFollowedBy = this.#newTexts(row)
    return isFollowedBy && { row: number, isFollowedBy, rowsAtEnd: ROWS_BELOW, rowsBelow: 0 }
  }

  /** Rows of other kinds of cells than those above. */
  #otherKinds(ofValues: readonly number[], row: number): Candidate {
    const ofTexts = Array.from(this.#hasText.keys()).filter(
      (column) => this.#hasText[column] === 1 && this.#hasValue[column] === 0 && this.#filled[column]! >= MIN_VALUES,
    )
    const isFollowedBy: Candidate['isFollowedBy'] = (below) =>
      ofValues.some((column) => isWord(below[column]!)) || ofTexts.some((column) => isValueCell(below[column]!))
    return { row, isFollowedBy, rowsAtEnd: ROWS_BELOW, rowsBelow: 0 }
  }

  /** What tells the rows of another table where a header is above all columns; null where nothing does. */
  #newTexts(row: readonly WatchedCell[]): Candidate['isFollowedBy'] | null {
    const levels = this.#texts.map((texts, column) => (this.#hasText[column] === 1 ? new Set(texts) : null))
    const isNew = (below: readonly WatchedCell[]) =>
      levels.every((texts, column) => {
        const cell = below[column]!
        return texts === null ? isValueCell(cell) : isWord(cell) && !texts.has(cell.text.trim())
      })
    const repeat = levels.every(
      (texts) => texts === null || (texts.size < MAX_TEXTS && LEVEL_ROWS * texts.size <= this.#rows),
    )
    const isHeader = row.every(
      (cell, column) => isWord(cell) && (levels[column] === null || !levels[column]?.has(cell.text.trim())),
    )
    return repeat && isHeader && levels.some((texts) => texts !== null) ? isNew : null
  }

  #confirm(candidate: Candidate, row: readonly WatchedCell[]): void {
    if (!candidate.isFollowedBy(row)) this.#candidate = null
    else if (++candidate.rowsBelow === ROWS_BELOW) this.#found = candidate.row
  }

  #count(row: readonly WatchedCell[]): void {
    this.#rows++
    for (let column = 0; column < row.length; column++) {
      const cell = row[column]!
      if (cell.kind === 'empty' || cell.kind === 'error') continue
      this.#filled[column]!++
      const texts = this.#texts[column]!
      if (cell.kind === 'text' && texts.size < MAX_TEXTS) texts.add(cell.text.trim())
      // What has both is known.
      if (this.#hasText[column] === 1 && this.#hasValue[column] === 1) continue
      if (isValueCell(cell)) {
        this.#hasValue[column] = 1
        if (this.#hasText[column] === 0) this.#isBelowGap = false
      } else if (isWord(cell)) this.#hasText[column] = 1
    }
  }
}

function isValueCell({ kind, text }: WatchedCell): boolean {
  return kind === 'text' ? isValue(text.trim()) : kind !== 'empty' && kind !== 'error'
}

function isWord({ kind, text }: WatchedCell): boolean {
  return kind === 'text' && !isMissing(text.trim()) && !isValue(text.trim())
}
