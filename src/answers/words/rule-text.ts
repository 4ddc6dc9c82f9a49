import { words } from '../../base/language/language.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'

/** The rules of a scenario that rows break, most rows first. */
export const brokenRules = ({ rules = [] }: Pick<ManifestScenario, 'rules'>) =>
  rules.filter(({ violations }) => violations > 0).sort((a, b) => b.violations - a.violations)

/** `3 rows break "start <= end" and 1 more rule`; empty where none does. */
export function brokenRulesText(scenario: Pick<ManifestScenario, 'rules'>): string {
  const [worst, ...others] = brokenRules(scenario)
  if (worst === undefined) return ''
  return words().answers.brokenRules(worst.violations, escapeText(worst.rule), others.length)
}
