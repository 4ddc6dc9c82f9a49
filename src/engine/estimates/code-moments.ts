/**
 * Mean and variance of the values that a code of a numeric column stands for, so that nothing is lost by binning.
 *
 * K  codes of the column, V  its distinct values
 */
import type { EncodedNumeric } from '../model/model.ts'
import { weightsInside } from '../sampling/decode.ts'
import type { ValueRange } from '../sampling/value-cells.ts'

export interface CodeMoments {
  /** Length K: 0 for missing, and where nothing of the bin lies inside the range. */
  readonly means: Float64Array
  /** Length K */
  readonly variances: Float64Array
}

/** @param range Only values inside it count; null: all. */
export function codeMoments(column: EncodedNumeric, range: ValueRange | null): CodeMoments {
  const { binStart, values, missing } = column
  const means = new Float64Array(column.codeCount)
  const variances = new Float64Array(column.codeCount)
  for (let bin = 0; bin < binStart.length - 1; bin++) {
    const first = binStart[bin]!
    const rows = runningRows(column, range, first, binStart[bin + 1]!)
    const all = rows.at(-1)!
    if (!(all > 0)) continue
    // A value may stand for the numbers around it: where a bound cuts them, for those on this side of it.
    const valueAt = (i: number): number =>
      range === null ? values[first + i]! : Math.min(range.max, Math.max(range.min, values[first + i]!))
    const shareAt = (i: number): number => (rows[i]! - (i === 0 ? 0 : rows[i - 1]!)) / all
    let mean = 0
    for (let i = 0; i < rows.length; i++) mean += shareAt(i) * valueAt(i)
    let variance = 0
    for (let i = 0; i < rows.length; i++) variance += shareAt(i) * (valueAt(i) - mean) ** 2
    means[bin + missing] = mean
    variances[bin + missing] = variance
  }
  return { means, variances }
}

/** Running sums of the rows of values first … end - 1 inside the range. */
function runningRows(column: EncodedNumeric, range: ValueRange | null, first: number, end: number): Float64Array {
  if (range !== null) return weightsInside(column, range, first, end)
  return column.cumulative.subarray(first + 1, end + 1).map((rows) => rows - column.cumulative[first]!)
}
