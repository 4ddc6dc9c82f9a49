/**
 * Questions with one answer that were exported as a column per option: under one header, "Gender / Male" and "Gender / Female",
 * or with names that begin alike.
 *
 * n  rows held     N  rows of the file
 *
 * They are one column. Modelled as boxes, some generated people would have two answers.
 */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { optionOf, questionOf, ticksOf, writtenTicks } from './boxes.ts'
import { type Choice, oneHotFrom } from './one-hot.ts'
import { quoted } from './quoted-text.ts'

/** Rows that would have two answers if boxes were ticked independently; where none has, that is no chance. */
const MIN_EXPECTED = 12

/** The table with one text column in place of each run of boxes of one question, and a note on each. */
export function mergeSingleChoice(raw: RawTable): RawTable {
  const columns: RawColumn[] = []
  const notes: string[] = []
  const names = new Set(raw.columns.map(({ name }) => name))
  for (let start = 0, end = 0; start < raw.columns.length; start = end) {
    const { length, choice, rule, written } = runFrom(raw, start)
    end = start + length
    const boxes = raw.columns.slice(start, end)
    const merged = choice === null || names.has(choice.question) ? null : merge(choice, raw)
    if (merged === null) {
      columns.push(...boxes)
      continue
    }
    columns.push(merged)
    names.add(merged.name)
    notes.push(
      `Columns ${listText(
        boxes.map(({ name }) => quoted(name)),
        2,
      )} are options of one question, of which ${rule}. They became one column ${quoted(merged.name)}; to keep them apart, declare one of them categorical under "types".${written === null ? '' : ` What was written under ${quoted(written)} became that one option.`}`,
    )
  }
  return notes.length === 0 ? raw : { ...raw, columns, notes: [...raw.notes, ...notes] }
}

interface Run {
  /** Of columns. */
  readonly length: number
  /** Null: they are no options of one question. */
  readonly choice: Choice | null
  /** What holds in every row. */
  readonly rule: 'no row has two' | 'each row has exactly one'
  /** The option that has texts in place of ticks; null: none has. */
  readonly written: string | null
}

/** The columns from one on that could be options of one question. */
function runFrom({ columns, sampleRows }: RawTable, start: number): Run {
  const question = questionOf(columns[start]!)
  if (question === null) {
    const choice = oneHotFrom(columns, start, sampleRows)
    const rule = choice?.isWhole === false ? ('no row has two' as const) : ('each row has exactly one' as const)
    return { length: choice?.options.length ?? 1, choice, rule, written: null }
  }
  let end = start + 1
  while (end < columns.length && questionOf(columns[end]!) === question) end++
  const run = columns.slice(start, end)
  const texts = run.filter((column) => ticksOf(column) === null)
  // Where one option is "Other", some programs write its text in place of a tick.
  const other = texts.length === 1 && run.length > 2 ? texts[0]! : null
  const ticks = run.flatMap((column) => ticksOf(column) ?? (column === other ? (writtenTicks(other) ?? []) : []))
  const choice = ticks.length < run.length ? null : { question, options: run.map(optionOf), ticks, isWhole: false }
  return { length: run.length, choice, rule: 'no row has two', written: other === null ? null : optionOf(other) }
}

function merge({ question, options, ticks }: Choice, raw: RawTable): RawTextColumn | null {
  if (options.length < 2 || new Set(options).size < options.length || options.includes('')) return null
  const counted = ticks.map(({ count }) => count)
  const missing = raw.rowCount - counted.reduce((sum, rows) => sum + rows, 0)
  // Rows that are not held may have two.
  if (missing < 0 || expectedPairs(counted, raw.rowCount) < MIN_EXPECTED) return null
  const dictionary = [...options].sort()
  const codeOf = options.map((option) => dictionary.indexOf(option))
  const codes = new Int32Array(raw.sampleRows).fill(-1)
  for (const [i, { at }] of ticks.entries()) {
    for (let row = 0; row < codes.length; row++) {
      if (at(row) !== true) continue
      if (codes[row] !== -1) return null
      codes[row] = codeOf[i]!
    }
  }
  const counts = new Float64Array(dictionary.length)
  for (const [i, rows] of counted.entries()) counts[codeOf[i]!] = rows
  const words = dictionary.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  return {
    type: 'text',
    name: question,
    missing,
    distinct: dictionary.length,
    codes,
    dictionary,
    counts,
    meanWords: words / dictionary.length,
  }
}

/** Pairs of ticks in one row that chance would bring. */
function expectedPairs(ticks: readonly number[], rowCount: number): number {
  const sum = ticks.reduce((total, rows) => total + rows, 0)
  const squares = ticks.reduce((total, rows) => total + rows * rows, 0)
  return (sum * sum - squares) / 2 / Math.max(1, rowCount)
}
