import { columnsOfRule, outcomeOf, type Rule } from '../../base/rules/rule.ts'
import type { RuleCounts } from './artifact-summary.ts'
import type { CountedColumn } from './counted-column.ts'

const DAY_MS = 86_400_000

/** Columns of a row, by name. */
export interface RuleValues {
  /** Null where missing. */
  readonly text: (column: string) => string | null
  /** Null where missing, NaN where the value is no number; dates in milliseconds. */
  readonly number: (column: string) => number | null
  readonly isDate: (column: string) => boolean
}

/** Counts the rows that a rule is about, and those that break it. */
export class RuleTally {
  readonly columns: readonly string[]
  readonly #rule: Rule
  /** All that its tests name. */
  readonly #levels: ReadonlySet<string>
  #rows = 0
  #broken = 0

  constructor(rule: Rule) {
    this.#rule = rule
    this.columns = columnsOfRule(rule)
    this.#levels = new Set([rule.must, ...rule.when].flatMap((test) => (test.kind === 'membership' ? test.levels : [])))
  }

  take({ text, number, isDate }: RuleValues): void {
    const outcome = outcomeOf(this.#rule, {
      number: (column) => {
        const value = number(column)
        return value === null ? Number.NaN : isDate(column) ? value / DAY_MS : value
      },
      level: (column) => {
        const level = text(column)
        // In CSV a number may be written with more digits than it needs.
        const isWritten = level === null || this.#levels.has(level) || !level.includes('.')
        return isWritten || !Number.isFinite(Number(level)) ? level : String(Number(level))
      },
    })
    if (outcome === 'apart') return
    this.#rows++
    if (outcome === 'broken') this.#broken++
  }

  /** Counts a part of the rows. */
  add(column: (name: string) => CountedColumn): void {
    const held = new Map(
      this.columns.map((name) => {
        const own = column(name)
        return [name, { ...own, values: Array.from(own.values) }] as const
      }),
    )
    const rows = held.get(this.columns[0]!)!.values.length
    let row = 0
    const values: RuleValues = {
      text: (name) => {
        const own = held.get(name)!
        return own.level(own.values[row])
      },
      number: (name) => {
        const own = held.get(name)!
        return own.number(own.values[row])
      },
      isDate: (name) => held.get(name)!.isDate ?? false,
    }
    for (; row < rows; row++) this.take(values)
  }

  counted(): RuleCounts {
    return { rule: this.#rule.text, columns: this.columns, rows: this.#rows, broken: this.#broken }
  }
}
