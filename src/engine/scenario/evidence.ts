/**
 * Seed rows behind a scenario, counted on the model's training sample.
 *
 * n  rows of the sample, K  cells, D  conditioned categorical columns
 */
import type { Model } from '../model.ts'
import { CellIndex } from './cell-index.ts'
import type { RangeCondition, ShareCondition } from './conditions.ts'

/** Seed rows that one row of the training sample stands for. */
export function rowWeight(model: Model): number {
  return model.seedRows / model.rowCount
}

/**
 * Length n: fraction of each sample row inside all ranges: 0 or 1 but for the bins that a bound cuts.
 */
export function rowsInside(model: Model, ranges: readonly RangeCondition[]): Float64Array {
  const inside = new Float64Array(model.rowCount).fill(1)
  for (const { index, fractions } of ranges) {
    const codes = model.codes[index]!
    for (let row = 0; row < inside.length; row++) inside[row]! *= fractions[codes[row]!]!
  }
  return inside
}

/**
 * e: seed rows in each cell and inside the ranges.
 *
 * @param shares D conditions in the order's sequence.
 * @param cellCodes K × D, row-major.
 * @param inside Length n, from rowsInside.
 * @returns Length K, in seed rows.
 */
export function countEvidence(
  model: Model,
  shares: readonly ShareCondition[],
  cellCodes: Int32Array,
  inside: Float64Array,
): Float64Array {
  const D = shares.length
  const weight = rowWeight(model)
  const cellCount = D === 0 ? 1 : cellCodes.length / D
  const evidence = new Float64Array(cellCount)
  const index = new CellIndex(D, cellCodes)
  const columns = shares.map(({ index: c }) => model.codes[c]!)
  const cell = new Int32Array(D)
  for (let row = 0; row < model.rowCount; row++) {
    if (inside[row] === 0) continue
    for (let d = 0; d < D; d++) cell[d] = columns[d]![row]!
    const at = index.find(cell)
    if (at >= 0) evidence[at]! += inside[row]! * weight
  }
  return evidence
}
