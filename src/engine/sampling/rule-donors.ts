/** Values of rules' columns from rows of the seed, for rows that draws do not settle. */

import { columnsOfRule, type Rule } from '../../base/rules/rule.ts'
import type { EncodedColumn, Model, Order } from '../model/model.ts'
import { columnsOf } from '../model/relation.ts'
import { type Breaks, breaksRule, ruleGroups } from '../model/row-rules.ts'
import { valuesOfRows } from '../model/row-values.ts'
import { codeOfValue } from './decode.ts'
import { type DrawnColumn, drawnColumns, setValue, valueAt } from './drawn-columns.ts'
import type { RandomStream } from './random.ts'
import type { ValueRange } from './value-cells.ts'

/** Rows of the seed, and of the batch, that are tried for one row. */
const MOST_DONORS = 20_000

export interface DonorContext extends Pick<Model, 'columns' | 'derivations' | 'relations'> {
  readonly rules: readonly Rule<number>[]
  readonly seedRows: Pick<Model, 'codes' | 'positions'>
  readonly order: Pick<Order, 'columns'>
  readonly preset: { readonly length: number }
  /** Preset columns that may have any value of a range. */
  readonly ranges: ReadonlyMap<number, ValueRange>
  /** Preset columns whose values stay, among others. */
  readonly given: ReadonlyMap<number, { readonly isFixed: boolean }>
}

/** Rules that share columns, with the columns that others of them determine or that must go with them. */
interface DonorGroup {
  readonly rules: readonly Rule<number>[]
  /** Columns that are taken together. */
  readonly free: readonly number[]
  /** Preset columns that a row of the seed must have the same code in, because they determine free ones. */
  readonly same: readonly number[]
  /** Preset levels of the rules: rows of the seed that have the same come first. */
  readonly alike: readonly number[]
  /** Columns of the rules whose values a mean fixes, and with which no other column goes. */
  readonly fixed: readonly number[]
}

/** Takes values of rules' columns from rows of the seed. */
export class RuleDonors {
  readonly #context: DonorContext
  readonly #groups: readonly DonorGroup[]
  readonly #numbers = new Map<number, Float64Array>()

  constructor(context: DonorContext) {
    this.#context = context
    const isOfRange = (column: number) => context.ranges.has(column) && !context.given.get(column)?.isFixed
    const preset = new Set(
      context.order.columns.subarray(0, context.preset.length).filter((column) => !isOfRange(column)),
    )
    this.#groups = ruleGroups(context.rules).map((rules) => {
      const ruled = new Set(rules.flatMap((rule) => columnsOfRule(rule)))
      const { all, tied } = withTied(context, ruled)
      return {
        rules,
        free: [...all].filter((column) => !preset.has(column)),
        same: [...tied].filter((column) => preset.has(column)),
        fixed: [...ruled].filter((column) => context.given.get(column)?.isFixed && !tied.has(column)),
        alike: [...ruled].filter((column) => preset.has(column) && context.columns[column]!.kind === 'categorical'),
      }
    })
  }

  settle(out: readonly DrawnColumn[], row: number, stream: RandomStream): void {
    const { columns } = this.#context
    const table = drawnColumns(columns, out)
    for (const group of this.#groups) {
      const breaks = group.rules.map((rule) => breaksRule(columns, rule, table))
      if (!breaks.some((one) => one(row))) continue
      const start = stream.below(this.#context.seedRows.codes[0]!.length)
      if (this.#take(out, row, group, start, breaks, group.alike) || this.#take(out, row, group, start, breaks, []))
        continue
      this.#exchange(out, row, group, stream, breaks)
    }
  }

  /** Takes the values of the first row of the seed that fits; otherwise the row stays. Whether one did. */
  #take(
    out: readonly DrawnColumn[],
    row: number,
    { free, same }: DonorGroup,
    start: number,
    breaks: readonly Breaks[],
    alike: readonly number[],
  ): boolean {
    const { codes } = this.#context.seedRows
    const { columns } = this.#context
    const n = codes[0]!.length
    const before = free.map((c) => valueAt(out[c]!, row))
    const wanted = [...same, ...alike].map((c) => {
      const own = out[c]!
      return [c, 'codes' in own ? own.codes[row]! : placeOf(columns[c]!, valueAt(own, row))] as const
    })
    for (let i = 0; i < Math.min(n, MOST_DONORS); i++) {
      const donor = (start + i) % n
      if (wanted.some(([c, code]) => codes[c]![donor]! - columns[c]!.missing !== code)) continue
      for (const c of free) this.#copy(out[c]!, row, c, donor)
      if (!free.every((c) => this.#isInRange(c, out[c]!, row))) continue
      if (!breaks.some((one) => one(row))) return true
    }
    free.forEach((c, i) => {
      setValue(out[c]!, row, before[i]!)
    })
    return false
  }

  /** Exchanges a value that a mean fixes with another row's: the file keeps the mean, and both rows keep the rules. */
  #exchange(
    out: readonly DrawnColumn[],
    row: number,
    { fixed }: DonorGroup,
    stream: RandomStream,
    breaks: readonly Breaks[],
  ): void {
    for (const c of fixed) {
      const column = out[c]!
      const rows = 'codes' in column ? 0 : column.values.length
      const start = rows === 0 ? 0 : stream.below(rows)
      const own = valueAt(column, row)
      for (let i = 0; i < Math.min(rows, MOST_DONORS); i++) {
        const other = (start + i) % rows
        const value = valueAt(column, other)
        if (Number.isNaN(value)) continue
        setValue(column, row, value)
        setValue(column, other, own)
        if (!breaks.some((one) => one(row) || one(other))) return
        setValue(column, row, own)
        setValue(column, other, value)
      }
    }
  }

  #isInRange(c: number, column: DrawnColumn, row: number): boolean {
    const range = this.#context.ranges.get(c)
    const value = valueAt(column, row)
    return range === undefined || (value >= range.min && value <= range.max)
  }

  #copy(to: DrawnColumn, row: number, c: number, donor: number): void {
    const column = this.#context.columns[c]!
    if (column.kind === 'categorical') {
      setValue(to, row, this.#context.seedRows.codes[c]![donor]! - column.missing)
      return
    }
    const numbers = this.#numbers.get(c) ?? valuesOfRows(this.#context.seedRows, c, column)
    this.#numbers.set(c, numbers)
    setValue(to, row, numbers[donor]!)
  }
}

/** The columns of rules with those that go with them: by formulas, recodings, and relations that training found. */
function withTied({ derivations, relations }: DonorContext, ruled: ReadonlySet<number>) {
  const ties = [
    ...derivations.map((one) =>
      one.kind === 'formula' ? [one.target, ...one.sources.map(({ column }) => column)] : [one.target, one.source],
    ),
    ...relations.flatMap((one) => (one.kind === 'bound' && one.isDeclared ? [] : [columnsOf(one)])),
  ]
  const all = new Set(ruled)
  const tied = new Set<number>()
  const waiting = [...ruled]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const tie of ties) {
      if (!tie.includes(next)) continue
      for (const column of tie) {
        tied.add(column)
        if (all.has(column)) continue
        all.add(column)
        waiting.push(column)
      }
    }
  }
  return { all, tied }
}

/** The bin of a number; -1 where it is missing. */
const placeOf = (column: EncodedColumn, value: number): number =>
  column.kind === 'categorical' || Number.isNaN(value) ? -1 : codeOfValue(column, value) - column.missing
