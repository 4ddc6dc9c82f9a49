import { randomInt } from 'node:crypto'
import { MAX_STRAY_REPEATS } from './candidate.ts'
import type { ColumnTexts } from './column-texts.ts'
import { type NumberType, TEXT, type TextType, type TimeType } from './column-type.ts'
import { isImpossibleDate } from './date-forms.ts'
import { inferColumn, MAX_IMPOSSIBLE_SHARE, MAX_STRAY_SHARE } from './infer-column.ts'
import { KeyCounts } from './key-counts.ts'
import type { WrittenNumber } from './number-syntax.ts'
import { readValue, textAt, textualNumber, type ValueType } from './read-value.ts'
import { TextCounts } from './text-counts.ts'
import { isMissingMark, isMissingWord, MAX_WORD_BYTES } from './value-forms.ts'

/** A text, and how often it occurs. */
export type Counted = readonly (readonly [text: string, count: number])[]

/** The types that a column can have when its texts are not in memory. */
export type CompactType = TextType | NumberType | TimeType

/** A column whose texts take too much memory: it keeps its values or hashes of its texts. */
export type CompactTexts = CountedValues | HashedTexts

/**
 * Keeps values instead of the texts of a column of numbers or dates, and hashes of other texts.
 *
 * @param decided the type of the column; null: its texts decide.
 * @returns null when the texts so far do not decide; `newIds` by old id.
 */
export function compactTexts(
  texts: TextCounts,
  decided: CompactType | null,
): { readonly compact: CompactTexts; readonly newIds: Int32Array } | null {
  const type = decided ?? inferColumn(texts)
  if (type.type === 'mark-decides' || type.type === 'order-decides') return null
  // Other columns decide whether these are texts; and booleans have few.
  if ((type.type === 'number' && type.couldBeAnswers) || type.type === 'boolean') return null
  const compact = type.type === 'number' || type.type === 'time' ? new CountedValues(type) : new HashedTexts(type)
  const counts = texts.counts()
  const newIds = new Int32Array(texts.size)
  for (let id = 0; id < texts.size; id++) {
    const newId = compact.placeOf(texts.bytes, texts.startOf(id), texts.endOf(id))
    newIds[id] = newId
    compact.keys.count(newId, counts[id])
  }
  return { compact, newIds }
}

/** Most different texts among numbers or dates that can be slips. */
const MAX_OTHERS = 10_000
const SOME_NUMBERS = 1_000

const FLOAT = new Float64Array(1)
const FLOAT_WORDS = new Uint32Array(FLOAT.buffer)
const NAN_WORD = 0x7ff80000

/** Counts the distinct numbers or times of a column; ids and places are the same. */
export class CountedValues implements ColumnTexts {
  readonly type: ValueType
  readonly keys = new KeyCounts()
  /** Texts that are no values, with their ids; their keys are NaN. */
  readonly #others = new Map<string, number>()
  readonly #read: WrittenNumber = { value: 0, decimals: 0 }
  #decimals = 0
  #textual: TextType | null = null
  #hasMoreOthers = false

  constructor(type: ValueType) {
    this.type = type
  }

  get sizeBytes(): number {
    return this.keys.sizeBytes
  }

  /** The most that a value was written with. */
  get decimals(): number {
    return this.#decimals
  }

  placeOf(bytes: Uint8Array, start: number, end: number): number {
    const read = this.#read
    readValue(this.type, bytes, start, end, read)
    if (Number.isNaN(read.value)) return this.#placeOfOther(textAt(bytes, start, end).trim())
    if (read.decimals > this.#decimals) this.#decimals = read.decimals
    // Leading zeros and digits beyond 2^53 are lost in the value.
    if (this.#textual === null && this.type.type === 'number' && couldBeTextual(bytes, start, end)) {
      this.#textual = textualNumber(textAt(bytes, start, end).trim())
    }
    FLOAT[0] = read.value
    return this.keys.idOf(FLOAT_WORDS[0]!, FLOAT_WORDS[1]!)
  }

  count(place: number): void {
    this.keys.count(place)
  }

  idAt(place: number): number {
    return place
  }

  /** By id; NaN where the text is no value. */
  numbers(): Float64Array {
    return new Float64Array(this.keys.keys.slice().buffer)
  }

  /** The texts that are no values. */
  others(): Counted {
    const { counts } = this.keys
    return [...this.#others].map(([text, id]) => [text, counts[id]!] as const).filter(([, count]) => count > 0)
  }

  /** The type that the column has because of what came after its type was inferred; null when it keeps its type. */
  otherType(): CompactType | null {
    if (this.#textual !== null) return this.#textual
    const rows = this.keys.counts.reduce((sum, count) => sum + count, 0)
    const strays = this.others().filter(([text]) => !isMissingWord(text) && !isMissingMark(text))
    const isImpossible = ([text]: Counted[number]) => this.type.type === 'time' && isImpossibleDate(text)
    const others = strays.filter((stray) => !isImpossible(stray))
    const isFew =
      rowsOf(others) <= MAX_STRAY_SHARE * rows &&
      rowsOf(strays) - rowsOf(others) <= MAX_IMPOSSIBLE_SHARE * rows &&
      others.every(([, count]) => count <= MAX_STRAY_REPEATS)
    return isFew && !this.#hasMoreOthers ? null : this.#typeWith(strays)
  }

  /** The type of the strays together with some of the numbers. */
  #typeWith(strays: Counted): CompactType {
    if (this.type.type === 'time') return TEXT
    const texts = new TextCounts()
    const numbers = Array.from(this.numbers().subarray(0, SOME_NUMBERS)).filter((number) => !Number.isNaN(number))
    for (const text of [...numbers.map(String), ...strays.map(([stray]) => stray)]) {
      const bytes = Buffer.from(text)
      texts.count(texts.placeOf(bytes, 0, bytes.length))
    }
    const type = inferColumn(texts)
    return type.type === 'number' ? type : TEXT
  }

  #placeOfOther(text: string): number {
    const known = this.#others.get(text)
    if (known !== undefined) return known
    if (this.#others.size === MAX_OTHERS) {
      this.#hasMoreOthers = true
      return this.#others.values().next().value!
    }
    const id = this.keys.idOf(this.#others.size + 1, NAN_WORD)
    this.#others.set(text, id)
    return id
  }
}

function rowsOf(texts: Counted): number {
  return texts.reduce((sum, [, count]) => sum + count, 0)
}

const ZERO = 0x30
const NINE = 0x39

function couldBeTextual(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start >= MAX_SAFE_DIGITS) return true
  const at = bytes[start]! < ZERO ? start + 1 : start
  return bytes[at] === ZERO && at + 1 < end && bytes[at + 1]! >= ZERO && bytes[at + 1]! <= NINE
}

/** Whole numbers of fewer digits are below 2^53. */
const MAX_SAFE_DIGITS = 16

/** No hash of a text has this high word. */
const WORD_KEY = 0xffffffff

/** Counts the distinct texts of a column by 64-bit hashes; holds only the texts of rows that may be sampled. */
export class HashedTexts implements ColumnTexts {
  readonly type: TextType
  readonly keys = new KeyCounts()
  readonly #texts = new Map<number, string>()
  /** Texts that stand for missing values, with their ids. */
  readonly #words = new Map<string, number>()
  #keptBytes = 0

  constructor(type: TextType) {
    this.type = type
  }

  get sizeBytes(): number {
    return this.keys.sizeBytes
  }

  /** Of the texts that are held. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  placeOf(bytes: Uint8Array, start: number, end: number): number {
    // Nearly all texts begin and end with a letter or a digit, and are longer than any word for a missing value.
    const isTrimmed = isVisibleAscii(bytes[start]!) && isVisibleAscii(bytes[end - 1]!)
    if (isTrimmed && end - start > MAX_WORD_BYTES) return this.#idOf(bytes, start, end)
    const text = textAt(bytes, start, end).trim()
    if (!isMissingWord(text)) {
      if (isTrimmed) return this.#idOf(bytes, start, end)
      const trimmed = Buffer.from(text)
      return this.#idOf(trimmed, 0, trimmed.length)
    }
    const known = this.#words.get(text)
    if (known !== undefined) return known
    const id = this.keys.idOf(this.#words.size, WORD_KEY)
    this.#words.set(text, id)
    return id
  }

  count(place: number): void {
    this.keys.count(place)
  }

  idAt(place: number): number {
    return place
  }

  /** Holds the text of an id. */
  keep(id: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#texts.has(id)) return
    this.#texts.set(id, textAt(bytes, start, end).trim())
    this.#keptBytes += end - start
  }

  /** The text of a row that was sampled; null when it means a missing value. */
  presentText(id: number): string | null {
    const text = this.#texts.get(id)
    if (text === undefined) throw new RangeError('the text of a sampled row was not kept')
    return isMissingWord(text) ? null : text
  }

  words(): Counted {
    const { counts } = this.keys
    return [...this.#words].map(([text, id]) => [text, counts[id]!] as const).filter(([, count]) => count > 0)
  }

  #idOf(bytes: Uint8Array, start: number, end: number): number {
    let low = LOW_START
    let high = HIGH_START
    for (let at = start; at < end; at++) {
      low = Math.imul(low ^ bytes[at]!, LOW_FACTOR)
      low ^= low >>> 15
      high = Math.imul(high ^ bytes[at]!, HIGH_FACTOR)
      high ^= high >>> 13
    }
    return this.keys.idOf(low, high >>> 0 === WORD_KEY ? 0 : high)
  }
}

const LOW_START = randomInt(2 ** 32) | 0
const HIGH_START = randomInt(2 ** 32) | 0
const LOW_FACTOR = (randomInt(2 ** 31) * 2 + 1) | 0
const HIGH_FACTOR = (randomInt(2 ** 31) * 2 + 1) | 0

function isVisibleAscii(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f
}
