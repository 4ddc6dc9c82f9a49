import { inferFromSample, SAMPLE_VALUES, type TextColumnType } from '../columns/text-column-type.ts'
import { hasOuterBlanks, isMissingMark, isMissingWord, STANDARD_NUMBER } from '../columns/value-forms.ts'
import { readStandardNumber, type WrittenNumber } from './number-syntax.ts'
import type { TextCounts } from './text-counts.ts'

type Counted = readonly (readonly [text: string, count: number])[]

/** The type of a column's distinct texts, if it is clear. */
export type ClearColumn = ClearNumbers | ClearTexts

interface ClearBase {
  readonly type: TextColumnType
  /** How often each text occurs, by its place among those held. */
  readonly counts: Uint32Array
  /** Texts that stand for missing values wherever they are. */
  readonly words: Counted
}

export interface ClearNumbers extends ClearBase {
  readonly kind: 'numbers'
  /** Texts that stand for missing values among numbers. */
  readonly marks: Counted
  /** The number of each text, by its place among those held; NaN where it is missing. */
  readonly numbers: Float64Array
  /** The most that one was written with. */
  readonly decimals: number
}

export interface ClearTexts extends ClearBase {
  readonly kind: 'texts'
  /** Distinct texts that are not missing. */
  readonly distinct: number
}

const CLEAR_NUMBERS: TextColumnType = { type: 'number', form: STANDARD_NUMBER, remarks: [] }

/** No word or mark that stands for a missing value has more bytes. */
const MAX_WORD_BYTES = 9

/**
 * Infers a column's type without DuckDB when its texts leave no doubt: all are numbers in standard syntax, or no form
 * of numbers, dates or booleans fits a few hundred of them. `column-profile.ts` would find the same.
 *
 * @returns null when that does not suffice.
 */
export function clearColumn(texts: TextCounts): ClearColumn | null {
  const counts = texts.counts()
  return clearNumbers(texts, counts) ?? clearTexts(texts, counts)
}

function clearNumbers(texts: TextCounts, counts: Uint32Array): ClearNumbers | null {
  const { bytes, firstId, size } = texts
  const numbers = new Float64Array(size).fill(Number.NaN)
  const words: [string, number][] = []
  const marks: [string, number][] = []
  const number: WrittenNumber = { value: 0, decimals: 0 }
  let decimals = 0
  let found = false
  for (let id = firstId; id < firstId + size; id++) {
    const count = counts[id - firstId]!
    if (count === 0) continue
    const start = texts.startOf(id)
    const end = texts.endOf(id)
    if (readStandardNumber(bytes, start, end, number)) {
      numbers[id - firstId] = number.value
      if (number.decimals > decimals) decimals = number.decimals
      found = true
      continue
    }
    if (end - start > MAX_WORD_BYTES) return null
    const text = texts.textOf(id)
    if (isMissingWord(text)) words.push([text, count])
    else if (isMissingMark(text)) marks.push([text, count])
    else return null
  }
  if (!found) return null
  return { kind: 'numbers', type: CLEAR_NUMBERS, counts, words, marks, numbers, decimals }
}

function clearTexts(texts: TextCounts, counts: Uint32Array): ClearTexts | null {
  const { bytes, firstId, size } = texts
  const sample: string[] = []
  const words: [string, number][] = []
  let distinct = 0
  for (let id = firstId; id < firstId + size; id++) {
    const count = counts[id - firstId]!
    if (count === 0) continue
    const start = texts.startOf(id)
    const end = texts.endOf(id)
    // Most texts begin and end with a letter or a digit.
    if (!isVisibleAscii(bytes[start]!) || !isVisibleAscii(bytes[end - 1]!)) {
      if (hasOuterBlanks(texts.textOf(id))) return null
    }
    if (end - start <= MAX_WORD_BYTES) {
      const text = texts.textOf(id)
      if (isMissingWord(text)) {
        words.push([text, count])
        continue
      }
    }
    distinct++
    if (sample.length < SAMPLE_VALUES) sample.push(texts.textOf(id))
  }
  const type = inferFromSample(sample)
  return typeof type === 'function' ? null : { kind: 'texts', type, counts, words, distinct }
}

function isVisibleAscii(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f
}
