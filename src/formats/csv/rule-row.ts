/** Lines that database clients print around a table: dashes below its header, and how many rows there are. */

import { countFilled, type TextRow } from '../header/cell-texts.ts'

/** Rows that are looked at: titles stand above the header. */
const MOST_ROWS_ABOVE = 20
const RULE = /^[-=:+|\s]*(?:--|==|:-|-:)[-=:+|\s]*$/

/**
 * The place of the row of dashes below a header, as psql, sqlcmd and Markdown write it; null: there is none. Where more
 * rows are like that, dashes are a value.
 */
export function ruleRowOf(records: readonly TextRow[]): number | null {
  const at = records.slice(0, MOST_ROWS_ABOVE).findIndex(isRule)
  if (at <= 0 || records.slice(at + 1).some(isRule)) return null
  const [names, rule] = [records[at - 1]!, records[at]!]
  // Without a delimiter that the dashes have too, they are one text: "-----+-----".
  const isWhole = rule.length === 1 && names.length > 1 && rule[0]!.includes('+')
  return isWhole || countFilled(rule) >= Math.max(1, countFilled(names)) ? at : null
}

function isRule(record: TextRow): boolean {
  return countFilled(record) > 0 && record.every((text) => text.trim() === '' || RULE.test(text))
}

const ROW_COUNT =
  /^\(?\d+ (?:rows?|records?|tuples?|Zeilen?|Datensätze|filas?|registros?|lignes?|righe|linhas?|rijen|wierszy)(?: (?:affected|selected|returned|in set).*)?[.)]*$/i

/** Whether a record is the last line of a client: `(120 rows affected)`. */
export function isRowCount(fields: TextRow): boolean {
  return ROW_COUNT.test((fields[0] ?? '').trim()) && countFilled(fields) === 1
}
