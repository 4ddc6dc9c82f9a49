/**
 * Rules of a model as tests of rows, wherever the rows come from.
 *
 * Columns are indices. Dates and date-times count in days, as rules write them.
 */

import {
  type Comparison,
  columnsOfRule,
  compares,
  type Membership,
  type Rule,
  type RuleTest,
} from '../../base/rules/rule.ts'
import type { EncodedColumn, Model } from './model.ts'
import { valuesOfRows } from './row-values.ts'

export const DAY_MS = 86_400_000

/** Reads the columns of a table by row. */
export interface RuleColumns {
  /** NaN where missing. */
  readonly number: (column: number) => (row: number) => number
  /** Place of the level in the column; -1 where missing. */
  readonly level: (column: number) => (row: number) => number
}

/** Whether a row breaks a rule. */
export type Breaks = (row: number) => boolean

/** 1 holds, 0 does not, -1 a column has no value. */
type Holds = (row: number) => -1 | 0 | 1

export function breaksRule(
  columns: readonly EncodedColumn[],
  { must, when }: Rule<number>,
  table: RuleColumns,
): Breaks {
  const kept = holdsOf(columns, must, table)
  const about = when.map((test) => holdsOf(columns, test, table))
  return (row) => {
    if (kept(row) !== 0) return false
    for (const holds of about) if (holds(row) !== 1) return false
    return true
  }
}

/** Whether all tests hold in a row. */
export function allHold(
  columns: readonly EncodedColumn[],
  tests: readonly RuleTest<number>[],
  table: RuleColumns,
): Breaks {
  const all = tests.map((test) => holdsOf(columns, test, table))
  return (row) => {
    for (const holds of all) if (holds(row) !== 1) return false
    return true
  }
}

function holdsOf(columns: readonly EncodedColumn[], test: RuleTest<number>, table: RuleColumns): Holds {
  return test.kind === 'membership' ? isMember(columns[test.column]!, test, table) : isCompared(columns, test, table)
}

function isCompared(
  columns: readonly EncodedColumn[],
  { terms, relation, most }: Comparison<number>,
  table: RuleColumns,
): Holds {
  const [only] = terms
  // A level that is no number does not equal one.
  const hasLevel =
    terms.length === 1 && (relation === '=' || relation === '!=') && columns[only!.column]!.kind === 'categorical'
      ? table.level(only!.column)
      : () => -1
  const unequal = relation === '!=' ? 1 : 0
  const read = terms.map(({ column }) => table.number(column))
  const weights = terms.map(({ weight }) => weight)
  return (row) => {
    let sum = 0
    let size = Math.abs(most)
    for (let j = 0; j < read.length; j++) {
      const part = weights[j]! * read[j]!(row)
      sum += part
      size += Math.abs(part)
    }
    if (Number.isNaN(sum)) return hasLevel(row) < 0 ? -1 : unequal
    return compares(sum, relation, most, size) ? 1 : 0
  }
}

function isMember(column: EncodedColumn, test: Membership<number>, table: RuleColumns): Holds {
  if (column.kind === 'categorical') {
    const wanted = column.levels.map((level) => test.levels.includes(level) !== test.isOut)
    const read = table.level(test.column)
    return (row) => {
      const level = read(row)
      return level < 0 ? -1 : wanted[level] ? 1 : 0
    }
  }
  const numbers = test.levels.map(Number)
  const read = table.number(test.column)
  return (row) => {
    const value = read(row)
    if (Number.isNaN(value)) return -1
    return numbers.some((one) => compares(value, '=', one, Math.abs(value))) !== test.isOut ? 1 : 0
  }
}

/** Stored numbers of a column for one unit of rules. */
export const ruleUnitOf = (column: EncodedColumn): number =>
  column.kind === 'numeric' && column.format !== null ? DAY_MS : 1

/** The rows that a model was trained on. */
export function seedColumns(model: Pick<Model, 'columns' | 'codes' | 'positions'>): RuleColumns {
  const { columns, codes } = model
  return {
    number: (c) => {
      const column = columns[c]!
      if (column.kind === 'categorical') {
        const numbers = column.levels.map(Number)
        return (row) => numbers[codes[c]![row]! - column.missing] ?? Number.NaN
      }
      const values = valuesOfRows(model, c, column)
      const unit = ruleUnitOf(column)
      return (row) => values[row]! / unit
    },
    level: (c) => (row) => codes[c]![row]! - columns[c]!.missing,
  }
}

/** Groups of rules that share columns, directly or by way of others. */
export function ruleGroups(rules: readonly Rule<number>[]): readonly (readonly Rule<number>[])[] {
  const groups: { columns: Set<number>; rules: Rule<number>[] }[] = []
  for (const rule of rules) {
    const own = columnsOfRule(rule)
    const joined = groups.filter((group) => own.some((column) => group.columns.has(column)))
    const group = {
      columns: new Set([...own, ...joined.flatMap((one) => [...one.columns])]),
      rules: [...joined.flatMap((one) => one.rules), rule],
    }
    for (const one of joined) groups.splice(groups.indexOf(one), 1)
    groups.push(group)
  }
  return groups.map((group) => group.rules)
}
