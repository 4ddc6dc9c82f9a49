import { listText } from '../../base/text/amount-text.ts'

/** One note about several columns, of which `most` are named; none for no column. */
export function aboutColumns(columns: readonly string[], sentence: string, most = 10): string[] {
  return columns.length === 0 ? [] : [`${sentence}: ${listText(columns, most)}.`]
}
