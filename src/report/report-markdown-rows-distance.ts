import { ROWS_DISTANCE_HEADS, ROWS_DISTANCE_NOTE, rowsDistanceCells } from '../answers/words/rows-distance-text.ts'
import type { ManifestComparison } from '../records/manifest/comparisons.ts'
import { codeText, markdownTable } from './markdown-text.ts'

/** A line for each scenario that has answers; nothing without them. */
export function rowsDistanceTable(id: string, { scenarios }: ManifestComparison): string[] {
  const rows = Object.entries(scenarios).flatMap(([scenario, { rows_distance: distance }]) =>
    distance === undefined ? [] : [[codeText(scenario), ...rowsDistanceCells(distance)]],
  )
  return markdownTable(
    `Rows of comparison ${codeText(id)}`,
    ['Scenario', ...ROWS_DISTANCE_HEADS],
    ROWS_DISTANCE_HEADS,
    rows,
    ROWS_DISTANCE_NOTE,
  )
}
