/**
 * Keeps relations while a block is sampled, column by column.
 *
 * b  rows of the block, at most BLOCK_ROWS     n  training rows of a leaf
 *
 * A row whose value would violate a relation draws again from its leaf, under the condition that it does not: a few rejected draws,
 * then draws by mass within the limits. Both give the leaf's distribution given the relation. If a leaf has nothing within the
 * limits, the nearest node above it is used, then the column as a whole. If no observed value is possible, the value is missing, or
 * the limit itself.
 */

import { decimalsOf, unitOf } from '../encoding/numbers.ts'
import { BLOCK_ROWS, type EncodedCategorical, type EncodedNumeric, type Order } from '../model/model.ts'
import { columnsOf, type Distinct } from '../model/relation.ts'
import { type BlockValues, levelNumbers } from './block-values.ts'
import { codeOfValue, type NumericDecoder } from './decode.ts'
import { DistinctLevels } from './distinct-levels.ts'
import { type Interval, type Limit, type LimitContext, type Limits, limitsOf } from './limits.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { byRelation, type CodeValues, ownValues } from './related-values.ts'
import type { BatchSampler } from './sample-tree.ts'
import type { ValueRange } from './value-cells.ts'

const TRIES = 8
/** Larger nodes are no better than the column as a whole. */
const MOST_NODE_ROWS = 4_096
const UNIT_32 = 2 ** -32
/** Units of the last place by which a limit may be off after conversion to other units. */
const NOISE = 1e-6

export interface RelatedContext extends LimitContext {
  readonly values: BlockValues
  readonly order: Order
  /** The first columns of the order, which the scenario conditions. */
  readonly preset: number
  readonly decoders: readonly (NumericDecoder | null)[]
}

/** Whether a code of a column fits the other columns that determine it in a row of the block. */
type Fits = (row: number, code: number) => boolean

/** Working memory of one thread for one generation. */
export class RelatedDraws {
  readonly #context: RelatedContext
  readonly #sampler: BatchSampler
  readonly #stream = new RandomStream(0, PURPOSE.relation)
  readonly #limits: readonly Limits[]
  readonly #distinct: readonly (DistinctLevels | null)[]
  #seed = 0
  #block = 0
  #rows = 0

  constructor(context: RelatedContext, sampler: BatchSampler) {
    this.#context = context
    this.#sampler = sampler
    const { order, relations, columns } = context
    const before = new Set<number>()
    const limits: Limits[] = []
    const distinct: (DistinctLevels | null)[] = []
    for (const column of order.columns) {
      const own = relations.filter((relation) => columnsOf(relation).includes(column))
      limits.push(limitsOf(context, column, before))
      const group = own.find((one): one is Distinct => one.kind === 'distinct')
      distinct.push(group ? new DistinctLevels(columns as readonly EncodedCategorical[], group, column, before) : null)
      before.add(column)
    }
    this.#limits = limits
    this.#distinct = distinct
  }

  enter(seed: number, block: number, rows: number): void {
    this.#seed = seed
    this.#block = block
    this.#rows = rows
  }

  /** Whether the column at a position must be checked when its codes are drawn. */
  concerns(position: number): boolean {
    const { order } = this.#context
    return (
      this.#limits[position]!.isTight ||
      this.#distinct[position] !== null ||
      (position >= this.#context.preset && order.trees[position]!.relation !== undefined)
    )
  }

  /**
   * Must be called when the codes of the order's column at `position` are drawn or given.
   *
   * fits  what else determines the codes; null for nothing
   */
  settle(position: number, fits: Fits | null): void {
    const { order, columns } = this.#context
    const column = order.columns[position]!
    this.#stream.reset(this.#seed, PURPOSE.relation, this.#block, column)
    const { always, ofRow } = this.#limits[position]!
    const limits = { always, ofRow: ofRow.map((make) => make()) }
    if (columns[column]!.kind === 'numeric') this.#settleValues(position, column, limits, fits)
    else if (position >= this.#context.preset) this.#settleLevels(position, column, limits, fits)
  }

  #settleLevels(position: number, column: number, limits: RowLimits, fits: Fits | null): void {
    const { codes } = this.#sampler
    const encoded = this.#context.columns[column] as EncodedCategorical
    const numbers = this.#limits[position]!.isTight ? levelNumbers(encoded) : null
    const distinct = this.#distinct[position]!
    const at = column * BLOCK_ROWS
    const interval = { ...limits.always }
    for (let r = 0; r < this.#rows; r++) {
      narrow(interval, limits, r)
      distinct?.enter(codes, r)
      const goes = (code: number) => {
        if (distinct && !distinct.allows(code)) return false
        return !numbers || !(numbers[code]! < interval.low || numbers[code]! > interval.high)
      }
      if (goes(codes[at + r]!)) continue
      const word = this.#stream.word()
      if (this.#sampler.redraw(position, r, word, (code) => goes(code) && (fits?.(r, code) ?? true))) continue
      if (this.#sampler.redraw(position, r, word, goes)) continue
      // No row of the seed has such a value: take any possible one.
      const possible = Array.from({ length: encoded.codeCount }, (_, code) => code).find(goes)
      if (possible !== undefined) codes[at + r] = possible
    }
  }

  #settleValues(position: number, column: number, limits: RowLimits, fits: Fits | null): void {
    const { columns, values: known, decoders, ranges, order, preset } = this.#context
    const { codes } = this.#sampler
    const encoded = columns[column] as EncodedNumeric
    const relation = position < preset ? undefined : order.trees[position]!.relation
    const own = ownValues(decoders[column]!)
    const meaning = relation === undefined ? own : this.#relatedValues(relation, column, encoded, own)
    const { values, valid } = relation === undefined ? known.decode(column) : known.claim(column)
    const at = column * BLOCK_ROWS
    const words = new Uint32Array(relation === undefined ? 0 : 2 * this.#rows)
    if (words.length > 0) known.stream(column).fill(words, words.length)
    const interval = { ...limits.always }
    const least = encoded.values[0] ?? Number.NaN
    const most = encoded.values.at(-1) ?? Number.NaN
    const range = ranges.get(column)
    for (let r = 0; r < this.#rows; r++) {
      narrow(interval, limits, r)
      const within = rawRange(encoded, interval)
      let value: number | null
      if (relation === undefined) value = valid[r] === 0 ? Number.NaN : values[r]!
      else {
        within.min = Math.max(within.min, least)
        within.max = Math.min(within.max, most)
        value = meaning.draw(codes[at + r]!, r, words[2 * r]!, words[2 * r + 1]!, true)
      }
      if (value !== null && !(value < within.min || value > within.max)) {
        if (relation !== undefined) write(encoded, values, valid, codes, at, r, value)
        continue
      }
      const only = onlyValue(encoded, within, range ?? { min: least, max: most })
      if (only !== null) {
        write(encoded, values, valid, codes, at, r, only)
        continue
      }
      if (range) {
        within.min = Math.max(within.min, range.min)
        within.max = Math.min(within.max, range.max)
      }
      const drawn =
        (position < preset
          ? null
          : this.#drawAnew(position, r, meaning, within, relation === undefined ? fits : null)) ??
        drawFromAll(encoded, decoders[column]!, within, this.#stream) ??
        (position < preset ? value! : atLimit(encoded, within, value))
      write(encoded, values, valid, codes, at, r, drawn)
    }
  }

  #relatedValues(relation: number, column: number, encoded: EncodedNumeric, own: CodeValues): CodeValues {
    const { relations, values } = this.#context
    const other = columnsOf(relations[relation]!).find((one) => one !== column)!
    return byRelation(relations[relation]!, column, encoded, own, values.decode(other))
  }

  /** A code from the leaf of a row, or the nodes above it; null if they have none within the range. */
  #drawAnew(position: number, row: number, meaning: CodeValues, range: ValueRange, fits: Fits | null): number | null {
    const tree = this.#sampler.treeAt(position)
    let node = this.#sampler.leafAt(position, row)
    const stream = this.#stream
    for (let t = 0; t < TRIES; t++) {
      const start = tree.start[node]!
      const code = tree.codes[start + Math.floor(stream.word() * (tree.end[node]! - start) * UNIT_32)]!
      const value = meaning.draw(code, row, stream.word(), stream.word(), false)
      if (value === null || value < range.min || value > range.max) continue
      if (fits === null || fits(row, code)) return value
    }
    for (; node >= 0; node = tree.parent[node]!) {
      const start = tree.start[node]!
      const end = tree.end[node]!
      if (end - start > MOST_NODE_ROWS) return null
      const shares = new Map<number, number>()
      let mass = 0
      for (let i = start; i < end; i++) {
        const code = tree.codes[i]!
        let share = shares.get(code)
        if (share === undefined) {
          share = fits === null || fits(row, code) ? meaning.shareWithin(code, row, range) : 0
          shares.set(code, share)
        }
        mass += share
      }
      if (!(mass > 0)) continue
      let left = stream.word() * UNIT_32 * mass
      for (let i = start; i < end; i++) {
        const code = tree.codes[i]!
        left -= shares.get(code)!
        if (left >= 0 || shares.get(code) === 0) continue
        const value = meaning.drawWithin(code, row, range, stream.word(), stream.word())
        // Rounding may have moved it out of the range again.
        if (value >= range.min && value <= range.max) return value
        break
      }
    }
    return null
  }
}

interface RowLimits {
  readonly always: Interval
  readonly ofRow: readonly Limit[]
}

function narrow(interval: Interval, { always, ofRow }: RowLimits, row: number): void {
  interval.low = always.low
  interval.high = always.high
  for (const limit of ofRow) limit(row, interval)
}

/** Converts to the stored numbers of a column. */
function rawRange(column: EncodedNumeric, { low, high }: Interval): { min: number; max: number } {
  const unit = unitOf(column)
  if (unit === 1) return { min: low, max: high }
  return { min: Math.ceil(low * unit - NOISE), max: Math.floor(high * unit + NOISE) }
}

/** The value that an equality leaves; null where it leaves several, or none between the ends. */
function onlyValue(column: EncodedNumeric, { min, max }: ValueRange, ends: ValueRange): number | null {
  const scale = column.format === null ? Number(`1e${decimalsOf(column)}`) : 1
  if (!(max - min < 0.5 / scale)) return null
  const value = Math.round(((min + max) / 2) * scale) / scale
  const isWithin = value >= min - NOISE / scale && value <= max + NOISE / scale
  return isWithin && value >= ends.min && value <= ends.max ? value : null
}

function write(
  column: EncodedNumeric,
  values: Float64Array,
  valid: Uint8Array,
  codes: Uint16Array,
  at: number,
  row: number,
  value: number,
): void {
  const isMissing = Number.isNaN(value)
  values[row] = isMissing ? 0 : value
  valid[row] = isMissing ? 0 : 1
  codes[at + row] = isMissing ? 0 : codeOfValue(column, value)
}

/** A value of the whole column within a range; null if it has none. */
function drawFromAll(
  column: EncodedNumeric,
  decoder: NumericDecoder,
  range: ValueRange,
  stream: RandomStream,
): number | null {
  const { binStart, cumulative, missing, values } = column
  if (values.length === 0 || !(range.min <= range.max)) return null
  const first = codeOfValue(column, range.min)
  const last = codeOfValue(column, range.max)
  let mass = 0
  const sums: number[] = []
  for (let code = first; code <= last; code++) {
    const bin = code - missing
    const rows = cumulative[binStart[bin + 1]!]! - cumulative[binStart[bin]!]!
    mass += rows * (code === first || code === last ? decoder.shareWithin(code, range) : 1)
    sums.push(mass)
  }
  if (!(mass > 0)) return null
  const wanted = stream.word() * UNIT_32 * mass
  const code = first + sums.findIndex((sum) => sum > wanted)
  const value = decoder.drawWithin(code, range, stream.word(), stream.word())
  return value >= range.min && value <= range.max ? value : null
}

/** The value if no value of the seed is possible: missing, or the nearest possible number with the column's decimals. */
function atLimit(column: EncodedNumeric, { min, max }: ValueRange, drawn: number | null): number {
  if (column.missing === 1) return Number.NaN
  const scale = column.format === null ? Number(`1e${decimalsOf(column)}`) : 1
  const from = column.values[0]!
  const nearest = Number.isFinite(min) && (drawn ?? from) < min ? min : max
  const inUnits = nearest === min ? Math.ceil(min * scale - NOISE) : Math.floor(max * scale + NOISE)
  const number = Number.isSafeInteger(inUnits) ? inUnits / scale : nearest
  return Number.isFinite(number) && number >= min - NOISE / scale && number <= max + NOISE / scale
    ? number
    : (drawn ?? from)
}
