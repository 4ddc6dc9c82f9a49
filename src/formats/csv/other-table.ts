import { cellOf, countFilled, isDistinct, isValue, type TextRow } from '../header/cell-texts.ts'
import { isWord } from './end-notes.ts'

/** Texts of a column that are remembered; a column with more of them says little about one that is new. */
const MAX_TEXTS = 200

/**
 * Finds a table below an empty line where the columns above hold no values that its header would contradict.
 *
 * A row of words that are all different, and new in their columns, is the header of another table if the row below it has
 * as many fields, and a value where the table above never has one: beyond its columns, in another number of fields, or in a
 * column of texts.
 */
export class OtherTable {
  readonly #width: number
  readonly #texts: readonly Set<string>[]
  readonly #hasValues: boolean[]
  #candidate: { readonly line: number; readonly fields: number } | null = null
  #found: number | null = null

  constructor(width: number) {
    this.#width = width
    this.#texts = Array.from({ length: width }, () => new Set<string>())
    this.#hasValues = Array.from({ length: width }, () => false)
  }

  /** Line of the other table's header; null: there is none. */
  get firstLine(): number | null {
    return this.#found
  }

  /** @param mayBegin whether the line is below an empty one, and no sentence. */
  add(fields: TextRow, line: number, mayBegin: boolean): void {
    if (this.#candidate?.fields === fields.length && this.#hasNewValue(fields)) this.#found ??= this.#candidate.line
    this.#candidate = mayBegin && this.#couldBeHeader(fields) ? { line, fields: fields.length } : null
    for (let column = 0; column < this.#width; column++) {
      const texts = this.#texts[column]!
      if (texts.size >= MAX_TEXTS && this.#hasValues[column]) continue
      const text = cellOf(fields, column)
      if (text === '') continue
      if (!this.#hasValues[column] && isValue(text)) this.#hasValues[column] = true
      if (texts.size < MAX_TEXTS) texts.add(text)
    }
  }

  #hasNewValue(fields: TextRow): boolean {
    return fields.some(
      (text, column) => isValue(text.trim()) && (fields.length !== this.#width || !this.#hasValues[column]),
    )
  }

  #couldBeHeader(fields: TextRow): boolean {
    if (fields.length < 2 || countFilled(fields) < fields.length || !isDistinct(fields)) return false
    return fields.every((text, column) => isWord(text) && !this.#texts[column]?.has(text.trim()))
  }
}
