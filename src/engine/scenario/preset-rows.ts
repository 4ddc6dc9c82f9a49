/**
 * Codes of the conditioned columns for every row of a generation.
 *
 * R  rows, K  cells, D  conditioned categorical columns, r  columns with ranges or means
 */
import type { Model } from '../model/model.ts'
import type { GivenValues } from '../sampling/block-values.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { sharedFloat64, sharedUint8, sharedUint16 } from '../threads/shared-arrays.ts'
import type { Settlement } from './feasibility.ts'
import { codesOfValues, drawValues, meetMean, roomOf } from './mean-values.ts'
import { drawRangeTuples } from './range-tuples.ts'
import { type Rounding, roundToMargins } from './round-margins.ts'

export interface PresetRows {
  /** D + r arrays of length R, in the order's sequence of columns. */
  readonly codes: readonly Uint16Array[]
  /** By column index: the values of columns with a mean. */
  readonly values: ReadonlyMap<number, GivenValues>
  readonly rounding: Rounding
}

/** Rounding draws from its own column of the resampling stream's first block; cells use column 0. */
const ROUNDING_COLUMN = 1

/** Lays the settled mix over R rows, in a random sequence. The same seed gives the same rows. */
export async function presetRows(model: Model, settlement: Settlement, seed: number): Promise<PresetRows> {
  const { conditions, drawn, cells, mix, margins, cellMargins } = settlement
  const rows = settlement.feasibility.rows
  const D = conditions.shares.length
  const uniform = new RandomStream(seed, PURPOSE.resample, 0, ROUNDING_COLUMN)
  const rounding = await roundToMargins({ masses: mix, cellMargins, margins, rows, uniform: () => uniform.real() })

  // Without conditions there is nothing to distribute.
  if (D + drawn.length === 0) return { codes: [], values: new Map(), rounding }
  const places = shuffledPlaces(rows, seed)
  const codes = Array.from({ length: D + drawn.length }, () => sharedUint16(rows))
  for (let d = 0; d < D; d++) {
    const column = codes[d]!
    let slot = 0
    rounding.counts.forEach((count, c) => {
      const code = cells[c * D + d]!
      for (const end = slot + count; slot < end; slot++) column[places[slot]!] = code
    })
  }
  const tuples = drawn.map(() => new Uint16Array(rows))
  drawRangeTuples(model, settlement, rounding.counts, seed, tuples)
  const given = valuesWithMeans(settlement, rounding.counts, seed, tuples)
  tuples.forEach((inCellOrder, j) => {
    const column = codes[D + j]!
    for (let slot = 0; slot < rows; slot++) column[places[slot]!] = inCellOrder[slot]!
  })
  const values = new Map<number, GivenValues>()
  for (const [index, inCellOrder] of given) {
    const room = { values: sharedFloat64(rows), valid: sharedUint8(rows) }
    for (let slot = 0; slot < rows; slot++) {
      const value = inCellOrder[slot]!
      if (Number.isNaN(value)) continue
      room.values[places[slot]!] = value
      room.valid[places[slot]!] = 1
    }
    values.set(index, room)
  }
  return { codes, values, rounding }
}

/**
 * The values of the columns with a mean, by column index, each of length R, cell after cell.
 *
 * @param tuples Codes of the drawn columns: become those of the values.
 */
function valuesWithMeans(
  { drawn, tilted, walk, cells, conditions }: Settlement,
  counts: Int32Array,
  seed: number,
  tuples: readonly Uint16Array[],
): Map<number, Float64Array> {
  const D = conditions.shares.length
  const ofColumn = new Map<number, Float64Array>()
  const cellOf = new Int32Array(drawn.some(({ mean }) => mean !== null) ? tuples[0]!.length : 0)
  let slot = 0
  if (cellOf.length > 0) counts.forEach((count, c) => cellOf.fill(c, slot, (slot += count)))
  drawn.forEach((column, j) => {
    const weights = tilted[j]
    if (column.mean === null || !weights) return
    const codes = tuples[j]!
    const values = drawValues(column, weights, codes, new RandomStream(seed, PURPOSE.meanValue, 0, column.index))
    const room = roomOf(column, j, walk, tuples, values, (row) => walk.enter(cells, cellOf[row]! * D))
    meetMean(column, weights, values, room, new RandomStream(seed, PURPOSE.meanMove, 0, column.index))
    codes.set(codesOfValues(column, values))
    ofColumn.set(column.index, values)
  })
  return ofColumn
}

/** A random permutation of 0 … rows - 1 (Fisher and Yates). */
function shuffledPlaces(rows: number, seed: number): Uint32Array {
  const places = new Uint32Array(rows)
  for (let i = 0; i < rows; i++) places[i] = i
  const stream = new RandomStream(seed, PURPOSE.shuffle)
  for (let last = rows - 1; last > 0; last--) {
    const other = stream.below(last + 1)
    const place = places[last]!
    places[last] = places[other]!
    places[other] = place
  }
  return places
}
