import { conditionsLines } from '../../answers/words/conditions-lines.ts'
import { writtenName } from '../../study/writing/written-name.ts'
import type { Conditions } from '../wire/messages.ts'

/**
 * A scenario as the entry of a map in a study: its id, and its conditions on one line each.
 *
 * @param dataset Named where the study has several.
 */
export function scenarioLines(id: string, conditions: Conditions, dataset: string | null): readonly string[] {
  const stated = [...(dataset === null ? [] : [`dataset: ${writtenName(dataset)}`]), ...conditionsLines(conditions)]
  if (stated.length === 0) return [`${id}: {}`]
  return [`${id}:`, ...stated.map((line) => `  ${line}`)]
}
