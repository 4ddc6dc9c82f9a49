import type { AnySchemaColumn } from '../contract/datasets.ts'
import type { Scenario } from '../study/study.ts'

/** A sum of shares this close to 1 is 1 (study language, "Share rules"). */
const SUM_TOLERANCE = 1e-9

/**
 * What is left to the model, column by column: "region: 0.30 over 3 unlisted levels". Nothing is said of a column whose
 * levels are not known; the live check does.
 */
export function shareNotes(scenario: Scenario, schema: readonly AnySchemaColumn[] | undefined): string[] {
  const notes: string[] = []
  for (const [column, levels] of scenario.shares) {
    const retained = schema?.find((c) => c.name === column)?.levels
    if (retained === undefined) continue
    const unlisted = retained.filter((level) => !levels.has(level)).length
    const rest = 1 - [...levels.values()].reduce((sum, share) => sum + share, 0)
    if (rest > SUM_TOLERANCE && unlisted === 0) notes.push(`${column}: ${rest.toFixed(2)} left to missing values`)
    else if (rest > SUM_TOLERANCE)
      notes.push(`${column}: ${rest.toFixed(2)} over ${unlisted} unlisted ${plural(unlisted)}`)
    else if (unlisted > 0) notes.push(`${column}: ${unlisted} unlisted ${plural(unlisted)} implied 0`)
  }
  return notes
}

const plural = (n: number): string => (n === 1 ? 'level' : 'levels')
