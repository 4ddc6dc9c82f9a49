/** Whether a column holds whole numbers, and the decimals that keep its values apart. */
import type { RawNumberColumn } from '../../base/raw-table.ts'

/** Readers count decimals up to here: beyond, they are mostly what binary fractions add. */
const MAX_COUNTED_DECIMALS = 12
/** The most that a number can be written with. */
const MAX_DECIMALS = 100

/** Files hold whole numbers in 64 bits; larger ones are numbers like others. */
export function isWhole({ type, decimals, min, max }: RawNumberColumn): boolean {
  return type === 'number' && decimals === 0 && min >= -(2 ** 63) && max < 2 ** 63
}

/**
 * Decimals are counted up to a bound, which would leave nothing of a column of very small numbers: there they are as many
 * behind the first place of the largest number.
 */
export function decimalsOf(column: RawNumberColumn): number {
  const { decimals, values, valid, min, max } = column
  const largest = Math.max(Math.abs(min), Math.abs(max))
  if (decimals < MAX_COUNTED_DECIMALS || !(largest > 0 && largest < 1)) return decimals
  const scale = 10 ** decimals
  const isCutShort = values.some((value, row) => valid[row] !== 0 && Math.round(value * scale) / scale !== value)
  if (!isCutShort) return decimals
  return Math.min(MAX_DECIMALS, decimals - Math.ceil(Math.log10(largest)))
}
