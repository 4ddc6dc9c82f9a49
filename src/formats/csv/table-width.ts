import { listText } from '../../base/text/amount-text.ts'
import { cellOf, countFilled, type TextRow } from '../header/cell-texts.ts'
import type { TableHeader } from '../header/table-header.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { modalWidth } from './detect-dialect.ts'
import { isWord } from './end-notes.ts'

/** The rows at the beginning of a text file, and how many columns the table has. */
export interface WideRows {
  readonly width: number
  /** Without the fields behind separators that end the rows. */
  readonly records: readonly TextRow[]
  /** Whether the rows end with separators that the header lacks. */
  readonly hasTrailingSeparators: boolean
}

/** The header is among the first rows. */
const MOST_ROWS_ABOVE = 20

/**
 * Finds how many columns a text table has: as many as most rows have fields, so that titles do not outvote a short table.
 *
 * Rows that end with a separator have one field more than columns, which is always empty. Where the header has no such
 * separator, the field belongs to no column; to give it one would move every name to the neighbour's values.
 */
export function tableWidth(records: readonly TextRow[]): WideRows {
  const fields = modalWidth(records)
  const used = records.reduce((most, record) => Math.max(most, usedFields(record)), 0)
  const first = records.slice(0, MOST_ROWS_ABOVE).find((record) => record.length >= used)
  if (used < 2 || used >= fields || first?.length !== used) {
    return { width: fields, records, hasTrailingSeparators: false }
  }
  return {
    width: used,
    records: records.map((record) => record.slice(0, used)),
    hasTrailingSeparators: true,
  }
}

function usedFields(record: TextRow): number {
  let end = record.length
  while (end > 0 && cellOf(record, end - 1) === '') end--
  return end
}

/** Below so many rows with a filled last field, an empty one is likelier than a row name. */
const MOSTLY = 0.5

/**
 * A header with one name fewer than the rows have fields. R leaves out the name of the row names, which are in the first
 * column and all different. In any other file the name that is missing may be that of any column.
 *
 * @returns whether the first column has row names.
 * @throws {UnreadableFileError} when the header is short, and nothing says which name is missing.
 */
export function hasRowNames(records: readonly TextRow[], { titleRows, headerRows, width }: TableHeader): boolean {
  const names = records[titleRows] ?? []
  if (headerRows !== 1 || width < 3 || names.length !== width - 1) return false
  const rows = records.slice(titleRows + 1).filter((row) => row.length === width && countFilled(row) > 0)
  const firsts = new Set(rows.map((row) => cellOf(row, 0)))
  const lasts = rows.filter((row) => cellOf(row, width - 1) !== '').length
  if (firsts.size === rows.length && !firsts.has('') && lasts >= MOSTLY * rows.length) return true
  const wider = widerHeader(records.slice(titleRows), width)
  if (wider !== null) {
    throw new UnreadableFileError(
      `Another table begins below the first one: ${names.length} columns, and then ${width} under the header ` +
        `${listText(
          wider.map((name) => `"${name.trim()}"`),
          5,
        )}. Put each table into a file of its own.`,
    )
  }
  throw new UnreadableFileError(
    `The header has ${names.length} names, but the rows have ${width} fields, so the column of each value cannot be ` +
      'determined. Give every column a name in the header, or remove the separators at the ends of the rows.',
  )
}

/**
 * The header of a wider table below one whose rows all have as many fields as its own header. Its rows are more, so it
 * decided the width.
 */
function widerHeader(records: readonly TextRow[], width: number): TextRow | null {
  const names = records[0]?.length
  const at = records.findIndex((record) => record.length !== names)
  const header = records[at]
  if (at < 2 || header === undefined || records.slice(at).some((record) => record.length !== width)) return null
  return header.every(isWord) && new Set(header).size === width ? header : null
}
