/**
 * Rules of the study's author as relations that are kept while rows are drawn.
 *
 * A rule says that one of several tests holds: what it demands, or the opposite of a condition. Each of them that compares numbers bounds its
 * columns in the rows in which none of the others holds.
 */

import { type Comparison, negated, type RuleTest } from '../../base/rules/rule.ts'
import type { Table, TableColumn } from '../cleaning/table.ts'
import type { Formula } from '../model/derivation.ts'
import type { Bound } from '../model/relation.ts'
import type { OrderedPair } from './find-orders.ts'

const SECONDS_OF_DAY = 86_400

export function boundsOfRules({ columns, rules = [] }: Table): Bound[] {
  return rules.flatMap(({ must, when }) => {
    const tests = [must, ...when.map((test) => negated(test))]
    return tests.flatMap((test, i) => {
      if (test.kind === 'membership') return []
      const others = tests.filter((_, j) => j !== i).map((other) => negated(other))
      return boundsOf(columns, test, others)
    })
  })
}

function boundsOf(
  columns: readonly TableColumn[],
  test: Comparison<number>,
  when: readonly RuleTest<number>[],
): Bound[] {
  const { terms, relation, most } = test
  if (relation === '!=') return []
  // Relations count date-times in seconds.
  const times = terms.filter(({ column }) => formatOf(columns[column]!) === 'date-time').length
  const unit = times > 0 ? SECONDS_OF_DAY : 1
  const inUnits = terms.map(({ column, weight }) => ({
    column,
    weight: formatOf(columns[column]!) === 'date-time' ? weight : weight * unit,
  }))
  // The least weight is 1, so that steps of sums are not smaller than those of values.
  const scale = Math.min(...inUnits.map(({ weight }) => Math.abs(weight)))
  const scaled = inUnits.map(({ column, weight }) => ({ column, weight: weight / scale }))
  const limit = (most * unit) / scale
  const bound = (sign: 1 | -1): Bound => ({
    kind: 'bound',
    terms: scaled.map(({ column, weight }) => ({ column, weight: sign * weight })),
    most: sign * limit + 0,
    strict: relation === '<',
    difference: null,
    isDeclared: true,
    ...(when.length > 0 && { when }),
  })
  return relation === '=' ? [bound(1), bound(-1)] : [bound(1)]
}

const formatOf = (column: TableColumn) => (column.kind === 'numeric' ? column.format : null)

/** Of two bounds `start <= end` in every row. */
export function orderOf({ terms, most, strict, when }: Bound): OrderedPair | null {
  const [a, b] = terms
  if (terms.length !== 2 || most !== 0 || when !== undefined || a!.weight !== -b!.weight) return null
  return a!.weight > 0 ? { low: a!.column, high: b!.column, strict } : { low: b!.column, high: a!.column, strict }
}

/**
 * `a + b = total` computes one of its columns from the others: the one that stands alone on its side, if its digits are enough. None for
 * rules about some rows, and for a column that is computed already.
 */
export function formulasOfRules({ columns, rules = [] }: Table, known: readonly Formula[]): Formula[] {
  const found: Formula[] = []
  for (const { must, when } of rules) {
    if (must.kind !== 'comparison' || must.relation !== '=' || when.length > 0 || must.terms.length < 2) continue
    const { terms, most } = must
    if (terms.some(({ column }) => formatOf(columns[column]!) === 'date-time')) continue
    const isFree = (column: number) =>
      columns[column]!.kind === 'numeric' &&
      ![...known, ...found].some(
        (one) => one.target === column || one.sources.some((source) => source.column === column && one.isDeclared),
      )
    const isAlone = (weight: number) => terms.filter((term) => term.weight > 0 === weight > 0).length === 1
    const target = terms.find(({ column, weight }) => isFree(column) && isAlone(weight) && areWhole(terms, weight))
    if (target === undefined) continue
    const sources = terms.filter((term) => term !== target)
    const dependsOn = (column: number): number[] =>
      [...known, ...found]
        .filter((one) => one.target === column)
        .flatMap((one) => one.sources.flatMap((s) => [s.column, ...dependsOn(s.column)]))
    if (sources.some(({ column }) => dependsOn(column).includes(target.column))) continue
    found.push({
      kind: 'formula',
      target: target.column,
      form: 'sum',
      sources: sources.map(({ column, weight }) => ({ column, weight: -weight / target.weight, exceptions: [] })),
      constant: most / target.weight,
      rounding: 'nearest',
      targetExceptions: [],
      share: 1,
      missingTogether: false,
      ownMissing: true,
      min: Number.NEGATIVE_INFINITY,
      max: Number.POSITIVE_INFINITY,
    })
  }
  return found
}

/** Whether the others are multiples of a term, so that their sum has no digits that it lacks. */
const areWhole = (terms: Comparison<number>['terms'], weight: number): boolean =>
  terms.every((term) => Number.isInteger(Number((term.weight / weight).toPrecision(12))))
