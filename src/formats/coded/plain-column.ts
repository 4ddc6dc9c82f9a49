import { GLANCE, judgeAtAGlance, type TextColumnType } from '../text-column-type.ts'
import { hasOuterBlanks, isMissingMark, isMissingWord, PLAIN_NUMBER } from '../value-forms.ts'
import { type PlainNumber, readPlainNumber } from './plain-numbers.ts'
import type { TextCounts } from './text-counts.ts'

type Counted = readonly (readonly [text: string, count: number])[]

/** What the distinct texts of a column are, where that is plain to see. */
export type PlainColumn = PlainNumbers | PlainTexts

interface PlainBase {
  readonly type: TextColumnType
  /** How often each text occurs, by its place among those held. */
  readonly counts: Uint32Array
  /** Texts that stand for missing values wherever they are. */
  readonly words: Counted
}

export interface PlainNumbers extends PlainBase {
  readonly kind: 'numbers'
  /** Texts that stand for missing values among numbers. */
  readonly marks: Counted
  /** The number of each text, by its place among those held; NaN where it is missing. */
  readonly numbers: Float64Array
  /** The most that one was written with. */
  readonly decimals: number
}

export interface PlainTexts extends PlainBase {
  readonly kind: 'texts'
  /** Distinct texts that are not missing. */
  readonly distinct: number
}

const PLAIN_NUMBERS: TextColumnType = { type: 'number', form: PLAIN_NUMBER, remarks: [] }

/** No word or mark that stands for a missing value has more bytes. */
const MAX_WORD_BYTES = 9

/**
 * Judges a column without DuckDB where its texts leave no doubt: all are numbers in the plain form, or no form of numbers, dates or
 * booleans fits a few hundred of them. What `column-profile.ts` would find is the same.
 *
 * @returns null where there is more to ask.
 */
export function plainColumn(texts: TextCounts): PlainColumn | null {
  const counts = texts.counts()
  return plainNumbers(texts, counts) ?? plainTexts(texts, counts)
}

function plainNumbers(texts: TextCounts, counts: Uint32Array): PlainNumbers | null {
  const { bytes, firstId, size } = texts
  const numbers = new Float64Array(size).fill(Number.NaN)
  const words: [string, number][] = []
  const marks: [string, number][] = []
  const number: PlainNumber = { value: 0, decimals: 0 }
  let decimals = 0
  let found = false
  for (let id = firstId; id < firstId + size; id++) {
    const count = counts[id - firstId]!
    if (count === 0) continue
    const start = texts.startOf(id)
    const end = texts.endOf(id)
    if (readPlainNumber(bytes, start, end, number)) {
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
  return { kind: 'numbers', type: PLAIN_NUMBERS, counts, words, marks, numbers, decimals }
}

function plainTexts(texts: TextCounts, counts: Uint32Array): PlainTexts | null {
  const { bytes, firstId, size } = texts
  const glance: string[] = []
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
    if (glance.length < GLANCE) glance.push(texts.textOf(id))
  }
  const type = judgeAtAGlance(glance)
  return typeof type === 'function' ? null : { kind: 'texts', type, counts, words, distinct }
}

function isVisibleAscii(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f
}
