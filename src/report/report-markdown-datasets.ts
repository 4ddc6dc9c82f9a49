import { DENSITY_NOTE, denseScenarios, membershipRisk } from '../answers/manifest/model-quality.ts'
import { countText } from '../base/text/amount-text.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import type { ModelQuality } from '../records/manifest/model-quality.ts'
import { codeText, markdownTable } from './markdown-text.ts'

/**
 * The data: seed files, the columns that cleaning kept and dropped, and the quality of the models if their service
 * reports it.
 */
export function datasetTables(manifest: Manifest): string[] {
  const { datasets, scenarios } = manifest
  const all = Object.entries(datasets)
  const size = (rows: number, columns: number): string => `${countText(rows)} × ${countText(columns)}`
  const sources = all.map(([id, { source, sha256, cleaning }]) => [
    codeText(id),
    source === null ? 'trained earlier' : codeText(source),
    sha256 === null ? '–' : `\`${sha256}\``,
    cleaning === null ? '–' : size(cleaning.input_rows, cleaning.input_columns),
    cleaning === null ? '–' : size(cleaning.clean_rows, cleaning.clean_columns),
  ])
  const dropped = all.flatMap(([id, { cleaning }]) =>
    (cleaning?.dropped_columns ?? []).map(({ name, reason }) => [codeText(id), codeText(name), codeText(reason)]),
  )
  const quality = all.flatMap(([id, dataset]) =>
    dataset.quality === undefined ? [] : qualityRows(dataset.quality).map((row) => [codeText(id), ...row]),
  )
  const sizes = ['Rows × columns', 'After cleaning']
  return [
    ...markdownTable('Data', ['Dataset', 'Seed file', 'SHA-256', ...sizes], sizes, sources),
    ...markdownTable('Columns that cleaning dropped', ['Dataset', 'Column', 'Reason'], [], dropped),
    ...markdownTable(
      'Quality of the models',
      ['Dataset', 'Figure', 'Model', 'Real rows or chance'],
      ['Model', 'Real rows or chance'],
      quality,
      'Compared with rows held out of the training. This is evidence, not a guarantee of privacy. A slope of 0.6 means that the model keeps 0.6 of the effect in real rows.',
    ),
    ...markdownTable(
      'Membership risk',
      ['Dataset', 'Scenario', 'Rows per row trained on', 'Attack AUC', 'Chance', 'Measured at'],
      ['Rows per row trained on', 'Attack AUC', 'Chance', 'Measured at'],
      all.flatMap(([id, { quality: of }]) => riskRows(id, of, scenarios)),
      'How well an attacker who knows a whole row can decide from the delivered rows whether it was in the training data: 0.5 means not at all. The AUC was measured without a scenario, at the number of rows per training row in the last column; with more rows the risk is larger.',
    ),
    ...markdownTable(
      'More rows than the seed data support',
      ['Dataset', 'Scenario', 'Rows', 'Rows of the seed data', 'Rows per seed row'],
      ['Rows', 'Rows of the seed data', 'Rows per seed row'],
      denseScenarios(manifest).map(({ dataset, scenario, rows, seedRows }) => [
        codeText(dataset),
        codeText(scenario),
        countText(rows),
        countText(seedRows),
        String(Number((rows / seedRows).toPrecision(3))),
      ]),
      DENSITY_NOTE,
    ),
  ]
}

/** For each scenario that has rows, and for all of them together, since a recipient may have several files. */
function riskRows(id: string, quality: ModelQuality | undefined, scenarios: Manifest['scenarios']): string[][] {
  const delivered = Object.entries(scenarios).flatMap(([scenario, { dataset, rows }]) =>
    dataset === id && rows.counted !== null ? [{ name: codeText(scenario), rows: rows.counted }] : [],
  )
  const together = { name: 'all together', rows: delivered.reduce((sum, { rows }) => sum + rows, 0) }
  return [...delivered, ...(delivered.length > 1 ? [together] : [])].flatMap(({ name, rows }) => {
    const risk = membershipRisk(quality, rows)
    if (risk === null) return []
    const { auc, chance, rows_per_row: measuredAt } = risk.attack
    const rowsPerRow = String(Number(risk.rowsPerRow.toPrecision(2)))
    return [[codeText(id), name, rowsPerRow, String(auc), `0.5 ± ${chance}`, String(measuredAt)]]
  })
}

function qualityRows(quality: ModelQuality): string[][] {
  const { column_shapes: shapes, pairs, c2st, copies, rare_numbers: rare, dcr } = quality
  return [
    ...(shapes ? [figureRow('shape of columns, 1 − TVD or 1 − KS', shapes.mean, shapes.reference)] : []),
    ...(pairs
      ? [figureRow(`${countText(pairs.measured)} pairs of columns, 1 − TVD`, pairs.mean, pairs.reference)]
      : []),
    ...structureRows(quality),
    ...(c2st ? [figureRow('distinguishable from real rows, C2ST AUC', c2st.auc, `0.5 ± ${c2st.chance}`)] : []),
    ...(c2st?.detectable === undefined
      ? []
      : [figureRow('smallest AUC that so few rows can detect, power 80 %', c2st.detectable, '–')]),
    ...(copies ? [figureRow('exact copies of training rows, share', copies.share, copies.reference)] : []),
    ...(rare
      ? [
          figureRow(
            'rows with a number that fewer than 10 seed rows have',
            rare.rows ?? 'under 10',
            rare.reference ?? 'under 10',
          ),
        ]
      : []),
    ...(dcr ? [figureRow('closer to a training row, DCR', dcr.nearer_training, `0.5 ± ${dcr.chance}`)] : []),
  ]
}

/** The strength of relations between columns. */
function structureRows({ correlations, item_blocks: blocks = [], differences, pmse }: ModelQuality): string[][] {
  const slopeRow = (figure: string, slope: number, { low, high }: { low: number; high: number }): string[] =>
    figureRow(figure, `${slope} (${low} to ${high})`, 1)
  return [
    ...(correlations
      ? [slopeRow(`slope of ${countText(correlations.pairs)} correlations`, correlations.slope, correlations)]
      : []),
    ...blocks.map((block) => {
      const items = `${countText(block.items)} items ${codeText(block.column)} to ${codeText(block.last)}`
      return slopeRow(`first eigenvalue of ${items}, ratio`, block.ratio, block)
    }),
    ...(differences ? [slopeRow('slope of differences between groups', differences.slope, differences)] : []),
    ...(differences?.median
      ? [
          slopeRow(
            `its median of ${countText(differences.outcomes)} columns`,
            differences.median.slope,
            differences.median,
          ),
        ]
      : []),
    ...(differences?.lowest ?? []).map((column) =>
      slopeRow(`slope of differences of ${codeText(column.column)}`, column.slope, column),
    ),
    ...(pmse ? [figureRow(`pMSE over expected, ${countText(pmse.parameters)} parameters`, pmse.ratio, 1)] : []),
  ]
}

const figureRow = (figure: string, model: number | string, other: string | number): string[] => [
  figure,
  String(model),
  String(other),
]
