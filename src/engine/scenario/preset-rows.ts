/**
 * Codes of the conditioned columns for every row of a generation.
 *
 * R  rows, K  cells, L  cells that have rows, D  conditioned categorical columns, r  columns with ranges or means
 *
 * A settled mix says how many rows each cell has. The rows themselves are laid one unit of the table at a time, so that memory does not
 * grow with R. Only a scenario with means lays all rows at once, because a mean is met over all of them.
 */
import type { Model } from '../model/model.ts'
import type { RowPart } from '../sampling/batches.ts'
import type { GivenValues } from '../sampling/block-values.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { sharedFloat64, sharedUint8, sharedUint16 } from '../threads/shared-arrays.ts'
import type { Settlement } from './feasibility.ts'
import { type FilledCells, filledCells } from './filled-cells.ts'
import type { RangeDraws } from './range-draws.ts'
import { drawRangeTuples } from './range-tuples.ts'
import { type Rounding, roundToMargins } from './round-margins.ts'
import { shuffleRows } from './shuffle-rows.ts'
import { countsOfUnits } from './unit-counts.ts'
import { valuesWithMeans } from './values-with-means.ts'

/** Codes and values of some rows. */
export interface Preset {
  /** D + r arrays with an element for each of the rows, in the order's sequence of columns. */
  readonly codes: readonly Uint16Array[]
  /** By column index: the values of the columns with ranges or means, if one of them has a mean. */
  readonly values: ReadonlyMap<number, GivenValues>
}

/** Rows that are laid, packed: 1 byte per row up to 256 cells, 2 up to 65,536, else 4; besides 2 r, and 8 for each column of values. */
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

/** Rounding draws from its own column of the resampling stream's first block; cells use the others. */
const ROUNDING_COLUMN = 1

/**
 * Rounds the settled mix to R rows, and lays them in a random sequence if a mean is stated. The same seed gives the same rows.
 *
 * @returns `settled`: the cells with their counts, for `layRows`; with means the rows.
 */
export async function roundMix(
  model: Model,
  settlement: Settlement,
  seed: number,
): Promise<{ readonly settled: FilledCells | PackedRows; readonly rounding: Rounding }> {
  const { conditions, cells, mix, margins, cellMargins, drawn } = settlement
  const { rows } = settlement.feasibility
  const uniform = new RandomStream(seed, PURPOSE.resample, 0, ROUNDING_COLUMN)
  const rounding = await roundToMargins({ masses: mix, cellMargins, margins, rows, uniform: () => uniform.real() })
  const filled = filledCells(cells, conditions.shares.length, rounding.counts)
  if (drawn.every(({ mean }) => mean === null)) return { settled: filled, rounding }
  const values = (tuples: readonly Uint16Array[]) => valuesWithMeans(model, settlement, rounding.counts, seed, tuples)
  return { settled: packRows(model, settlement, filled, { seed, unit: 0, rows }, values), rounding }
}

/**
 * Lays the cells of a scenario without means over the rows of a part, one unit after the other: each in a random sequence of its own.
 *
 * @param cells Of all R rows.
 * @param rows R
 */
export function* layRows(
  model: Model,
  draws: RangeDraws,
  cells: FilledCells,
  { rows, seed, part }: { readonly rows: number; readonly seed: number; readonly part: RowPart },
): Generator<RowPart & { readonly preset: Preset }, void, undefined> {
  if (draws.conditions.shares.length + draws.drawn.length === 0) {
    return yield { ...part, preset: { codes: [], values: new Map() } }
  }
  for (const { unit, counts, ...all } of countsOfUnits(cells.counts, rows, seed, part)) {
    const packed = packRows(model, draws, { ...cells, counts }, { seed, unit, rows: all.endRow - all.firstRow })
    const firstRow = Math.max(part.firstRow, all.firstRow)
    const endRow = Math.min(part.endRow, all.endRow)
    const preset = unpackRows(packed, { firstRow: firstRow - all.firstRow, endRow: endRow - all.firstRow })
    yield { firstRow, endRow, preset }
  }
}

/** Lays the rows of one unit. */
function packRows(
  model: Model,
  draws: RangeDraws,
  cells: FilledCells,
  { seed, unit, rows }: { readonly seed: number; readonly unit: number; readonly rows: number },
  valuesOf: (tuples: readonly Uint16Array[]) => ReadonlyMap<number, Float64Array> = () => new Map(),
): PackedRows {
  const { conditions, drawn } = draws
  const { kinds, kindCodes } = kindsOf(cells, conditions.shares.length, rows)
  const tuples = drawn.map(() => new Uint16Array(rows))
  drawRangeTuples(model, draws, cells, { seed, unit }, tuples)
  const values = valuesOf(tuples)
  shuffleRows([...(kinds === null ? [] : [kinds]), ...tuples, ...values.values()], rows, seed, unit)
  const isFixed = (index: number): boolean => conditions.means.some((mean) => mean.index === index)
  const given = [...values].map(([index, ofRows]) => [index, { values: ofRows, isFixed: isFixed(index) }] as const)
  return { kinds, kindCodes, drawn: tuples, values: new Map(given) }
}

function kindsOf({ codes: cells, counts }: FilledCells, D: number, rows: number) {
  if (D === 0) return { kinds: null, kindCodes: [] }
  const L = counts.reduce((filled, count) => filled + (count > 0 ? 1 : 0), 0)
  const kinds = L <= 2 ** 8 ? new Uint8Array(rows) : L <= 2 ** 16 ? new Uint16Array(rows) : new Uint32Array(rows)
  const kindCodes = Array.from({ length: D }, () => new Uint16Array(L))
  let [kind, slot] = [0, 0]
  counts.forEach((count, l) => {
    if (count === 0) return
    kindCodes.forEach((codes, d) => {
      codes[kind] = cells[l * D + d]!
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
