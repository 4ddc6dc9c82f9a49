import { columnsOfRule, type Rule, withColumns } from '../../base/rules/rule.ts'
import type { KeptColumn } from './infer-column.ts'
import type { TableColumn } from './table.ts'

/** What became of a rule whose columns cleaning has named anew, or left out. */
export interface RuleReport {
  readonly rule: string
  /** Cleaned names of its columns; empty where one is gone. */
  readonly columns: readonly string[]
  /** Columns that cleaning left out or divided; generated rows cannot break the rule then. */
  readonly gone: readonly string[]
}

/** The rules of a seed about the columns that are kept, by their indices. */
export function keptRules(
  rules: readonly Rule[],
  kept: readonly KeptColumn[],
  columns: readonly TableColumn[],
): { readonly rules: readonly Rule<number>[]; readonly reports: readonly RuleReport[] } {
  const indexOf = new Map(kept.flatMap(({ source, option }, i) => (option === null ? [[source.name, i] as const] : [])))
  const found: Rule<number>[] = []
  const reports = rules.map((rule): RuleReport => {
    const names = columnsOfRule(rule)
    const gone = names.filter((name) => !indexOf.has(name))
    if (gone.length > 0) return { rule: rule.text, columns: [], gone }
    found.push(withColumns(rule, (name) => indexOf.get(name)!))
    return { rule: rule.text, columns: names.map((name) => columns[indexOf.get(name)!]!.name), gone }
  })
  return { rules: found, reports }
}
