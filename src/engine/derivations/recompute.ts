/**
 * Puts derivations in force while a block is sampled, column by column.
 *
 * b  rows of the block, at most BLOCK_ROWS     d  columns     K  codes of a column
 *
 * A formula's target is computed from the decoded values of its sources, jitter included, in the rows that follow the formula;
 * its code is the bin of that value, for the columns after it. In all other rows (exceptions, missing values) its tree has
 * the word. Columns of a scenario are never touched.
 */

import { BLOCK_ROWS, type EncodedColumn, type EncodedNumeric, type Order } from '../model.ts'
import { PURPOSE, RandomStream } from '../random.ts'
import { codeOfValue, type NumericDecoder } from '../sampling/decode.ts'
import type { BlockSampler } from '../sampling/sample-tree.ts'
import type { Derivation, Formula, Recoding } from './derivation.ts'
import { evaluate } from './formula.ts'
import { decimalsOf, rounded, unitOf } from './numbers.ts'

const UNIT_32 = 2 ** -32

export interface DecodedValues {
  /** Length BLOCK_ROWS; 0 where missing. */
  readonly values: Float64Array
  readonly valid: Uint8Array
}

export interface RecomputeContext {
  readonly columns: readonly EncodedColumn[]
  readonly derivations: readonly Derivation[]
  readonly order: Order
  /** The first columns of the order, which are given. */
  readonly preset: number
  /** d decoders; null for categorical columns. */
  readonly decoders: readonly (NumericDecoder | null)[]
}

/** Working memory of one thread for one generation. */
export class Recomputation {
  readonly #context: RecomputeContext
  readonly #sampler: BlockSampler
  readonly #steps: readonly ((() => void) | null)[]
  readonly #decoded: ReadonlyMap<number, DecodedValues>
  readonly #isDecoded = new Set<number>()
  readonly #levels: ReadonlyMap<number, Float64Array>
  readonly #words = new Uint32Array(BLOCK_ROWS)
  readonly #stream: RandomStream
  #seed = 0
  #block = 0
  #rows = 0

  constructor(context: RecomputeContext, sampler: BlockSampler) {
    this.#context = context
    this.#sampler = sampler
    this.#stream = new RandomStream(0, PURPOSE.derivation)
    const { columns, order, preset, derivations } = context
    const position = new Map(Array.from(order.columns, (column, i) => [column, i]))
    const isBefore = (a: number, b: number) => position.get(a)! < position.get(b)!
    const formulas: Formula[] = []
    this.#steps = Array.from(order.columns, (column, i) => {
      if (i < preset) return null
      const formula = derivations.find((one): one is Formula => one.kind === 'formula' && one.target === column)
      if (formula?.sources.every((source) => isBefore(source.column, column))) {
        formulas.push(formula)
        return () => this.#compute(formula)
      }
      const recodings = derivations.filter((one): one is Recoding => one.kind === 'recoding')
      const taken = recodings.find((one) => one.target === column && isBefore(one.source, column))
      if (taken) return () => this.#recode(taken)
      const wanted = recodings.filter((one) => one.source === column && isBefore(one.target, column))
      return wanted.length > 0 ? () => this.#fit(i, wanted) : null
    })
    const held = new Set(formulas.flatMap(({ target, sources }) => [target, ...sources.map(({ column }) => column)]))
    const isNumeric = (c: number) => columns[c]!.kind === 'numeric'
    this.#decoded = new Map(
      [...held]
        .filter(isNumeric)
        .map((c) => [c, { values: new Float64Array(BLOCK_ROWS), valid: new Uint8Array(BLOCK_ROWS) }]),
    )
    this.#levels = new Map([...held].filter((c) => !isNumeric(c)).map((c) => [c, levelNumbers(columns[c]!)]))
  }

  /** To be called before a block's first column. */
  begin(seed: number, block: number, rows: number): void {
    this.#seed = seed
    this.#block = block
    this.#rows = rows
    this.#isDecoded.clear()
  }

  /** To be called when the codes of the order's column at `position` are drawn. */
  settle(position: number): void {
    this.#steps[position]?.()
  }

  /** A column's values where they are decoded already; null otherwise. Call when the whole block is sampled. */
  valuesOf(column: number): DecodedValues | null {
    return this.#isDecoded.has(column) ? this.#decoded.get(column)! : null
  }

  #compute(formula: Formula): void {
    const { target, sources, missingTogether, ownMissing, share, targetExceptions, rounding } = formula
    const column = this.#context.columns[target] as EncodedNumeric
    const { values, valid } = this.#decode(target)
    const { codes } = this.#sampler
    const at = target * BLOCK_ROWS
    const unit = unitOf(column)
    const scale = Number(`1e${decimalsOf(column)}`)
    const read = sources.map((source) => this.#reader(source.column))
    const numbers = new Float64Array(sources.length)
    if (share < 1) {
      this.#stream.reset(this.#seed, PURPOSE.derivation, this.#block, target).fill(this.#words, this.#rows)
    }
    for (let r = 0; r < this.#rows; r++) {
      let isSpokenOf = true
      for (let j = 0; j < sources.length; j++) {
        numbers[j] = read[j]!(r)
        if (sources[j]!.exceptions.includes(numbers[j]!)) isSpokenOf = false
      }
      if (!isSpokenOf) continue
      const computed = evaluate(formula, numbers)
      if (!Number.isFinite(computed)) {
        if (!missingTogether || column.missing === 0) continue
        values[r] = 0
        valid[r] = 0
        codes[at + r] = 0
        continue
      }
      if (valid[r] === 0 ? ownMissing : targetExceptions.includes(values[r]! / unit)) continue
      if (share < 1 && this.#words[r]! * UNIT_32 >= share) continue
      values[r] = rounded(computed, scale, rounding) * unit
      valid[r] = 1
      codes[at + r] = codeOfValue(column, values[r]!)
    }
  }

  #recode({ target, source, codes: table }: Recoding): void {
    const { codes } = this.#sampler
    const from = source * BLOCK_ROWS
    const to = target * BLOCK_ROWS
    for (let r = 0; r < this.#rows; r++) {
      const code = table[codes[from + r]!]!
      if (code >= 0) codes[to + r] = code
    }
  }

  /** Draws a source anew where it does not go with the targets before it. */
  #fit(position: number, recodings: readonly Recoding[]): void {
    const { codes } = this.#sampler
    const column = this.#context.order.columns[position]!
    const from = column * BLOCK_ROWS
    let isFilled = false
    for (let r = 0; r < this.#rows; r++) {
      const goesWith = ({ target, codes: table }: Recoding, code: number) =>
        table[code]! < 0 || table[code] === codes[target * BLOCK_ROWS + r]
      if (recodings.every((one) => goesWith(one, codes[from + r]!))) continue
      if (!isFilled) {
        this.#stream.reset(this.#seed, PURPOSE.derivation, this.#block, column).fill(this.#words, this.#rows)
        isFilled = true
      }
      const word = this.#words[r]!
      // Where a scenario asks for targets that no code decides so, the first of them counts.
      if (!this.#sampler.redraw(position, r, word, (code) => recodings.every((one) => goesWith(one, code)))) {
        this.#sampler.redraw(position, r, word, (code) => goesWith(recodings[0]!, code))
      }
    }
  }

  #decode(column: number): DecodedValues {
    const decoded = this.#decoded.get(column)!
    if (this.#isDecoded.has(column)) return decoded
    this.#isDecoded.add(column)
    const stream = this.#stream.reset(this.#seed, PURPOSE.value, this.#block, column)
    const { values, valid } = decoded
    this.#context.decoders[column]!.decode(
      this.#sampler.codes,
      column * BLOCK_ROWS,
      this.#rows,
      stream,
      values,
      valid,
      0,
    )
    return decoded
  }

  /** Numbers of a source by row of the block, in the units of formulas; NaN where missing. */
  #reader(c: number): (row: number) => number {
    const column = this.#context.columns[c]!
    const levels = this.#levels.get(c)
    if (levels) return (row) => levels[this.#sampler.codes[c * BLOCK_ROWS + row]!]!
    const unit = unitOf(column as EncodedNumeric)
    const { values, valid } = this.#decode(c)
    return (row) => (valid[row] === 0 ? Number.NaN : values[row]! / unit)
  }
}

/** Length K: the numbers that levels are, NaN for missing. */
function levelNumbers(column: EncodedColumn): Float64Array {
  if (column.kind === 'numeric') throw new RangeError(`column ${column.name} has no levels`)
  const numbers = column.levels.map(Number)
  return Float64Array.from(column.missing === 1 ? [Number.NaN, ...numbers] : numbers)
}
