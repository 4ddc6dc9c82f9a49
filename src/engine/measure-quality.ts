/**
 * How good the model of a table is, measured on rows of the table that a model has not seen: one of the same kind is trained on
 * the others, samples as many rows, and these are compared with the rows held out. Where a figure has a floor (two samples of
 * one population are never equal), the same figure of the rows trained on against those held out is given beside it.
 *
 *   Table ─► split ─► train ─► sample ─► number alike ─► shapes, pairs, copies, rare numbers, correlations,
 *                                   │          │         item blocks, differences
 *                                   │          └───────► two-sample test, nearest rows, propensity (in threads)
 *                                   └─► more rows ─────► membership (in threads)
 *
 * Where rows have weights, synthetic rows are compared with held-out rows drawn by weight, as both follow the population. Copies,
 * nearest rows and membership are about people: for them each row counts once.
 *
 * Deterministic: the same table gives the same figures, on any number of threads.
 */

import type { Block } from '../base/output-table.ts'
import type { Table } from './cleaning/table.ts'
import type { Model } from './model/model.ts'
import { pairSimilarity } from './quality/binned-pairs.ts'
import { type ComparedColumn, type ComparedRows, compareRows, type Part } from './quality/compared-rows.ts'
import { correlationSlope } from './quality/correlations.ts'
import { differenceSlopes } from './quality/difference-slopes.ts'
import { copyShare } from './quality/exact-copies.ts'
import { splitTable } from './quality/held-out-split.ts'
import { itemBlocks } from './quality/item-blocks.ts'
import { attackMultiples, MEMBERSHIP_JOB, membershipContext, scoreAttacks } from './quality/membership.ts'
import { NEAREST_JOB, nearestContext } from './quality/nearest-rows.ts'
import { PROPENSITY_JOB, propensityContext } from './quality/propensity.ts'
import type {
  ColumnShape,
  Measured,
  Membership,
  NearestRows,
  Propensity,
  Quality,
  TwoSampleTest,
} from './quality/quality.ts'
import { rareNumberRows } from './quality/rare-numbers.ts'
import { selfWeighting } from './quality/self-weighting.ts'
import { FOLDS, TWO_SAMPLE_JOB, twoSampleContext } from './quality/two-sample-test.ts'
import { sampleFurther, sampleModel } from './sampling/sample.ts'
import { type JobOptions, openJob } from './threads/thread-pool.ts'
import { trainModel } from './train.ts'

/** With fewer rows every figure is chance. */
export const MIN_MEASURED_ROWS = 200

export interface MeasureOptions extends JobOptions {
  /** 0…1, rising, last 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

const TRAINING_SHARE = 0.5
const WORST_COLUMNS = 3
/** Quantiles of the normal distribution: of a two-sided test at 5 %, and of a power of 80 %. */
const NORMAL_975 = 1.96
const NORMAL_80 = 0.8416
/** Rows of one task of the search for nearest rows. */
const QUERIES_PER_TASK = 250
/** Queries of one task of the attack. They are few, because each is compared with many more rows. */
const ATTACKS_PER_TASK = 50

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
  const sample = await sampleModel(model, options)
  const people = compareRows(training, heldOut, sample)
  const drawn = { training: selfWeighting(training), heldOut: selfWeighting(heldOut) }
  const rows = table.weights ? compareRows(drawn.training, drawn.heldOut, sample) : people
  const steps = 9
  let step = 0
  const stepped = () => onProgress(TRAINING_SHARE + ((1 - TRAINING_SHARE) * ++step) / steps)
  const testing = runTwoSampleTest(rows, options).finally(stepped)
  const searching = findNearestRows(people, options).finally(stepped)
  const guessing = runPropensity(rows, options).finally(stepped)
  const attacking = tryAttacks(people, sample, model, options).finally(stepped)
  // Counted here while threads do the above; should it fail, these must not count as unhandled.
  const inThreads = Promise.all([testing, searching, guessing, attacking])
  inThreads.catch(() => {})
  const shapes = { ...shapesOf(rows), pairs: pairSimilarity(rows) }
  stepped()
  // Copies are counted among rows of the population, each compared with all training rows.
  const seen = table.weights ? compareRows(training, drawn.heldOut, sample) : people
  const copies = { synthetic: copyShare(seen, 'synthetic'), heldOut: copyShare(seen, 'heldOut') }
  const rareNumbers = rareNumberRows(table, people)
  stepped()
  const correlations = correlationSlope(rows)
  stepped()
  const blocks = itemBlocks(rows)
  stepped()
  const differences = differenceSlopes(rows)
  stepped()
  const [twoSampleTest, nearestRows, propensity, membership] = await inThreads
  return {
    trainingRows: training.rowCount,
    heldOutRows: heldOut.rowCount,
    syntheticRows: rows.rowCount.synthetic,
    ...shapes,
    copies,
    rareNumbers,
    twoSampleTest,
    nearestRows,
    correlations,
    itemBlocks: blocks,
    differences,
    propensity,
    membership,
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
    // Farthest below the floor that chance sets for the column.
    worstColumns: [...columns]
      .sort((a, b) => a.synthetic - a.training - (b.synthetic - b.training))
      .slice(0, WORST_COLUMNS),
  }
}

async function runTwoSampleTest(rows: ComparedRows, options: JobOptions): Promise<TwoSampleTest> {
  const context = twoSampleContext(rows)
  const job = openJob(TWO_SAMPLE_JOB, context, options)
  const folds = Array.from({ length: FOLDS }, (_, fold) => fold)
  const areas = await Promise.all(folds.map((fold) => job.run(fold))).finally(() => job.close())
  const n = context.labels.length / 2
  // The standard error of the rank statistic for two samples of one population (Mann and Whitney 1947).
  const standardError = Math.sqrt((2 * n + 1) / (12 * n * n))
  return {
    auc: areas.reduce((sum, area) => sum + area, 0) / FOLDS,
    chance: 2 * standardError,
    detectable: Math.min(1, 0.5 + (NORMAL_975 + NORMAL_80) * standardError),
    rows: n,
  }
}

async function findNearestRows(rows: ComparedRows, options: JobOptions): Promise<NearestRows> {
  const context = nearestContext(rows)
  const { d } = context
  const queries = context.queries.coordinates.length / d
  const base = context.heldOut.coordinates.length / d
  const job = openJob(NEAREST_JOB, context, options)
  const tasks: Promise<number>[] = []
  for (let firstQuery = 0; firstQuery < queries; firstQuery += QUERIES_PER_TASK) {
    tasks.push(job.run({ firstQuery, endQuery: Math.min(queries, firstQuery + QUERIES_PER_TASK) }))
  }
  const nearer = await Promise.all(tasks).finally(() => job.close())
  return {
    nearerTraining: nearer.reduce((sum, count) => sum + count, 0) / queries,
    chance: 1 / Math.sqrt(queries),
    // A copy of a row in the base is nearest to it; a copy of another training row is as near to either base.
    ofCopies: 0.5 + base / rows.rowCount.training / 2,
    queries,
    rows: base,
  }
}

async function runPropensity(rows: ComparedRows, options: JobOptions): Promise<Measured<Propensity>> {
  const job = openJob(PROPENSITY_JOB, propensityContext(rows), options)
  return job.run(null).finally(() => job.close())
}

/** The current rows are the first that the attacker has. */
async function tryAttacks(
  rows: ComparedRows,
  sample: readonly Block[],
  model: Model,
  options: JobOptions,
): Promise<Membership> {
  const { training } = rows.rowCount
  const multiples = attackMultiples(training, rows.columns.length)
  const further = (multiples.at(-1)! - 1) * training
  const context = await membershipContext(rows, multiples, joined(sample, sampleFurther(model, further, options)))
  const queries = context.members + context.others
  const job = openJob(MEMBERSHIP_JOB, context, options)
  const tasks: Promise<Float64Array>[] = []
  for (let firstQuery = 0; firstQuery < queries; firstQuery += ATTACKS_PER_TASK) {
    tasks.push(job.run({ firstQuery, endQuery: Math.min(queries, firstQuery + ATTACKS_PER_TASK) }))
  }
  const distances = await Promise.all(tasks).finally(() => job.close())
  return scoreAttacks(context, Float64Array.from(distances.flatMap((part) => [...part])))
}

async function* joined(first: readonly Block[], then: AsyncIterable<Block>): AsyncGenerator<Block, void, undefined> {
  yield* first
  yield* then
}

/**
 * How alike the distributions of a column are in two parts: 1 - total variation distance of levels, 1 - Kolmogorov-Smirnov
 * statistic of numbers, both without missing values. The definitions are those of "column shapes" in SDMetrics (DataCebo).
 *
 * @returns 0…1, 1 = the same; NaN where one of the parts has no value.
 */
export function columnShape(column: ComparedColumn, a: Part, b: Part): number {
  const counts = [a, b].map((part) => countNumbers(column, part)) as [Int32Array, Int32Array]
  const [rowsA, rowsB] = counts.map((part) => part.reduce((sum, count) => sum + count, -part[0]!)) as [number, number]
  if (rowsA === 0 || rowsB === 0) return Number.NaN
  let below = 0
  let largest = 0
  let variation = 0
  for (let k = 1; k < column.numberCount; k++) {
    const difference = counts[0][k]! / rowsA - counts[1][k]! / rowsB
    below += difference
    if (Math.abs(below) > largest) largest = Math.abs(below)
    variation += Math.abs(difference)
  }
  return 1 - (column.kind === 'numeric' ? largest : variation / 2)
}

function countNumbers(column: ComparedColumn, part: Part): Int32Array {
  const counts = new Int32Array(column.numberCount)
  const rows = column.rows[part]
  for (let i = 0; i < rows.length; i++) counts[rows[i]!]!++
  return counts
}
