import { type Block, fold, note, table } from '../../base/document/block.ts'
import { muted, name, type Text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'

/** How near the rows of each scenario are to the answers, folded on a page; null without answers. */
export function rowsDistances(id: string, { scenarios }: ManifestComparison): Block {
  const found = Object.entries(scenarios).flatMap(([scenario, { rows_distance: distance }]) =>
    distance === undefined ? [] : [{ scenario, distance }],
  )
  if (found.length === 0) return null
  const points = found.flatMap(({ distance }) => distance.largest_points ?? [])
  const { distances: say } = words().tables
  const { differences, largest: largestHead, rms, beyond } = say.heads
  const fixed = (value: number, digits: number): string => localNumber(value.toFixed(digits))
  const largest = points.length > 0 && say.atMost(fixed(Math.max(...points), 1))
  const far = found.reduce((sum, { distance }) => sum + distance.beyond_two_errors, 0)
  const all = found.reduce((sum, { distance }) => sum + distance.outcomes, 0)
  return fold(
    [`${say.title} `, muted([largest, say.far(far, all)])],
    [
      table(
        say.rowsOf<Text>(name(id)),
        [words().answers.heads.scenario, differences, largestHead, rms, beyond],
        found.map(({ scenario, distance }) => [
          ...[name(scenario), countText(distance.outcomes)],
          distance.largest_points === undefined ? '–' : fixed(distance.largest_points, 1),
          ...[fixed(distance.rms_errors, 2), countText(distance.beyond_two_errors)],
        ]),
        { notes: [note(say.note)] },
      ),
    ],
  )
}
