/**
 * How good the model of a table is, measured on rows of the table that a model has not seen: one of the same kind is trained on
 * the others, samples as many rows, and these are compared with the rows held out. Where a figure has a floor (two samples of
 * one population are never equal), the same figure of the rows trained on against those held out is given beside it.
 *
 *   Table ─► split ─► train ─► sample ─► number alike ─► shapes, pairs, two-sample test, copies, nearest rows
 *
 * Deterministic: the same table gives the same figures, on any number of threads.
 */

import type { Table } from '../table.ts'
import { type JobOptions, openJob } from '../threads/thread-pool.ts'
import { trainModel } from '../train.ts'
import { pairSimilarity } from './binned-pairs.ts'
import { columnShape } from './column-shapes.ts'
import { type ComparedRows, compareRows } from './compared-rows.ts'
import { copyShare } from './exact-copies.ts'
import { splitTable } from './held-out-split.ts'
import { nearestContext } from './nearest-rows.ts'
import type { ColumnShape, NearestRows, Quality, TwoSampleTest } from './quality.ts'
import { sampleModel } from './sample-model.ts'
import { FOLDS, twoSampleContext } from './two-sample-test.ts'

/** With fewer rows every figure is chance. */
export const MIN_MEASURED_ROWS = 200

export interface MeasureOptions extends JobOptions {
  /** 0…1, rising, last 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

const TRAINING_SHARE = 0.5
const WORST_COLUMNS = 3
/** Rows of one task of the search for nearest rows. */
const QUERIES_PER_TASK = 250

/**
 * Null with fewer than MIN_MEASURED_ROWS rows.
 *
 * @throws RangeError as `trainModel`; the signal's reason when aborted.
 */
export async function measureQuality(table: Table, options: MeasureOptions): Promise<Quality | null> {
  if (table.rowCount < MIN_MEASURED_ROWS) return null
  const { onProgress = () => {} } = options
  const { training, heldOut } = splitTable(table)
  const model = await trainModel(training, { ...options, onProgress: (part) => onProgress(TRAINING_SHARE * part) })
  const rows = compareRows(training, heldOut, await sampleModel(model, options))
  const steps = 4
  let step = 0
  const stepped = () => onProgress(TRAINING_SHARE + ((1 - TRAINING_SHARE) * ++step) / steps)
  const testing = runTwoSampleTest(rows, options).finally(stepped)
  const searching = findNearestRows(rows, options).finally(stepped)
  // Counted here while threads do the above; should it fail, these must not count as unhandled.
  const inThreads = Promise.all([testing, searching])
  inThreads.catch(() => {})
  const shapes = { ...shapesOf(rows), pairs: pairSimilarity(rows) }
  stepped()
  const copies = { synthetic: copyShare(rows, 'synthetic'), heldOut: copyShare(rows, 'heldOut') }
  stepped()
  const [twoSampleTest, nearestRows] = await inThreads
  return {
    trainingRows: training.rowCount,
    heldOutRows: heldOut.rowCount,
    syntheticRows: rows.rowCount.synthetic,
    ...shapes,
    copies,
    twoSampleTest,
    nearestRows,
  }
}

function shapesOf(rows: ComparedRows): Pick<Quality, 'columnShapes' | 'worstColumns'> {
  const columns = rows.columns
    .map((column): ColumnShape => {
      return {
        column: column.name,
        synthetic: columnShape(column, 'heldOut', 'synthetic'),
        training: columnShape(column, 'heldOut', 'training'),
      }
    })
    .filter(({ synthetic, training }) => !Number.isNaN(synthetic) && !Number.isNaN(training))
  const mean = (of: (shape: ColumnShape) => number) =>
    columns.reduce((sum, shape) => sum + of(shape), 0) / columns.length
  return {
    columnShapes:
      columns.length === 0
        ? null
        : { synthetic: mean(({ synthetic }) => synthetic), training: mean(({ training }) => training) },
    // Farthest below what chance does to the column.
    worstColumns: [...columns]
      .sort((a, b) => a.synthetic - a.training - (b.synthetic - b.training))
      .slice(0, WORST_COLUMNS),
  }
}

async function runTwoSampleTest(rows: ComparedRows, options: JobOptions): Promise<TwoSampleTest> {
  const context = twoSampleContext(rows)
  const job = openJob('twoSample', context, options)
  const folds = Array.from({ length: FOLDS }, (_, fold) => fold)
  const areas = await Promise.all(folds.map((fold) => job.run(fold))).finally(() => job.close())
  const n = context.labels.length / 2
  return {
    auc: areas.reduce((sum, area) => sum + area, 0) / FOLDS,
    // Two standard errors of the rank statistic of two samples of one population (Mann and Whitney 1947).
    chance: 2 * Math.sqrt((2 * n + 1) / (12 * n * n)),
    rows: n,
  }
}

async function findNearestRows(rows: ComparedRows, options: JobOptions): Promise<NearestRows> {
  const context = nearestContext(rows)
  const { d } = context
  const queries = context.queries.coordinates.length / d
  const base = context.heldOut.coordinates.length / d
  const job = openJob('nearest', context, options)
  const tasks: Promise<number>[] = []
  for (let firstQuery = 0; firstQuery < queries; firstQuery += QUERIES_PER_TASK) {
    tasks.push(job.run({ firstQuery, endQuery: Math.min(queries, firstQuery + QUERIES_PER_TASK) }))
  }
  const nearer = await Promise.all(tasks).finally(() => job.close())
  return {
    nearerTraining: nearer.reduce((sum, count) => sum + count, 0) / queries,
    chance: 1 / Math.sqrt(queries),
    // A copy of a row that is in the base is nearest to it; that of another row trained on is as near to either base.
    ofCopies: 0.5 + base / rows.rowCount.training / 2,
    queries,
    rows: base,
  }
}
