/**
 * Questions with several possible answers, exported as one column: "Milk, Sugar".
 *
 * m  distinct cells of the column     o  options
 *
 * A text column is such a question when a separator divides its cells into few options that occur again in other
 * combinations. Names ("Smith, John"), addresses and levels with a comma ("Yes, always") differ: their parts never
 * occur alone, and do not combine freely.
 */

import type { RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'
import { rareLevelThreshold } from './levels.ts'
import { freedom, meetings } from './option-meetings.ts'
import { joinFixedParts, listParts, type Separator, splitCell } from './split-cell.ts'

export interface MultiSelect {
  readonly separator: Separator
  /** Options that come often enough, most frequent first, ties by UTF-16 order. */
  readonly options: readonly string[]
  /** Length m: for each cell of the dictionary the indexes of the options it holds; other answers are left out. */
  readonly chosen: readonly (readonly number[])[]
  /** Answers that come too rarely, most frequent first: typed ones mostly. */
  readonly otherAnswers: readonly string[]
}

/** In the order of trust: a comma is part of many texts, a line end of few. */
const SEPARATORS: readonly Separator[] = [
  '\n',
  // SharePoint's.
  ';#',
  ';',
  '；',
  '|',
  '、',
  ',',
  '，',
  '::',
  ' / ',
  ' & ',
  ' + ',
  '/',
  '&',
  '+',
  ' ',
]
/** Those beside which a comma may separate, too. */
const STRONG: ReadonlySet<Separator> = new Set(['\n', ';#', ';', '|'])

const MAX_OPTIONS = 50
/** Different parts, typed answers among them, beyond which a column is text. */
const MAX_PARTS = 2_000
/** Least share of the given answers that the options make up. */
const MIN_OPTION_SHARE = 0.8
/** Least share of rows with several answers among rows with an answer. */
const MIN_SEVERAL_SHARE = 0.01
/** Largest share of cells that name an answer twice among cells with several answers. */
const MAX_REPEAT_SHARE = 0.01

/** The options of a multi-select column, or null for other columns. Counts are those of the whole seed. */
export function detectMultiSelect(column: RawTextColumn, rowCount: number): MultiSelect | null {
  return findSplit(column, rowCount, false)
}

/** What separates texts that may be several answers and stayed whole, because their sequence may have a meaning; null for others. */
export function doubtedSeparator(column: RawTextColumn, rowCount: number): Separator | null {
  return findSplit(column, rowCount, true)?.separator ?? null
}

function findSplit(column: RawTextColumn, rowCount: number, isDoubted: boolean): MultiSelect | null {
  if (column.type !== 'text') return null
  const lists = listsOf(column)
  if (lists !== null) return validateSplit(column, lists, 'list', rowCount, isDoubted)
  for (const separator of SEPARATORS) {
    if (!isUsed(column, separator, rowCount)) continue
    if (separator === ' ' && !areWordsOfCodes(column.dictionary) && !areCodes(column.dictionary, ' ')) continue
    const cells = cellsOf(column, separator)
    const found = cells === null ? null : validateSplit(column, cells, separator, rowCount, isDoubted)
    if (found !== null) return found
  }
  return null
}

/** Cheap, and true for few columns. */
function isUsed({ dictionary, counts }: RawTextColumn, separator: Separator, rowCount: number): boolean {
  const needed = rareLevelThreshold(rowCount)
  let rows = 0
  for (let i = 0; i < dictionary.length && rows < needed; i++)
    if (dictionary[i]!.includes(separator)) rows += counts[i]!
  return rows >= needed
}

/** Length m: the parts of every cell where all but a single word, such as None, are printed lists; null otherwise. */
function listsOf({ dictionary }: RawTextColumn): string[][] | null {
  const cells: string[][] = []
  let words = 0
  for (const text of dictionary) {
    const parts = listParts(text)
    if (parts === null && (++words > 1 || !/^\p{L}+$/u.test(text))) return null
    cells.push(parts ?? [text])
  }
  return cells.length > words + 1 && cells.some((parts) => parts.length > 1) ? cells : null
}

/** Length m: the parts of every cell; null when there are too many different ones. */
function cellsOf({ dictionary, counts }: RawTextColumn, separator: Separator): string[][] | null {
  const hasCodes = areCodes(dictionary, separator)
  const seen = new Set<string>()
  const cells: string[][] = []
  for (const text of dictionary) {
    const isWords = separator === ' ' && hasCodes && !/\d/.test(text)
    const parts = isWords ? [text] : splitCell(text, separator, hasCodes)
    for (const part of parts) seen.add(part)
    if (seen.size > MAX_PARTS) return null
    cells.push(parts)
  }
  return separator === ',' ? joinFixedParts(cells, counts) : STRONG.has(separator) ? splitAgain(cells) : cells
}

/** Cells that some people filled with commas, "Tea; Milk" beside "Tea, Milk": all of the parts are answers of others. */
function splitAgain(cells: string[][]): string[][] {
  const whole = new Set(cells.flat())
  return cells.map((parts) =>
    parts.flatMap((part) => {
      const found = part.includes(',') ? splitCell(part, ',') : []
      return found.length > 1 && found.every((one) => whole.has(one)) ? found : [part]
    }),
  )
}

/**
 * Codes of answers, one or several, by separators that stand in numbers, dates and texts, too: "1,3,12", "101,204,", "11/23/98",
 * "1 3". `pair`: what such a number has. "None of these" is no code.
 */
const CODES: { readonly [S in Separator]?: { readonly list: RegExp; readonly pair: RegExp } } = {
  ',': { list: /^,?(?:0|[1-9]\d{0,5})(?:, ?(?:0|[1-9]\d{0,5}))*,?$/, pair: /\d,\d/ },
  '/': { list: /^(?:0|[1-9]\d{0,2})(?:\/(?:0|[1-9]\d{0,2}))*\/?$/, pair: /\d\/\d/ },
  ' ': { list: /^(?:0|[1-9]\d{0,3})(?: (?:0|[1-9]\d{0,3}))*$/, pair: /\d/ },
}
/** Codes of one length that no day, grade or small number has. */
const LONG_CODE = /^[1-9]\d\d$/
/** Codes that begin with zeros have one length: "01,11". */
const ZERO_CODES = /^,?\d{2,4}(?:, ?\d{2,4})*,?$/

function areCodes(texts: readonly string[], separator: Separator): boolean {
  const codes = CODES[separator]
  if (codes === undefined) return false
  if (texts.every((text) => codes.list.test(text) || !codes.pair.test(text)))
    return texts.some((text) => /\d/.test(text))
  if (separator !== ',') return false
  const lists = texts.filter((text) => codes.pair.test(text) || /^\d+$/.test(text))
  const lengths = new Set(lists.flatMap((text) => text.split(/, ?/).flatMap((code) => code.length || [])))
  return lengths.size === 1 && lists.every((text) => ZERO_CODES.test(text))
}

/** Names of options in survey programs, one or several, that blanks separate: "maize sweet_potato", "Tea Milk". */
const WORDS_OF_CODES = /^[\p{L}\p{N}_.-]+(?: +[\p{L}\p{N}_.-]+)*$/u

function areWordsOfCodes(texts: readonly string[]): boolean {
  return texts.every((text) => WORDS_OF_CODES.test(text))
}

function validateSplit(
  { counts, missing }: RawTextColumn,
  cells: readonly (readonly string[])[],
  joint: Separator | 'list',
  rowCount: number,
  isDoubted = false,
): MultiSelect | null {
  const present = rowCount - missing
  const threshold = rareLevelThreshold(rowCount)
  const { tally, several, repeats, mentions } = tallyOf(cells, counts)
  // Of printed lists one is enough: each cell says that it is one.
  const fewest = joint === 'list' ? 1 : Math.max(threshold, MIN_SEVERAL_SHARE * present)
  if (several < fewest || repeats > MAX_REPEAT_SHARE * several) return null

  const options = optionsOf(tally, threshold)
  if (options.length < 2 || options.length > MAX_OPTIONS) return null
  if (options.reduce((sum, [, { rows }]) => sum + rows, 0) < MIN_OPTION_SHARE * mentions) return null

  const separator = joint === 'list' ? ',' : joint
  const found = splitOf(options, tally, cells, separator)
  const alone = options.filter(([, entry]) => entry.alone).length / options.length
  const meeting = meetings(
    found.chosen,
    options.map(([, { rows }]) => rows),
    present,
    cells,
  )
  const areLongCodes = separator === ',' && [...tally.keys()].every((part) => LONG_CODE.test(part))
  const free = freedom(options.length, alone, meeting, joint, areLongCodes)
  if (free === 'none' || (free === 'in doubt' && !isDoubted)) return null

  return found
}

/** The rows with an answer, and whether some cell has it alone. */
type Tally = ReadonlyMap<string, { readonly rows: number; readonly alone: boolean }>

interface Tallied {
  readonly tally: Tally
  /** Rows with several answers, and with one twice. */
  readonly several: number
  readonly repeats: number
  /** Answers in all rows together. */
  readonly mentions: number
}

function tallyOf(cells: readonly (readonly string[])[], counts: ArrayLike<number>): Tallied {
  const tally = new Map<string, { rows: number; alone: boolean }>()
  let several = 0
  let repeats = 0
  let mentions = 0
  for (const [i, parts] of cells.entries()) {
    const rows = counts[i]!
    const unique = new Set(parts)
    if (unique.size < parts.length) repeats += rows
    if (unique.size > 1) several += rows
    mentions += rows * unique.size
    for (const part of unique) {
      const entry = tally.get(part) ?? { rows: 0, alone: false }
      entry.rows += rows
      if (unique.size === 1) entry.alone = true
      tally.set(part, entry)
    }
  }
  return { tally, several, repeats, mentions }
}

/** Answers that come often enough, most frequent first. */
function optionsOf(tally: Tally, threshold: number): [string, { readonly rows: number; readonly alone: boolean }][] {
  return byRows(tally).filter(([, { rows }]) => rows >= threshold)
}

const byRows = (tally: Tally) => [...tally].sort(([a, one], [b, other]) => other.rows - one.rows || (a < b ? -1 : 1))

function splitOf(
  options: readonly (readonly [string, unknown])[],
  tally: Tally,
  cells: readonly (readonly string[])[],
  separator: Separator,
): MultiSelect {
  const indexOf = new Map(options.map(([option], index) => [option, index]))
  const chosen = cells.map((parts) =>
    [...new Set(parts.flatMap((part) => indexOf.get(part) ?? []))].sort((one, other) => one - other),
  )
  const others = byRows(tally).flatMap(([part]) => (indexOf.has(part) ? [] : [part]))
  return { separator, options: [...indexOf.keys()], chosen, otherAnswers: others }
}

/**
 * The options of a column that is divided as another one of its question is, however few people gave several answers here.
 *
 * @param cells length m, the parts of every cell
 */
export function splitAlike(
  { counts }: RawTextColumn,
  cells: readonly (readonly string[])[],
  separator: Separator,
  rowCount: number,
): MultiSelect | null {
  const { tally } = tallyOf(cells, counts)
  const options = optionsOf(tally, rareLevelThreshold(rowCount))
  return options.length < 2 || options.length > MAX_OPTIONS ? null : splitOf(options, tally, cells, separator)
}

/**
 * One option of a multi-select column as a separate column: 1 if it was ticked, 0 if others were, missing if nothing
 * was answered. Counts are those of the whole seed; cells outside the sampled rows count like the others.
 */
export function optionColumn(column: RawTextColumn, { options, chosen }: MultiSelect, option: number): RawNumberColumn {
  const ticked = Uint8Array.from(chosen, (indexes) => (indexes.includes(option) ? 1 : 0))
  const values = new Float64Array(column.codes.length)
  const valid = new Uint8Array(column.codes.length)
  let present = 0
  for (let row = 0; row < column.codes.length; row++) {
    const cell = column.codes[row]!
    if (cell < 0) continue
    valid[row] = 1
    values[row] = ticked[cell]!
  }
  let ones = 0
  for (let cell = 0; cell < ticked.length; cell++) {
    present += column.counts[cell]!
    if (ticked[cell] === 1) ones += column.counts[cell]!
  }
  return {
    type: 'number',
    name: `${column.name} ${options[option]!}`,
    missing: column.missing,
    values,
    valid,
    min: ones < present ? 0 : 1,
    max: 1,
    decimals: 0,
    distinct: ones < present ? 2 : 1,
    counts: new Map(
      ones < present
        ? [
            [0, present - ones],
            [1, ones],
          ]
        : [[1, ones]],
    ),
  }
}
