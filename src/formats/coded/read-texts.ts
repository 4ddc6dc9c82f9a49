import type { RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'
import { numberColumn, TextCodes, textColumn } from '../columns/build-column.ts'
import type { TextType } from '../columns/column-type.ts'
import { HashedTexts } from '../columns/compact-texts.ts'
import type { TextCounts } from '../columns/text-counts.ts'
import { isMissingWord, presentText } from '../columns/value-forms.ts'
import { NO_TEXT } from './coded-sample.ts'

/** `="0123"`, as programs write a text that Excel is to leave as it is. */
const FORMULA = /^="([^"]*)"$/

/**
 * A column of texts or booleans, without the signs that keep Excel from reading numbers in them.
 *
 * @param ids of the sampled rows.
 * @param levels that a study names; they are present, whatever they look like.
 * @returns the column, and whether some texts had such signs.
 */
export function readTexts(
  name: string,
  { type }: TextType,
  texts: TextCounts | HashedTexts,
  ids: Int32Array,
  rowCount: number,
  levels?: ReadonlySet<string>,
): { readonly column: RawTextColumn; readonly hasFormulas: boolean } {
  const read = texts instanceof HashedTexts ? compactTextsOf(texts) : textsOf(texts, type === 'boolean', levels)
  const codeOfId = new Int32Array(read.counts.length).fill(UNSEEN)
  const codes = new Int32Array(ids.length)
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row]!
    if (id === NO_TEXT) codes[row] = MISSING
    else {
      if (codeOfId[id] === UNSEEN) codeOfId[id] = read.codes.codeFor(read.textOf(id))
      codes[row] = codeOfId[id]!
    }
  }
  const counts = new Float64Array(read.codes.size)
  for (const [id, code] of codeOfId.entries()) if (code >= 0) counts[code]! += read.counts[id]!
  // Spellings that only other rows have.
  if (read.hasSpellings) {
    for (let id = 0; id < codeOfId.length; id++) {
      if (codeOfId[id] !== UNSEEN || read.counts[id] === 0) continue
      const text = read.textOf(id)
      const code = text === null ? undefined : read.codes.find(text)
      if (code !== undefined) counts[code]! += read.counts[id]!
    }
  }
  const { present, distinct } = read
  const column = textColumn({ type, name, missing: rowCount - present, distinct }, read.codes, codes, counts)
  return { column, hasFormulas: read.hasFormulas() }
}

const UNSEEN = -2
const MISSING = -1

interface CodedTexts {
  /** By id. */
  readonly counts: Uint32Array
  /** Rows that are not missing. */
  readonly present: number
  readonly distinct: number
  /** Several ids may have the same text. */
  readonly hasSpellings: boolean
  /** Whether one of the texts that were asked for had the signs of a formula. */
  readonly hasFormulas: () => boolean
  readonly textOf: (id: number) => string | null
  readonly codes: TextCodes
}

function textsOf(texts: TextCounts, isBoolean: boolean, levels?: ReadonlySet<string>): CodedTexts {
  const counts = texts.counts()
  let hasFormulas = false
  const read = (raw: string) => {
    if (isBoolean) return presentText(raw)?.toLowerCase() ?? null
    const text = presentText(raw, levels)
    const inner = text === null ? null : innerText(text)
    if (inner !== text) hasFormulas = true
    return inner === '' ? null : inner
  }
  /** Texts that differ from their spelling. */
  const respelled = new Set<string>()
  const plain: number[] = []
  let present = 0
  let distinct = 0
  for (let id = 0; id < texts.size; id++) {
    const count = counts[id]!
    if (count === 0) continue
    const raw = texts.textOf(id)
    const text = read(raw)
    if (text === null) continue
    present += count
    if (text === raw) {
      distinct++
      plain.push(id)
    } else respelled.add(text)
  }
  if (respelled.size > 0) {
    distinct += respelled.size
    for (const id of plain) if (respelled.has(texts.textOf(id))) distinct--
  }
  const hasSpellings = respelled.size > 0
  return {
    ...{ counts, present, distinct, hasSpellings, hasFormulas: () => hasFormulas },
    textOf: (id) => read(texts.textOf(id)),
    codes: new TextCodes(),
  }
}

function innerText(text: string): string {
  const inner = text.startsWith('=') ? FORMULA.exec(text)?.[1] : undefined
  return inner?.trim() ?? text
}

function compactTextsOf(texts: HashedTexts): CodedTexts {
  const { counts } = texts.keys
  const words = texts.words()
  let present = 0
  let distinct = -words.length
  for (const count of counts) {
    present += count
    if (count > 0) distinct++
  }
  for (const [, count] of words) present -= count
  let hasFormulas = false
  const textOf = (id: number) => {
    const text = texts.presentText(id)
    // An empty one was counted as present.
    const inner = text === null ? null : innerText(text) || text
    if (inner !== text) hasFormulas = true
    return inner
  }
  return {
    ...{ counts, present, distinct, textOf, hasSpellings: false, hasFormulas: () => hasFormulas },
    codes: new TextCodes(),
  }
}

/** A checkbox leaves one text where it is ticked, and nothing elsewhere; one person's text alone is no checkbox. */
const MIN_TICKED = 2

/**
 * A column with one text or nothing, as 1 and 0; null for any other column.
 *
 * @param column of texts, whose missing values are empty cells, or of numbers.
 */
export function checkboxColumn(column: RawTextColumn | RawNumberColumn, rowCount: number): RawNumberColumn | null {
  const { name, missing, distinct } = column
  const ticked = rowCount - missing
  if (distinct !== 1 || missing === 0 || ticked < MIN_TICKED) return null
  const isNumber = column.type === 'number'
  if (isNumber ? column.min !== 1 : column.type !== 'text' && column.type !== 'boolean') return null
  const values =
    'codes' in column ? Float64Array.from(column.codes, (code) => (code < 0 ? 0 : 1)) : Float64Array.from(column.valid)
  const counts = new Map([
    [0, missing],
    [1, ticked],
  ])
  return numberColumn({ type: 'number', name, missing: 0, distinct: 2, min: 0, max: 1, decimals: 0, counts }, values)
}

/** The texts of a column that stand for missing values. */
export function missingWords(texts: TextCounts): [string, number][] {
  const counts = texts.counts()
  const words: [string, number][] = []
  for (let id = 0; id < texts.size; id++) {
    if (counts[id] === 0 || !couldBeWord(texts.bytes, texts.startOf(id), texts.endOf(id))) continue
    const text = texts.textOf(id).trim()
    if (isMissingWord(text)) words.push([text, counts[id]!])
  }
  return words
}

/** Words begin with one of these, or with a blank. */
const WORD_STARTS = new Set(Buffer.from('nN-<#='))

function couldBeWord(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start]!
  return first <= 0x20 || first > 0x7f || (end - start <= 40 && WORD_STARTS.has(first))
}
