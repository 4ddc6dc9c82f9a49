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

/** Values of a column that its scenario gives, each array as long as the table. */
export interface GivenValues {
  /** 0 where missing. */
  readonly values: Float64Array
  readonly valid: Uint8Array
  /** They stay; others change where they violate a relation. */
  readonly isFixed: boolean
}

/** Working memory of one thread for one generation. */
export class BlockValues {
  readonly #columns: readonly EncodedColumn[]
  readonly #decoders: readonly (NumericDecoder | null)[]
  readonly #source: { readonly codes: Uint16Array }
  /** By block of the batch. */
  readonly #blocks: { readonly decoded: Map<number, DecodedValues>; readonly isDecoded: Set<number> }[] = []
  readonly #levels = new Map<number, Float64Array>()
  readonly #stream = new RandomStream(0, PURPOSE.value)
  #entered = { decoded: new Map<number, DecodedValues>(), isDecoded: new Set<number>() }
  #seed = 0
  #block = 0
  #rows = 0

  /** @param source Of the block entered: column c of row r is codes[c · BLOCK_ROWS + r]. */
  constructor(
    columns: readonly EncodedColumn[],
    decoders: readonly (NumericDecoder | null)[],
    source: { readonly codes: Uint16Array },
  ) {
    this.#columns = columns
    this.#decoders = decoders
    this.#source = source
  }

  /** Nothing of a new batch is decoded. */
  startBatch(): void {
    for (const { isDecoded } of this.#blocks) isDecoded.clear()
  }

  /**
   * place  of the block in its batch
   */
  enter(seed: number, block: number, rows: number, place: number): void {
    this.#seed = seed
    this.#block = block
    this.#rows = rows
    this.#entered = this.#blocks[place] ??= { decoded: new Map(), isDecoded: new Set() }
  }

  /** A column's values if they are decoded already; otherwise null. */
  known(column: number): DecodedValues | null {
    return this.#entered.isDecoded.has(column) ? this.#entered.decoded.get(column)! : null
  }

  /** Values of a numeric column whose codes are drawn. */
  decode(column: number): DecodedValues {
    const known = this.known(column)
    if (known) return known
    const { values, valid } = this.claim(column)
    const stream = this.stream(column)
    this.#decoders[column]!.decode(this.#source.codes, column * BLOCK_ROWS, this.#rows, stream, values, valid, 0)
    return { values, valid }
  }

  /** Takes the values that the scenario gives a column; the block begins at a row of the table. */
  give(column: number, given: GivenValues, row: number): void {
    const { values, valid } = this.claim(column)
    values.set(given.values.subarray(row, row + this.#rows))
    valid.set(given.valid.subarray(row, row + this.#rows))
  }

  /** An array for a column's values, which the caller fills in. */
  claim(column: number): DecodedValues {
    const { decoded, isDecoded } = this.#entered
    const room = decoded.get(column) ?? { values: new Float64Array(BLOCK_ROWS), valid: new Uint8Array(BLOCK_ROWS) }
    decoded.set(column, room)
    isDecoded.add(column)
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
      const { codes } = this.#source
      return (row) => levels[codes[c * BLOCK_ROWS + row]!]!
    }
    const unit = unitOf(column)
    const { values, valid } = this.decode(c)
    return (row) => (valid[row] === 0 ? Number.NaN : values[row]! / unit)
  }

  /** Reads the place of a level in its column by row of the block; -1 where missing. */
  level(c: number): (row: number) => number {
    const { missing } = this.#columns[c]!
    const { codes } = this.#source
    return (row) => codes[c * BLOCK_ROWS + row]! - missing
  }
}

/** Length K: the levels as numbers, NaN for missing. */
export function levelNumbers(column: Exclude<EncodedColumn, EncodedNumeric>): Float64Array {
  const numbers = column.levels.map(Number)
  return Float64Array.from(column.missing === 1 ? [Number.NaN, ...numbers] : numbers)
}
