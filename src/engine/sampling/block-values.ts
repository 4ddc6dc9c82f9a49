/** Values of columns that others are computed from or compared with, decoded on first use. */

import { unitOf } from '../encoding/numbers.ts'
import { BLOCK_ROWS, type EncodedColumn, type EncodedNumeric } from '../model/model.ts'
import type { NumericDecoder } from './decode.ts'
import { PURPOSE, RandomStream } from './random.ts'

export interface DecodedValues {
  /** Length BLOCK_ROWS; 0 when missing. */
  readonly values: Float64Array
  readonly valid: Uint8Array
}

/** Working memory of one thread for one generation. */
export class BlockValues {
  readonly #columns: readonly EncodedColumn[]
  readonly #decoders: readonly (NumericDecoder | null)[]
  readonly #codes: Uint16Array
  readonly #decoded = new Map<number, DecodedValues>()
  readonly #levels = new Map<number, Float64Array>()
  readonly #isDecoded = new Set<number>()
  readonly #stream = new RandomStream(0, PURPOSE.value)
  #seed = 0
  #block = 0
  #rows = 0

  /** @param codes Of the block: column c of row r is codes[c · BLOCK_ROWS + r]. */
  constructor(columns: readonly EncodedColumn[], decoders: readonly (NumericDecoder | null)[], codes: Uint16Array) {
    this.#columns = columns
    this.#decoders = decoders
    this.#codes = codes
  }

  begin(seed: number, block: number, rows: number): void {
    this.#seed = seed
    this.#block = block
    this.#rows = rows
    this.#isDecoded.clear()
  }

  /** A column's values if they are decoded already; otherwise null. */
  known(column: number): DecodedValues | null {
    return this.#isDecoded.has(column) ? this.#decoded.get(column)! : null
  }

  /** Values of a numeric column whose codes are drawn. */
  decode(column: number): DecodedValues {
    const known = this.known(column)
    if (known) return known
    const { values, valid } = this.claim(column)
    const stream = this.stream(column)
    this.#decoders[column]!.decode(this.#codes, column * BLOCK_ROWS, this.#rows, stream, values, valid, 0)
    return { values, valid }
  }

  /** An array for a column's values, which the caller fills in. */
  claim(column: number): DecodedValues {
    const room = this.#decoded.get(column) ?? {
      values: new Float64Array(BLOCK_ROWS),
      valid: new Uint8Array(BLOCK_ROWS),
    }
    this.#decoded.set(column, room)
    this.#isDecoded.add(column)
    return room
  }

  /** The random numbers that decode a column in this block. */
  stream(column: number): RandomStream {
    return this.#stream.reset(this.#seed, PURPOSE.value, this.#block, column)
  }

  /** Reads a column by row of the block, in the units of formulas; NaN when missing. */
  reader(c: number): (row: number) => number {
    const column = this.#columns[c]!
    if (column.kind === 'categorical') {
      const levels = this.#levels.get(c) ?? levelNumbers(column)
      this.#levels.set(c, levels)
      return (row) => levels[this.#codes[c * BLOCK_ROWS + row]!]!
    }
    const unit = unitOf(column)
    const { values, valid } = this.decode(c)
    return (row) => (valid[row] === 0 ? Number.NaN : values[row]! / unit)
  }
}

/** Length K: the levels as numbers, NaN for missing. */
export function levelNumbers(column: Exclude<EncodedColumn, EncodedNumeric>): Float64Array {
  const numbers = column.levels.map(Number)
  return Float64Array.from(column.missing === 1 ? [Number.NaN, ...numbers] : numbers)
}
