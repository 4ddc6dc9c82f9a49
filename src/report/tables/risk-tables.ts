import {
  denseScenarios,
  MEMBERSHIP_RISKS,
  MOST_ROWS_PER_SEED_ROW,
  membershipRisk,
} from '../../answers/manifest/model-quality.ts'
import { note, type Table, table, worded } from '../../base/document/block.ts'
import { name, type Text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ModelQuality } from '../../records/manifest/model-quality.ts'

/** How well an attack finds in the delivered rows who was trained on, by scenario. */
export function riskTable({ datasets, scenarios }: Manifest): Table {
  const { title, heads, note: of } = words().data.risk
  return table(
    title,
    [
      heads.dataset,
      worded(words().answers.heads.scenario),
      heads.perTrained,
      heads.auc,
      heads.chance,
      heads.measuredAt,
    ],
    Object.entries(datasets).flatMap(([id, { quality }]) => riskRows(id, quality, scenarios)),
    { notes: [note(of)] },
  )
}

/** For each scenario that has rows, and for all of them together, since a recipient may have several files. */
function riskRows(id: string, quality: ModelQuality | undefined, scenarios: Manifest['scenarios']): Text[][] {
  const delivered = Object.entries(scenarios).flatMap(([scenario, { dataset, rows }]) =>
    dataset === id && rows.counted !== null ? [{ of: name(scenario) as Text, rows: rows.counted }] : [],
  )
  const together = { of: words().data.risk.together, rows: delivered.reduce((sum, { rows }) => sum + rows, 0) }
  return [...delivered, ...(delivered.length > 1 ? [together] : [])].flatMap(({ of, rows }) => {
    const risk = membershipRisk(quality, rows)
    if (risk === null) return []
    const { auc, chance, rows_per_row: measuredAt } = risk.attack
    return [
      [
        ...[name(id), of, digits(Number(risk.rowsPerRow.toPrecision(2))), digits(auc)],
        ...[`${digits(0.5)} ± ${digits(chance)}`, digits(measuredAt)],
      ],
    ]
  })
}

const digits = (value: number): string => localNumber(String(value))

export function densityTable(manifest: Manifest): Table {
  const { title, heads, note: of } = words().data.density
  const risks = MEMBERSHIP_RISKS.map(({ rowsPerRow, auc }) => ({ rowsPerRow, auc: digits(auc) }))
  return table(
    title,
    [
      ...[words().data.risk.heads.dataset, worded(words().answers.heads.scenario)],
      ...[heads.rows, heads.seedRows, heads.perSeedRow],
    ],
    denseScenarios(manifest).map(({ dataset, scenario, rows, seedRows }) => [
      ...[name(dataset), name(scenario), countText(rows), countText(seedRows)],
      digits(Number((rows / seedRows).toPrecision(3))),
    ]),
    { notes: [note(of(MOST_ROWS_PER_SEED_ROW, risks, digits(0.5)))] },
  )
}
