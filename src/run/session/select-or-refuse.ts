import type { Selection } from '../../plan/plan-input.ts'
import { SELECTABLE_STATUSES, selectScenarios } from '../../plan/select-scenarios.ts'
import type { Scenario, Study } from '../../study/study.ts'
import { RunRefusalError } from '../interface/exit-code.ts'

/**
 * Ids of the scenarios that a selection names; refuses one that names none, saying `none` and what was perhaps meant.
 * A name in it that nothing has is refused as well, whatever else is selected: misspelt under `--exclude`, it would let
 * the run be billed for what was to be left out. A status that no scenario has just now is no such name.
 */
export function selectOrRefuse(
  study: Study,
  selection: Selection,
  statusOf: (scenario: Scenario) => string,
  none = 'nothing is selected',
): ReadonlySet<string> {
  const { ids, unmatched } = selectScenarios(study, selection, statusOf)
  const told = ids.size > 0 ? unmatched.filter(({ pattern }) => !isStatus(pattern)) : unmatched
  if (ids.size > 0 && told.length === 0) return ids
  const texts = told.map(({ pattern, suggestion }) =>
    suggestion === null ? `"${pattern}"` : `"${pattern}" (did you mean "${suggestion}"?)`,
  )
  const hints = texts.length === 0 ? '' : `no scenario matches ${texts.join(', ')}`
  const why = ids.size > 0 ? [] : [none]
  throw new RunRefusalError('usage', 'nothing_selected', [...why, hints].filter((part) => part !== '').join(': '))
}

const isStatus = (pattern: string): boolean => SELECTABLE_STATUSES.some((status) => pattern === `status:${status}`)
