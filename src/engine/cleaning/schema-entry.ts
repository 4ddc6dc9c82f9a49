/** A cleaned column as the schema shows it: name, kind, levels or range. */
import type { TableColumn } from '../table.ts'

/** One column of the cleaned schema. */
export type SchemaEntry =
  | {
      readonly name: string
      readonly type: 'categorical'
      /** Most frequent first. */
      readonly levels: readonly string[]
      readonly sourceName: string
      /** The option of a multi-select column of which this column says whether it was ticked; else null. */
      readonly sourceOption: string | null
      readonly missingShare: number
    }
  | {
      readonly name: string
      readonly type: 'numeric'
      /** RFC 3339 text for dates and times, else a number. */
      readonly min: number | string
      readonly max: number | string
      readonly integer: boolean
      readonly format: 'date' | 'date-time' | null
      readonly sourceName: string
      readonly missingShare: number
    }

export function schemaEntry(column: TableColumn, sourceOption: string | null): SchemaEntry {
  const { name, sourceName, missingShare } = column
  if (column.kind === 'categorical')
    return { name, type: 'categorical', levels: column.levels, sourceName, sourceOption, missingShare }
  const { format } = column
  const bound = (value: number) => (format === null ? value : rfc3339(value, format))
  return {
    name,
    type: 'numeric',
    min: bound(column.min),
    max: bound(column.max),
    integer: column.integer,
    format,
    sourceName,
    missingShare,
  }
}

function rfc3339(milliseconds: number, format: 'date' | 'date-time'): string {
  const text = new Date(milliseconds).toISOString()
  return format === 'date' ? text.slice(0, text.indexOf('T')) : text
}
