import type { RawColumn } from '../../base/raw-table.ts'

/** At most five of the items, and how many more there are. */
export function list(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ')
  return items.length > 5 ? `${shown} and ${items.length - 5} more` : shown
}

/** Columns with notes of their own; the others are named together. */
const MAX_NOTES = 20

/** Tells of columns that stay numbers although some of their values have labels. */
export function labelNotes(
  columns: readonly { readonly column: RawColumn; readonly partlyLabelled: ReadonlyMap<number, string> | null }[],
): string[] {
  const partly = columns.filter(({ partlyLabelled }) => partlyLabelled !== null)
  const notes = partly.slice(0, MAX_NOTES).map(({ column, partlyLabelled }) => {
    const labels = [...partlyLabelled!].map(([value, label]) => `${value} = ${clipped(label)}`)
    return (
      `Column "${column.name}" has labels for some of its values only and was kept as numbers (${list(labels)}). ` +
      'Declare codes that are no amounts as missing in SPSS.'
    )
  })
  const more = partly.slice(MAX_NOTES)
  if (more.length > 0) {
    notes.push(`The same holds for ${more.length} more: ${list(more.map(({ column }) => `"${column.name}"`))}.`)
  }
  return notes
}

function clipped(label: string): string {
  const letters = [...label]
  return letters.length > 40 ? `${letters.slice(0, 39).join('')}…` : label
}
