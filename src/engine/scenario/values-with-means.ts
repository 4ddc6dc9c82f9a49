/**
 * The values of the drawn columns of a scenario that states means. They are drawn for the whole file at once, because a mean is a
 * statement about all rows.
 *
 * R  rows, cell after cell, D  conditioned categorical columns, r  drawn columns
 */

import type { Model } from '../model/model.ts'
import { NumericDecoder } from '../sampling/decode.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import type { DrawnColumn } from './conditions.ts'
import type { Settlement } from './feasibility.ts'
import { codesOfValues, drawValues, meetMean, roomOf } from './mean-values.ts'
import { keepRelations } from './related-room.ts'

/**
 * By column index, each of length R: NaN where missing. Empty without means.
 *
 * @param counts Rows of each cell.
 * @param tuples r arrays of length R: codes of the drawn columns, which become those of the values.
 */
export function valuesWithMeans(
  model: Model,
  { drawn, tilted, walk, cells, conditions }: Settlement,
  counts: Int32Array,
  seed: number,
  tuples: readonly Uint16Array[],
): Map<number, Float64Array> {
  const ofColumn = new Map<number, Float64Array>()
  if (drawn.every(({ mean }) => mean === null)) return ofColumn
  const D = conditions.shares.length
  const cellOf = new Int32Array(tuples[0]!.length)
  let slot = 0
  counts.forEach((count, c) => {
    cellOf.fill(c, slot, slot + count)
    slot += count
  })
  drawn.forEach((column, j) => {
    const weights = tilted[j]
    const stream = new RandomStream(seed, PURPOSE.meanValue, 0, column.index)
    ofColumn.set(
      column.index,
      weights ? drawValues(column, weights, tuples[j]!, stream) : decoded(column, tuples[j]!, seed, stream),
    )
  })
  const rows = { drawn, values: ofColumn, shares: conditions.shares, cells, cellOf }
  drawn.forEach((column, j) => {
    const weights = tilted[j]
    if (!weights) return
    const values = ofColumn.get(column.index)!
    const room = roomOf(column, j, walk, tuples, values, (row) => walk.enter(cells, cellOf[row]! * D))
    keepRelations(model, walk.order, rows, column, room)
    meetMean(column, weights, values, room, new RandomStream(seed, PURPOSE.meanMove, 0, column.index))
    tuples[j]!.set(codesOfValues(column, values))
  })
  return ofColumn
}

/** The values of a column without a mean. */
function decoded({ index, column, range }: DrawnColumn, codes: Uint16Array, seed: number, stream: RandomStream) {
  const decoder = new NumericDecoder(column, range)
  const values = new Float64Array(codes.length)
  const valid = new Uint8Array(codes.length)
  decoder.startBatch(seed, index, 0)
  decoder.decode(codes, 0, codes.length, stream, values, valid, 0)
  return values.map((value, row) => (valid[row] === 1 ? value : Number.NaN))
}
