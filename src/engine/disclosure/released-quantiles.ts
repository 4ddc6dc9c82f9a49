/**
 * The released quantiles of a numeric column. A quantile is somebody's value. It is released as it is if at least `LEAST_ROWS` rows
 * have exactly that value; otherwise it is rounded to the finest multiple of 1, 2 or 5 times a power of ten to which so many rows are
 * rounded, and a date to the middle of the finest month, year or decade that holds so many rows. A quantile with fewer rows at or
 * beyond it, on either side, is not released: it would describe those few.
 */
import { decimal, NARROWEST, STEPS, timeCells } from './released-range.ts'
import { LEAST_ROWS } from './rounded-counts.ts'

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const

export interface QuantileColumn {
  readonly format: 'date' | 'date-time' | null
  readonly decimals: number
}

const DAY_MS = 86_400_000
const MAX_EXPONENT = 308

/**
 * @param sorted values that are not missing, ascending; every row counts once in disclosure control.
 * @param weightBefore length n + 1: weight of the rows before sorted[i]; absent where all rows count alike.
 * @returns in the sequence of `QUANTILES`, ascending; null where it is not released.
 */
export function releasedQuantiles(
  column: QuantileColumn,
  sorted: Float64Array,
  weightBefore?: Float64Array,
): readonly (number | null)[] {
  let before = Number.NEGATIVE_INFINITY
  return QUANTILES.map((p) => {
    const value = quantile(sorted, p, weightBefore)
    if (value === null) return null
    const above = sorted.length - rowsBefore(sorted, value)
    const below = rowsUpTo(sorted, value)
    if (Math.min(above, below) < LEAST_ROWS) return null
    const released =
      column.format === null ? rounded(sorted, value, column.decimals) : roundedTime(sorted, value, column.format)
    if (released === null) return null
    // Rounding must not turn the sequence around.
    before = Math.max(before, released)
    return before
  })
}

/** The lowest value that at least a share `p` of the rows does not exceed; null without rows. */
function quantile(sorted: Float64Array, p: number, weightBefore: Float64Array | undefined): number | null {
  const n = sorted.length
  if (n === 0) return null
  // A share that is reached but for rounding errors counts as reached.
  if (weightBefore === undefined) return sorted[Math.min(n - 1, Math.max(0, Math.ceil(p * n * (1 - 1e-12)) - 1))]!
  const goal = p * weightBefore[n]! * (1 - 1e-12)
  let low = 0
  let high = n - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (weightBefore[middle + 1]! >= goal) high = middle
    else low = middle + 1
  }
  return sorted[low]!
}

function rounded(sorted: Float64Array, value: number, decimals: number): number | null {
  if (rowsUpTo(sorted, value) - rowsBefore(sorted, value) >= LEAST_ROWS) return value
  const finest = NARROWEST * 10 ** -decimals * (1 - 1e-9)
  for (let e = -decimals; e <= MAX_EXPONENT; e++) {
    for (const step of STEPS) {
      const width = step * 10 ** e
      if (width < finest) continue
      const at = decimal(Math.round(value / width) * step, e)
      if (!Number.isFinite(at)) return null
      const rows = rowsUpTo(sorted, at + width / 2) - rowsBefore(sorted, at - width / 2)
      if (rows >= LEAST_ROWS) return at
    }
  }
  return null
}

function roundedTime(sorted: Float64Array, value: number, format: 'date' | 'date-time'): number | null {
  if (rowsUpTo(sorted, value) - rowsBefore(sorted, value) >= LEAST_ROWS) return value
  const cell = timeCells(value, true, format).find(
    ({ at, end }) => rowsBefore(sorted, end) - rowsBefore(sorted, at) >= LEAST_ROWS,
  )
  if (cell === undefined) return null
  const middle = (cell.at + cell.end) / 2
  return format === 'date' || cell.end - cell.at > DAY_MS ? Math.floor(middle / DAY_MS) * DAY_MS : Math.floor(middle)
}

/** Rows with a lower value. */
function rowsBefore(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Rows with this value or a lower one. */
function rowsUpTo(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
