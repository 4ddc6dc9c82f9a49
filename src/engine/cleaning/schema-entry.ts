/**
 * The cleaned schema: each column's name, kind, levels or range, and how it is kept within its bound, by leaving out the columns
 * that take the most of it.
 *
 * Columns of options are never left out: they are part of a column that was split, and all of them together fit.
 */

import { Buffer } from 'node:buffer'
import { countText } from '../../base/text/amount-text.ts'
import { outermostOf, releasedRange } from '../disclosure/released-range.ts'
import type { LevelScale } from '../scales/bands.ts'
import { findScale } from '../scales/find-scale.ts'
import type { DroppedColumn } from './cleaning-report.ts'
import type { KeptColumn } from './infer-column.ts'
import { MAX_SCHEMA_BYTES } from './size-bounds.ts'
import type { CategoricalColumn, TableColumn } from './table.ts'

/** Kept columns, and the decisions about them; all lists have the same length. */
interface Described<Column> {
  readonly columns: readonly Column[]
  readonly schema: readonly SchemaEntry[]
}

/**
 * @param describe makes columns and schema of the kept ones; names depend on all of them.
 * @returns `tooLarge` gives, for each column left out, its bytes in the schema.
 */
export function withinSchemaBound<Column>(
  kept: readonly KeptColumn[],
  describe: (kept: readonly KeptColumn[]) => Described<Column>,
  maxBytes = MAX_SCHEMA_BYTES,
): Described<Column> & { readonly kept: readonly KeptColumn[]; readonly tooLarge: readonly DroppedColumn[] } {
  const tooLarge: DroppedColumn[] = []
  for (let left = kept; ; ) {
    const described = describe(left)
    const sizes = described.schema.map(jsonBytes)
    const out = largest(left, sizes, maxBytes)
    if (out.size === 0) return { ...described, kept: left, tooLarge }
    for (const i of out) tooLarge.push(droppedColumn(left[i]!, sizes[i]!, maxBytes))
    left = left.filter((_, i) => !out.has(i))
  }
}

/** Indexes of the columns to leave out, the largest first, ties the last first; empty when all fit. */
function largest(kept: readonly KeptColumn[], sizes: readonly number[], maxBytes: number): ReadonlySet<number> {
  const out = new Set<number>()
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes <= maxBytes) return out
  const bySize = [...kept.keys()].filter((i) => kept[i]!.option === null).sort((a, b) => sizes[b]! - sizes[a]! || b - a)
  for (const i of bySize) {
    if (bytes <= maxBytes) break
    out.add(i)
    bytes -= sizes[i]!
  }
  return out
}

/** With the following comma, and what other names of the same keys may add. */
export function jsonBytes(entry: SchemaEntry): number {
  return Buffer.byteLength(JSON.stringify(entry)) + 3
}

function droppedColumn({ source, column }: KeptColumn, bytes: number, maxBytes: number): DroppedColumn {
  const takes =
    column.kind === 'categorical'
      ? `Its ${countText(column.levels.length)} levels take ${countText(bytes)} bytes of the cleaned schema`
      : `It takes ${countText(bytes)} bytes of the cleaned schema`
  return {
    name: source.name,
    reason: column.kind === 'categorical' ? 'too_many_levels' : 'unmodelled',
    detail: `${takes}, which may have ${countText(maxBytes)} in total; the columns that take most of it are left out.`,
  }
}

/** One column of the cleaned schema. */
export type SchemaEntry = (CategoricalEntry | NumericEntry) & {
  /** What the file says the column means, one line of at most 1 KiB; absent when it says nothing. */
  readonly label?: string
}

interface EntryBase {
  readonly name: string
  readonly sourceName: string
  readonly missingShare: number
}

interface CategoricalEntry extends EntryBase {
  readonly type: 'categorical'
  /** Most frequent first. */
  readonly levels: readonly string[]
  /** Null when the levels have no known sequence. */
  readonly ordered: OrderedLevels | null
  /** The option of a multi-select column whose ticks this column holds; else null. */
  readonly sourceOption: string | null
}

interface NumericEntry extends EntryBase {
  readonly type: 'numeric'
  /** As released (see released-range.ts); RFC 3339 text for dates and times, else a number. */
  readonly min: number | string
  readonly max: number | string
  readonly integer: boolean
  readonly format: 'date' | 'date-time' | null
}

interface OrderedLevels {
  readonly from: LevelScale['source']
  /** In ascending order. */
  readonly levels: readonly string[]
  /** Levels without a place in it: no answer, do not know. */
  readonly apart: readonly string[]
}

/** @param weights Case weights of the rows; absent: all count alike. */
export function schemaEntry(
  column: TableColumn,
  sourceOption: string | null,
  weights: Float64Array | undefined,
): SchemaEntry {
  const { name, sourceName } = column
  const missingShare = weights === undefined ? column.missingShare : weightOfMissing(column, weights)
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
  const { min, max } = releasedRange(column, outermostOf(column.values, column.valid))
  const bound = (value: number) => (format === null ? value : timeText(value, format))
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

/** Share of the population without a value. */
function weightOfMissing(column: TableColumn, weights: Float64Array): number {
  const isMissing =
    column.kind === 'categorical' ? (row: number) => column.codes[row] === -1 : (row: number) => column.valid[row] === 0
  let missing = 0
  for (let row = 0; row < weights.length; row++) if (isMissing(row)) missing += weights[row]!
  return missing / weights.length
}

/** RFC 3339. */
export function timeText(milliseconds: number, format: 'date' | 'date-time'): string {
  const text = new Date(milliseconds).toISOString()
  return format === 'date' ? text.slice(0, text.indexOf('T')) : text
}

function orderedLevels({ levels, integer, order }: CategoricalColumn): OrderedLevels | null {
  const scale = findScale(levels, integer, order)
  if (scale === null) return null
  const { values } = scale
  const placed = [...levels.keys()].filter((i) => !Number.isNaN(values[i]))
  return {
    from: scale.source,
    levels: placed.sort((a, b) => values[a]! - values[b]!).map((i) => levels[i]!),
    apart: levels.filter((_, i) => Number.isNaN(values[i])),
  }
}
