/** Growing the tree of one column, as a job for worker threads: predictors are screened and scores fitted in the thread. */

import type { Tree } from '../model/model.ts'
import { CrossingSearch } from '../scores/find-crossings.ts'
import { ScoreFitting } from '../scores/fit-scores.ts'
import { GroupScores } from '../scores/group-scores.ts'
import { Screening } from '../scores/screening.ts'
import type { TrainingData } from '../scores/training-data.ts'
import type { JobKind } from '../threads/crew.ts'
import { growTree } from './grow-tree.ts'

/** A coding of the training data that replaces a column's own codes (see training/codings.ts). */
export interface CodedTarget {
  /** Its place behind the columns. */
  readonly column: number
  readonly relation: number
}

export interface TreeTask {
  readonly target: number
  /** The coding that the tree predicts; null for the target's own codes. */
  readonly coded: CodedTarget | null
  /** Column indices. */
  readonly predecessors: readonly number[]
  /** Predecessors that screening must not drop. */
  readonly always: readonly number[]
  /** Whether the tree may split on additive scores. */
  readonly scores: boolean
  /** See Model.strictness. */
  readonly strictness: number
}

export const TREE_JOB: JobKind<TrainingData, TreeTask, Tree> = {
  name: 'tree',
  prepare: (data) => {
    const screening = new Screening(data)
    const fitting = new ScoreFitting(data)
    const groups = new GroupScores(data, screening, fitting)
    const crossings = new CrossingSearch(data)
    return ({ target, coded, predecessors, always, scores, strictness }) => {
      const candidates = screening.predictors(target, predecessors, always)
      const column = coded?.column ?? target
      const regression = scores ? fitting.regress(column, candidates) : null
      const fitted = scores
        ? [
            ...fitting.scores(column, regression),
            ...groups.fit(column, candidates, regression),
            ...crossings.find(column, candidates),
          ]
        : []
      const tree = growTree(data, column, candidates, fitted, strictness)
      return coded ? { ...tree, target, relation: coded.relation } : tree
    }
  },
}
