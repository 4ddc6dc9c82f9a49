/**
 * Trains a model: encodes the columns, then grows one tree per column in the base order, and stricter ones where the rows of
 * these would copy the table. Trees are independent of each other given the codes, so columns are trained in parallel; the
 * model is the same for any number of threads.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Table } from './cleaning/table.ts'
import { bandEdges } from './derivations/band-edges.ts'
import { declaredFormulas } from './derivations/declared-formulas.ts'
import { placeDerived } from './derivations/derived-order.ts'
import { detectFormulas } from './derivations/detect-formulas.ts'
import { findRecodings } from './derivations/find-recodings.ts'
import { checkTable, ENCODE_JOB, type Encoded, encodeWithEdges } from './encoding/encode.ts'
import type { Formula } from './model/derivation.ts'
import type { EncodedColumn, Model } from './model/model.ts'
import { CopyLimit } from './quality/copy-limit.ts'
import { findRelations } from './relations/find-relations.ts'
import { formulasOfRules } from './relations/rule-bounds.ts'
import { type TrainingData, trainingData } from './scores/training-data.ts'
import { share } from './threads/shared-arrays.ts'
import { openJob } from './threads/thread-pool.ts'
import { codedTargets, withCodings } from './training/codings.ts'
import { baseOrder } from './training/column-order.ts'
import { alwaysPredictors, growTrees, type TrainOptions } from './training/grow-trees.ts'
import { MAX_STRICTNESS } from './trees/growth-limits.ts'
import { TREE_JOB } from './trees/tree-job.ts'

/** Encoding is about this part of the work. */
const ENCODING_SHARE = 0.1

/** Numeric cells: about 10 ms. */
const MAX_CELLS_ENCODED_HERE = 65_536

/** A table as codes, and its properties before any tree is grown. */
export interface EncodedTable
  extends Pick<
    Model,
    | 'seedRows'
    | 'rowCount'
    | 'columns'
    | 'codes'
    | 'positions'
    | 'weights'
    | 'design'
    | 'derivations'
    | 'relations'
    | 'rules'
  > {
  readonly table: Table
  /** The input of growing. */
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
  const job = openJob(ENCODE_JOB, null, options)
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
  const declared = declaredFormulas(table)
  const stated = [...declared, ...formulasOfRules(table, declared)]
  const formulas = [...stated, ...detectFormulas(table, stated)]
  await inThreads
  const columns = parts.map((part) => part.column).map((column, c) => onLattice(column, c, declared, table))
  const codes = parts.map((part) => part.codes)
  const positions = parts.map((part) => part.positions)
  const derivations = [...formulas, ...findRecodings(columns, codes, formulas)]
  await nextTurn()
  const relations = findRelations(table, columns, formulas)
  const { seedRows, rowCount, weights, design } = table
  const data = trainingData(columns, codes, weights)
  const drawn = { ...(weights && { weights }), ...(design && { design }) }
  const ruled = table.rules?.length ? { rules: table.rules } : {}
  return { table, seedRows, rowCount, columns, codes, positions, ...drawn, derivations, relations, ...ruled, data }
}

/** A mean of whole numbers has no value between two that the seed has: the items could not give it. */
function onLattice(column: EncodedColumn, c: number, declared: readonly Formula[], { columns }: Table): EncodedColumn {
  if (column.kind !== 'numeric' || !column.jitter) return column
  const formula = declared.find(({ target, form }) => target === c && form === 'mean')
  const isOfWholes = formula?.sources.every((source) => {
    const item = columns[source.column]!
    return item.kind === 'categorical' || item.decimals === 0
  })
  return isOfWholes ? { ...column, jitter: false } : column
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
  const { codings, targets } = codedTargets(known, order, 0)
  const tasks = order.map((target, i) => ({
    target,
    predecessors: order.slice(0, i),
    coded: targets[i]!,
    always: alwaysPredictors(known, target),
    scores: true,
  }))
  const growing = openJob(TREE_JOB, withCodings(data, known.columns, known.relations, codings), options)
  let from = ENCODING_SHARE
  let to = 1
  const grow = async (strictness: number): Promise<Model> => {
    const done = (part: number) => onProgress(from + (to - from) * part)
    const strict = tasks.map((task) => ({ ...task, strictness }))
    const trees = await growTrees(known.columns, strict, growing, done)
    return { ...known, strictness, base: { columns: share(Int32Array.from(order)), conditioned: 0, trees } }
  }
  try {
    const first = grow(0)
    const limit = CopyLimit.of(table, known.codes)
    if (limit === null) return await first
    // The number of further growths is unknown: each reports half of the remainder.
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
