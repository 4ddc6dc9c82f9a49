/** How near the generated rows are to the answers, in words for every report. */

import { countText } from '../../base/text/amount-text.ts'
import type { RowsDistance } from '../../records/manifest/comparisons.ts'

const NONE = '–'

/** What the figures of a scenario mean. */
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
