/** Boxes: columns of ticks, one for each option of a question. */

import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'

/** Between the rows of a header, where a reader joins them. */
const JOINT = ' / '

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

/** The ticks of a box, also of one of true and false. */
export interface Ticks {
  /** Rows of the file with a tick. */
  readonly count: number
  /** Of a row held; null: it has no value. */
  readonly at: (row: number) => boolean | null
}

/** Null: the column is no box. */
export function ticksOf(column: RawColumn): Ticks | null {
  if (isBox(column)) {
    const { values, valid, counts } = column
    return { count: counts!.get(1) ?? 0, at: (row) => (valid[row] === 0 ? null : values[row] === 1) }
  }
  if (column.type !== 'boolean' || column.declaredType !== undefined) return null
  const { codes, dictionary, counts } = column
  const isTrue = dictionary.indexOf('true')
  return { count: counts[isTrue] ?? 0, at: (row) => (codes[row]! < 0 ? null : codes[row] === isTrue) }
}

/** A tick where a text is written; null: the column has no texts of its own. */
export function writtenTicks(column: RawColumn): Ticks | null {
  if (!('codes' in column) || column.type !== 'text' || column.declaredType !== undefined) return null
  const { codes, counts } = column
  return { count: counts.reduce((sum, rows) => sum + rows, 0), at: (row) => codes[row]! >= 0 }
}
