/** Trees of an order, grown in threads: the common part of `train.ts` and `train-order.ts`. */

import { neededPredictors } from '../derivations/derived-order.ts'
import type { EncodedColumn, Model, Tree } from '../model/model.ts'
import { MAX_PREDICTORS } from '../scores/screening.ts'
import type { JobOptions, ThreadJob } from '../threads/thread-pool.ts'
import type { TreeTask } from '../trees/tree-job.ts'
import { relatedColumns } from './codings.ts'

export interface TrainOptions extends JobOptions {
  /** 0…1, rising, last 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** Predecessors of a column that screening must keep, whatever the scenario. */
export function alwaysPredictors(
  { derivations, relations }: Pick<Model, 'derivations' | 'relations'>,
  column: number,
): number[] {
  return [...neededPredictors(derivations, column), ...relatedColumns(relations, column)]
}

/**
 * Trees are independent of each other, so the result does not depend on which ends first. All tasks are queued before this returns
 * its promise, the most expensive first, so that the last task to end is a short one.
 *
 * @param onDone 0…1, rising, last 1.
 * @returns a tree per task, in the sequence of the tasks.
 */
export async function growTrees(
  columns: readonly EncodedColumn[],
  tasks: readonly TreeTask[],
  growing: ThreadJob<TreeTask, Tree>,
  onDone: (fraction: number) => void,
): Promise<Tree[]> {
  const costs = tasks.map((task) => treeCost(columns, task))
  const totalCost = costs.reduce((sum, cost) => sum + cost, 0)
  const longestFirst = costs.map((_, i) => i).sort((a, b) => costs[b]! - costs[a]! || a - b)
  const trees = new Array<Tree>(tasks.length)
  let done = 0
  await Promise.all(
    longestFirst.map(async (i) => {
      trees[i] = await growing.run(tasks[i]!)
      done += costs[i]!
      onDone(Math.min(1, done / totalCost))
    }),
  )
  return trees
}

/** A rough estimate of a tree's cost, for scheduling only: predictors times depth; more for numeric targets with up to 16 classes. */
function treeCost(columns: readonly EncodedColumn[], task: TreeTask): number {
  const { kind, codeCount } = columns[task.target]!
  return (
    1 + Math.min(MAX_PREDICTORS, task.predecessors.length) * (kind === 'numeric' ? 4 : 1 + Math.min(3, codeCount / 8))
  )
}
