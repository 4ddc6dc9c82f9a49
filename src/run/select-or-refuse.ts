import { type Selection, selectScenarios } from '../plan/select-scenarios.ts'
import type { Scenario, Study } from '../spec/study.ts'
import { RunRefusal } from './exit-code.ts'

/** Ids of the scenarios that a selection names; refuses one that names none, saying `none` and what was perhaps meant. */
export function selectOrRefuse(
  study: Study,
  selection: Selection,
  statusOf: (scenario: Scenario) => string,
  none = 'nothing is selected',
): ReadonlySet<string> {
  const { ids, unmatched } = selectScenarios(study, selection, statusOf)
  if (ids.size > 0) return ids
  const texts = unmatched.map(({ pattern, suggestion }) =>
    suggestion === null ? `"${pattern}"` : `"${pattern}" (did you mean "${suggestion}"?)`,
  )
  const hints = texts.length === 0 ? '' : `: no scenario matches ${texts.join(', ')}`
  throw new RunRefusal('usage', 'nothing_selected', `${none}${hints}`)
}
