/**
 * Trains a model: encodes the columns, then grows one tree per column in the base order, and stricter ones where the rows of
 * these would copy the table. Trees are independent of each other given the codes, so columns are trained in parallel; the
 * model is the same for any number of threads.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Table } from './cleaning/table.ts'
import { bandEdges } from './derivations/band-edges.ts'
import { neededPredictors, placeDerived } from './derivations/derived-order.ts'
import { detectFormulas } from './derivations/detect-formulas.ts'
import { findRecodings } from './derivations/find-recodings.ts'
import { checkTable, type Encoded, encodeWithEdges } from './encoding/encode.ts'
import type { Model, Order } from './model/model.ts'
import { CopyLimit } from './quality/copy-limit.ts'
import { findRelations } from './relations/find-relations.ts'
import { type ColumnShape, type TrainingData, trainingData } from './scores/training-data.ts'
import { type Job, type JobOptions, openJob } from './threads/thread-pool.ts'
import type { ToldTarget, TreeTask } from './threads/thread-tasks.ts'
import { relatedColumns, toldColumns, withCodings } from './training/codings.ts'
import { baseOrder, MAX_PREDICTORS } from './training/column-order.ts'
import { MAX_STRICTNESS } from './trees/growth-limits.ts'

export interface TrainOptions extends JobOptions {
  /** 0…1, rising, last 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** Encoding is about this part of the work. */
const ENCODING_SHARE = 0.1

/** Numeric cells: about 10 ms. */
const MAX_CELLS_ENCODED_HERE = 65_536

/** A table as codes, and what is known of it before any tree is grown. */
export interface EncodedTable
  extends Pick<Model, 'seedRows' | 'rowCount' | 'columns' | 'codes' | 'derivations' | 'relations'> {
  readonly table: Table
  /** What growing reads. */
  readonly data: TrainingData
}

/**
 * @throws RangeError when the table is empty or contradicts itself; the signal's reason when aborted.
 */
export async function trainModel(table: Table, options: TrainOptions): Promise<Model> {
  return await growModel(await encodeTable(table, options), options)
}

/** The first part of `trainModel`. */
export async function encodeTable(table: Table, options: TrainOptions): Promise<EncodedTable> {
  const { onProgress = () => {} } = options
  checkTable(table)
  const edges = bandEdges(table)
  const job = openJob('encode', null, options)
  const isSent = sentColumns(table)
  let done = 0
  const encoded = (part: Encoded): Encoded => {
    onProgress((ENCODING_SHARE * ++done) / table.columns.length)
    return part
  }
  const tasks = table.columns.map((column, c) => ({ column, edges: edges[c]! }))
  const parts = new Array<Encoded>(tasks.length)
  const inThreads = Promise.all(
    tasks.map(async (task, c) => {
      if (isSent[c]) parts[c] = encoded(await job.run(task))
    }),
  ).finally(() => job.close())
  // Awaited below; should it fail before, it must not count as unhandled.
  inThreads.catch(() => {})
  for (const [c, task] of tasks.entries()) {
    if (isSent[c]) continue
    // A thread that is done with a column gets its next one in between.
    await nextTurn()
    parts[c] = encoded(encodeWithEdges(task))
  }
  await nextTurn()
  const formulas = detectFormulas(table)
  await inThreads
  const columns = parts.map((part) => part.column)
  const codes = parts.map((part) => part.codes)
  const derivations = [...formulas, ...findRecodings(columns, codes, formulas)]
  await nextTurn()
  const relations = findRelations(table, columns, formulas)
  const { seedRows, rowCount } = table
  return { table, seedRows, rowCount, columns, codes, derivations, relations, data: trainingData(columns, codes) }
}

/**
 * Which columns are encoded in threads: numeric ones, whose values are sorted, where there are many. Copying a column and waking
 * a thread for it takes longer than encoding levels does.
 */
function sentColumns({ columns, rowCount }: Table): boolean[] {
  const numeric = columns.filter(({ kind }) => kind === 'numeric').length
  const areSent = numeric * rowCount > MAX_CELLS_ENCODED_HERE
  return columns.map(({ kind }) => areSent && kind === 'numeric')
}

/**
 * The second part of `trainModel`. All trees have been asked for when this returns its promise.
 *
 * Where the rows of the model equal rows of the table more often than new rows would, the least strictness at which they do not
 * is looked for (by bisection: it takes two more growths). Most tables have rows too diverse to ask.
 */
export async function growModel(encoded: EncodedTable, options: TrainOptions): Promise<Model> {
  const { onProgress = () => {} } = options
  const { table, data, ...known } = encoded
  const order = placeDerived(baseOrder(known.columns, known.relations), 0, known.derivations)
  const told = toldColumns(known, order, 0)
  const growing = openJob('tree', withCodings(data, known.columns, known.relations, told.codings), options)
  let from = ENCODING_SHARE
  let to = 1
  const grow = async (strictness: number): Promise<Model> => {
    const done = (part: number) => onProgress(from + (to - from) * part)
    return { ...known, strictness, base: await growBase(encoded, order, told.tasks, strictness, growing, done) }
  }
  try {
    const first = grow(0)
    const limit = CopyLimit.of(table, known.codes)
    if (limit === null) return await first
    // Whether more follow is not known yet: each takes half of what is left.
    to = (from + to) / 2
    let found = await first
    let copying = 0
    let step = (await limit.isExceeded(found, options, { surely: true })) ? (MAX_STRICTNESS + 1) / 2 : 0
    for (; step >= 1; step /= 2) {
      from = to
      to = (from + 1) / 2
      const model = await grow(copying + step)
      // The strictest is taken in any case.
      const isExceeded =
        model.strictness < MAX_STRICTNESS && (await limit.isExceeded(model, options, { surely: false }))
      if (isExceeded) copying = model.strictness
      else found = model
    }
    onProgress(1)
    return found
  } finally {
    growing.close()
  }
}

/**
 * told    see toldColumns
 * onDone  0…1, rising, last 1
 */
async function growBase(
  { columns, derivations, relations }: EncodedTable,
  order: readonly number[],
  told: readonly (ToldTarget | null)[],
  strictness: number,
  growing: Job<'tree'>,
  onDone: (fraction: number) => void,
): Promise<Order> {
  const tasks = order.map((target, i) => ({
    target,
    predecessors: order.slice(0, i),
    told: told[i]!,
    always: [...neededPredictors(derivations, target), ...relatedColumns(relations, target)],
    scores: true,
    strictness,
  }))
  const costs = tasks.map((task) => treeCost(columns, task))
  const totalCost = costs.reduce((sum, cost) => sum + cost, 0)
  let done = 0
  const byCost = longestFirst(costs)
  const trees = await Promise.all(
    byCost.map(async (i) => {
      const tree = await growing.run(tasks[i]!)
      done += costs[i]!
      onDone(done >= totalCost ? 1 : done / totalCost)
      return { i, tree }
    }),
  )
  return {
    columns: sharedOrder(order),
    conditioned: 0,
    trees: trees.sort((a, b) => a.i - b.i).map(({ tree }) => tree),
  }
}

/** A rough guess at a tree's cost, for scheduling only: predictors times depth, numeric targets, with up to 16 classes, more. */
export function treeCost(columns: readonly ColumnShape[], task: TreeTask): number {
  const { kind, codeCount } = columns[task.target]!
  return (
    1 + Math.min(MAX_PREDICTORS, task.predecessors.length) * (kind === 'numeric' ? 4 : 1 + Math.min(3, codeCount / 8))
  )
}

/** Indices by falling cost, ties by index: the last task to end is then a short one. */
export function longestFirst(costs: readonly number[]): number[] {
  return costs.map((_, i) => i).sort((a, b) => costs[b]! - costs[a]! || a - b)
}

export function sharedOrder(order: readonly number[]): Int32Array {
  const columns = new Int32Array(new SharedArrayBuffer(4 * order.length))
  columns.set(order)
  return columns
}
