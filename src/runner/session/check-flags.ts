import type { Scenario, Study } from '../../study/study.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunOptions } from '../interface/run-options.ts'
import type { Selection } from '../plan/plan-input.ts'
import { SELECTABLE_STATUSES, selectScenarios } from '../plan/select-scenarios.ts'
import { lastStatuses } from '../plan/state-index.ts'
import type { StudyState } from '../plan/study-state.ts'

/** Refuses flags that name nothing in the study. */
export function checkFlags(study: Study, options: RunOptions, state: StudyState): void {
  for (const name of [...options.forceDatasets, ...options.datasetIds.keys()]) {
    if (study.datasets.has(name)) continue
    const known = [...study.datasets.keys()].join(', ')
    throw new RunRefusalError('usage', 'unknown_dataset', `the study has no dataset "${name}"; it has ${known}`)
  }
  for (const name of options.forceDatasets) {
    if (study.datasets.get(name)?.kind === 'file') continue
    throw new RunRefusalError(
      'usage',
      'not_uploaded',
      `--force-dataset ${name}: it is named by its id, so there is no file to upload again; --force generates from it again`,
    )
  }
  const statuses = lastStatuses(state, options.scope)
  const select = (selection: Selection, none: string) => selectOrRefuse(study, selection, statuses, none)
  if (!options.allowEmpty) select(options.selection, 'nothing is selected')
  if (options.force === null) return
  const forced = select(options.force, '--force matches nothing')
  const selected = selectScenarios(study, options.selection, statuses).ids
  if (selected.size > 0 && ![...forced].some((id) => selected.has(id)))
    throw new RunRefusalError('usage', 'nothing_selected', 'nothing that --force names is selected; select it as well')
}

/**
 * Ids of the scenarios that a selection names. Refuses an empty selection with the message `none` and a suggestion. A
 * name without any scenario is refused as well, whatever else is selected: misspelt under `--exclude`, it would bill
 * rows that were meant to be left out. A status that no scenario has just now is not refused.
 */
export function selectOrRefuse(
  study: Study,
  selection: Selection,
  statusOf: (scenario: Scenario) => string,
  none = 'nothing is selected',
): ReadonlySet<string> {
  const { ids, unmatched } = selectScenarios(study, selection, statusOf)
  const misspelt = ids.size > 0 ? unmatched.filter(({ pattern }) => !isStatus(pattern)) : unmatched
  if (ids.size > 0 && misspelt.length === 0) return ids
  const texts = misspelt.map(({ pattern, suggestion }) =>
    suggestion === null ? `"${pattern}"` : `"${pattern}" (did you mean "${suggestion}"?)`,
  )
  const hints = texts.length === 0 ? '' : `no scenario matches ${texts.join(', ')}`
  const why = ids.size > 0 ? [] : [none]
  throw new RunRefusalError('usage', 'nothing_selected', [...why, hints].filter((part) => part !== '').join(': '))
}

const isStatus = (pattern: string): boolean => SELECTABLE_STATUSES.some((status) => pattern === `status:${status}`)

/** Datasets that the selected scenarios use. */
export function datasetsOfSelected(study: Study, { selection, scope }: RunOptions, state: StudyState): Set<string> {
  const { ids } = selectScenarios(study, selection, lastStatuses(state, scope))
  return new Set(study.scenarios.filter((s) => ids.has(s.id)).map((s) => s.dataset))
}
