import { matchesGlob } from '../../base/text/match-glob.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import { comparedName } from '../../study/replicates.ts'
import { shardOf } from '../../study/shards/shards.ts'
import type { Scenario, Shard, Study } from '../../study/study.ts'
import type { Chosen, PlanOptions, Selection } from './plan-input.ts'
import { lastStatuses, SCENARIO_STATES } from './state-index.ts'
import type { StudyState } from './study-state.ts'

export interface Selected {
  readonly ids: ReadonlySet<string>
  /** Patterns that match nothing, each with the nearest suggestion. */
  readonly unmatched: readonly { readonly pattern: string; readonly suggestion: string | null }[]
}

/**
 * The scenarios that `--select`, `--exclude` and `--force` name, by the current statuses in the state of this scope.
 */
export function chooseScenarios(
  study: Study,
  { selection, force, scope }: Pick<PlanOptions, 'selection' | 'force' | 'scope'>,
  state: StudyState,
): Chosen {
  const statuses = lastStatuses(state, scope)
  const ids = (given: Selection) => selectScenarios(study, given, statuses).ids
  const ofAll = ids(selection)
  const selected = study.shard === undefined ? ofAll : idsInPart(study, study.shard, ofAll)
  // A scenario that is not run keeps its results, which others may be compared with.
  const forced = force === null ? [] : [...ids(force)].filter((id) => selected.has(id))
  return { selected, forced: new Set(forced), ofAll }
}

function idsInPart({ scenarios }: Study, { index, of }: Shard, ids: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(scenarios.filter((s) => ids.has(s.id) && shardOf(s, of) === index).map((s) => s.id))
}

/** `whatif status` distinguishes the two; a manifest has one word for both. */
const INTERRUPTED: readonly string[] = ['unanswered', 'running']

/** The statuses that may follow `status:`. */
export const SELECTABLE_STATUSES: readonly string[] = [...SCENARIO_STATES, 'interrupted']

/**
 * Scenarios that a selection names: a glob over ids (`*` and `?`), `tag:x`, `axis=value` or `status:x`; several
 * patterns are a union. `statusOf` gives a scenario's last known status, one of `SCENARIO_STATES`.
 */
export function selectScenarios(
  study: Study,
  selection: Selection,
  statusOf: (scenario: Scenario) => string,
): Selected {
  const unmatched: { pattern: string; suggestion: string | null }[] = []
  const matching = (patterns: readonly string[]): Set<string> => {
    const ids = new Set<string>()
    for (const pattern of patterns) {
      const matches = matcher(pattern, statusOf)
      const found = study.scenarios.filter(matches)
      if (found.length === 0) unmatched.push({ pattern, suggestion: nearest(study, pattern) })
      for (const scenario of found) ids.add(scenario.id)
    }
    return ids
  }
  const chosen = selection.select.length === 0 ? new Set(study.scenarios.map((s) => s.id)) : matching(selection.select)
  if (selection.exclude.length === 0) return { ids: chosen, unmatched }
  const excluded = matching(selection.exclude)
  return { ids: new Set([...chosen].filter((id) => !excluded.has(id))), unmatched }
}

function matcher(pattern: string, statusOf: (scenario: Scenario) => string): (scenario: Scenario) => boolean {
  if (pattern.startsWith('tag:')) {
    const tag = pattern.slice('tag:'.length)
    return (scenario) => scenario.tags.includes(tag)
  }
  if (pattern.startsWith('status:')) {
    const status = pattern.slice('status:'.length)
    const wanted = status === 'interrupted' ? INTERRUPTED : [status]
    return (scenario) => wanted.includes(statusOf(scenario))
  }
  const equals = pattern.indexOf('=')
  if (equals > 0) {
    const axis = pattern.slice(0, equals)
    const value = pattern.slice(equals + 1)
    return (scenario) => scenario.axes.get(axis) === value
  }
  // The shared name of replicates selects all of them.
  return (scenario) => matchesGlob(pattern, scenario.id) || matchesGlob(pattern, comparedName(scenario))
}

function nearest(study: Study, pattern: string): string | null {
  if (study.scenarios.some(({ group }) => group === pattern)) return `${pattern}--*`
  const candidates = new Set(SELECTABLE_STATUSES.map((status) => `status:${status}`))
  for (const scenario of study.scenarios) {
    candidates.add(scenario.id)
    if (scenario.group !== null) candidates.add(`${scenario.group}--*`)
    for (const tag of scenario.tags) candidates.add(`tag:${tag}`)
    for (const [axis, value] of scenario.axes) candidates.add(`${axis}=${value}`)
  }
  return suggest(pattern, candidates)[0] ?? null
}
