/** A cleaned column as the schema shows it: name, kind, levels or range. */

import { outermostOf, toldRange } from '../disclosure/released-range.ts'
import { findScale } from '../scales/find-scale.ts'
import type { LevelScale } from '../scales/level-scale.ts'
import type { CategoricalColumn, TableColumn } from './table.ts'

/** One column of the cleaned schema. */
export type SchemaEntry =
  | {
      readonly name: string
      readonly type: 'categorical'
      /** Most frequent first. */
      readonly levels: readonly string[]
      /** Null where no order of the levels was found. */
      readonly ordered: OrderedLevels | null
      readonly sourceName: string
      /** The option of a multi-select column of which this column says whether it was ticked; else null. */
      readonly sourceOption: string | null
      readonly missingShare: number
    }
  | {
      readonly name: string
      readonly type: 'numeric'
      /** As told (see released-range.ts); RFC 3339 text for dates and times, else a number. */
      readonly min: number | string
      readonly max: number | string
      readonly integer: boolean
      readonly format: 'date' | 'date-time' | null
      readonly sourceName: string
      readonly missingShare: number
    }

export interface OrderedLevels {
  readonly from: LevelScale['source']
  /** In ascending order. */
  readonly levels: readonly string[]
  /** Levels without a place in it: no answer, do not know. */
  readonly apart: readonly string[]
}

export function schemaEntry(column: TableColumn, sourceOption: string | null): SchemaEntry {
  const { name, sourceName, missingShare } = column
  if (column.kind === 'categorical')
    return {
      name,
      type: 'categorical',
      levels: column.levels,
      ordered: orderedLevels(column),
      sourceName,
      sourceOption,
      missingShare,
    }
  const { format } = column
  const { min, max } = toldRange(column, outermostOf(column.values, column.valid))
  const bound = (value: number) => (format === null ? value : rfc3339(value, format))
  return {
    name,
    type: 'numeric',
    min: bound(min),
    max: bound(max),
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

function orderedLevels({ levels, integer }: CategoricalColumn): OrderedLevels | null {
  const scale = findScale(levels, integer)
  if (scale === null) return null
  const { values } = scale
  const placed = [...levels.keys()].filter((i) => !Number.isNaN(values[i]))
  return {
    from: scale.source,
    levels: placed.sort((a, b) => values[a]! - values[b]!).map((i) => levels[i]!),
    apart: levels.filter((_, i) => Number.isNaN(values[i])),
  }
}
