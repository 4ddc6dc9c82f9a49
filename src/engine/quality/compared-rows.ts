/**
 * Rows of the three parts (trained on, held out, synthetic) under one numbering, so that measuring compares integers.
 *
 * d  columns     K  numbers of a column     n  rows of a part
 */

import type { TrainedKind } from '../../base/column-kind.ts'
import type { Block, BlockColumn } from '../../base/output-table.ts'
import type { CategoricalColumn, NumericColumn, Table, TableColumn } from '../cleaning/table.ts'
import { findScale } from '../scales/find-scale.ts'

export type Part = 'training' | 'heldOut' | 'synthetic'

export interface ComparedColumn {
  readonly name: string
  readonly kind: TrainedKind
  /** K: numbers run from 0, missing, to K - 1; those of a numeric column ascend with its values. */
  readonly numberCount: number
  /** Numeric columns, length K: the value behind every number, NaN for missing. */
  readonly values: Float64Array | null
  /**
   * Length K: the rank of every number if the values are ordered, NaN for missing and off the scale; null for unordered
   * levels.
   */
  readonly scale: Float64Array | null
  /** Length n of the part. */
  readonly rows: Readonly<Record<Part, Int32Array>>
}

export interface ComparedRows {
  readonly rowCount: Readonly<Record<Part, number>>
  readonly columns: readonly ComparedColumn[]
}

/**
 * training, heldOut  with the same columns
 * synthetic          blocks of rows with these columns in this order
 */
export function compareRows(training: Table, heldOut: Table, synthetic: readonly Block[]): ComparedRows {
  const rowCount = {
    training: training.rowCount,
    heldOut: heldOut.rowCount,
    synthetic: synthetic.reduce((sum, block) => sum + block.rowCount, 0),
  }
  return {
    rowCount,
    columns: training.columns.map((column, c) => {
      const parts = [
        [cellsOf(column)],
        [cellsOf(heldOut.columns[c]!)],
        synthetic.map((block) => block.columns[c]!),
      ] as const
      return column.kind === 'categorical' ? compareLevels(column, parts) : compareNumbers(column, parts)
    }),
  }
}

type PartCells = readonly (readonly BlockColumn[])[]

function cellsOf(column: TableColumn): BlockColumn {
  return column.kind === 'categorical' ? { codes: column.codes } : { values: column.values, valid: column.valid }
}

function compareLevels({ name, levels, integer, order }: CategoricalColumn, parts: PartCells): ComparedColumn {
  const rows = parts.map((blocks) => {
    const numbers: Int32Array[] = blocks.map((block) =>
      'codes' in block ? block.codes.map((code) => code + 1) : empty,
    )
    return joined(numbers)
  })
  const places = findScale(levels, integer, order)?.values ?? (integer ? Float64Array.from(levels, Number) : null)
  const scale = places && Float64Array.of(Number.NaN, ...places)
  return { name, kind: 'categorical', numberCount: levels.length + 1, values: null, scale, rows: byPart(rows) }
}

function compareNumbers(column: NumericColumn, parts: PartCells): ComparedColumn {
  const round = rounding(column.decimals)
  const values = parts.map((blocks) =>
    joined(
      blocks.map((block) =>
        'codes' in block ? new Float64Array(0) : presentNumbers(block.values, block.valid, round),
      ),
    ),
  )
  const distinct = distinctValues(values)
  const rows = values.map((part) => numbersOf(distinct, part))
  const compared = { values: distinct, scale: distinct, rows: byPart(rows) }
  return { name: column.name, kind: 'numeric', numberCount: distinct.length, ...compared }
}

/** NaN if there is none. */
function presentNumbers(
  values: Float64Array,
  valid: Uint8Array | null,
  round: (value: number) => number,
): Float64Array {
  const numbers = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) numbers[i] = valid !== null && valid[i] === 0 ? Number.NaN : round(values[i]!)
  return numbers
}

/**
 * The value in a file of the column (see `roundTo` of the writers), so that generated and real values compare exactly.
 */
function rounding(decimals: number): (value: number) => number {
  const scale = 10 ** decimals
  return (value) => {
    const units = Math.round(value * scale)
    // + 0: -0 becomes 0.
    const isKept = decimals >= 12 && Math.abs(units) < 1e6
    return (decimals <= 15 && Number.isSafeInteger(units) && !isKept ? units / scale : value) + 0
  }
}

/** NaN for missing, then all values of all parts ascending, each once. */
function distinctValues(parts: readonly Float64Array[]): Float64Array {
  const sorted = joined(parts).sort()
  let count = 1
  const distinct = new Float64Array(sorted.length + 1)
  distinct[0] = Number.NaN
  // NaNs sort last.
  for (let i = 0; i < sorted.length && !Number.isNaN(sorted[i]!); i++) {
    if (count === 1 || sorted[i] !== distinct[count - 1]) distinct[count++] = sorted[i]!
  }
  return distinct.slice(0, count)
}

function numbersOf(distinct: Float64Array, values: Float64Array): Int32Array {
  const numbers = new Int32Array(values.length)
  for (let i = 0; i < values.length; i++) numbers[i] = numberOf(distinct, values[i]!)
  return numbers
}

function numberOf(distinct: Float64Array, value: number): number {
  if (Number.isNaN(value)) return 0
  let low = 1
  let high = distinct.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (distinct[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

const empty = new Int32Array(0)

function joined<A extends Int32Array | Float64Array>(arrays: readonly A[]): A {
  const length = arrays.reduce((sum, array) => sum + array.length, 0)
  const all = (arrays[0] instanceof Float64Array ? new Float64Array(length) : new Int32Array(length)) as A
  let at = 0
  for (const array of arrays) {
    all.set(array, at)
    at += array.length
  }
  return all
}

function byPart(rows: readonly Int32Array[]): Record<Part, Int32Array> {
  return { training: rows[0]!, heldOut: rows[1]!, synthetic: rows[2]! }
}

/** Columns with ordered values, as numbers that can be correlated. */
interface OrderedColumn {
  readonly column: ComparedColumn
  /** By number: its value in a correlation, NaN for missing. */
  readonly scores: Float64Array
}

/**
 * If one column determines at least this share of another, both are one measurement and show little about other pairs.
 */
export const SAME_MEASUREMENT = 0.8

/**
 * For each ordered column, the ranks of its values among the real rows, from -0.5 to 0.5 (ridits; Bross 1958). With ranks, one
 * outlier affects no correlation.
 */
export function rankedColumns({ columns }: ComparedRows): OrderedColumn[] {
  return columns.flatMap((column) => {
    const { scale } = column
    return scale === null ? [] : [{ column, scores: ranksOf(column, scale) }]
  })
}

function ranksOf({ numberCount, rows }: ComparedColumn, scale: Float64Array): Float64Array {
  const counts = new Int32Array(numberCount)
  for (const part of ['training', 'heldOut'] as const) {
    for (let i = 0; i < rows[part].length; i++) counts[rows[part][i]!]!++
  }
  const ascending = new Int32Array(numberCount - 1).map((_, i) => i + 1)
  ascending.sort((a, b) => scale[a]! - scale[b]!)
  const total = rows.training.length + rows.heldOut.length - counts[0]!
  const ranks = new Float64Array(numberCount).fill(Number.NaN)
  let below = 0
  for (const number of ascending) {
    ranks[number] = (below + counts[number]! / 2) / Math.max(1, total) - 0.5
    below += counts[number]!
  }
  return ranks
}

/** Length n of the part. */
export function scoresOf({ column, scores }: OrderedColumn, part: Part): Float64Array {
  const rows = column.rows[part]
  const of = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) of[i] = scores[rows[i]!]!
  return of
}
