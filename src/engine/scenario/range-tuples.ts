/**
 * Codes of the columns with ranges or means for the rows of each cell.
 *
 * r  these columns, n_c  rows of a cell, R  rows in total, each of one unit of the table
 *
 * One range: truncated draws, stratified. Two: the first coordinate's exact weights, resampled systematically, then truncated
 * draws of the second. Three and more: max(256, 4 n_c) truncated tuples, fewer where there are very many cells or rows,
 * resampled systematically by weight to n_c.
 *
 * Units draw apart from each other. A row's tuple has the same law as if all were drawn together; tuples are only laid evenly over the
 * rows of a cell in one unit, and not over those of all units.
 */
import type { Model } from '../model/model.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import type { FilledCells } from './filled-cells.ts'
import type { RangeDraws } from './range-draws.ts'
import { systematic } from './round-margins.ts'

const TUPLES_PER_CELL = 256
const TUPLES_PER_ROW = 4
/** In all cells together; never fewer than FEWEST_TUPLES in a cell. */
const MOST_TUPLES = 500_000
const FEWEST_TUPLES = 32
/** With more than this many tuples, a cell has enough variety without four for every row. */
const ENOUGH_TUPLES = 4_096

/** In the first unit the column is 0. The first block's column 1 rounds the mix (see preset-rows.ts). */
const columnOf = (unit: number): number => (unit === 0 ? 0 : unit + 1)

/**
 * Draws the tuples of the cells' rows in one unit.
 *
 * @param counts Length L: n_c.
 * @param codes r arrays of length R: receive the codes, cell after cell.
 * @throws Error when a cell with rows has no mass in the ranges (it never gets rows).
 */
export function drawRangeTuples(
  model: Model,
  draws: RangeDraws,
  { index, codes: cells, counts }: FilledCells,
  { seed, unit }: { readonly seed: number; readonly unit: number },
  codes: readonly Uint16Array[],
): void {
  const { walk, conditions } = draws
  const r = codes.length
  if (r === 0) return
  const D = conditions.shares.length
  const stream = new RandomStream(seed, PURPOSE.rangeTuple)
  const resampling = new RandomStream(seed, PURPOSE.resample)
  const filled = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
  const least = Math.max(FEWEST_TUPLES, Math.min(TUPLES_PER_CELL, Math.floor(MOST_TUPLES / Math.max(1, filled))))
  let at = 0
  for (let l = 0; l < counts.length; l++) {
    const rows = counts[l]!
    if (rows === 0) continue
    stream.reset(seed, PURPOSE.rangeTuple, index[l]!, columnOf(unit))
    resampling.reset(seed, PURPOSE.resample, index[l]!, columnOf(unit))
    walk.enter(cells, l * D)
    const isDrawn =
      r <= 2
        ? drawExactly(draws, rows, stream, codes, at)
        : drawByWeight(draws, rows, least, stream, resampling, codes, at)
    if (!isDrawn) takeSeedRows(model, draws, cells.subarray(l * D, (l + 1) * D), rows, resampling.real(), codes, at)
    at += rows
  }
}

/** One or two ranges. Whether there was mass to draw from. */
function drawExactly(
  { walk }: RangeDraws,
  rows: number,
  stream: RandomStream,
  codes: readonly Uint16Array[],
  at: number,
): boolean {
  const { codes: firsts, weights } = walk.weightedFirstCodes()
  if (!weights.some((weight) => weight > 0)) return false
  const counts = new Int32Array(weights.length)
  systematic(weights, 0, weights.length, rows, stream.real(), counts)
  let row = at
  for (let i = 0; i < counts.length; i++) {
    for (let k = 0; k < counts[i]!; k++, row++) {
      codes[0]![row] = firsts[i]!
      if (codes.length > 1) codes[1]![row] = walk.drawSecond(firsts[i]!, (k + stream.real()) / counts[i]!)
    }
  }
  return true
}

/** Any number of ranges. Whether any tuple had mass. */
function drawByWeight(
  { walk }: RangeDraws,
  rows: number,
  least: number,
  stream: RandomStream,
  resampling: RandomStream,
  codes: readonly Uint16Array[],
  at: number,
): boolean {
  const r = codes.length
  const tuples = Math.max(least, rows, Math.min(TUPLES_PER_ROW * rows, ENOUGH_TUPLES))
  const drawn = new Uint16Array(tuples * r)
  const weights = new Float64Array(tuples)
  for (let i = 0; i < tuples; i++) {
    weights[i] = walk.drawSequentially((i + stream.real()) / tuples, stream, drawn, i * r)
  }
  if (!weights.some((weight) => weight > 0)) return false
  const counts = new Int32Array(tuples)
  systematic(weights, 0, tuples, rows, resampling.real(), counts)
  let row = at
  for (let i = 0; i < tuples; i++) {
    for (let k = 0; k < counts[i]!; k++, row++) {
      for (let j = 0; j < r; j++) codes[j]![row] = drawn[i * r + j]!
    }
  }
  return true
}

/**
 * Codes of the sample's own rows in the cell and ranges, for a cell that is so rarely inside its ranges that no draw was, although
 * rows of the seed are.
 */
function takeSeedRows(
  model: Model,
  { conditions, drawn, inside }: RangeDraws,
  cell: Int32Array,
  rows: number,
  offset: number,
  codes: readonly Uint16Array[],
  at: number,
): void {
  const { shares } = conditions
  const found: number[] = []
  for (let row = 0; row < model.rowCount; row++) {
    const isHere = shares.every(({ index }, d) => model.codes[index]![row] === cell[d])
    if (isHere && inside[row]! > 0) found.push(row)
  }
  if (found.length === 0) throw new Error(`cell ${cell.join(' ')} has rows but no mass inside the ranges`)
  const counts = new Int32Array(found.length)
  systematic(
    found.map((row) => inside[row]! * (model.weights?.[row] ?? 1)),
    0,
    found.length,
    rows,
    offset,
    counts,
  )
  let slot = at
  found.forEach((row, i) => {
    for (let k = 0; k < counts[i]!; k++, slot++) {
      drawn.forEach(({ index }, j) => {
        codes[j]![slot] = model.codes[index]![row]!
      })
    }
  })
}
