/**
 * Parts of one question that were decided in different ways: some were split into their options, others stayed whole, because few
 * people gave several answers there, or because their cells looked like texts or numbers.
 *
 * Parts are told by their names, `Q4_1` and `Q4_2`, and their options. `drink_home` and `drink_work` are told by both together, and
 * only named: they may ask for several answers and for one. A question with a single answer about the same options under another
 * name ("Which one most often?") is no such part, and neither are numbered questions about something else.
 */

import type { RawColumn, RawTextColumn } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { firstWordOf, stemOf } from './column-kinds.ts'
import { doubtedSeparator, type MultiSelect, splitAlike } from './multi-select.ts'
import { quoted } from './quoted-text.ts'
import { listParts, type Separator, splitCell } from './split-cell.ts'

/** A column that was split. */
export interface DividedColumn {
  readonly source: RawTextColumn
  readonly separator: Separator
  readonly options: ReadonlySet<string>
}

/** Least share of the answers of a column that are options of the other one. */
const SAME_SHARE = 0.8
/** Cells beyond which a column is text of its own. */
const MAX_CELLS = 2_000
/** Cells with several answers, each of which other cells have too, that make parts of a question of any two columns. */
const MIN_SEVERAL_CELLS = 3

/** A note for each set of columns of which some were split; none about a column whose type is declared. */
export function unevenSplits(columns: readonly RawColumn[], divided: readonly DividedColumn[]): string[] {
  const sources = new Set<RawColumn>(divided.map(({ source }) => source))
  const groups = new Map<string, Uneven>()
  for (const column of divided.length === 0 ? [] : columns) {
    if (sources.has(column) || column.declaredType !== undefined) continue
    const mates = divided.filter((other) => isPartWith(column, other))
    if (mates.length === 0) continue
    const split = mates.map(({ source }) => quoted(source.name))
    // One note for a battery, whichever of its parts a column resembles.
    const key = mates.some((other) => areOneQuestion(column, other))
      ? stemOf(column.name)
      : mates.some((other) => shareFirstWord(column, other))
        ? firstWordOf(column.name)!
        : `\n${split.join()}`
    const group = groups.get(key) ?? { split: new Set(), several: [], single: [] }
    for (const name of split) group.split.add(name)
    const hasSeveral = mates.some((other) => cellsOf(column, other.separator)!.some(({ parts }) => parts.length > 1))
    group[hasSeveral ? 'several' : 'single'].push(quoted(column.name))
    groups.set(key, group)
  }
  return [...groups.values()].map(noteOf)
}

interface Uneven {
  readonly split: Set<string>
  /** Left whole, with several answers in some cells, and with one in each. */
  readonly several: string[]
  readonly single: string[]
}

function noteOf({ split, several, single }: Uneven): string {
  const sentences = [
    'Columns that look like parts of one question were read in different ways.',
    `Split into their options: ${listText([...split], 5)}.`,
  ]
  if (several.length > 0) {
    sentences.push(
      `Not split: ${listText(several, 5)}.`,
      'To treat them alike, declare the separator of each in "multiple", or each as categorical in "types".',
    )
  }
  if (single.length > 0) {
    sentences.push(
      `Not split, because no cell has several answers: ${listText(single, 5)}.`,
      'If one answer was asked for there, declare that as categorical in "types"; to treat all alike, declare all of them so, or the separator of each in "multiple".',
    )
  }
  return sentences.join(' ')
}

/**
 * The options of a column beside one of the same question that was split, where its cells name options of that one, and some cell
 * several: they are several answers, however few people gave more than one. Null for others: a column of one answer in each cell
 * may be a question with one answer, and boxes of it could be ticked together.
 */
export function splitAsMates(
  column: RawTextColumn,
  divided: readonly DividedColumn[],
  rowCount: number,
): MultiSelect | null {
  for (const { source, separator, options } of divided) {
    if (!areOneQuestion(column, { source }) || column.distinct > MAX_CELLS) continue
    const cells = column.dictionary.map((text) => (options.has(text) ? [text] : partsOf(text, separator)))
    const named = likeness(
      cells.map((parts, i) => ({ parts, rows: column.counts[i]! })),
      options,
    )
    if (!named.isAlike || named.several === 0 || doubtedSeparator(column, rowCount) !== null) continue
    const found = splitAlike(column, cells, separator, rowCount)
    if (found !== null) return found
  }
  return null
}

function isPartWith(column: RawColumn, other: DividedColumn): boolean {
  const cells = cellsOf(column, other.separator)
  if (cells === null) return false
  const isOneQuestion = areOneQuestion(column, other)
  if (isOneQuestion && other.separator !== ' ' && recurringCells(cells) >= MIN_SEVERAL_CELLS) return true
  const { isAlike, several, coverage } = likeness(cells, other.options)
  return isAlike && (several > 0 || isOneQuestion || (coverage >= SAME_SHARE && shareFirstWord(column, other)))
}

/** "q7_1" and "q7_2" or "q7a" and "q7b" are of one question, "q7" and "q8" are not. */
function areOneQuestion(column: RawColumn, { source }: Pick<DividedColumn, 'source'>): boolean {
  const stem = stemOf(column.name)
  return /[^\p{L}]#$/u.test(stem) && stem === stemOf(source.name)
}

/** "drink_home" and "drink_work". */
function shareFirstWord(column: RawColumn, { source }: Pick<DividedColumn, 'source'>): boolean {
  const word = firstWordOf(column.name)
  return word !== null && word === firstWordOf(source.name)
}

interface Likeness {
  readonly isAlike: boolean
  /** Rows that name several of the options. */
  readonly several: number
  /** Share of the options that occur. */
  readonly coverage: number
}

/** Whether the answers are those of another column. */
function likeness(cells: readonly Cell[], options: ReadonlySet<string>): Likeness {
  let answers = 0
  let same = 0
  let several = 0
  const found = new Set<string>()
  for (const { parts, rows } of cells) {
    const known = parts.filter((part) => options.has(part))
    answers += rows * parts.length
    same += rows * known.length
    if (known.length > 1) several += rows
    for (const part of known) found.add(part)
  }
  const isAlike = found.size >= 2 && same >= SAME_SHARE * answers
  return { isAlike, several, coverage: found.size / options.size }
}

interface Cell {
  readonly parts: readonly string[]
  readonly rows: number
}

/** The distinct cells of texts, or of whole numbers as their texts; null where they are too many. */
function cellsOf(column: RawColumn, separator: Separator): readonly Cell[] | null {
  if (column.distinct > MAX_CELLS || column.type === 'boolean') return null
  if ('codes' in column)
    return column.dictionary.map((text, i) => ({ parts: partsOf(text, separator), rows: column.counts[i]! }))
  if (column.type !== 'number' || column.decimals > 0 || column.counts === null) return null
  return [...column.counts].map(([value, rows]) => ({ parts: [String(value)], rows }))
}

const partsOf = (text: string, separator: Separator): string[] => [
  ...new Set(listParts(text) ?? splitCell(text, separator, true)),
]

/** Cells with several parts, all of which other cells have as well. */
function recurringCells(cells: readonly Cell[]): number {
  const times = new Map<string, number>()
  for (const { parts } of cells) for (const part of parts) times.set(part, (times.get(part) ?? 0) + 1)
  return cells.filter(({ parts }) => parts.length > 1 && parts.every((part) => times.get(part)! > 1)).length
}
