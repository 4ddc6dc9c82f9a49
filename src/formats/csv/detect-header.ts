import { modalWidth } from './detect-dialect.ts'

/** Where the table begins in a file. */
export interface CsvLayout {
  /** Records above the header (or above the data where there is no header): titles, notes. */
  readonly titleRecords: number
  /** Null: the first record is data. */
  readonly header: readonly string[] | null
  /** Fields of a record. */
  readonly width: number
}

/** Number of records that are searched for titles. */
const MAX_TITLES = 20

const NUMBER = /^[+-]?(\d{1,3}([,. \u00a0']\d{3})+|\d+)?([.,]\d+)?([eE][+-]?\d+)?%?$/
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ]\d{1,2}:\d{2}.*)?$/
const TIME = /^\d{1,2}:\d{2}(:\d{2})?$/
const MONEY = /^[$€£]\s?\d[\d.,]*$/
/** A year is as likely a column name as a value. */
const YEAR = /^(19|20)\d\d$/
const TRUTH = /^(true|false)$/i

/**
 * Finds the header below title lines, or finds that there is none.
 *
 * Title lines are records with at most one filled field, or fewer fields than the table has, above a *proper* header:
 * filled (except for at most a tenth), distinct, free of values. Without a proper header below them nothing is skipped.
 * A first record is data when one of its values is above a column of such values and no text is above a column of
 * values.
 */
export function detectHeader(records: readonly (readonly string[])[]): CsvLayout {
  // Titles must not outvote the table in a short file.
  const width = modalWidth(records)
  const titleRecords = countTitles(records, width)
  const first = records[titleRecords] ?? []
  if (first.length === width && isData(first, records.slice(titleRecords + 1, titleRecords + 101))) {
    return { titleRecords, header: null, width }
  }
  // R's write.table omits the name of the first column, which has the row names.
  if (first.length === width - 1 && width > 2) return { titleRecords, header: ['', ...first], width }
  return { titleRecords, header: first, width: Math.max(first.length, width) }
}

function countTitles(records: readonly (readonly string[])[], width: number): number {
  if (width < 2) return 0
  for (let at = 0; at < Math.min(records.length - 1, MAX_TITLES + 1); at++) {
    const record = records[at]!
    const filled = record.filter((field) => field.trim() !== '').length
    const isTitle = record.length < width || (filled <= 1 && width > 2) || filled === 0
    if (isTitle) continue
    return at > 0 && isPlainHeader(record, width) ? at : 0
  }
  return 0
}

function isPlainHeader(record: readonly string[], width: number): boolean {
  if (record.length !== width) return false
  const names = record.map((field) => field.trim()).filter((field) => field !== '')
  if (names.length < Math.ceil(0.9 * width) || new Set(names).size < names.length) return false
  return names.every((name) => YEAR.test(name) || !isValue(name))
}

function isValue(field: string): boolean {
  const text = field.trim()
  if (TRUTH.test(text)) return true
  return /\d/.test(text) && (NUMBER.test(text) || DATE.test(text) || TIME.test(text) || MONEY.test(text))
}

function isData(first: readonly string[], body: readonly (readonly string[])[]): boolean {
  let valueOverValues = false
  for (let column = 0; column < first.length; column++) {
    const cells = body.map((record) => (record[column] ?? '').trim()).filter((field) => field !== '')
    if (cells.length === 0) continue
    const values = cells.filter(isValue).length
    if (values < 0.8 * cells.length) continue
    const top = first[column]!.trim()
    if (top === '' || isMissingWord(top)) continue
    if (!isValue(top)) return false
    if (!YEAR.test(top)) valueOverValues = true
  }
  return valueOverValues
}

function isMissingWord(field: string): boolean {
  return /^(na|n\/a|nan|null)$/i.test(field)
}
