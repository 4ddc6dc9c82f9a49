import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'

/** The rules of a scenario that rows break, most rows first. */
export const brokenRules = ({ rules = [] }: Pick<ManifestScenario, 'rules'>) =>
  rules.filter(({ violations }) => violations > 0).sort((a, b) => b.violations - a.violations)

/** `3 rows break "start <= end" and 1 more rule`; empty where none does. */
export function brokenRulesText(scenario: Pick<ManifestScenario, 'rules'>): string {
  const [worst, ...others] = brokenRules(scenario)
  if (worst === undefined) return ''
  const { rule, violations } = worst
  const more =
    others.length === 0
      ? ''
      : `, and ${plural(others.length, 'more rule')} ${others.length === 1 ? 'is' : 'are'} broken`
  return `${plural(violations, 'row')} ${violations === 1 ? 'breaks' : 'break'} "${escapeText(rule)}"${more}`
}
