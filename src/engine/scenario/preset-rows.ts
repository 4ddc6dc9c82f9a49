/**
 * Codes of the conditioned columns for every row of a generation.
 *
 * R  rows, K  cells, L  cells that have rows, D  conditioned categorical columns, r  columns with ranges or means
 */
import type { Model } from '../model/model.ts'
import type { RowPart } from '../sampling/batches.ts'
import type { GivenValues } from '../sampling/block-values.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { sharedFloat64, sharedUint8, sharedUint16 } from '../threads/shared-arrays.ts'
import type { Settlement } from './feasibility.ts'
import { drawRangeTuples } from './range-tuples.ts'
import { type Rounding, roundToMargins } from './round-margins.ts'
import { shuffleRows } from './shuffle-rows.ts'
import { valuesWithMeans } from './values-with-means.ts'

/** Codes and values of some rows. */
export interface Preset {
  /** D + r arrays with an element for each of the rows, in the order's sequence of columns. */
  readonly codes: readonly Uint16Array[]
  /** By column index: the values of the columns with ranges or means, if one of them has a mean. */
  readonly values: ReadonlyMap<number, GivenValues>
}

/** What is settled about every row, packed: 1 byte per row up to 256 cells, 2 up to 65,536, else 4; besides 2 r, and 8 for each column of values. */
export interface PackedRows {
  /** Length R: which of the L cells a row is of. Null: the cells say nothing about rows. */
  readonly kinds: Uint8Array | Uint16Array | Uint32Array | null
  /** D arrays of length L: the codes of each kind. */
  readonly kindCodes: readonly Uint16Array[]
  /** r arrays of length R */
  readonly drawn: readonly Uint16Array[]
  /** By column index, each of length R: NaN where missing. */
  readonly values: ReadonlyMap<number, Pick<GivenValues, 'values' | 'isFixed'>>
}

/** Rounding draws from its own column of the resampling stream's first block; cells use column 0. */
const ROUNDING_COLUMN = 1

/** Lays the settled mix over R rows, in a random sequence. The same seed gives the same rows. */
export async function packRows(
  model: Model,
  settlement: Settlement,
  seed: number,
): Promise<{ readonly packed: PackedRows; readonly rounding: Rounding }> {
  const { conditions, drawn, cells, mix, margins, cellMargins } = settlement
  const rows = settlement.feasibility.rows
  const D = conditions.shares.length
  const uniform = new RandomStream(seed, PURPOSE.resample, 0, ROUNDING_COLUMN)
  const rounding = await roundToMargins({ masses: mix, cellMargins, margins, rows, uniform: () => uniform.real() })

  const { kinds, kindCodes } = kindsOf(cells, rounding.counts, D, rows)
  const tuples = drawn.map(() => new Uint16Array(rows))
  drawRangeTuples(model, settlement, rounding.counts, seed, tuples)
  const values = valuesWithMeans(model, settlement, rounding.counts, seed, tuples)
  shuffleRows([...(kinds === null ? [] : [kinds]), ...tuples, ...values.values()], rows, seed)
  const isFixed = (index: number): boolean => conditions.means.some((mean) => mean.index === index)
  const given = [...values].map(([index, ofRows]) => [index, { values: ofRows, isFixed: isFixed(index) }] as const)
  return { packed: { kinds, kindCodes, drawn: tuples, values: new Map(given) }, rounding }
}

function kindsOf(cells: Settlement['cells'], counts: Int32Array, D: number, rows: number) {
  if (D === 0) return { kinds: null, kindCodes: [] }
  const L = counts.reduce((filled, count) => filled + (count > 0 ? 1 : 0), 0)
  const kinds = L <= 2 ** 8 ? new Uint8Array(rows) : L <= 2 ** 16 ? new Uint16Array(rows) : new Uint32Array(rows)
  const kindCodes = Array.from({ length: D }, () => new Uint16Array(L))
  let [kind, slot] = [0, 0]
  counts.forEach((count, c) => {
    if (count === 0) return
    kindCodes.forEach((codes, d) => {
      codes[kind] = cells[c * D + d]!
    })
    kinds.fill(kind, slot, slot + count)
    slot += count
    kind++
  })
  return { kinds, kindCodes }
}

/** Rows firstRow up to, not including, endRow. The arrays are new ones that threads share. */
export function unpackRows({ kinds, kindCodes, drawn, values }: PackedRows, { firstRow, endRow }: RowPart): Preset {
  const rows = endRow - firstRow
  const ofCells = kindCodes.map((codeOf) => {
    const codes = sharedUint16(rows)
    if (kinds !== null) for (let row = 0; row < rows; row++) codes[row] = codeOf[kinds[firstRow + row]!]!
    return codes
  })
  const ofDrawn = drawn.map((column) => {
    const codes = sharedUint16(rows)
    codes.set(column.subarray(firstRow, endRow))
    return codes
  })
  const given = [...values].map(([index, column]) => {
    const room = { values: sharedFloat64(rows), valid: sharedUint8(rows), isFixed: column.isFixed }
    for (let row = 0; row < rows; row++) {
      const value = column.values[firstRow + row]!
      if (Number.isNaN(value)) continue
      room.values[row] = value
      room.valid[row] = 1
    }
    return [index, room] as const
  })
  return { codes: [...ofCells, ...ofDrawn], values: new Map(given) }
}
