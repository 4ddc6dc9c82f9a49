import { Slices } from '../../base/event-loop-turns.ts'
import type { RawColumn } from '../../base/raw-table.ts'
import {
  type Comparison,
  columnsOfRule,
  type Membership,
  outcomeOf,
  type Rule,
  type RuleRow,
  type RuleTest,
} from '../../base/rules/rule.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { type Findings, meant, quoted, rowsText } from './declaration-error.ts'
import { levelText, rowsOf } from './raw-values.ts'

const DAY_MS = 86_400_000
/** A code, as a level is written. */
const CODE = /^-?\d{1,15}$/

/**
 * The rules of a study as they are about the columns of a table: every column is there and holds what the rule compares. Counts the rows
 * that break them, and names the first.
 *
 * @param columns with those that declarations make.
 * @returns none where a rule has a fault, such as one that no row keeps.
 */
export async function boundRules(
  columns: readonly RawColumn[],
  rules: readonly Rule[],
  findings: Findings,
  signal?: AbortSignal,
): Promise<readonly Rule[]> {
  if (rules.length === 0) return []
  const before = findings.faults.length
  const byName = new Map(columns.map((column) => [column.name, column]))
  const bound = rules.map((rule) => boundRule(byName, rule, findings))
  if (findings.faults.length > before) return []
  await countBreaking(byName, bound, findings, signal)
  return findings.faults.length > before ? [] : bound
}

function boundRule(columns: ReadonlyMap<string, RawColumn>, rule: Rule, { faults, dropped }: Findings): Rule {
  const fault = (column: string, found: string, advice: string | null): void => {
    faults.push({ key: 'rules', column, found: `${found}, and rule ${quoted(rule.text)} names it`, advice })
  }
  const unknown = columnsOfRule(rule).filter((name) => !columns.has(name))
  for (const name of unknown) fault(name, 'there is no such column', unknownAdvice(rule, name, columns))
  const test = (one: RuleTest): RuleTest =>
    one.kind === 'membership'
      ? boundMembership(columns.get(one.column)!, one, dropped, fault)
      : boundComparison(columns, one, dropped, fault)
  return unknown.length > 0 ? rule : { text: rule.text, must: test(rule.must), when: rule.when.map(test) }
}

type Fault = (column: string, found: string, advice: string | null) => void

/** `pregnant = No`: what is meant for a level is read as a column, except after `if`. */
function unknownAdvice({ must }: Rule, name: string, columns: ReadonlyMap<string, RawColumn>): string {
  const others = must.kind === 'comparison' && must.terms.length === 2 ? must.terms : []
  const other = others.some(({ column }) => column === name) ? others.find(({ column }) => column !== name) : undefined
  const column = other && columns.get(other.column)
  if (column && 'codes' in column && column.dictionary.includes(name))
    return `for a level of ${quoted(column.name)} write ${column.name} in [${name}]`
  return meant(name, columns.keys())
}

function boundMembership(column: RawColumn, test: Membership, dropped: ReadonlySet<string>, fault: Fault): Membership {
  if ('values' in column) {
    if (column.type !== 'number') {
      fault(column.name, 'the column holds dates, which have no levels', 'compare dates, visited >= 2026-12-31')
      return test
    }
    for (const level of test.levels) {
      const value = Number(level)
      if (level.trim() === '' || !Number.isFinite(value)) {
        fault(column.name, `the column holds numbers, and ${quoted(level)} is none`, null)
      } else if (String(value) !== level) {
        fault(column.name, `the column holds numbers, and ${quoted(level)} is another text for one`, `write ${value}`)
      }
    }
    return test
  }
  const known = new Set([...column.dictionary, ...(column.declaredOrder ?? [])])
  for (const level of test.levels) {
    if (known.has(level)) continue
    const names = dropped.has(column.name) ? [] : [...known]
    fault(
      column.name,
      `the column has no level ${quoted(level)}`,
      names.length === 0 ? null : levelAdvice(level, names),
    )
  }
  return test
}

function levelAdvice(level: string, known: readonly string[]): string {
  const likely = suggest(level, known)
  if (likely.length > 0) return `did you mean ${likely.map(quoted).join(' or ')}?`
  const shown = known.slice(0, 10).map(quoted)
  return `its levels are ${shown.join(', ')}${known.length > shown.length ? ' …' : ''}`
}

function boundComparison(
  columns: ReadonlyMap<string, RawColumn>,
  test: Comparison,
  dropped: ReadonlySet<string>,
  fault: Fault,
): RuleTest {
  const { terms, relation, most, dates = 0 } = test
  const [only] = terms
  const first = columns.get(only!.column)!
  // `region = 3`: levels that look like a number.
  if (terms.length === 1 && (relation === '=' || relation === '!=') && 'codes' in first && !areCodes(first)) {
    boundMembership(first, membership(first.name, String(most / only!.weight), relation), dropped, fault)
    return { kind: 'comparison', terms, relation, most }
  }
  let net = 0
  for (const { column: name, weight } of terms) {
    const column = columns.get(name)!
    if ('values' in column) net += column.type === 'number' ? 0 : weight
    else if (!areCodes(column)) {
      const other = dropped.has(name) ? undefined : column.dictionary.find((text) => !CODE.test(text))
      const texts = other === undefined ? '' : `, such as ${quoted(other)}`
      const advice = `declare texts that mean no number in \`missing\`, or compare levels, ${name} in [${other ?? 'Yes'}]`
      fault(name, `a comparison needs numbers or dates, and the column holds texts${texts}`, advice)
      return test
    }
  }
  if (Math.abs(net - dates) > 1e-9) {
    const at = terms.find(({ column }) => isOfDates(columns.get(column)!)) ?? only!
    const found = net === 0 ? 'numbers are compared with a date' : 'dates are compared with numbers'
    fault(
      at.column,
      found,
      'compare dates with dates, visited >= 2026-12-31, and their difference with days, end - start <= 30',
    )
  }
  return { kind: 'comparison', terms, relation, most }
}

const isOfDates = (column: RawColumn): boolean => 'values' in column && column.type !== 'number'

const membership = (column: string, level: string, relation: Comparison['relation']): Membership => ({
  kind: 'membership',
  column,
  levels: [level],
  isOut: relation === '!=',
})

const areCodes = (column: RawColumn): boolean =>
  'codes' in column && column.dictionary.length > 0 && column.dictionary.every((text) => CODE.test(text))

async function countBreaking(
  columns: ReadonlyMap<string, RawColumn>,
  rules: readonly Rule[],
  { remarks, faults }: Findings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [any] = columns.values()
  const rows = rowsOf(any!)
  const slices = new Slices()
  const breaksOne = new Uint8Array(rows)
  for (const rule of rules) {
    await slices.next()
    signal?.throwIfAborted()
    const { about, broken } = breakingRows(columns, rule)
    for (const row of broken) breaksOne[row] = 1
    if (about > 0 && broken.length === about) {
      const found = `no row keeps it: ${rowsText(broken, 'row')} that it is about break it`
      faults.push({ key: 'rules', column: rule.text, found, advice: 'turn its sign round, or take it out' })
    } else remarks.push({ key: 'rules', text: `Rule ${quoted(rule.text)}${foundText(about, broken)}` })
  }
  if (rows > 0 && faults.length === 0 && !breaksOne.includes(0)) {
    const found = `each of the ${countText(rows)} rows breaks one of the ${rules.length} rules`
    faults.push({ key: 'rules', column: rules[0]!.text, found, advice: 'take out those that contradict each other' })
  }
}

function foundText(about: number, broken: readonly number[]): string {
  if (about === 0) return ' is about no row of the file.'
  if (broken.length > 0) {
    const which = `${rowsText(broken, 'row')} ${broken.length === 1 ? 'breaks' : 'break'} it`
    return `: of ${plural(about, 'row')} that it is about, ${which}. Generated rows keep it.`
  }
  return about === 1
    ? ': the one row that it is about keeps it.'
    : `: all ${countText(about)} rows that it is about keep it.`
}

/** How many rows a rule is about, and which of them break it, counted from 0. */
export function breakingRows(
  columns: ReadonlyMap<string, RawColumn>,
  rule: Rule,
): { readonly about: number; readonly broken: readonly number[] } {
  const read = new Map(columnsOfRule(rule).map((name) => [name, readers(columns.get(name)!)] as const))
  const rows = rowsOf(columns.get(columnsOfRule(rule)[0]!)!)
  let row = 0
  const at: RuleRow<string> = {
    number: (name) => read.get(name)!.number(row),
    level: (name) => read.get(name)!.level(row),
  }
  let about = 0
  const broken: number[] = []
  for (; row < rows; row++) {
    const outcome = outcomeOf(rule, at)
    if (outcome === 'apart') continue
    about++
    if (outcome === 'broken') broken.push(row)
  }
  return { about, broken }
}

interface Readers {
  readonly number: (row: number) => number
  readonly level: (row: number) => string | null
}

function readers(column: RawColumn): Readers {
  const level = (row: number) => levelText(column, row)
  if ('values' in column) {
    const { values, valid, type } = column
    const unit = type === 'number' ? 1 : DAY_MS
    return { number: (row) => (valid[row] === 0 ? Number.NaN : values[row]! / unit), level }
  }
  const { codes } = column
  const numbers = column.dictionary.map(Number)
  return { number: (row) => (codes[row]! < 0 ? Number.NaN : numbers[codes[row]!]!), level }
}
