import { DENSITY_NOTE, denseScenarios, membershipRisk } from '../../answers/manifest/model-quality.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ModelQuality } from '../../records/manifest/model-quality.ts'
import { note, type Table, table, worded } from '../document/block.ts'
import { name, type Text } from '../document/text.ts'

/** How well an attack finds in the delivered rows who was trained on, by scenario. */
export const riskTable = ({ datasets, scenarios }: Manifest): Table =>
  table(
    'Membership risk',
    ['Dataset', worded('Scenario'), 'Rows per row trained on', 'Attack AUC', 'Chance', 'Measured at'],
    Object.entries(datasets).flatMap(([id, { quality }]) => riskRows(id, quality, scenarios)),
    {
      notes: [
        note(
          'How well an attacker who knows a whole row can decide from the delivered rows whether it was in the training data: 0.5 means not at all. The AUC was measured without a scenario, at the number of rows per training row in the last column; with more rows the risk is larger.',
        ),
      ],
    },
  )

/** For each scenario that has rows, and for all of them together, since a recipient may have several files. */
function riskRows(id: string, quality: ModelQuality | undefined, scenarios: Manifest['scenarios']): Text[][] {
  const delivered = Object.entries(scenarios).flatMap(([scenario, { dataset, rows }]) =>
    dataset === id && rows.counted !== null ? [{ of: name(scenario) as Text, rows: rows.counted }] : [],
  )
  const together = { of: 'all together', rows: delivered.reduce((sum, { rows }) => sum + rows, 0) }
  return [...delivered, ...(delivered.length > 1 ? [together] : [])].flatMap(({ of, rows }) => {
    const risk = membershipRisk(quality, rows)
    if (risk === null) return []
    const { auc, chance, rows_per_row: measuredAt } = risk.attack
    return [[name(id), of, Number(risk.rowsPerRow.toPrecision(2)), auc, `0.5 ± ${chance}`, measuredAt]]
  })
}

export const densityTable = (manifest: Manifest): Table =>
  table(
    'More rows than the seed data support',
    ['Dataset', worded('Scenario'), 'Rows', 'Rows of the seed data', 'Rows per seed row'],
    denseScenarios(manifest).map(({ dataset, scenario, rows, seedRows }) => [
      ...[name(dataset), name(scenario), countText(rows), countText(seedRows)],
      Number((rows / seedRows).toPrecision(3)),
    ]),
    { notes: [note(DENSITY_NOTE)] },
  )
