/**
 * How many rows of each cell lie in each unit of a table whose rows are in a random sequence.
 *
 * L  cells
 *
 * After a shuffle of all rows, the counts of a unit follow the multivariate hypergeometric law, and within a unit every sequence is
 * equally likely. So counts are drawn first, and each unit is shuffled by itself: no memory per row, and the same law. Half of the units
 * get their counts without replacement, cell after cell (each hypergeometric given those before), the other half has what is left, and
 * so on: a unit is found in log2 of the units' number of such steps, whichever units are made elsewhere.
 */
import { type RowPart, unitRowsOf } from '../sampling/batches.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { drawHypergeometric } from './hypergeometric.ts'

export interface UnitCounts extends RowPart {
  /** The first is 0. */
  readonly unit: number
  /** Length L */
  readonly counts: Int32Array
}

/**
 * The units that have rows of a part, in their sequence.
 *
 * @param counts Length L: rows of each cell; together those of the table.
 * @param rows Of the table.
 * @param seed Any safe integer.
 */
export function* countsOfUnits(
  counts: Int32Array,
  rows: number,
  seed: number,
  part: RowPart,
): Generator<UnitCounts, void, undefined> {
  const unitRows = unitRowsOf(rows)
  const stream = new RandomStream(seed, PURPOSE.unit)
  const beginOf = (unit: number): number => Math.min(rows, unit * unitRows)

  /** Of the units from `first` up to, not including, `end`. */
  function* unitsOf(first: number, end: number, left: Int32Array): Generator<UnitCounts, void, undefined> {
    const [firstRow, endRow] = [beginOf(first), beginOf(end)]
    if (endRow <= part.firstRow || firstRow >= part.endRow) return
    if (end - first === 1) return yield { unit: first, firstRow, endRow, counts: left }
    const middle = (first + end) >> 1
    stream.reset(seed, PURPOSE.unit, middle)
    const ofFirst = drawWithoutReplacement(left, beginOf(middle) - firstRow, endRow - firstRow, stream)
    const ofLast = left.map((count, l) => count - ofFirst[l]!)
    yield* unitsOf(first, middle, ofFirst)
    yield* unitsOf(middle, end, ofLast)
  }

  if (rows > 0) yield* unitsOf(0, Math.ceil(rows / unitRows), counts)
}

/** How many of `draws` rows are of which cell. */
function drawWithoutReplacement(counts: Int32Array, draws: number, rows: number, stream: RandomStream): Int32Array {
  const uniform = (): number => stream.fineReal()
  let [rowsLeft, drawsLeft] = [rows, draws]
  return counts.map((count) => {
    rowsLeft -= count
    const drawn = drawHypergeometric(count, rowsLeft, drawsLeft, uniform)
    drawsLeft -= drawn
    return drawn
  })
}
