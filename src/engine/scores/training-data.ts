/**
 * The input of tree growing: codes, and the same codes grouped into at most 256 bins for use as predictors.
 *
 * n  rows, or their copies where they have weights     d  columns     K  codes of a column
 */

import type { TrainedKind } from '../../base/column-kind.ts'
import type { EncodedCategorical, EncodedColumn, EncodedNumeric } from '../model/model.ts'
import { findScale } from '../scales/find-scale.ts'
import { sharedFloat64, sharedUint8, sharedUint16 } from '../threads/shared-arrays.ts'
import { codesOfCopies, copyRows, type RowCopies } from '../weighting/row-copies.ts'
import { type SharedProducts, sharedProducts } from './shared-products.ts'

/** Predictor bins are bytes. */
export const MAX_BINS = 256

/** All that growing needs to know of a column; small enough to send to a thread with every task. */
export interface ColumnShape {
  readonly kind: TrainedKind
  readonly codeCount: number
  readonly missing: 0 | 1
}

export interface TrainingData {
  readonly rowCount: number
  readonly columns: readonly ColumnShape[]
  /** d shared arrays of length n. */
  readonly codes: readonly Uint16Array[]
  readonly bins: readonly PredictorBins[]
  /**
   * Numeric columns: mean value of every code, NaN for missing. Ordered levels: the place of every code on its scale, NaN for
   * missing and for levels off the scale. Null where codes have no order.
   */
  readonly centers: readonly (Float64Array | null)[]
  /** The rows that scores are fitted to; null if they would take too much memory. */
  readonly products: SharedProducts | null
  /** The rows behind the n copies; null where rows have no weights. */
  readonly copies: RowCopies | null
}

/**
 * A column as a predictor. Numeric: ascending ranges of codes, missing alone in bin 0. Categorical: a bin per level.
 * Null `bins`: a categorical column with too many levels, which are grouped for each target (`level-order.ts`).
 */
export interface PredictorBins {
  /** Length n, shared. */
  readonly bins: Uint8Array | null
  readonly binCount: number
  /** Length binCount, shared: largest code in each bin. */
  readonly upper: Uint16Array
}

/**
 * ofRows   d arrays, a code per row
 * weights  of the rows, mean 1; absent: all count alike
 */
export function trainingData(
  columns: readonly EncodedColumn[],
  ofRows: readonly Uint16Array[],
  weights?: Float64Array,
): TrainingData {
  const copies = weights === undefined ? null : copyRows(weights, columns.length)
  const codes = copies === null ? ofRows : ofRows.map((own) => codesOfCopies(own, copies))
  return {
    rowCount: codes[0]?.length ?? 0,
    columns: columns.map(({ kind, codeCount, missing }) => ({ kind, codeCount, missing })),
    codes,
    bins: columns.map((column, c) => binPredictor(column, codes[c]!)),
    centers: columns.map((column) => (column.kind === 'numeric' ? centersOf(column) : placesOf(column))),
    products: sharedProducts(columns),
    copies,
  }
}

/** Length K, shared: see TrainingData.centers. */
export function centersOf({ codeCount, missing, binStart, values, cumulative }: EncodedNumeric): Float64Array {
  const centers = sharedFloat64(codeCount)
  if (missing === 1) centers[0] = Number.NaN
  for (let b = 0; b + missing < codeCount; b++) {
    let sum = 0
    for (let v = binStart[b]!; v < binStart[b + 1]!; v++) sum += values[v]! * (cumulative[v + 1]! - cumulative[v]!)
    centers[b + missing] = sum / (cumulative[binStart[b + 1]!]! - cumulative[binStart[b]!]!)
  }
  return centers
}

function placesOf({ levels, integer, order, missing, codeCount }: EncodedCategorical): Float64Array | null {
  const scale = findScale(levels, integer, order)
  if (scale === null) return null
  const places = sharedFloat64(codeCount).fill(Number.NaN)
  places.set(scale.values, missing)
  return places
}

function binPredictor(column: ColumnShape, codes: Uint16Array): PredictorBins {
  const k = column.codeCount
  if (column.kind === 'categorical' && k > MAX_BINS) return { bins: null, binCount: 0, upper: sharedUint16(0) }
  const binOfCode = new Uint8Array(k)
  let binCount = k
  if (k <= MAX_BINS) {
    for (let c = 0; c < k; c++) binOfCode[c] = c
  } else {
    const counts = countCodes(codes, k)
    const first = column.missing
    const rows = codes.length - (first === 1 ? counts[0]! : 0)
    const valueBins = MAX_BINS - first
    binCount = first
    let before = 0
    let quantile = -1
    for (let c = first; c < k; c++) {
      const q = Math.floor((before * valueBins) / rows)
      if (q !== quantile) {
        binCount++
        quantile = q
      }
      binOfCode[c] = binCount - 1
      before += counts[c]!
    }
  }
  const upper = sharedUint16(binCount)
  for (let c = 0; c < k; c++) upper[binOfCode[c]!] = c
  return { bins: binCodes(codes, binOfCode), binCount, upper }
}

function countCodes(codes: Uint16Array, k: number): Int32Array {
  const counts = new Int32Array(k)
  for (let i = 0; i < codes.length; i++) counts[codes[i]!]!++
  return counts
}

function binCodes(codes: Uint16Array, binOfCode: Uint8Array): Uint8Array {
  const bins = sharedUint8(codes.length)
  for (let i = 0; i < codes.length; i++) bins[i] = binOfCode[codes[i]!]!
  return bins
}
