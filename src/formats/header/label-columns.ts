import type { RawColumn } from '../../base/raw-table.ts'

/** Gives columns the labels that the header of their file has for them. */
export function labelColumns(columns: readonly RawColumn[], labels: readonly (string | undefined)[]): RawColumn[] {
  return columns.map((column, at) => (labels[at] === undefined ? column : { ...column, label: labels[at] }))
}
