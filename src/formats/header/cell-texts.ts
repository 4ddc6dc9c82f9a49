/** A row of a file: the texts of its cells. A row may have fewer cells than the table has columns. */
export type TextRow = readonly string[]

const NUMBER = /^[+-]?(\d{1,3}([,. \u00a0']\d{3})+|\d+)?([.,]\d+)?([eE][+-]?\d+)?%?$/
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ]\d{1,2}:\d{2}.*)?$/
const TIME = /^\d{1,2}:\d{2}(:\d{2})?$/
const MONEY = /^[$€£]\s?\d[\d.,]*$/
const YEAR = /^(19|20)\d\d$/
const TRUTH = /^(true|false)$/i
const MISSING = /^(na|n\/a|nan|null|-+|\.)$/i

/** No number, date or amount of money is longer. */
const MAX_VALUE_LENGTH = 64

/** Text of a cell without the blanks around it; empty when the row ends before it. */
export function cellOf(row: TextRow, column: number): string {
  return row[column]?.trim() ?? ''
}

/** Whether a trimmed text is a number, a date, a time, an amount of money or a boolean. */
export function isValue(text: string): boolean {
  if (text.length > MAX_VALUE_LENGTH) return false
  if (TRUTH.test(text)) return true
  return /\d/.test(text) && (NUMBER.test(text) || DATE.test(text) || TIME.test(text) || MONEY.test(text))
}

/** A year is as likely the name of a column as a value. */
export function isYear(text: string): boolean {
  return YEAR.test(text)
}

/** Whether a trimmed text can name a column. */
export function isName(text: string): boolean {
  return text !== '' && (isYear(text) || !isValue(text))
}

/** Whether a trimmed text says that there is no value. */
export function isMissing(text: string): boolean {
  return text === '' || MISSING.test(text)
}

export function isQuestion(text: string): boolean {
  return /[?？؟]["'”»)\]]*$/.test(text)
}

/** A text on one line. */
export function oneLine(text: string): string {
  // A single pattern with the blanks around a line end would take quadratic time for many blanks.
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

export function countFilled(row: TextRow): number {
  let filled = 0
  for (const text of row) if (text.trim() !== '') filled++
  return filled
}

/** Whether all filled cells of a row differ. */
export function isDistinct(row: TextRow): boolean {
  const filled = row.map((text) => text.trim()).filter((text) => text !== '')
  return new Set(filled).size === filled.length
}
