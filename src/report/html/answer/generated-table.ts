import { meanTargetText } from '../../../answers/words/mean-target-text.ts'
import { targetShareText } from '../../../answers/words/share-text.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { type Table, table, worded } from '../../document/block.ts'
import { scenarioOrder } from '../../document/names.ts'
import { joined, name, type Text } from '../../document/text.ts'

/** Scenarios on the first screen of a study that compares nothing. */
const MOST_SCENARIOS = 12
/** Conditions of a scenario that are spelled out. */
const MOST_CONDITIONS = 4

/** What was generated: for a study without comparisons. */
export const generatedTable = (manifest: Manifest): Table =>
  table(
    'What was generated',
    ['Scenario', worded('Conditions'), 'Rows', 'Asked for'],
    scenarioOrder(manifest).map((id) => cellsOf(id, manifest.scenarios[id]!)),
    { most: { rows: MOST_SCENARIOS, others: 'more scenarios stand under Provenance' } },
  )

function cellsOf(id: string, { rows, request }: ManifestScenario): Text[] {
  const conditions = conditionTexts(request?.conditions ?? {})
  const left = conditions.length - MOST_CONDITIONS
  return [
    name(id),
    conditions.length === 0
      ? 'none'
      : [joined(conditions.slice(0, MOST_CONDITIONS).map(name), '; '), left > 0 && `; ${left} more`],
    ...[rows.counted === null ? '–' : countText(rows.counted), countText(rows.requested)],
  ]
}

type Conditions = NonNullable<NonNullable<ManifestScenario['request']>['conditions']>

/** The conditions of a request, one text for each column. Not escaped. */
export function conditionTexts({
  categorical = {},
  bounds = {},
  cells = [],
  numeric = {},
  means = {},
}: Conditions): string[] {
  const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`
  return [
    ...Object.entries(categorical).map(
      ([column, levels]) =>
        `${column} ${Object.entries(levels)
          .map(([level, share]) => `${level} ${percent(share)}`)
          .join(', ')}`,
    ),
    ...Object.entries(bounds).map(
      ([column, levels]) =>
        `${column} ${Object.entries(levels)
          .map(([level, ends]) => `${level} ${targetShareText(ends)}`)
          .join(', ')}`,
    ),
    ...cells.map(
      ({ columns, shares }) =>
        `${columns.join(' × ')} ${shares.map(({ levels, share }) => `${levels.join(' × ')} ${percent(share)}`).join(', ')}`,
    ),
    ...Object.entries(numeric).map(([column, { min, max }]) => `${column} ${min} to ${max}`),
    ...Object.entries(means).map(([column, mean]) => `mean of ${column} ${meanTargetText(mean)}`),
  ]
}
