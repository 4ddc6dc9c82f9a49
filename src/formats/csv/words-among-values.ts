import type { ColumnTexts } from '../columns/column-texts.ts'
import { CountedValues } from '../columns/compact-texts.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { isMissingMark, isMissingWord, MAX_WORD_BYTES } from '../columns/value-forms.ts'

/** Columns of values with words in them from which the words may be the header of another table; two where there are no more. */
const MIN_COLUMNS = 3

/**
 * Whether so many columns of numbers or dates have a word that a row of names may stand among them. Looks at the first
 * letters of distinct texts only.
 */
export function mayHoldHeader(columns: readonly ColumnTexts[]): boolean {
  let ofValues = 0
  let found = 0
  for (const column of columns) {
    const { words, values } = countsOf(column)
    if (values <= words) continue
    ofValues++
    if (words > 0) found++
    if (found === MIN_COLUMNS) return true
  }
  return found === 2 && ofValues === 2
}

interface Counts {
  readonly words: number
  readonly values: number
}

function countsOf(column: ColumnTexts): Counts {
  if (column instanceof CountedValues)
    return { words: column.others().some(([text]) => isWord(text)) ? 1 : 0, values: Number.POSITIVE_INFINITY }
  let words = 0
  let values = 0
  if (!(column instanceof TextCounts)) return { words, values }
  const { bytes } = column
  const counts = column.counts()
  for (let id = 0; id < counts.length; id++) {
    const start = column.startOf(id)
    const end = column.endOf(id)
    if (counts[id] === 0 || start === end) continue
    if (!beginsWithLetter(bytes[start]!)) values += counts[id]!
    else if (end - start > MAX_WORD_BYTES || isWord(column.textOf(id))) words += counts[id]!
  }
  return { words, values }
}

function isWord(text: string): boolean {
  const trimmed = text.trim()
  return beginsWithLetter(Buffer.from(trimmed)[0] ?? 0) && !isMissingWord(trimmed) && !isMissingMark(trimmed)
}

function beginsWithLetter(byte: number): boolean {
  return byte >= 0x80 || ((byte | 0x20) - 0x61 <= 25 && (byte | 0x20) >= 0x61)
}
