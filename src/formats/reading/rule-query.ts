import { type Comparison, columnsOfRule, NOISE, type Rule, type RuleTest } from '../../base/rules/rule.ts'
import type { RuleCounts } from './artifact-summary.ts'
import { type DuckDbSession, sqlText } from './duckdb-session.ts'
import type { MeasuredColumn } from './segment-queries.ts'

const DAY_MS = 86_400_000

/** Counts rules by a query for each; `RuleTally` gives the same figures. */
export async function countRules(
  session: DuckDbSession,
  column: (name: string) => MeasuredColumn,
  rules: readonly Rule[],
): Promise<RuleCounts[]> {
  const counted: RuleCounts[] = []
  for (const rule of rules) {
    const names = columnsOfRule(rule)
    const numberOf = (name: string) => `x${names.indexOf(name)}`
    const levelOf = (name: string) => `l${names.indexOf(name)}`
    const isText = (test: RuleTest) => test.kind === 'membership' || isPlainEquality(test)
    const needed = [rule.must, ...rule.when]
    const texts = new Set(
      needed.filter(isText).flatMap((test) => (test.kind === 'membership' ? [test.column] : [test.terms[0]!.column])),
    )
    const numbers = new Set(
      needed.flatMap((test) => (test.kind === 'comparison' ? test.terms.map((term) => term.column) : [])),
    )
    const read = names.flatMap((name) => {
      const { number, level, isDate } = column(name)
      return [
        ...(numbers.has(name) ? [`(${number})${isDate ? ` / ${DAY_MS}.0` : ''} AS ${numberOf(name)}`] : []),
        ...(texts.has(name) ? [`${level} AS ${levelOf(name)}`] : []),
      ]
    })
    const test = (one: RuleTest) => sqlOf(one, numberOf, levelOf)
    const [row] = await session.rows(
      `SELECT count(*) FILTER (about AND must IS NOT NULL), count(*) FILTER (about AND NOT must)
       FROM (SELECT ${test(rule.must)} AS must, ${rule.when.length === 0 ? 'true' : rule.when.map(test).join(' AND ')} AS about
             FROM (SELECT ${read.join(', ')} FROM file))`,
    )
    counted.push({ rule: rule.text, columns: names, rows: Number(row?.[0]), broken: Number(row?.[1]) })
  }
  return counted
}

const isPlainEquality = ({ terms, relation }: Comparison): boolean =>
  terms.length === 1 && (relation === '=' || relation === '!=')

/** NULL where a column has no value. */
function sqlOf(test: RuleTest, numberOf: (name: string) => string, levelOf: (name: string) => string): string {
  if (test.kind === 'membership') {
    return `(${levelOf(test.column)} ${test.isOut ? 'NOT IN' : 'IN'} (${test.levels.map(sqlText).join(', ')}))`
  }
  const { terms, relation, most } = test
  const literal = (value: number) => `CAST('${value}' AS DOUBLE)`
  const parts = terms.map(({ column, weight }) => `${literal(weight)} * ${numberOf(column)}`)
  const sum = `(${parts.join(' + ')})`
  const noise = `(${literal(NOISE)} * (${literal(Math.abs(most))} + ${parts.map((part) => `abs(${part})`).join(' + ')}))`
  if (relation === '<=') return `(${sum} <= ${literal(most)} + ${noise})`
  if (relation === '<') return `(${sum} < ${literal(most)} - ${noise})`
  const isEqual = `(abs(${sum} - ${literal(most)}) <= ${noise})`
  const compared = relation === '=' ? isEqual : `(NOT ${isEqual})`
  if (!isPlainEquality(test)) return compared
  // A text that is no number does not equal one.
  const level = levelOf(terms[0]!.column)
  return `(CASE WHEN ${numberOf(terms[0]!.column)} IS NULL AND ${level} IS NOT NULL THEN ${relation === '!='} ELSE ${compared} END)`
}
