import { cellOf, countFilled, isDistinct, isValue, type TextRow } from '../header/cell-texts.ts'
import { isWord } from './end-notes.ts'

/** Texts of a column that are remembered; a column with more of them says little about one that is new. */
const MAX_TEXTS = 200

/** Rows of a column for each of its levels. */
const LEVEL_ROWS = 4

/** Columns of values with words in them that show a header; one may be an answer in words. */
const MIN_ON_VALUES = 2

/** A row that may be the header of another table. */
interface Candidate {
  readonly line: number
  readonly fields: number
  /** Whether no row below it has been seen. */
  readonly isFirst: boolean
  /** Texts of the columns above, where all of them repeat a few. */
  readonly levels: readonly ReadonlySet<string>[] | null
}

interface WordsOnValues {
  readonly line: number
  /** Whether no row below it has been seen. */
  readonly isFirst: boolean
  /** Texts of the columns above; null for columns of values. */
  readonly levels: readonly (ReadonlySet<string> | null)[]
}

/**
 * Finds a table below an empty line where the columns above hold no values that its header would contradict.
 *
 * A row of words that are all different, and new in their columns, is the header of another table if the row below it has
 * as many fields, and a value where the table above never has one: beyond its columns, in another number of fields, or in a
 * column of texts. Below a table whose columns all repeat a few levels, two rows without any of these are another table too.
 *
 * Without an empty line, such a row is a header if it has words on two columns and more that held nothing but values, the other
 * columns repeat a few levels, and two rows of values there and of new texts elsewhere follow.
 */
export class OtherTable {
  readonly #width: number
  readonly #texts: readonly Set<string>[]
  readonly #hasValues: boolean[]
  #candidate: Candidate | null = null
  /** A row of words without an empty line above. */
  #words: WordsOnValues | null = null
  #rows = 0
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

  /**
   * @param mayBegin whether the line is below an empty one, and no sentence.
   * @param isOfValues whether a column held numbers and dates alone so far.
   */
  add(fields: TextRow, line: number, mayBegin: boolean, isOfValues: (column: number) => boolean): void {
    const words = this.#words
    const follows = words !== null && this.#isBelow(words, fields)
    if (follows && !words.isFirst) this.#found ??= words.line
    this.#words = follows ? { ...words, isFirst: false } : this.#wordsOnValues(fields, line, isOfValues)
    const candidate = this.#candidate
    if (candidate?.isFirst && candidate.fields === fields.length && this.#hasNewValue(fields))
      this.#found ??= candidate.line
    this.#candidate = this.#next(candidate, fields)
    if (mayBegin && this.#couldBeHeader(fields)) this.#candidate = this.#begin(fields, line)
    this.#rows++
    for (let column = 0; column < this.#width; column++) {
      const texts = this.#texts[column]!
      if (texts.size >= MAX_TEXTS && this.#hasValues[column]) continue
      const text = cellOf(fields, column)
      if (text === '') continue
      if (!this.#hasValues[column] && isValue(text)) this.#hasValues[column] = true
      if (texts.size < MAX_TEXTS) texts.add(text)
    }
  }

  #wordsOnValues(fields: TextRow, line: number, isOfValues: (column: number) => boolean): WordsOnValues | null {
    if (fields.length !== this.#width || !isWord(fields[0]!) || !this.#couldBeHeader(fields)) return null
    const values = fields.flatMap((_, column) => (isOfValues(column) ? [column] : []))
    const repeat = this.#texts.every((texts, column) => isOfValues(column) || this.#repeatsLevels(texts))
    if (values.length < MIN_ON_VALUES || values.length === fields.length || !repeat) return null
    const levels = this.#texts.map((texts, column) => (isOfValues(column) ? null : new Set(texts)))
    return { line, isFirst: true, levels }
  }

  #isBelow({ levels }: WordsOnValues, fields: TextRow): boolean {
    return levels.every((texts, column) => {
      const text = cellOf(fields, column)
      return texts === null ? isValue(text) : text !== '' && !texts.has(text)
    })
  }

  #repeatsLevels({ size }: ReadonlySet<string>): boolean {
    return size > 0 && size < MAX_TEXTS && LEVEL_ROWS * size <= this.#rows
  }

  #begin(fields: TextRow, line: number): Candidate {
    const repeat = this.#texts.every((texts) => this.#repeatsLevels(texts))
    const levels = repeat && fields.length === this.#width ? this.#texts.map((texts) => new Set(texts)) : null
    return { line, fields: fields.length, isFirst: true, levels }
  }

  /** What is left of a candidate below one more row. */
  #next(candidate: Candidate | null, fields: TextRow): Candidate | null {
    if (candidate === null || candidate.levels === null || fields.length !== candidate.fields) return null
    const isNew = candidate.levels.every((texts, at) => cellOf(fields, at) !== '' && !texts.has(cellOf(fields, at)))
    if (!isNew) return null
    if (!candidate.isFirst) this.#found ??= candidate.line
    return { ...candidate, isFirst: false }
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
