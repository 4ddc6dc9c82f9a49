import { countText } from '../base/text/amount-text.ts'
import type { RowsDistance } from '../manifest/difference-records.ts'
import type { ManifestComparison } from '../manifest/manifest.ts'
import { codeText, markdownTable } from './markdown-text.ts'

const NONE = '–'

/** What the figures of a scenario mean, for every report that has them. */
export const ROWS_DISTANCE_NOTE =
  'How near the differences in the generated rows are to the answers. The distance is that of the file, not of the answers. The noise of generation is part of it, so it is larger in files of few rows. Segments of the file are less near.'

export const ROWS_DISTANCE_HEADS = [
  'Differences',
  'Largest distance, points',
  'Root mean square, standard errors',
  'Beyond two standard errors',
] as const

/** Cells of `ROWS_DISTANCE_HEADS`. */
export const rowsDistanceCells = (distance: RowsDistance): string[] => [
  countText(distance.outcomes),
  distance.largest_points === undefined ? NONE : distance.largest_points.toFixed(1),
  distance.rms_errors.toFixed(2),
  countText(distance.beyond_two_errors),
]

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
