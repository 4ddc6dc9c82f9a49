import type { TotalsRows } from '../totals/totals-note.ts'
import type { CellRow } from './sheet-source.ts'

/** Rows below a table that are no data. */
export interface LeftOutRows {
  readonly count: number
  /** From 1, in the sheet. */
  readonly firstRow: number
  /** The first text of the first row. */
  readonly text: string
}

export function leftOut(rows: readonly CellRow[]): LeftOutRows | null {
  const [first] = rows
  return first === undefined ? null : { count: rows.length, firstRow: first.index + 1, text: firstText(first) }
}

export const totalsOf = (rows: readonly CellRow[]): TotalsRows => ({
  rows: rows.map(({ index }) => index + 1),
  text: firstText(rows[0]!),
})

function firstText({ cells }: CellRow): string {
  return cells.find(({ kind }) => kind === 'text')?.text ?? ''
}
