import type { Block, BlockColumn, OutputColumn } from './table-writer.ts'

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

/** Rounds to `decimals`; what is so large that it has none is left alone. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals
  const scaled = value * scale
  return Math.abs(scaled) < 2 ** 52 ? Math.round(scaled) / scale : value
}

/**
 * Copies rows `start` to `end` (exclusive) of a block's column into `out` as numbers, NaN where missing: levels of whole numbers
 * as these, decimals rounded, dates as milliseconds.
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
    for (let row = start; row < end; row++) {
      const code = source.codes[row]!
      out[row - start] = code < 0 ? Number.NaN : numbers![code]!
    }
    return
  }
  const { values, valid } = source
  const decimals = column.kind === 'numeric' && !column.integer ? column.decimals : 0
  for (let row = start; row < end; row++) {
    out[row - start] = valid !== null && valid[row] === 0 ? Number.NaN : roundTo(values[row]!, decimals) + 0
  }
}
