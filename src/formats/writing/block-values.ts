import type { Block, BlockColumn, OutputColumn } from '../../base/output-table.ts'

/**
 * Checks a block against the columns once, so that writers can trust its shape.
 *
 * @throws {RangeError} naming what was expected and what was found.
 */
export function checkBlock(block: Block, columns: readonly OutputColumn[]): void {
  if (block.columns.length !== columns.length) {
    throw new RangeError(`a block of ${columns.length} columns was expected, not of ${block.columns.length}`)
  }
  for (const [i, column] of columns.entries()) {
    const values = block.columns[i]!
    const isCoded = 'codes' in values
    if (isCoded !== (column.kind === 'categorical')) {
      throw new RangeError(
        `column "${column.name}" is ${column.kind}, and its block holds ${isCoded ? 'codes' : 'values'}`,
      )
    }
    const length = isCoded ? values.codes.length : values.values.length
    if (length < block.rowCount) throw new RangeError(`column "${column.name}" has ${length} rows of ${block.rowCount}`)
  }
}

/** Numbers of the levels of a categorical column of whole numbers. */
export function levelNumbers(levels: readonly string[]): Float64Array {
  return Float64Array.from(levels, (level) => {
    const number = Number(level)
    if (!Number.isSafeInteger(number)) throw new RangeError(`level "${level}" is no whole number`)
    return number
  })
}

export function fitsInt32(numbers: Float64Array): boolean {
  return numbers.every((number) => number >= -(2 ** 31) && number < 2 ** 31)
}

/** Decimals of a column are counted up to 12 (see `RawNumberColumn`): a column with 12 may have more. */
const MANY_DECIMALS_SCALE = 1e12
/** Units that keep six digits of a number. */
const FEW_UNITS = 1e6

/**
 * Rounds to `decimals`. Numbers too large for decimals, or so small that rounding would remove most digits, stay
 * unchanged.
 */
export function roundTo(value: number, decimals: number): number {
  return roundScaled(value, 10 ** decimals)
}

function roundScaled(value: number, scale: number): number {
  const scaled = value * scale
  return Math.abs(scaled) < 2 ** 52 && !isTooSmall(value, scale) ? Math.round(scaled) / scale : value
}

/** Whether rounding to 1 / scale would take most digits of a number in a column that may have more decimals than counted. */
export function isTooSmall(value: number, scale: number): boolean {
  return scale >= MANY_DECIMALS_SCALE && value !== 0 && Math.abs(value * scale) < FEW_UNITS
}

/**
 * Copies rows `start` to `end` (exclusive) of a block's column into `out` as numbers, NaN when missing: levels that are
 * whole numbers as numbers, decimals rounded, dates as milliseconds.
 */
export function copyNumbers(
  out: Float64Array,
  source: BlockColumn,
  column: OutputColumn,
  numbers: Float64Array | null,
  start: number,
  end: number,
): void {
  if ('codes' in source) {
    const { codes } = source
    for (let row = start; row < end; row++) {
      const code = codes[row]!
      out[row - start] = code < 0 ? Number.NaN : numbers![code]!
    }
    return
  }
  const { values, valid } = source
  const scale = column.kind === 'numeric' && !column.integer ? 10 ** column.decimals : 1
  // No negative zero.
  for (let row = start; row < end; row++) out[row - start] = roundScaled(values[row]!, scale) + 0
  if (valid === null) return
  for (let row = start; row < end; row++) if (valid[row] === 0) out[row - start] = Number.NaN
}

/** Copies rows of a column's codes; 0 where missing. */
export function copyCodes(out: Uint8Array | Int32Array, codes: Int32Array, start: number, end: number): void {
  for (let row = start; row < end; row++) {
    const code = codes[row]!
    out[row - start] = code < 0 ? 0 : code
  }
}

/**
 * Whole numbers as 64 bits, two halves at a time: a `bigint` per value would be made and thrown away. NaN becomes 0.
 *
 * @throws {RangeError} for what 64 bits do not hold.
 */
export function copyInt64(out: BigInt64Array, numbers: Float64Array, count: number): void {
  const halves = new Int32Array(out.buffer, out.byteOffset, 2 * count)
  for (let i = 0; i < count; i++) {
    const value = numbers[i]!
    const high = Math.floor(value / 2 ** 32)
    if (high >= 2 ** 31 || high < -(2 ** 31)) throw new RangeError(`${value} is no whole number of 64 bits`)
    halves[2 * i] = value - high * 2 ** 32
    halves[2 * i + 1] = high
  }
}

/**
 * Bit i = row `start` + i is present, least significant bit first, as Arrow ("Validity bitmaps") and DuckDB have it.
 *
 * out      zeros
 * returns  how many rows are missing
 */
export function presentBits(out: Uint8Array, source: BlockColumn, start: number, end: number): number {
  let missing = 0
  if ('codes' in source) {
    const { codes } = source
    for (let i = 0; i < end - start; i++) {
      const isMissing = codes[start + i]! >>> 31
      missing += isMissing
      out[i >> 3]! |= (1 - isMissing) << (i & 7)
    }
    return missing
  }
  const { valid } = source
  for (let i = 0; i < end - start; i++) {
    const isMissing = valid !== null && valid[start + i] === 0 ? 1 : 0
    missing += isMissing
    out[i >> 3]! |= (1 - isMissing) << (i & 7)
  }
  return missing
}
