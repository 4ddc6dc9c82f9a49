import type { CellValue } from 'hucre'

export type CellKind = 'empty' | 'text' | 'number' | 'boolean' | 'date' | 'time' | 'error'

export interface SheetCell {
  readonly kind: CellKind
  /** As a CSV file would hold it: dates in ISO 8601, numbers with all their digits; empty where missing. */
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

/** Times of day are stored as a share of day 0, which is the day before 1900-01-01. */
const DAY_ZERO = Date.UTC(1899, 11, 31)
const DAY_ONE = DAY_ZERO + 86_400_000

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
  if (milliseconds % 86_400_000 === 0) return { kind: 'date', text: iso.slice(0, 10) }
  return { kind: 'date', text: iso.slice(0, -1).replace('T', ' ').replace('.000', '') }
}
