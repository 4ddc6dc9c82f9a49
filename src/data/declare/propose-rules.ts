import type { RawTable } from '../../base/raw-table.ts'
import { columnsOfRule } from '../../base/rules/rule.ts'
import { plural } from '../../base/text/amount-text.ts'
import { parseRule } from '../../study/rules/parse-rule.ts'
import { ruleText } from '../../study/rules/rule-text.ts'
import type { ProposedDeclaration } from '../../study/writing/starter-study.ts'
import { quotedName } from '../../study/writing/written-name.ts'
import { isShort } from './proposal-limits.ts'
import { breakingRows } from './rules.ts'

/** Rules that a line lists. */
const MOST_RULES = 10

/** What a service found to hold between columns, as their cleaned names say it: `start.date <= end.date`, `total = a + b`. */
export interface FoundRelations {
  readonly texts: readonly string[]
  /** Headers of the file by cleaned name. */
  readonly headers: ReadonlyMap<string, string>
}

/** The relations that can be written as rules, and that every row of the table keeps. */
export function proposeRules({ columns }: RawTable, { texts, headers }: FoundRelations): ProposedDeclaration[] {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const rules = texts.flatMap((text) => {
    const named = ruleText(text, (name) => headers.get(name) ?? name)
    const parsed = named === null ? null : parseRule(named)
    if (parsed === null || 'fault' in parsed) return []
    const { rule } = parsed
    const isKnown = columnsOfRule(rule).every((name) => isShort(name) && byName.has(name))
    return isKnown && breakingRows(byName, rule).broken.length === 0 ? [rule.text] : []
  })
  const found = [...new Set(rules)]
  if (found.length === 0) return []
  const more = found.length - MOST_RULES
  const others = more > 0 ? `; ${plural(more, 'more relation')} like these` : ''
  const yaml = `rules: [${found.slice(0, MOST_RULES).map(quotedName).join(', ')}]`
  return [
    { yaml, reason: `relations that every row keeps; declared, generated rows keep them in every scenario${others}` },
  ]
}
