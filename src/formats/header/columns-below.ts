import { cellOf, isMissing, isValue, isYear, type TextRow } from './cell-texts.ts'

/** What the first rows below a row say about a column. */
export interface ColumnBelow {
  /** Rows that were looked at. */
  readonly rows: number
  /** Cells with a text that does not mean "missing". */
  readonly filled: number
  /** Of these, numbers, dates, times and booleans. */
  readonly values: number
  /** Of these, years. */
  readonly years: number
  /** Distinct texts. */
  readonly texts: ReadonlySet<string>
}

/** Rows and cells that are enough to know what a column holds. */
const MAX_ROWS = 300
const MAX_CELLS = 300_000

/** Describes the columns of a table by its first rows. */
export function columnsBelow(rows: readonly TextRow[], width: number): ColumnBelow[] {
  const most = Math.min(MAX_ROWS, Math.max(20, Math.floor(MAX_CELLS / Math.max(1, width))))
  const body = rows.slice(0, most)
  return Array.from({ length: width }, (_, column) => {
    const texts = new Set<string>()
    let filled = 0
    let values = 0
    let years = 0
    for (const row of body) {
      const text = cellOf(row, column)
      if (isMissing(text)) continue
      filled++
      texts.add(text)
      if (isValue(text)) values++
      if (isYear(text)) years++
    }
    return { rows: body.length, filled, values, years, texts }
  })
}

/** Whether (nearly) all cells of a column are values. */
export function holdsValues({ filled, values }: ColumnBelow): boolean {
  return filled > 0 && values >= 0.8 * filled
}

/** Whether the cells of a column repeat a few levels. */
export function repeatsLevels({ filled, texts }: ColumnBelow): boolean {
  return filled >= 8 && 3 * texts.size <= filled
}
