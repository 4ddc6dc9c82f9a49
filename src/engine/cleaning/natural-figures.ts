/** How the seed's values are distributed, as far as it may be released: what a target is read against. */

import { Buffer } from 'node:buffer'
import { releasedQuantiles } from '../disclosure/released-quantiles.ts'
import { outermostOf, releasedRange } from '../disclosure/released-range.ts'
import { releasedShares } from '../disclosure/released-shares.ts'
import { jsonBytes, type SchemaEntry, timeText } from './schema-entry.ts'
import { MAX_SCHEMA_BYTES } from './size-bounds.ts'
import type { NumericColumn, Table } from './table.ts'

export type NaturalFigures =
  /** Share of all rows by level, in the sequence of the levels; null where it is not released. */
  | { readonly levelShares: readonly (number | null)[] }
  /** At 0.05, 0.25, 0.5, 0.75 and 0.95; RFC 3339 text for dates and times, null where it is not released. */
  | { readonly quantiles: readonly (number | string | null)[] }

/** Rows that quantiles are taken from: every so manieth of a longer table. */
const MOST_SORTED = 50_000

/**
 * The figures of each column, null where none is released, and where the schema with them would exceed its bound.
 *
 * @param schema of the table's columns.
 */
export function naturalFigures(
  { columns, weights }: Table,
  schema: readonly SchemaEntry[],
  maxBytes = MAX_SCHEMA_BYTES,
): readonly (NaturalFigures | null)[] {
  let left = maxBytes - schema.reduce((sum, entry) => sum + jsonBytes(entry), 0)
  return columns.map((column) => {
    const figures =
      column.kind === 'categorical'
        ? { levelShares: releasedShares(column.levels.length, column.codes, weights) }
        : { quantiles: quantilesOf(column, weights) }
    const list = 'levelShares' in figures ? figures.levelShares : figures.quantiles
    const bytes = Buffer.byteLength(JSON.stringify(list)) + LONGEST_KEYS
    if (bytes > left || list.every((figure) => figure === null)) return null
    left -= bytes
    return figures
  })
}

/** Bytes of the keys that the figures have in the schema. */
const LONGEST_KEYS = 64

function quantilesOf(column: NumericColumn, weights: Float64Array | undefined): readonly (number | string | null)[] {
  const rows = sortedRows(column, weights !== undefined)
  const sorted = 'values' in rows ? rows.values : Float64Array.from(rows.indices, (row) => column.values[row]!)
  const { min, max } = releasedRange(column, outermostOf(column.values, column.valid))
  const released =
    'values' in rows
      ? releasedQuantiles(column, sorted)
      : releasedQuantiles(column, sorted, cumulated(rows.indices, weights!))
  return released.map((value) => {
    if (value === null) return null
    const inside = Math.min(max, Math.max(min, value))
    return column.format === null ? inside : timeText(inside, column.format)
  })
}

/** The values in ascending order, or the rows in the order of their values. */
function sortedRows(
  { values, valid }: NumericColumn,
  asRows: boolean,
): { readonly values: Float64Array } | { readonly indices: Uint32Array } {
  const step = Math.max(1, Math.ceil(values.length / MOST_SORTED))
  const indices = new Uint32Array(Math.ceil(values.length / step))
  let n = 0
  for (let row = 0; row < values.length; row += step) if (valid[row] !== 0) indices[n++] = row
  const held = indices.subarray(0, n)
  return asRows
    ? { indices: held.sort((a, b) => values[a]! - values[b]! || a - b) }
    : { values: Float64Array.from(held, (row) => values[row]!).sort() }
}

function cumulated(rows: Uint32Array, weights: Float64Array): Float64Array {
  const before = new Float64Array(rows.length + 1)
  for (let i = 0; i < rows.length; i++) before[i + 1] = before[i]! + weights[rows[i]!]!
  return before
}
