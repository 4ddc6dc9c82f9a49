import type { TrainingSummary } from '../../client/replies.ts'
import type { TrainingQuality } from '../../contract/datasets.ts'
import { countText } from '../../plan/count-text.ts'
import { textTable } from './text-table.ts'
import { wrapped } from './wrapped-text.ts'

type Measured = Partial<TrainingQuality>

/**
 * How good a dataset's model is: each figure beside what real rows or chance give, and how the two stand to each other. No other
 * judgement: what is good enough is the reader's to say.
 */
export function qualityText(training: TrainingSummary | undefined, width: number): string {
  const quality = training?.quality
  if (quality === undefined) {
    return `Quality\n${wrapped('  ', training?.quality_note ?? 'The service does not tell.', width)}`
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
    table.replaceAll(/^(?=.)/gm, '  '),
    ...worstColumns(quality, width),
    ...explanation(quality, training?.training_rows, width),
  ].join('')
}

function figuresOf({ column_shapes: shapes, pairs, c2st, copies, dcr, ...rows }: Measured): string[][] {
  return [
    ...(shapes ? [['shape of columns, 1 - TVD or 1 - KS', ...similarity(shapes)]] : []),
    ...(pairs ? [[`${countText(pairs.measured)} pairs of columns, 1 - TVD`, ...similarity(pairs)]] : []),
    ...(c2st ? [['told from real rows, C2ST AUC', ...againstHalf(c2st.auc, c2st.chance)]] : []),
    ...(copies ? [['exact copies of rows trained on', ...copyFigures(copies, rows)]] : []),
    ...(dcr ? [['nearer to a row trained on, DCR', ...againstHalf(dcr.nearer_training, dcr.chance)]] : []),
  ]
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

function worstColumns({ column_shapes: shapes }: Measured, width: number): string[] {
  const worst = (shapes?.worst ?? []).filter(({ score, reference }) => score < reference)
  if (worst.length === 0) return []
  const columns = worst.map(
    ({ column, score, reference }) => `${column} ${score.toFixed(3)} (real rows ${reference.toFixed(3)})`,
  )
  return [wrapped('  ', `Shapes farthest below real rows: ${columns.join(', ')}.`, width)]
}

function explanation({ training_rows: trained, dcr }: Measured, all: number | undefined, width: number): string[] {
  const isSample = trained !== undefined && all !== undefined && all > trained * 1.3
  const sentences = [
    'Real rows: those the model was trained on, held against the same held-out rows; ± is what chance does in 95 of 100 cases.',
    ...(dcr ? [`For DCR exact copies would give ${dcr.of_copies.toFixed(3)}.`] : []),
    ...(isSample ? [`Measured on a sample; the dataset's own model was trained on ${countText(all)} rows.`] : []),
    'Evidence, not a guarantee of privacy.',
  ]
  return [wrapped('  ', sentences.join(' '), width)]
}
