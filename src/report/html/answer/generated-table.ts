import { meanTargetText } from '../../../answers/words/mean-target-text.ts'
import { targetShareText } from '../../../answers/words/share-text.ts'
import { type Table, table, worded } from '../../../base/document/block.ts'
import { joined, name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber, percentSign } from '../../../base/language/local-number.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { scenarioOrder } from '../../scenario-names.ts'

/** Scenarios on the first screen of a study that compares nothing. */
const MOST_SCENARIOS = 12
/** Conditions of a scenario that are spelled out. */
const MOST_CONDITIONS = 4

/** What was generated: for a study without comparisons. */
export function generatedTable(manifest: Manifest): Table {
  const { firstScreen: say, answers } = words()
  return table(
    say.generated,
    [answers.heads.scenario, worded(say.conditions), say.rows, say.askedFor],
    scenarioOrder(manifest).map((id) => cellsOf(id, manifest.scenarios[id]!)),
    { most: { rows: MOST_SCENARIOS, others: say.moreScenarios } },
  )
}

function cellsOf(id: string, { rows, request }: ManifestScenario): Text[] {
  const conditions = conditionTexts(request?.conditions ?? {})
  const left = conditions.length - MOST_CONDITIONS
  return [
    name(id),
    conditions.length === 0
      ? words().firstScreen.none
      : [
          joined(conditions.slice(0, MOST_CONDITIONS).map(name), words().figures.semicolon),
          left > 0 && words().firstScreen.moreConditions(left),
        ],
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
  const percent = (share: number) => percentSign(String(Number((share * 100).toFixed(2))))
  const { comma, range, ofColumn, mean: meanWord } = words().figures
  return [
    ...Object.entries(categorical).map(
      ([column, levels]) =>
        `${column} ${Object.entries(levels)
          .map(([level, share]) => `${level} ${percent(share)}`)
          .join(comma)}`,
    ),
    ...Object.entries(bounds).map(
      ([column, levels]) =>
        `${column} ${Object.entries(levels)
          .map(([level, ends]) => `${level} ${targetShareText(ends)}`)
          .join(comma)}`,
    ),
    ...cells.map(
      ({ columns, shares }) =>
        `${columns.join(' × ')} ${shares.map(({ levels, share }) => `${levels.join(' × ')} ${percent(share)}`).join(comma)}`,
    ),
    ...Object.entries(numeric).map(
      ([column, { min, max }]) => `${column} ${range(localNumber(String(min)), localNumber(String(max)))}`,
    ),
    ...Object.entries(means).map(([column, mean]) => `${ofColumn(meanWord, column).join('')} ${meanTargetText(mean)}`),
  ]
}
