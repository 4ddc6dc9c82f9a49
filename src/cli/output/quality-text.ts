import { countText } from '../../base/text/amount-text.ts'
import { indented, textTable, wrapped } from '../../base/text/fit-text.ts'
import type { TrainingSummary } from '../../client/replies.ts'
import type { TrainingQuality } from '../../contract/training-quality.ts'

type Measured = Partial<TrainingQuality>

/**
 * The quality of a dataset's model: each figure beside that of real rows or chance, and how the two compare. The reader decides
 * whether it is good enough.
 */
export function qualityText(training: TrainingSummary | undefined, width: number): string {
  const quality = training?.quality
  if (quality === undefined) {
    return `Quality\n${wrapped('  ', training?.quality_note ?? 'The service does not report it.', width)}`
  }
  const { training_rows: trained, held_out_rows: heldOut } = quality
  const title =
    trained === undefined || heldOut === undefined
      ? 'Quality'
      : `Quality: a model of ${countText(trained)} rows, against ${countText(heldOut)} rows held out`
  const table = textTable(
    [{ title: 'figure' }, { title: 'model', align: 'right' }, { title: 'real rows', align: 'right' }, { title: '' }],
    figuresOf(quality),
    width - 2,
  )
  return [
    wrapped('', title, width),
    indented(table),
    ...worstColumns(quality, width),
    ...itemBlocks(quality, width),
    ...lowestDifferences(quality, width),
    ...notMeasured(quality, width),
    ...explanation(quality, training?.training_rows, width),
  ].join('')
}

function figuresOf(quality: Measured): string[][] {
  const { column_shapes: shapes, pairs, c2st, copies, rare_numbers: rare, dcr, ...rows } = quality
  return [
    ...(shapes ? [['shape of columns, 1 - TVD or 1 - KS', ...similarity(shapes)]] : []),
    ...(pairs ? [[`${countText(pairs.measured)} pairs of columns, 1 - TVD`, ...similarity(pairs)]] : []),
    ...structureFigures(quality),
    ...(c2st ? [['C2ST AUC, against held-out rows', ...againstHalf(c2st.auc, c2st.chance)]] : []),
    ...(copies ? [['exact copies of rows trained on', ...copyFigures(copies, rows)]] : []),
    ...(rare ? [['rows with a rare number of the seed', ...rareFigures(rare, rows)]] : []),
    ...(dcr ? [['nearer to a row trained on, DCR', ...againstHalf(dcr.nearer_training, dcr.chance)]] : []),
    ...membershipFigures(quality),
  ]
}

/** How strongly columns are related, beside the same for real rows. */
function structureFigures({ correlations, item_blocks: blocks = [], differences, pmse }: Measured): string[][] {
  return [
    ...(correlations ? [[`slope of ${countText(correlations.pairs)} correlations`, ...againstOne(correlations)]] : []),
    ...blocks.map(({ items, ratio, ...interval }) => [
      `first eigenvalue of ${countText(items)} items, ratio`,
      ...againstOne({ slope: ratio, ...interval }),
    ]),
    ...(differences ? [['slope of differences between groups', ...againstOne(differences)]] : []),
    ...(differences?.median
      ? [[`its median of ${countText(differences.outcomes)} columns`, ...againstOne(differences.median)]]
      : []),
    ...(pmse ? [[`pMSE over expected, ${countText(pmse.parameters)} parameters`, ...againstExpected(pmse)]] : []),
  ]
}

function membershipFigures({ membership }: Measured): string[][] {
  return (membership?.at ?? []).map(({ rows_per_row: multiple, auc, chance }) => [
    `attack on members, AUC at N = ${multiple === 1 ? '' : `${multiple} `}n`,
    ...againstHalf(auc, chance),
  ])
}

function againstOne({ slope, low, high }: { slope: number; low: number; high: number }): string[] {
  return [slope.toFixed(3), '1', `${low.toFixed(2)} to ${high.toFixed(2)}`]
}

/** The ratio's standard deviation follows from the number of parameters: see `pmse` in the contract. */
function againstExpected({ ratio, parameters }: { ratio: number; parameters: number }): string[] {
  const chance = 2 * Math.sqrt(2 / Math.max(1, parameters - 1))
  return [ratio.toFixed(3), `1 ±${chance.toFixed(3)}`, reading(ratio - 1, chance)]
}

function similarity({ mean, reference }: { mean: number; reference: number }): string[] {
  const difference = mean - reference
  return [mean.toFixed(3), reference.toFixed(3), `${difference < 0 ? '' : '+'}${difference.toFixed(3)}`]
}

function againstHalf(value: number, chance: number): string[] {
  return [value.toFixed(3), `0.5 ±${chance.toFixed(3)}`, reading(value - 0.5, chance)]
}

function reading(difference: number, chance: number): string {
  return Math.abs(difference) <= chance ? 'within chance' : difference > 0 ? 'above chance' : 'below chance'
}

/** Chance: two standard errors of the difference of two shares of one population. */
function copyFigures(
  { share, reference }: { share: number; reference: number },
  { synthetic_rows: synthetic, held_out_rows: heldOut }: Pick<Measured, 'synthetic_rows' | 'held_out_rows'>,
): string[] {
  const figures = [share, reference].map((value) => `${(100 * value).toFixed(2)} %`)
  if (!synthetic || !heldOut) return figures
  const pooled = (share * synthetic + reference * heldOut) / (synthetic + heldOut)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / synthetic + 1 / heldOut))
  return [...figures, reading(share - reference, 2 * error)]
}

/** A count that the service does not tell stands for fewer than ten rows. */
function rareFigures(
  { rows, reference }: NonNullable<Measured['rare_numbers']>,
  { synthetic_rows: synthetic, training_rows: trained }: Pick<Measured, 'synthetic_rows' | 'training_rows'>,
): string[] {
  const [model, real] = [rows, reference].map((count) => (count === undefined ? 'under 10' : countText(count)))
  if (synthetic === undefined || trained === undefined) return [model!, real!]
  const each = synthetic === trained ? countText(synthetic) : `${countText(synthetic)} and ${countText(trained)}`
  return [model!, real!, `of ${each} rows`]
}

function worstColumns({ column_shapes: shapes }: Measured, width: number): string[] {
  const worst = (shapes?.worst ?? []).filter(({ score, reference }) => score < reference)
  if (worst.length === 0) return []
  const columns = worst.map(
    ({ column, score, reference }) => `${column} ${score.toFixed(3)} (real rows ${reference.toFixed(3)})`,
  )
  return [wrapped('  ', `Shapes farthest below real rows: ${columns.join(', ')}.`, width)]
}

function itemBlocks({ item_blocks: blocks = [] }: Measured, width: number): string[] {
  if (blocks.length === 0) return []
  const texts = blocks.map(
    ({ column, last, eigenvalue, reference }) =>
      `${column} to ${last} ${eigenvalue.toFixed(2)} (real rows ${reference.toFixed(2)})`,
  )
  return [wrapped('  ', `First eigenvalues of items on one scale: ${texts.join(', ')}.`, width)]
}

function lowestDifferences({ differences }: Measured, width: number): string[] {
  const lowest = (differences?.lowest ?? []).filter(({ slope }) => slope < 1)
  if (lowest.length === 0) return []
  const columns = lowest.map(
    ({ column, slope, low, high }) => `${column} ${slope.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
  )
  return [wrapped('  ', `Columns that lose most of their differences: ${columns.join(', ')}.`, width)]
}

const FIGURE_NAMES: ReadonlyMap<string, string> = new Map([
  ['correlations', 'slope of correlations'],
  ['item_blocks', 'first eigenvalues'],
  ['differences', 'slope of differences'],
  ['pmse', 'pMSE'],
])

function notMeasured({ not_measured: figures = [] }: Measured, width: number): string[] {
  return figures.map(({ figure, reason }) =>
    wrapped('  ', `Not measured: ${FIGURE_NAMES.get(figure) ?? figure}. ${reason}`, width),
  )
}

function explanation(quality: Measured, all: number | undefined, width: number): string[] {
  const { training_rows: trained, rare_numbers: rare, dcr, c2st, correlations, differences, membership } = quality
  const isSample = trained !== undefined && all !== undefined && all > trained * 1.3
  const sentences = [
    'Real rows: the rows trained on, compared with the same held-out rows. ±: what chance does in 95 of 100 cases.',
    ...(correlations || differences
      ? ['A slope of 0.6 means that the model keeps 0.6 of what real rows show; its 95 % interval stands beside it.']
      : []),
    ...(c2st?.detectable === undefined
      ? []
      : [
          `With so few rows, a C2ST AUC below ${c2st.detectable.toFixed(3)} can hardly be distinguished from 0.5 (power 80 %).`,
        ]),
    ...(rare
      ? ['A rare number is one that fewer than 10 rows of the seed have, in a column whose rows repeat few numbers.']
      : []),
    ...(dcr ? [`Exact copies would give a DCR of ${dcr.of_copies.toFixed(3)}.`] : []),
    ...(membership
      ? [
          'The attack on members uses N generated rows for n rows trained on. The more rows you give away, the more they tell.',
        ]
      : []),
    ...(isSample ? [`Measured on a sample; the dataset's own model was trained on ${countText(all)} rows.`] : []),
    'Evidence, not a guarantee of privacy.',
  ]
  return [wrapped('  ', sentences.join(' '), width)]
}
