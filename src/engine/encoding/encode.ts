/**
 * Columns become integer codes. Missing is an ordinary value: code 0 where a column has any.
 *
 * n  rows     V  distinct values     B  bins     K  codes, missing included
 */

import type { CategoricalColumn, NumericColumn, Table, TableColumn } from '../cleaning/table.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { type EncodedCategorical, type EncodedColumn, type EncodedNumeric, MAX_LEVELS } from '../model/model.ts'
import type { JobKind } from '../threads/crew.ts'
import { share, sharedFloat64, sharedUint8, sharedUint16 } from '../threads/shared-arrays.ts'

/**
 * Columns with at most this many distinct values have one bin per value. Otherwise bins are quantiles of about n / 256 rows, and a
 * value with at least that many rows has a bin to itself. (1,000 bins brought no improvement.)
 */
const QUANTILE_BINS = 256

export interface EncodeTask {
  readonly column: TableColumn
  /** Values of a numeric column at which a bin must begin, ascending; null for none. */
  readonly edges: Float64Array | null
}

export interface Encoded {
  readonly column: EncodedColumn
  /** Length n, shared. */
  readonly codes: Uint16Array
  /** See Model.positions. */
  readonly positions: Uint16Array | null
}

/** @throws RangeError if the table is empty or its columns differ in length. */
export function checkTable(table: Table): void {
  if (table.rowCount < 1) throw new RangeError('the table has no rows')
  if (table.columns.length < 1) throw new RangeError('the table has no columns')
  if (table.weights && table.weights.length !== table.rowCount) {
    throw new RangeError(`${table.weights.length} rows have weights, the table has ${table.rowCount}`)
  }
  for (const column of table.columns) {
    const length = column.kind === 'categorical' ? column.codes.length : column.values.length
    if (length !== table.rowCount || (column.kind === 'numeric' && column.valid.length !== table.rowCount)) {
      throw new RangeError(`column ${column.name} has ${length} rows, the table ${table.rowCount}`)
    }
  }
}

/** @throws RangeError for a code outside the levels, a value that is not finite, or more than MAX_LEVELS levels. */
export function encodeColumn(column: TableColumn): Encoded {
  return encodeWithEdges({ column, edges: null })
}

/** @throws as `encodeColumn`. */
export function encodeWithEdges({ column, edges }: EncodeTask): Encoded {
  return column.kind === 'categorical' ? encodeCategorical(column) : encodeNumeric(column, edges)
}

export const ENCODE_JOB: JobKind<null, EncodeTask, Encoded> = { name: 'encode', prepare: () => encodeWithEdges }

function encodeCategorical(column: CategoricalColumn): Encoded {
  const { codes: source, levels } = column
  if (levels.length > MAX_LEVELS) {
    throw new RangeError(`column ${column.name} has ${levels.length} levels, more than ${MAX_LEVELS}`)
  }
  const missing = source.includes(-1) ? 1 : 0
  const codes = sharedUint16(source.length)
  for (let i = 0; i < source.length; i++) {
    const code = source[i]!
    if (code < -1 || code >= levels.length) {
      throw new RangeError(`column ${column.name} has code ${code} in row ${i}, but ${levels.length} levels`)
    }
    codes[i] = code + missing
  }
  const encoded: EncodedCategorical = {
    kind: 'categorical',
    name: column.name,
    sourceName: column.sourceName,
    missingShare: column.missingShare,
    missing,
    codeCount: levels.length + missing,
    levels: [...levels],
    integer: column.integer,
    // Absent where there is none: models without a declared order keep their bytes.
    ...(column.order !== undefined && { order: column.order }),
  }
  return { column: encoded, codes, positions: null }
}

function encodeNumeric(column: NumericColumn, edges: Float64Array | null): Encoded {
  const sorted = presentValues(column).sort()
  const present = sorted.length
  const { values, cumulative } = distinctValues(sorted)
  const bandStarts = edges === null ? null : markEdges(values, edges)
  const binStart = cutBins(cumulative, present, bandStarts)
  const missing = present < column.values.length ? 1 : 0
  const lattice = findLattice(values, column.decimals)
  const codes = codesOf(column, values, binStart, missing)
  const encoded: EncodedNumeric = {
    kind: 'numeric',
    name: column.name,
    sourceName: column.sourceName,
    missingShare: column.missingShare,
    missing,
    codeCount: binStart.length - 1 + missing,
    format: column.format,
    integer: column.integer,
    decimals: column.decimals,
    min: column.min,
    max: column.max,
    values,
    cumulative,
    binStart,
    // Few values that all repeat are a discrete scale (ages, tax brackets): nothing lies between them. Where they are lost in their
    // range, single ones name a person, as a document number among zeros does.
    jitter:
      values.length > QUANTILE_BINS ||
      values.length * 2 > present ||
      isSparse({ format: column.format, decimals: column.decimals, values, cumulative, lattice }),
    bandStarts,
    lattice,
  }
  return { column: encoded, codes, positions: positionsOf(column, encoded, codes) }
}

/** Places on the lattice from which on values can be lost, and the share of them that such values fill at most. */
const SPARSE_PLACES = 10_000
const SPARSE_SHARE = 0.005

const SPARSE_VALUES = 12
/** Of fewer values this many are lost if few rows have each of them, and they are most of the values. */
const SPARSE_RARE = 4

/** Most rows of a value that is rare among them: each may be the number of a document, however often it comes. */
const LOST_ROWS = LEAST_ROWS - 1

type Values = Pick<EncodedNumeric, 'format' | 'decimals' | 'values' | 'cumulative' | 'lattice'>

/**
 * Of amounts that nearly all rows repeat, as a list of prices, the others are lost sooner: in so many places, of which the values fill
 * so much at most.
 */
const REPEATED_SHARE = 0.9
const REPEATED_PLACES = 200
const REPEATED_FILLED = 0.05

/** Whether some of few whole numbers are rare and lost among very many possible ones. */
export function isSparse({ format, decimals, values, cumulative, lattice }: Values): boolean {
  if (format !== null || decimals !== 0 || lattice === null || values.length === 0) return false
  const places = ((values[values.length - 1]! - values[0]!) * lattice.scale) / lattice.step
  if (places < REPEATED_PLACES || values.length > REPEATED_FILLED * places) return false
  let [rare, rareRows] = [0, 0]
  for (let v = 0; v < values.length; v++) {
    const rows = cumulative[v + 1]! - cumulative[v]!
    if (rows > LOST_ROWS) continue
    rare++
    rareRows += rows
  }
  const present = cumulative[values.length]! - cumulative[0]!
  if (rare >= SPARSE_RARE && rareRows <= (1 - REPEATED_SHARE) * present) return true
  if (places < SPARSE_PLACES || values.length > SPARSE_SHARE * places) return false
  return values.length >= SPARSE_VALUES ? rare > 0 : rare >= SPARSE_RARE && 2 * rare > values.length
}

/** Null where every bin is one value, and where a bin has more values than 16 bits count. */
function positionsOf({ values }: NumericColumn, encoded: EncodedNumeric, codes: Uint16Array): Uint16Array | null {
  const { binStart, missing, values: distinct } = encoded
  const bins = binStart.length - 1
  if (bins === distinct.length) return null
  for (let bin = 0; bin < bins; bin++) if (binStart[bin + 1]! - binStart[bin]! > 2 ** 16) return null
  const positions = sharedUint16(codes.length)
  for (let row = 0; row < codes.length; row++) {
    const bin = codes[row]! - missing
    if (bin < 0) continue
    let low = binStart[bin]!
    let high = binStart[bin + 1]! - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (distinct[middle]! < values[row]!) low = middle + 1
      else high = middle
    }
    positions[row] = low - binStart[bin]!
  }
  return positions
}

/** Unsorted. */
function presentValues({ name, values, valid }: NumericColumn): Float64Array {
  const out = new Float64Array(values.length)
  let present = 0
  for (let i = 0; i < values.length; i++) {
    if (valid[i] === 0) continue
    const value = values[i]!
    if (!Number.isFinite(value)) throw new RangeError(`column ${name} has the value ${value} in row ${i}`)
    out[present++] = value + 0 // -0 becomes 0
  }
  return out.subarray(0, present)
}

function codesOf(column: NumericColumn, distinct: Float64Array, binStart: Int32Array, missing: 0 | 1): Uint16Array {
  const { values, valid } = column
  const codes = sharedUint16(values.length)
  for (let i = 0; i < codes.length; i++) {
    codes[i] = valid[i] === 0 ? 0 : binOf(distinct, binStart, values[i]!) + missing
  }
  return codes
}

function distinctValues(sorted: Float64Array): { values: Float64Array; cumulative: Float64Array } {
  let count = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) count++
  const values = sharedFloat64(count)
  const cumulative = sharedFloat64(count + 1)
  let v = 0
  for (let i = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) continue
    values[v] = sorted[i]!
    cumulative[v++] = i
  }
  cumulative[count] = sorted.length
  return { values, cumulative }
}

/** See EncodedNumeric.bandStarts. */
function markEdges(values: Float64Array, edges: Float64Array): Uint8Array {
  const starts = sharedUint8(values.length)
  let e = 0
  for (let v = 0; v < values.length && e < edges.length; v++) {
    if (values[v]! < edges[e]!) continue
    starts[v] = 1
    while (e < edges.length && edges[e]! <= values[v]!) e++
  }
  return starts
}

/** First value of every bin, and V at the end. */
function cutBins(cumulative: Float64Array, present: number, bandStarts: Uint8Array | null): Int32Array {
  const distinct = cumulative.length - 1
  const heavy = present / QUANTILE_BINS
  const starts: number[] = []
  let quantile = -1
  let alone = false
  for (let v = 0; v < distinct; v++) {
    const before = cumulative[v]!
    const isHeavy = cumulative[v + 1]! - before >= heavy
    const q = Math.floor((before * QUANTILE_BINS) / present)
    const begins = isHeavy || alone || q !== quantile || bandStarts?.[v] === 1
    if (distinct <= QUANTILE_BINS || begins) starts.push(v)
    quantile = q
    alone = isHeavy
  }
  starts.push(distinct)
  return share(Int32Array.from(starts))
}

/** The bin that holds a value: the last one that begins at or below it, else the first. */
export function binOf(values: Float64Array, binStart: Int32Array, value: number): number {
  let low = 0
  let high = binStart.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (values[binStart[middle]!]! <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** See EncodedNumeric.lattice. */
function findLattice(values: Float64Array, decimals: number): EncodedNumeric['lattice'] {
  if (values.length === 0 || !(decimals >= 0 && decimals <= 15)) return null
  const scale = Number(`1e${decimals}`)
  const origin = Math.round(values[0]! * scale)
  let step = 0
  for (let v = 0; v < values.length; v++) {
    const unit = Math.round(values[v]! * scale)
    if (!Number.isSafeInteger(unit) || unit / scale !== values[v]) return null
    if (step !== 1) step = greatestCommonDivisor(step, unit - origin)
    if (!Number.isSafeInteger(step)) return null
  }
  return { scale, step: Math.max(1, step), origin }
}

export function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a
}
