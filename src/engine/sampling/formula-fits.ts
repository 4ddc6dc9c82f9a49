/**
 * Draws the columns of declared formulas whose target comes first: a scenario states a score, and its items follow (completion.ts).
 *
 * b  rows of the block, at most BLOCK_ROWS
 */

import { decimalsOf, rounded } from '../encoding/numbers.ts'
import type { Derivation, Formula } from '../model/derivation.ts'
import { BLOCK_ROWS, type EncodedCategorical, type EncodedNumeric, type Order } from '../model/model.ts'
import { type BlockValues, levelNumbers } from './block-values.ts'
import { Completion, type CompletionContext } from './completion.ts'
import { codeOfValue, type NumericDecoder } from './decode.ts'
import { PURPOSE, RandomStream } from './random.ts'
import type { BatchSampler } from './sample-tree.ts'

const TRIES = 16
const UNIT_32 = 2 ** -32

export interface FitContext extends Omit<CompletionContext, 'reader'> {
  readonly derivations: readonly Derivation[]
  /** Those of them that compute their target in this order. */
  readonly formulas: readonly Formula[]
  readonly values: BlockValues
  readonly order: Order
  readonly preset: number
  readonly decoders: readonly (NumericDecoder | null)[]
}

/** Whether a code of a column fits the other columns that determine it in a row of the block. */
type Fits = (row: number, code: number) => boolean

/** Working memory of one thread for one generation. */
export class FormulaFits {
  readonly #context: FitContext
  readonly #sampler: BatchSampler
  readonly #stream = new RandomStream(0, PURPOSE.relation)
  readonly #completions: readonly (readonly Completion[])[]
  #seed = 0
  #block = 0
  #rows = 0

  constructor(context: FitContext, sampler: BatchSampler) {
    this.#context = context
    this.#sampler = sampler
    const { derivations, formulas, order, values } = context
    const open = derivations.filter(
      (one): one is Formula => one.kind === 'formula' && one.isDeclared === true && !formulas.includes(one),
    )
    const before = new Set<number>()
    const completing = { ...context, reader: (column: number) => values.reader(column) }
    this.#completions = Array.from(order.columns, (column) => {
      const own = open.filter(
        ({ target, sources }) =>
          (target === column && sources.some((source) => before.has(source.column))) ||
          (before.has(target) && sources.some((source) => source.column === column)),
      )
      const found = own.map((formula) => new Completion(completing, formula, column, before))
      before.add(column)
      return found
    })
  }

  enter(seed: number, block: number, rows: number): void {
    this.#seed = seed
    this.#block = block
    this.#rows = rows
  }

  /** Whether the column at a position must be checked when its codes are drawn. */
  concerns(position: number): boolean {
    const { order, preset, columns } = this.#context
    if (this.#completions[position]!.length === 0) return false
    // The levels that a scenario states have their counts.
    return position >= preset || columns[order.columns[position]!]!.kind === 'numeric'
  }

  /**
   * Must be called when the codes of the order's column at `position` are drawn or given, after everything else that moves them.
   *
   * fits  what else determines the codes
   */
  settle(position: number, fits: Fits): void {
    const column = this.#context.order.columns[position]!
    this.#stream.reset(this.#seed, PURPOSE.relation, this.#block, column)
    for (const one of this.#completions[position]!) one.enterBlock()
    if (this.#context.columns[column]!.kind === 'numeric') this.#settleValues(position, column, fits)
    else this.#settleLevels(position, column, fits)
  }

  #enterRow(position: number, row: number): (value: number) => boolean {
    const completions = this.#completions[position]!
    for (const one of completions) one.enterRow(row)
    return (value) => completions.every((one) => one.allows(value))
  }

  #settleLevels(position: number, column: number, fits: Fits): void {
    const { codes } = this.#sampler
    const encoded = this.#context.columns[column] as EncodedCategorical
    const numbers = levelNumbers(encoded)
    const at = column * BLOCK_ROWS
    for (let r = 0; r < this.#rows; r++) {
      const allows = this.#enterRow(position, r)
      if (allows(numbers[codes[at + r]!]!)) continue
      const goes = (code: number): boolean => allows(numbers[code]!)
      const word = this.#stream.word()
      if (this.#sampler.redraw(position, r, word, (code) => goes(code) && fits(r, code))) continue
      this.#sampler.redraw(position, r, word, goes)
    }
  }

  #settleValues(position: number, column: number, fits: Fits): void {
    const { columns, values: known, ranges, preset } = this.#context
    const { codes } = this.#sampler
    const encoded = columns[column] as EncodedNumeric
    const { values, valid } = known.decode(column)
    const at = column * BLOCK_ROWS
    const range = ranges.get(column) ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
    const isInside = (value: number): boolean => !(value < range.min || value > range.max)
    for (let r = 0; r < this.#rows; r++) {
      const allows = this.#enterRow(position, r)
      const drawn = valid[r] === 0 ? Number.NaN : values[r]!
      if (allows(drawn)) continue
      const goes = (value: number): boolean => isInside(value) && allows(value)
      const found =
        (position < preset ? nearestOf(encoded, drawn, goes) : this.#drawAnew(position, r, drawn, goes, fits)) ??
        this.#nearestInRooms(position, encoded, drawn, range)
      if (found === null || (Number.isNaN(found) && encoded.missing === 0)) continue
      const isMissing = Number.isNaN(found)
      values[r] = isMissing ? 0 : found
      valid[r] = isMissing ? 0 : 1
      codes[at + r] = isMissing ? 0 : codeOfValue(encoded, found)
    }
  }

  /** A value of the row's leaf; null if none of a few goes. */
  #drawAnew(position: number, row: number, drawn: number, goes: (value: number) => boolean, fits: Fits): number | null {
    const { order, decoders } = this.#context
    const decoder = decoders[order.columns[position]!]!
    const tree = this.#sampler.treeAt(position)
    const leaf = this.#sampler.leafAt(position, row)
    const start = tree.start[leaf]!
    const stream = this.#stream
    for (let t = 0; t < TRIES; t++) {
      const code = tree.codes[start + Math.floor(stream.word() * (tree.end[leaf]! - start) * UNIT_32)]!
      const value = decoder.draw(code, stream.word(), stream.word())
      if (goes(value) && fits(row, code)) return value
    }
    return goes(Number.NaN) && !Number.isNaN(drawn) ? Number.NaN : null
  }

  /** The value nearest to the drawn one with which the formula can hold; null if there is none. */
  #nearestInRooms(
    position: number,
    encoded: EncodedNumeric,
    drawn: number,
    range: { readonly min: number; readonly max: number },
  ): number | null {
    const from = Number.isNaN(drawn) ? encoded.values[encoded.values.length >> 1]! : drawn
    const scale = Number(`1e${decimalsOf(encoded)}`)
    let best: number | null = null
    for (const { low, high } of this.#completions[position]!.flatMap((one) => one.rooms())) {
      const [least, most] = [Math.max(low, range.min), Math.min(high, range.max)]
      if (least > most + 1e-6 / scale) continue
      const value = rounded(Math.min(most, Math.max(least, from)), scale, 'nearest')
      if (best === null || Math.abs(value - from) < Math.abs(best - from)) best = value
    }
    return best
  }
}

/** The seed's value nearest to the drawn one that goes; null if none does. */
function nearestOf({ values }: EncodedNumeric, drawn: number, goes: (value: number) => boolean): number | null {
  let best: number | null = null
  for (const value of values) {
    const isNearer = best === null || Math.abs(value - drawn) < Math.abs(best - drawn)
    if (isNearer && goes(value)) best = value
  }
  return best
}
