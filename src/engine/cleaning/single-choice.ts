/**
 * Questions with one answer that were exported as a column per option, under one header: "Gender / Male", "Gender / Female".
 *
 * n  rows held     N  rows of the file
 *
 * They are one column. Modelled as boxes, some generated people would have two answers.
 */

import type { RawColumn, RawNumberColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { quoted } from './quoted-text.ts'

/** Between the rows of a header, where a reader joins them. */
const JOINT = ' / '
/** Rows that would have two answers if boxes were ticked independently; where none has, that is no chance. */
const MIN_EXPECTED = 12

/** The table with one text column in place of each run of boxes of one question, and a note on each. */
export function mergeSingleChoice(raw: RawTable): RawTable {
  const columns: RawColumn[] = []
  const notes: string[] = []
  const names = new Set(raw.columns.map(({ name }) => name))
  for (let start = 0, end = 0; start < raw.columns.length; start = end) {
    const question = questionOf(raw.columns[start]!)
    end = start + 1
    while (question !== null && end < raw.columns.length && questionOf(raw.columns[end]!) === question) end++
    const boxes = raw.columns.slice(start, end)
    const merged = question === null || names.has(question) ? null : merge(question, boxes.filter(isBox), raw)
    if (question === null || merged === null || boxes.some((column) => !isBox(column))) {
      columns.push(...boxes)
      continue
    }
    columns.push(merged)
    notes.push(
      `Columns ${listText(
        boxes.map(({ name }) => quoted(name)),
        2,
      )} are options of one question, of which no row has two. They became one column ${quoted(question)}; to keep them apart, declare one of them under "types".`,
    )
  }
  return notes.length === 0 ? raw : { ...raw, columns, notes: [...raw.notes, ...notes] }
}

/** What a header of two rows says above a column; null: it has one row. */
export function questionOf({ name }: RawColumn): string | null {
  const at = name.lastIndexOf(JOINT)
  return at <= 0 ? null : name.slice(0, at)
}

/** The last part of the header of such a column. */
export function optionOf({ name }: RawColumn): string {
  return name.slice(name.lastIndexOf(JOINT) + JOINT.length)
}

/** 1 for a tick and 0 for none. */
export function isBox(column: RawColumn): column is RawNumberColumn {
  if (column.type !== 'number' || column.declaredType !== undefined) return false
  return (
    column.decimals === 0 &&
    column.counts !== null &&
    [...column.counts.keys()].every((value) => value === 0 || value === 1)
  )
}

function merge(question: string, boxes: readonly RawNumberColumn[], raw: RawTable): RawTextColumn | null {
  const options = boxes.map(optionOf)
  if (boxes.length < 2 || new Set(options).size < options.length || options.includes('')) return null
  const ticks = boxes.map(({ counts }) => counts!.get(1) ?? 0)
  if (expectedPairs(ticks, raw.rowCount) < MIN_EXPECTED) return null
  const dictionary = [...options].sort()
  const codeOf = options.map((option) => dictionary.indexOf(option))
  const codes = new Int32Array(raw.sampleRows).fill(-1)
  for (const [i, { values, valid }] of boxes.entries()) {
    for (let row = 0; row < codes.length; row++) {
      if (valid[row] === 0 || values[row] !== 1) continue
      if (codes[row] !== -1) return null
      codes[row] = codeOf[i]!
    }
  }
  const counts = new Float64Array(dictionary.length)
  for (const [i, rows] of ticks.entries()) counts[codeOf[i]!] = rows
  const words = dictionary.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  return {
    type: 'text',
    name: question,
    missing: raw.rowCount - ticks.reduce((sum, rows) => sum + rows, 0),
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
