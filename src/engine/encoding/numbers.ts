/** Columns of a table as the numbers that formulas use. */

import type { NumericColumn, TableColumn } from '../cleaning/table.ts'

const DAY_MS = 86_400_000
const SECOND_MS = 1_000
/** Date-times are given to the millisecond. */
const SECOND_DECIMALS = 3

/** Stored value of one unit of the formulas: dates count in days, date-times in seconds. */
export function unitOf(column: Pick<NumericColumn, 'format'>): number {
  return column.format === 'date' ? DAY_MS : column.format === 'date-time' ? SECOND_MS : 1
}

/** Decimals of a column in that unit. */
export function decimalsOf(column: Pick<NumericColumn, 'format' | 'decimals'>): number {
  return column.format === 'date-time' ? SECOND_DECIMALS : column.format === 'date' ? 0 : column.decimals
}

/**
 * Reads a column's numbers by row, NaN if missing. Null for a column of names.
 */
export function numberReader(column: TableColumn): ((row: number) => number) | null {
  if (column.kind === 'categorical') {
    if (!column.integer) return null
    const { codes } = column
    const numbers = Float64Array.from(column.levels, Number)
    return (row) => (codes[row]! < 0 ? Number.NaN : numbers[codes[row]!]!)
  }
  const { values, valid } = column
  const unit = unitOf(column)
  return (row) => (valid[row] === 0 ? Number.NaN : values[row]! / unit)
}

/**
 * How far a computed number may be from the column's value and still equal it: half a unit in its last place, plus the
 * error of floating-point arithmetic. Columns with very many decimals were computed, some of them in single precision.
 */
export interface Precision {
  /** 10^-decimals */
  readonly ulp: number
  readonly relative: number
}

const MANY_DECIMALS = 7
const SINGLE_PRECISION = 2e-7
const DOUBLE_PRECISION = 1e-12
/** A tolerance is too loose if one value of a column agrees within it with more than this share of the other values. */
const MOST_ALIKE = 0.1

/**
 * The coarsest precision that still distinguishes the values of a column; null if none does.
 *
 * @param values Of some rows; NaN if missing.
 * @param mode Their most common value, which is left out.
 */
export function precisionOf(
  column: Pick<NumericColumn, 'format' | 'decimals'>,
  values: Float64Array,
  mode: number,
): Precision | null {
  const decimals = decimalsOf(column)
  const ulp = Number(`1e-${decimals}`)
  const isComputed = column.format === null && decimals >= MANY_DECIMALS
  const others = values.filter((value) => !Number.isNaN(value) && value !== mode).sort()
  const middle = others[others.length >> 1] ?? Number.NaN
  const tellsApart = (precision: Precision) =>
    others.filter((value) => value !== middle && agrees(middle, value, precision, 'nearest')).length <=
    MOST_ALIKE * others.length
  const double = { ulp, relative: DOUBLE_PRECISION }
  const single = { ulp, relative: SINGLE_PRECISION }
  if (isComputed && tellsApart(single)) return single
  return tellsApart(double) ? double : null
}

/** Slack in units of the last place, for binary fractions such as 0.145 that represent a decimal half. */
const SLACK = 1e-6

/** Decimals of a column are counted up to 12. With that many it may have more, and small values consist of those. */
const LEAST_COUNTED_ULP = 1e-12
/** Units of the last place that keep six digits of a number. */
const FEW_UNITS = 1e6

/** Whether rounding to the counted decimals would remove most digits of a number. */
function isTooSmall(number: number, ulp: number): boolean {
  return ulp <= LEAST_COUNTED_ULP && number !== 0 && Math.abs(number) < FEW_UNITS * ulp
}

/** Whether `computed`, rounded, is `own`. */
export function agrees(computed: number, own: number, { ulp, relative }: Precision, rounding: 'nearest' | 'down') {
  const noise = relative * (Math.abs(computed) + Math.abs(own))
  const above = computed - own
  if (isTooSmall(own, ulp)) return Math.abs(above) <= noise
  const slack = SLACK * ulp + noise
  return rounding === 'nearest' ? Math.abs(above) <= ulp / 2 + slack : above >= -slack && above < ulp
}

/** Rounds to `scale` = 10^decimals. Numbers that rounding would nearly erase, or that have nothing to round, stay as they are. */
export function rounded(number: number, scale: number, rounding: 'nearest' | 'down'): number {
  const units = number * scale
  if (!(Math.abs(units) < Number.MAX_SAFE_INTEGER) || isTooSmall(number, 1 / scale)) return number
  return (rounding === 'nearest' ? Math.round(units) : Math.floor(units + SLACK)) / scale + 0
}
