import { dataRecord } from '../../base/data-record.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { comparedName } from '../../study/replicates.ts'
import type { Scenario, Study } from '../../study/study.ts'

/** Longest description in a manifest, in UTF-16 units: every scenario of a group repeats the group's. */
const MOST_DESCRIPTION = 2000

/** What a reader of results needs to know of the study: what it asks, and the sequence it was written in. */
export function studyOutline(study: Study): Pick<Manifest['study'], 'description' | 'scenario_order' | 'axes'> {
  const axes = [...study.axes].map(
    ([group, list]) => [group, list.map(({ name, values }) => ({ name, values }))] as const,
  )
  return {
    ...(study.description !== null && { description: bounded(study.description) }),
    scenario_order: study.scenarios.map(({ id }) => id),
    ...(axes.length > 0 && { axes: dataRecord(axes) }),
  }
}

/** A scenario's description in the study; a group's for the scenarios of its matrix. */
export function scenarioDescription(study: Study, scenario: Scenario): string | undefined {
  const name = comparedName(scenario)
  const description = study.scenarioDescriptions.get(name) ?? study.scenarioDescriptions.get(scenario.group ?? name)
  return description === undefined ? undefined : bounded(description)
}

function bounded(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > MOST_DESCRIPTION ? `${cutText(trimmed, MOST_DESCRIPTION)}…` : trimmed
}
