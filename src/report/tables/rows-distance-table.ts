import { countText, plural } from '../../base/text/amount-text.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'
import { type Block, fold, note, table } from '../document/block.ts'
import { muted, name, text } from '../document/text.ts'

const NOTE = note(
  'How near the differences in the generated rows are to the answers. The distance is that of the file, not of the answers. The noise of generation is part of it, so it is larger in files of few rows. Segments of the file are less near.',
)

/** How near the rows of each scenario are to the answers, folded on a page; null without answers. */
export function rowsDistances(id: string, { scenarios }: ManifestComparison): Block {
  const found = Object.entries(scenarios).flatMap(([scenario, { rows_distance: distance }]) =>
    distance === undefined ? [] : [{ scenario, distance }],
  )
  if (found.length === 0) return null
  const points = found.flatMap(({ distance }) => distance.largest_points ?? [])
  const largest = points.length > 0 && `at most ${Math.max(...points).toFixed(1)} points away; `
  const far = found.reduce((sum, { distance }) => sum + distance.beyond_two_errors, 0)
  const all = found.reduce((sum, { distance }) => sum + distance.outcomes, 0)
  return fold(
    [
      'How near the rows are to the answers ',
      muted([largest, `${countText(far)} of ${plural(all, 'difference')} beyond two standard errors`]),
    ],
    [
      table(
        text`Rows of comparison ${name(id)}`,
        [
          ...['Scenario', 'Differences', 'Largest distance, points', 'Root mean square, standard errors'],
          'Beyond two standard errors',
        ],
        found.map(({ scenario, distance }) => [
          ...[name(scenario), countText(distance.outcomes), distance.largest_points?.toFixed(1) ?? '–'],
          ...[distance.rms_errors.toFixed(2), countText(distance.beyond_two_errors)],
        ]),
        { notes: [NOTE] },
      ),
    ],
  )
}
