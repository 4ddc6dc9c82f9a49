/** Scenarios whose differences are looked at together: the points of the curves of a matrix. */

import { membersOf } from './replicates.ts'
import type { Comparison, Study } from './study.ts'

/** A service looks at no more together. */
const MOST = 41

/** The scenarios of a comparison that come from the same matrix as this one, in its sequence; at least two, otherwise none. */
export function scenarioFamily(study: Study, comparison: Comparison, scenario: string): readonly string[] {
  const groups = new Map(study.scenarios.map(({ id, group }) => [id, group]))
  const groupOf = (name: string): string | null => groups.get(membersOf(study, name)[0] ?? name) ?? null
  const own = groupOf(scenario)
  const family = own === null ? [] : comparison.scenarios.filter((name) => groupOf(name) === own)
  return family.length < 2 || family.length > MOST ? [] : family
}
