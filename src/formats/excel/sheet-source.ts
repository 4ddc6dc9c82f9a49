import type { CellValue } from 'hucre'
import type { MergedRange } from '../header/merged-groups.ts'
import type { HiddenCells } from './hidden-cells.ts'
import type { PercentCells } from './percent-cells.ts'

/** Cells of a sheet: rows and columns from 0, all inclusive. */
export type CellRange = MergedRange

export type CellKind = 'empty' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'error'

export interface SheetCell {
  readonly kind: CellKind
  /** The text that a CSV file would contain: dates in ISO 8601, numbers with all their digits; empty when missing. */
  readonly text: string
}

const EMPTY: SheetCell = { kind: 'empty', text: '' }
const ERROR: SheetCell = { kind: 'error', text: '' }

const ERRORS: ReadonlySet<string> = new Set([
  '#NULL!',
  '#DIV/0!',
  '#VALUE!',
  '#REF!',
  '#NAME?',
  '#NUM!',
  '#N/A',
  '#GETTING_DATA',
  '#SPILL!',
  '#CALC!',
  '#FIELD!',
  '#BLOCKED!',
  '#CONNECT!',
  '#UNKNOWN!',
  '#BUSY!',
])

/** Times of day are stored as a fraction of day 0, which is the day before 1900-01-01. */
const DAY_ZERO = Date.UTC(1899, 11, 31)
const DAY_ONE = DAY_ZERO + 86_400_000
/** Nobody knows the hour of what happened before. */
const YEAR_ONE = Date.UTC(1901, 0, 1)

export function sheetCell(value: CellValue | undefined): SheetCell {
  if (value === null || value === undefined || value === '') return EMPTY
  switch (typeof value) {
    case 'number':
      // A number too large for a double.
      return Number.isFinite(value) ? { kind: 'number', text: String(value) } : ERROR
    case 'boolean':
      return { kind: 'boolean', text: String(value) }
    case 'string':
      if (ERRORS.has(value)) return ERROR
      return value.trim() === '' ? EMPTY : { kind: 'text', text: value.replaceAll('\0', '') }
    default:
      return dateCell(value)
  }
}

function dateCell(date: Date): SheetCell {
  const milliseconds = date.getTime()
  // Excel itself shows ##### for these.
  if (!(milliseconds >= DAY_ZERO && milliseconds < Date.UTC(10_000, 0, 1))) return ERROR
  const iso = date.toISOString()
  if (milliseconds < DAY_ONE) return { kind: 'time', text: iso.slice(11, -1).replace('.000', '') }
  if (milliseconds < YEAR_ONE && milliseconds % 86_400_000 !== 0)
    return { kind: 'time', text: durationText(milliseconds) }
  if (milliseconds % 86_400_000 === 0) return { kind: 'date', text: iso.slice(0, 10) }
  return { kind: 'date', text: iso.slice(0, -1).replace('T', ' ').replace('.000', '') }
}

/** `27:46:40`: a duration of more than a day is stored as a time of one of the first days. */
function durationText(milliseconds: number): string {
  // Excel counts a 29 February in 1900.
  const leap = milliseconds >= Date.UTC(1900, 2, 1) ? 86_400_000 : 0
  const whole = milliseconds - DAY_ZERO + leap
  const rest = new Date(whole).toISOString().slice(13, -1).replace('.000', '')
  return `${Math.floor(whole / 3_600_000)}${rest}`
}

/** The common form of every kind of workbook. */
export interface SheetSource {
  readonly name: string
  readonly hidden: boolean
  /** Counted from the file's own bytes if the format allows it, before the parser is used. */
  extent(): Promise<SheetExtent>
  /** In sheet sequence; rows without cells may be omitted. */
  rows(): AsyncIterable<SheetRow>
}

export interface SheetRow {
  /** From 0, in the sheet. */
  readonly index: number
  readonly values: readonly CellValue[]
}

export interface SheetExtent {
  /** Rows that the parser should give; null when only the parser can count them. */
  readonly rows: number | null
  /** First and last column with content, from 0; null for an empty sheet. */
  readonly columns: { readonly first: number; readonly last: number } | null
  /** Cells with a formula and no stored result. */
  readonly formulasWithoutValue: number
  /** Ranges of merged cells that could be part of a header, in rows and columns of the sheet. */
  readonly merged: readonly MergedRange[]
  /** Ranges of merged cells that span several rows. */
  readonly mergedDown: readonly MergedRange[]
  /** The totals rows of the tables of the sheet, as the workbook says. */
  readonly totals: readonly CellRange[]
  /** By column, from 0; columns without a percent format may be absent. */
  readonly percents: ReadonlyMap<number, PercentCells>
  readonly hidden: HiddenCells
}

/** A row of the part of a sheet that is in use; `index` from 0, in the sheet. */
export interface CellRow {
  readonly index: number
  readonly cells: readonly SheetCell[]
}

/** For a workbook that is held in memory as a whole. */
export const MAX_WORKBOOK_BYTES = 200 * 2 ** 20
/** For .xls and .xlsb, which cannot be streamed. */
export const MAX_BINARY_WORKBOOK_BYTES = 64 * 2 ** 20
/** For one sheet, decompressed. */
export const MAX_SHEET_BYTES = 4 * 2 ** 30
/** For the list of sheets and similar parts, decompressed. */
export const MAX_LIST_BYTES = 16 * 2 ** 20
/** For texts and styles, decompressed, which are held in memory as a whole. */
export const MAX_PART_BYTES = 256 * 2 ** 20
/** Rows times columns of the used part of a sheet. */
export const MAX_SHEET_CELLS = 100_000_000
/** The same for .xls and .xlsb. */
export const MAX_BINARY_SHEET_CELLS = 10_000_000
/** For the texts of all cells: a workbook stores texts once, however often they are used. */
export const MAX_SHEET_TEXT_BYTES = 2 * 2 ** 30
export const MAX_SHEET_COLUMNS = 5_000
/** Excel's own limit. */
export const MAX_SHEET_ROWS = 1_048_576
