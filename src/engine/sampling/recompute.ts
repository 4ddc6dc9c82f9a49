/**
 * Applies derivations while a block is sampled, column by column.
 *
 * b  rows of the block, at most BLOCK_ROWS     d  columns     K  codes of a column
 *
 * A formula's target is computed from the decoded values of its sources, jitter included, in the rows that follow the formula;
 * its code is the bin of that value, for the columns after it. In all other rows (exceptions, missing values), the code of its tree
 * stays. Columns of a scenario never change.
 */

import { decimalsOf, rounded, unitOf } from '../encoding/numbers.ts'
import { type Derivation, evaluate, type Formula, type Recoding } from '../model/derivation.ts'
import { BLOCK_ROWS, type EncodedColumn, type EncodedNumeric, type Order } from '../model/model.ts'
import type { Relation } from '../model/relation.ts'
import { BlockValues, type DecodedValues, type GivenValues } from './block-values.ts'
import { columnRoles } from './column-roles.ts'
import { codeOfValue, type NumericDecoder } from './decode.ts'
import { FormulaFits } from './formula-fits.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { RelatedDraws } from './related-draws.ts'
import type { BatchSampler } from './sample-tree.ts'
import type { ValueRange } from './value-cells.ts'

const UNIT_32 = 2 ** -32

export interface RecomputeContext {
  readonly columns: readonly EncodedColumn[]
  readonly derivations: readonly Derivation[]
  readonly relations: readonly Relation[]
  readonly order: Order
  /** The first columns of the order, which the scenario conditions. */
  readonly preset: number
  /** Column index → range in which a given column is decoded. */
  readonly ranges: ReadonlyMap<number, ValueRange>
  /** d decoders; null for categorical columns. */
  readonly decoders: readonly (NumericDecoder | null)[]
  /** Column index → values of a given column. */
  readonly given: ReadonlyMap<number, GivenValues>
}

/** Working memory of one thread for one generation. */
export class Recomputation {
  readonly #context: RecomputeContext
  readonly #sampler: BatchSampler
  readonly #steps: readonly ((() => void) | null)[]
  readonly #values: BlockValues
  readonly #related: RelatedDraws
  readonly #completed: FormulaFits
  readonly #words = new Uint32Array(BLOCK_ROWS)
  readonly #stream: RandomStream
  #seed = 0
  #firstBlock = 0
  #batchRows = 0
  #block = 0
  #rows = 0

  constructor(context: RecomputeContext, sampler: BatchSampler) {
    this.#context = context
    this.#sampler = sampler
    this.#stream = new RandomStream(0, PURPOSE.derivation)
    const { columns, order, preset, derivations, decoders } = context
    this.#values = new BlockValues(columns, decoders, sampler)
    const roles = columnRoles(derivations, order, preset)
    const formulas = roles.flatMap((role) => (role.kind === 'computed' ? [role.formula] : []))
    const related = new RelatedDraws({ ...context, formulas, values: this.#values }, sampler)
    const completed = new FormulaFits({ ...context, formulas, values: this.#values }, sampler)
    this.#related = related
    this.#completed = completed
    this.#steps = roles.map((role, i) => {
      if (role.kind === 'computed') return () => this.#compute(role.formula)
      if (role.kind === 'decided') return () => this.#recode(role.recoding)
      if (context.given.get(order.columns[i]!)?.isFixed) return null
      const draw = related.concerns(i) ? (fits: Fits | null) => related.settle(i, fits) : null
      const complete = completed.concerns(i) ? (fits: Fits) => completed.settle(i, fits) : null
      if (role.kind !== 'fitted') {
        if (complete === null) return draw && (() => draw(null))
        return () => {
          draw?.(null)
          complete(() => true)
        }
      }
      const { recodings } = role
      return () => {
        const fits: Fits = (row, code) => recodings.every((one) => this.#goesWith(one, row, code))
        this.#fit(i, recodings)
        draw?.(fits)
        complete?.(fits)
      }
    })
  }

  /** Must be called before the first block of a batch. */
  startBatch(seed: number, firstBlock: number, rows: number): void {
    this.#seed = seed
    this.#firstBlock = firstBlock
    this.#batchRows = rows
    this.#values.startBatch()
  }

  /** Must be called with the block of the batch that the sampler has entered, before anything else is called about it. */
  enter(block: number): void {
    this.#block = this.#firstBlock + block
    this.#rows = Math.min(BLOCK_ROWS, this.#batchRows - block * BLOCK_ROWS)
    this.#values.enter(this.#seed, this.#block, this.#rows, block)
    this.#related.enter(this.#seed, this.#block, this.#rows)
    this.#completed.enter(this.#seed, this.#block, this.#rows)
  }

  /**
   * Must be called with the codes of the given columns in place, before a block's first column is drawn.
   *
   * @param row First row of the block in the table.
   */
  settlePreset(row: number): void {
    for (const [column, values] of this.#context.given) this.#values.give(column, values, row)
    for (let i = 0; i < this.#context.preset; i++) this.#steps[i]?.()
  }

  /** Must be called when the codes of the order's column at `position` are drawn. */
  settle(position: number): void {
    this.#steps[position]?.()
  }

  /** A column's values if they are decoded already; otherwise null. Call it when the whole batch is sampled. */
  valuesOf(column: number): DecodedValues | null {
    return this.#values.known(column)
  }

  #compute(formula: Formula): void {
    const { target, sources, missingTogether, ownMissing, share, targetExceptions, rounding, min, max, isDeclared } =
      formula
    const column = this.#context.columns[target] as EncodedNumeric
    const { values, valid } = this.#values.decode(target)
    const { codes } = this.#sampler
    const at = target * BLOCK_ROWS
    const unit = unitOf(column)
    const scale = Number(`1e${decimalsOf(column)}`)
    const read = sources.map((source) => this.#values.reader(source.column))
    const numbers = new Float64Array(sources.length)
    if (share < 1) {
      this.#stream.reset(this.#seed, PURPOSE.derivation, this.#block, target).fill(this.#words, this.#rows)
    }
    for (let r = 0; r < this.#rows; r++) {
      let isApplicable = true
      for (let j = 0; j < sources.length; j++) {
        numbers[j] = read[j]!(r)
        if (sources[j]!.exceptions.includes(numbers[j]!)) isApplicable = false
      }
      if (!isApplicable) continue
      const computed = evaluate(formula, numbers)
      if (!Number.isFinite(computed)) {
        if (!missingTogether || (column.missing === 0 && !isDeclared)) continue
        values[r] = 0
        valid[r] = 0
        if (column.missing === 1) codes[at + r] = 0
        continue
      }
      if (valid[r] === 0 ? ownMissing : targetExceptions.includes(values[r]! / unit)) continue
      if (share < 1 && this.#words[r]! * UNIT_32 >= share) continue
      // Sources are drawn so that the target stays within its extremes. For some combinations of them that is impossible.
      const result = rounded(computed, scale, rounding)
      values[r] = (isDeclared ? result : Math.min(max, Math.max(min, result))) * unit
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

  #goesWith({ target, codes: table }: Recoding, row: number, code: number): boolean {
    return table[code]! < 0 || table[code] === this.#sampler.codes[target * BLOCK_ROWS + row]
  }

  /** Redraws a source that does not fit the targets before it. */
  #fit(position: number, recodings: readonly Recoding[]): void {
    const { codes } = this.#sampler
    const column = this.#context.order.columns[position]!
    const from = column * BLOCK_ROWS
    let isFilled = false
    for (let r = 0; r < this.#rows; r++) {
      if (recodings.every((one) => this.#goesWith(one, r, codes[from + r]!))) continue
      if (!isFilled) {
        this.#stream.reset(this.#seed, PURPOSE.derivation, this.#block, column).fill(this.#words, this.#rows)
        isFilled = true
      }
      const word = this.#words[r]!
      // If no code determines all targets that a scenario requires, the first target counts.
      if (!this.#sampler.redraw(position, r, word, (code) => recodings.every((one) => this.#goesWith(one, r, code)))) {
        this.#sampler.redraw(position, r, word, (code) => this.#goesWith(recodings[0]!, r, code))
      }
    }
  }
}

/** Whether a code of a column fits the other columns that determine it in a row of the block. */
type Fits = (row: number, code: number) => boolean
