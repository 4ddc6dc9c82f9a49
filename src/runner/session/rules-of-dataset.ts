import { type Rule, withColumns } from '../../base/rules/rule.ts'
import { cleanedName } from '../../study/cleaned-name.ts'
import { knownFacts } from './dataset-records.ts'
import type { RunSoFar } from './plan-run.ts'

/** The rules of a dataset by the names that cleaning gave their columns. */
export function rulesOfDataset(run: RunSoFar, name: string): readonly Rule[] {
  const source = run.study.datasets.get(name)
  const rules = (source?.kind === 'file' && source.declarations?.rules) || []
  if (rules.length === 0) return []
  const named = new Map(
    (knownFacts(run, name)?.schema ?? []).flatMap((column) =>
      column.source_name === undefined ? [] : [[column.source_name, column.name] as const],
    ),
  )
  return rules.map((rule) => withColumns(rule, (column) => named.get(column) ?? cleanedName(column)))
}
