/**
 * Parts of one question that were decided in different ways: some were split into their options, others stayed whole, because few
 * people gave several answers there, or because their cells looked like texts or numbers.
 *
 * A question with a single answer about the same options ("Which one most often?") is no such part, and neither are numbered
 * questions about something else.
 */

import type { RawColumn, RawTextColumn } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { stemOf } from './column-kinds.ts'
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
/** Rows with several answers that were to be expected: where they are more, and there are none, one answer was asked for. */
const MAX_EXPECTED = 5

/** A note for each set of columns of which some were split; none about a column whose type is declared. */
export function unevenSplits(columns: readonly RawColumn[], divided: readonly DividedColumn[]): string[] {
  const sources = new Set<RawColumn>(divided.map(({ source }) => source))
  const groups = new Map<string, { readonly split: readonly string[]; readonly whole: string[] }>()
  for (const column of divided.length === 0 ? [] : columns) {
    if (sources.has(column) || column.declaredType !== undefined) continue
    const mates = divided.filter((other) => isPartWith(column, other))
    if (mates.length === 0) continue
    const split = mates.map(({ source }) => quoted(source.name))
    const group = groups.get(split.join()) ?? { split, whole: [] }
    group.whole.push(quoted(column.name))
    groups.set(split.join(), group)
  }
  return [...groups.values()].map(
    ({ split, whole }) =>
      `Columns that look like parts of one question were read in different ways. Split into their options: ${listText(split, 5)}. Not split: ${listText(whole, 5)}. To treat them alike, declare the separator of each in "multiple", or each as categorical in "types".`,
  )
}

function isPartWith(column: RawColumn, other: DividedColumn): boolean {
  const cells = cellsOf(column, other.separator)
  if (cells === null) return false
  const stem = stemOf(column.name)
  // "q7_1" and "q7_2" or "q7a" and "q7b" are of one question, "q7" and "q8" are not.
  const hasSameStem = /[^\p{L}]#$/u.test(stem) && stem === stemOf(other.source.name)
  if (hasSameStem && other.separator !== ' ' && recurringCells(cells) >= MIN_SEVERAL_CELLS) return true
  let answers = 0
  let same = 0
  let several = 0
  const found = new Set<string>()
  for (const { parts, rows } of cells) {
    const known = parts.filter((part) => other.options.has(part))
    answers += rows * parts.length
    same += rows * known.length
    if (known.length > 1) several += rows
    for (const part of known) found.add(part)
  }
  if (found.size < 2 || same < SAME_SHARE * answers) return false
  return several > 0 || (hasSameStem && severalShare(other) * answers <= MAX_EXPECTED)
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

/** Share of the answered rows of a split column that have several answers. */
function severalShare({ source, separator }: DividedColumn): number {
  let answered = 0
  let several = 0
  for (const [i, text] of source.dictionary.entries()) {
    answered += source.counts[i]!
    if (partsOf(text, separator).length > 1) several += source.counts[i]!
  }
  return answered === 0 ? 0 : several / answered
}
