/** Rows that a note names. */
const MOST_NAMED = 5

/** Rows of totals that were left out. */
export interface TotalsRows {
  /** Numbers of the rows in the sheet, or lines of the file, ascending. */
  readonly rows: readonly number[]
  /** The first text of the first of them; empty: it has none. */
  readonly text: string
}

/** @param what the numbers count. */
export function totalsNote({ rows, text }: TotalsRows, what: 'row' | 'line'): string {
  const [first = 0] = rows
  const label = text === '' ? '' : ` ("${text}")`
  if (rows.length === 1) return `A row of totals is no data and was left out: ${what} ${first}${label}.`
  const areTogether = rows.every((row, i) => row === first + i)
  const places = areTogether
    ? `${rows.length} rows from ${what} ${first} on`
    : `${what}s ${rows.slice(0, MOST_NAMED).join(', ')}${rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : ''}`
  return `Rows of totals are no data and were left out: ${places}${label}.`
}

/** Of a row at the end with the label of totals and other figures. */
export function otherFiguresNote(label: string): string {
  return (
    `A row at the end begins with "${label}", but its figures are not those of the rows above, so it was kept as data. ` +
    'Remove it from the file if it is no answer.'
  )
}
