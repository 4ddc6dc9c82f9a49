import type { TrainingQuality, TrainingSummary } from '../../contract/datasets.ts'
import { type MeasureOptions, MIN_MEASURED_ROWS, measureQuality } from '../../engine/quality/measure-quality.ts'
import type { Quality } from '../../engine/quality/quality.ts'
import type { Table } from '../../engine/table.ts'

/** The part of a training's summary that says how good its model is, or why that is not known. */
export type QualitySummary = Pick<TrainingSummary, 'quality' | 'quality_note'>

/**
 * Measures, in the contract's words. What goes wrong in it goes into the words too: a model is not given up for want of a report.
 *
 * @throws the signal's reason when aborted.
 */
export async function qualitySummary(
  table: Table,
  isWanted: boolean,
  options: MeasureOptions,
): Promise<QualitySummary> {
  if (!isWanted) return unmeasured('This service does not measure quality.')
  try {
    const quality = await measureQuality(table, options)
    if (quality === null) {
      return unmeasured(
        `The table has ${table.rowCount} rows; at least ${MIN_MEASURED_ROWS} are needed to hold some out.`,
      )
    }
    return { quality: inWords(quality) }
  } catch (error) {
    options.signal?.throwIfAborted()
    return unmeasured(
      `Measuring failed (${error instanceof Error ? error.name : 'unknown error'}); the model is whole.`,
    )
  }
}

function unmeasured(why: string): QualitySummary {
  return { quality: null, quality_note: why }
}

function inWords(quality: Quality): TrainingQuality {
  const { columnShapes, worstColumns, pairs, twoSampleTest, copies, nearestRows } = quality
  return {
    training_rows: quality.trainingRows,
    held_out_rows: quality.heldOutRows,
    synthetic_rows: quality.syntheticRows,
    ...(columnShapes !== null && {
      column_shapes: {
        mean: rounded(columnShapes.synthetic),
        reference: rounded(columnShapes.training),
        worst: worstColumns.map(({ column, synthetic, training }) => ({
          column,
          score: rounded(synthetic),
          reference: rounded(training),
        })),
      },
    }),
    ...(pairs !== null && {
      pairs: { mean: rounded(pairs.synthetic), reference: rounded(pairs.training), measured: pairs.pairs },
    }),
    c2st: {
      auc: rounded(twoSampleTest.auc),
      chance: rounded(twoSampleTest.chance),
      rows: twoSampleTest.rows,
    },
    copies: { share: rounded(copies.synthetic), reference: rounded(copies.heldOut) },
    dcr: {
      nearer_training: rounded(nearestRows.nearerTraining),
      chance: rounded(nearestRows.chance),
      of_copies: rounded(nearestRows.ofCopies),
      rows: nearestRows.rows,
    },
  }
}

/** More digits would be noise. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
