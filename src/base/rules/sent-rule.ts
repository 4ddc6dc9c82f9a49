import { MAX_RULE_LENGTH, MAX_RULE_PARTS, type Rule, type RuleTest } from './rule.ts'

/** Whether a value of a stranger has the shape of a rule. */
export function isRule(value: unknown): value is Rule {
  if (typeof value !== 'object' || value === null) return false
  const { text, must, when } = value as Record<string, unknown>
  if (typeof text !== 'string' || text === '' || text.length > MAX_RULE_LENGTH) return false
  if (!isTest(must) || !Array.isArray(when) || when.length > MAX_RULE_PARTS || !when.every(isTest)) return false
  const parts = [must, ...when].map((test) => (test.kind === 'comparison' ? test.terms.length : test.levels.length))
  return parts.reduce((sum, count) => sum + count, 0) <= 2 * MAX_RULE_PARTS
}

function isTest(value: unknown): value is RuleTest {
  if (typeof value !== 'object' || value === null) return false
  const { kind, terms, relation, most, column, levels, isOut } = value as Record<string, unknown>
  if (kind === 'membership')
    return (
      typeof column === 'string' && typeof isOut === 'boolean' && isListOf(levels, (one) => typeof one === 'string')
    )
  if (kind !== 'comparison' || !isListOf(terms, isTerm) || !Number.isFinite(most)) return false
  const names = (terms as { column: string }[]).map((term) => term.column)
  return ['<=', '<', '=', '!='].includes(relation as string) && new Set(names).size === names.length
}

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_RULE_PARTS && value.every(isItem)

function isTerm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { column, weight } = value as Record<string, unknown>
  return typeof column === 'string' && Number.isFinite(weight) && weight !== 0
}
