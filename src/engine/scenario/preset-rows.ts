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
import { drawRangeTuples } from './range-tuples.ts'
import { type Rounding, roundToMargins } from './round-margins.ts'
import { valuesWithMeans } from './values-with-means.ts'

export interface PresetRows {
  /** D + r arrays of length R, in the order's sequence of columns. */
  readonly codes: readonly Uint16Array[]
  /** By column index: the values of the columns with ranges or means, if one of them has a mean. */
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
  const given = valuesWithMeans(model, settlement, rounding.counts, seed, tuples)
  tuples.forEach((inCellOrder, j) => {
    const column = codes[D + j]!
    for (let slot = 0; slot < rows; slot++) column[places[slot]!] = inCellOrder[slot]!
  })
  const values = new Map<number, GivenValues>()
  for (const [index, inCellOrder] of given) {
    const isFixed = conditions.means.some((mean) => mean.index === index)
    const room = { values: sharedFloat64(rows), valid: sharedUint8(rows), isFixed }
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
