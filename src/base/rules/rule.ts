/**
 * What the rows of a dataset follow: `start <= end`, `a + b = total`, `age >= 18 if driver = Yes`.
 *
 * C  how a column is named: by its text, or by its index
 *
 * A row breaks a rule if all tests under `when` hold and `must` does not, and every column that the rule names has a value in it.
 */

export interface Rule<C = string> {
  /** As the study writes it. */
  readonly text: string
  readonly must: RuleTest<C>
  /** All of them hold in the rows that the rule is about; empty: in every row. */
  readonly when: readonly RuleTest<C>[]
}

export type RuleTest<C = string> = Comparison<C> | Membership<C>

/** sum over j of weight_j x_j  relation  most. Dates and date-times count in days since 1970-01-01. */
export interface Comparison<C = string> {
  readonly kind: 'comparison'
  /** Each column once, no weight 0; at least one. */
  readonly terms: readonly RuleTerm<C>[]
  readonly relation: Relation
  readonly most: number
  /** Dates that are added less dates that are subtracted among the constants; absent: none. */
  readonly dates?: number
}

export type Relation = '<=' | '<' | '=' | '!='

export interface RuleTerm<C = string> {
  readonly column: C
  readonly weight: number
}

/** Whether a column has one of some levels, or none of them. */
export interface Membership<C = string> {
  readonly kind: 'membership'
  readonly column: C
  readonly levels: readonly string[]
  readonly isOut: boolean
}

/** Most rules of a dataset, characters of one, and tests and columns in one. */
export const MAX_RULES = 200
export const MAX_RULE_LENGTH = 1_000
export const MAX_RULE_PARTS = 100

const isComparison = <C>(test: RuleTest<C>): test is Comparison<C> => test.kind === 'comparison'

/** The columns of a test, each once. */
export const columnsOfTest = <C>(test: RuleTest<C>): C[] =>
  isComparison(test) ? [...new Set(test.terms.map(({ column }) => column))] : [test.column]

/** The columns of a rule, each once. */
export const columnsOfRule = <C>({ must, when }: Pick<Rule<C>, 'must' | 'when'>): C[] => [
  ...new Set([must, ...when].flatMap((test) => columnsOfTest(test))),
]

/** The same rule about other names of its columns. */
export function withColumns<C, D>(rule: Rule<C>, name: (column: C) => D): Rule<D> {
  const test = (one: RuleTest<C>): RuleTest<D> =>
    isComparison(one)
      ? { ...one, terms: one.terms.map(({ column, weight }) => ({ column: name(column), weight })) }
      : { ...one, column: name(one.column) }
  return { text: rule.text, must: test(rule.must), when: rule.when.map(test) }
}

/** The test that holds where this one does not. */
export function negated<C>(test: RuleTest<C>): RuleTest<C> {
  if (!isComparison(test)) return { ...test, isOut: !test.isOut }
  const { terms, relation, most } = test
  if (relation === '=' || relation === '!=') return { ...test, relation: relation === '=' ? '!=' : '=' }
  const turned = terms.map(({ column, weight }) => ({ column, weight: -weight }))
  return { kind: 'comparison', terms: turned, relation: relation === '<' ? '<=' : '<', most: -most + 0 }
}

/** Of the sizes that are added: sums of decimals are off by less than this. */
export const NOISE = 1e-13

/** @param size Sum of the absolute values of the terms and of `most`. */
export function compares(sum: number, relation: Relation, most: number, size: number): boolean {
  const noise = NOISE * size
  if (relation === '<=') return sum <= most + noise
  if (relation === '<') return sum < most - noise
  return Math.abs(sum - most) <= noise === (relation === '=')
}

/** Reads the columns of a row. */
export interface RuleRow<C> {
  /** NaN where missing. */
  number(column: C): number
  /** Null where missing. */
  level(column: C): string | null
}

/** Whether a test holds; null where a column has no value. */
function holds<C>(test: RuleTest<C>, row: RuleRow<C>): boolean | null {
  if (!isComparison(test)) {
    const level = row.level(test.column)
    return level === null ? null : test.levels.includes(level) !== test.isOut
  }
  const { terms, relation, most } = test
  let sum = 0
  let size = Math.abs(most)
  for (const { column, weight } of terms) {
    const part = weight * row.number(column)
    sum += part
    size += Math.abs(part)
  }
  if (!Number.isNaN(sum)) return compares(sum, relation, most, size)
  // A level that is no number does not equal one: `region = 3`.
  const isPlain = terms.length === 1 && (relation === '=' || relation === '!=')
  return isPlain && row.level(terms[0]!.column) !== null ? relation === '!=' : null
}

/** `apart`: the rule is not about the row. */
export type RuleOutcome = 'apart' | 'kept' | 'broken'

export function outcomeOf<C>({ must, when }: Rule<C>, row: RuleRow<C>): RuleOutcome {
  const kept = holds(must, row)
  if (kept === null) return 'apart'
  let isAbout = true
  for (const test of when) {
    const result = holds(test, row)
    if (result === null) return 'apart'
    if (!result) isAbout = false
  }
  return isAbout ? (kept ? 'kept' : 'broken') : 'apart'
}
