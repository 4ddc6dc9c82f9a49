import { countFilled, isMissing, isValue, type TextRow } from '../header/cell-texts.ts'
import { isRowCount } from './rule-row.ts'

/** A record that may be a note below the table. */
export interface SparseRecord {
  /** Of the record among all of the file, from 0. */
  readonly index: number
  readonly line: number
  readonly isBelowGap: boolean
  /** All of the record, also beyond the columns of the table. */
  readonly fields: TextRow
}

/** More sparse rows than this at the end of a table are not notes. */
export const MAX_NOTES = 40

/**
 * Whether a record could be a note: text alone in at most a third of the columns, or a sentence whose commas were taken for
 * separators, so that its parts begin with blanks.
 *
 * @param areBlankLed whether the rows of the table have blanks behind their separators.
 */
export function couldBeNote(fields: TextRow, width: number, areBlankLed: boolean): boolean {
  // Nearly all rows end here.
  if (/^\S/.test(fields[1] ?? '') && 3 * countFilled(fields) > Math.max(3, width)) return false
  if (isRowCount(fields)) return width > 1
  const filled = fields.filter((text) => text.trim() !== '')
  const [first = '', ...others] = filled
  if (!isWord(first)) return false
  if (!areBlankLed && others.length > 0 && isBlankLed(fields)) return true
  const isSparse = width < 3 ? fields.length === 1 && width > 1 : 3 * filled.length <= Math.max(3, width)
  return isSparse && others.every(isWord)
}

/** Whether all fields behind separators begin with a blank: `note: weighted, see below`. */
export function isBlankLed(fields: TextRow): boolean {
  return fields.length > 1 && fields.slice(1).every((text) => text === '' || text.startsWith(' '))
}

/**
 * Whether the records at the end are notes and no rows: an empty line separates them, or one of them has a text in a column
 * of values. A single word, such as an id, is no note.
 *
 * @param hasWords by column, whether a row of the table has a text there.
 */
export function areNotes(records: readonly SparseRecord[], hasWords: readonly boolean[]): boolean {
  if (!records.some(({ fields }) => isSentence(fields))) return false
  if (records.every(({ fields }) => isRowCount(fields))) return true
  const isApart = records[0]?.isBelowGap === true
  return isApart || records.some(({ fields }) => hasWords.some((has, at) => !has && isWord(fields[at] ?? '')))
}

/**
 * Whether a record says more than a word does: several cells, several words, or a word behind a mark; Japanese and
 * Chinese have no blanks between words.
 */
export function isSentence(fields: TextRow): boolean {
  return (
    countFilled(fields) > 1 ||
    /\S\s+\S|^\s*[*†‡§¹²³※]|:\s*$|[：。]/u.test(fields.find((text) => text.trim() !== '') ?? '')
  )
}

export function isWord(text: string): boolean {
  const trimmed = text.trim()
  return !isMissing(trimmed) && !isValue(trimmed)
}
