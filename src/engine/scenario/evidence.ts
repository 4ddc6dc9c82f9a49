/**
 * Seed rows behind a scenario, counted on the model's training sample.
 *
 * n  rows of the sample, K  cells, D  conditioned categorical columns
 */

import type { CountTeller } from '../disclosure/noisy-counts.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { Model } from '../model/model.ts'
import { areOwnValues, valuesOfRows } from '../model/row-values.ts'
import { CellIndex } from './cell-index.ts'
import type { RangeCondition, ShareCondition } from './conditions.ts'
import type { Margins } from './margins.ts'

/** Seed rows per row of the training sample. */
export function rowWeight(model: Model): number {
  return model.seedRows / model.rowCount
}

/**
 * Length n: whether each sample row is inside all ranges, 1 or 0; in a model without the rows' own values, the fraction of it where
 * a bound cuts a bin. A row of weight 0 stands for nobody: it is inside nothing.
 */
export function rowsInside(
  model: Pick<Model, 'rowCount' | 'codes' | 'positions' | 'weights'>,
  ranges: readonly RangeCondition[],
): Float64Array {
  const { rowCount, weights } = model
  const inside = weights ? Float64Array.from(weights, (a) => (a > 0 ? 1 : 0)) : new Float64Array(rowCount).fill(1)
  for (const { index, column, range, fractions } of ranges) {
    const codes = model.codes[index]!
    const values = areOwnValues(model, index, column) ? valuesOfRows(model, index, column) : null
    for (let row = 0; row < rowCount; row++) {
      const fraction = fractions[codes[row]!]!
      if (values === null) inside[row]! *= fraction
      // Without mass in the range no row can be drawn there, as where the range is a point between two values.
      else if (!(values[row]! >= range.min && values[row]! <= range.max && fraction > 0)) inside[row] = 0
    }
  }
  return inside
}

/**
 * Length n: `inside`, but 0 for rows without an allowed level of some conditioned column, or in a cell that must not occur.
 *
 * @param codes Those of the margins' columns (codesOfRows).
 * @param inside see rowsInside; not changed.
 */
export function rowsAllowed(codes: readonly Uint16Array[], { ofCode }: Margins, inside: Float64Array): Float64Array {
  const allowed = inside.slice()
  codes.forEach((ofRow, d) => {
    const margins = ofCode[d]!
    for (let row = 0; row < allowed.length; row++) if (margins[ofRow[row]!]! < 0) allowed[row] = 0
  })
  return allowed
}

/** What cells count for where the number of delivered rows follows from it. */
export interface CountedCells {
  /** Length K: effective seed rows. */
  readonly evidence: Float64Array
  /** Length K: share of the cell. */
  readonly natural: Float64Array
  /** Length K: the largest part of the delivered rows that it may have; 1 without such a limit. */
  readonly limit: Float64Array
}

/** The most of the delivered rows that a cell of fewer than LEAST_ROWS rows of a protected seed may have. */
export const LARGEST_RARE_SHARE = 0.05

/** The seed rows in each cell and inside the ranges. */
export interface Evidence {
  /** Length K: how many they are, which decides what is released. */
  readonly people: Float64Array
  /** Length K: the sum of the noise of their counts. */
  readonly noise: Float64Array
  /** Length K: how much they say, (sum of a)² / sum of a². The same array where rows have no weights. */
  readonly effective: Float64Array
}

/**
 * Exactly, or as far as an outsider may derive it from the number of delivered rows.
 *
 * Of a protected seed all cells of fewer than LEAST_ROWS rows of the sample count alike: with the evidence of one row, and with the usual
 * share of LEAST_ROWS rows. So the factor by which a cell may be multiplied does not show its rows, and no cell is limited to
 * less than that factor times its usual share. In a small seed that is much, and in a small delivery the rows of one seed row are all
 * of it. So none of these cells has more than LARGEST_RARE_SHARE of the delivered rows, whatever is requested.
 *
 * @param evidence Of each cell.
 * @param natural Length K: share of each cell in the model.
 * @param rowShare Share of one row of the sample among what is inside.
 */
export function countedCells(
  model: Model,
  evidence: Evidence,
  natural: Float64Array,
  rowShare: number,
  teller: CountTeller,
): CountedCells {
  const { effective } = evidence
  if (teller.least === 0) return { evidence: effective, natural, limit: new Float64Array(natural.length).fill(1) }
  const weight = rowWeight(model)
  const ratio = toldRatios(model, evidence, teller)
  const isRare = (c: number): boolean => ratio[c] === 0
  return {
    evidence: effective.map((rows, c) => (isRare(c) ? weight : rows * ratio[c]!)),
    natural: natural.map((share, c) => (isRare(c) ? LEAST_ROWS * rowShare : share * ratio[c]!)),
    limit: natural.map((_, c) => (isRare(c) ? LARGEST_RARE_SHARE : 1)),
  }
}

/** Length K: rows of each cell as they are told, over those that it has; 0 where they are too few to be told. */
export function toldRatios(model: Model, { people, noise }: Evidence, teller: CountTeller): Float64Array {
  const weight = rowWeight(model)
  return people.map((rows, c) => {
    const counted = { rows: rows / weight, noise: noise[c]! }
    return teller.told(counted) === null ? 0 : teller.ratio(counted)
  })
}

/**
 * The share that has an allowed level of every column, of what lies inside the ranges.
 *
 * Cells without an allowed level are not enumerated, but they belong to the usual share. Otherwise a combination that takes all
 * rows would have no more than its usual share, however rare it is.
 *
 * @param columns Codes of the margins' columns (codesOfRows).
 * @param inside Length n, from rowsInside.
 * @param mass The model's mass of the allowed cells inside the ranges: counts where no row is there.
 */
export function shareAllowed(
  model: Model,
  columns: readonly Uint16Array[],
  margins: Margins,
  inside: Float64Array,
  mass: number,
): number {
  let all = 0
  let allowed = 0
  for (let row = 0; row < inside.length; row++) {
    if (inside[row] === 0) continue
    const here = model.weights ? inside[row]! * model.weights[row]! : inside[row]!
    all += here
    if (columns.every((codes, d) => margins.ofCode[d]![codes[row]!]! >= 0)) allowed += here
  }
  return allowed > 0 ? allowed / all : mass / Math.max(mass, all / inside.length)
}

/**
 * e: seed rows in each cell and inside the ranges.
 *
 * @param shares D conditions in the order's sequence.
 * @param cellCodes K × D, row-major.
 * @param inside Length n, from rowsInside.
 * @param noiseOfRow Length n; null: counts have no noise.
 */
export function countEvidence(
  model: Model,
  shares: readonly ShareCondition[],
  cellCodes: Int32Array,
  inside: Float64Array,
  noiseOfRow: Float64Array | null = null,
): Evidence {
  const D = shares.length
  const weight = rowWeight(model)
  const cellCount = D === 0 ? 1 : cellCodes.length / D
  const people = new Float64Array(cellCount)
  const noise = new Float64Array(cellCount)
  const { weights } = model
  const sums = new Float64Array(weights ? cellCount : 0)
  const squares = new Float64Array(weights ? cellCount : 0)
  const index = new CellIndex(D, cellCodes)
  const columns = shares.map(({ index: c }) => model.codes[c]!)
  const cell = new Int32Array(D)
  for (let row = 0; row < model.rowCount; row++) {
    if (inside[row] === 0) continue
    for (let d = 0; d < D; d++) cell[d] = columns[d]![row]!
    const at = index.find(cell)
    if (at < 0) continue
    people[at]! += inside[row]! * weight
    if (noiseOfRow !== null) noise[at]! += inside[row]! * noiseOfRow[row]!
    if (!weights) continue
    sums[at]! += inside[row]! * weights[row]!
    squares[at]! += inside[row]! * weights[row]! ** 2
  }
  if (!weights) return { people, noise, effective: people }
  return { people, noise, effective: sums.map((sum, c) => (squares[c]! > 0 ? (weight * sum ** 2) / squares[c]! : 0)) }
}
