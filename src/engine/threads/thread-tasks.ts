/**
 * What worker threads can do. A job has a kind and a context that is sent to each thread once; its tasks are small.
 * Everything sent is plain data and typed arrays (shared ones arrive without copies).
 */

import { type Encoded, type EncodeTask, encodeWithEdges } from '../encoding/encode.ts'
import type { Tree } from '../model/model.ts'
import {
  type MembershipContext,
  type MembershipResult,
  type MembershipTask,
  nearestSynthetic,
} from '../quality/membership.ts'
import { countNearer, type NearestContext, type NearestResult, type NearestTask } from '../quality/nearest-rows.ts'
import { measurePropensity } from '../quality/propensity.ts'
import type { PropensityContext } from '../quality/propensity-terms.ts'
import type { Measured, Propensity } from '../quality/quality.ts'
import { type TwoSampleContext, testFold } from '../quality/two-sample-test.ts'
import { type SampleBatch, type SampleContext, type SampledBlock, sampleBatches } from '../sampling/sample-batch.ts'
import { CrossingSearch } from '../scores/find-crossings.ts'
import { ScoreFitting } from '../scores/fit-scores.ts'
import { GroupScores } from '../scores/group-scores.ts'
import type { TrainingData } from '../scores/training-data.ts'
import { Screening } from '../training/column-order.ts'
import { growTree } from '../trees/grow-tree.ts'

/** A coding of the training data in place of a column. */
export interface ToldTarget {
  /** Its place behind the columns. */
  readonly column: number
  readonly relation: number
}

export interface TreeTask {
  readonly target: number
  /** By what the tree tells its target; null for the target's own codes. */
  readonly told: ToldTarget | null
  /** Column indices. */
  readonly predecessors: readonly number[]
  /** Predecessors that screening must not drop. */
  readonly always: readonly number[]
  /** Whether the tree may split on additive scores. */
  readonly scores: boolean
  /** See Model.strictness. */
  readonly strictness: number
}

/** Kind → [context, task, result]. */
export interface JobKinds {
  encode: [null, EncodeTask, Encoded]
  tree: [TrainingData, TreeTask, Tree]
  sample: [SampleContext, SampleBatch, SampledBlock]
  /** A fold; the area under its curve. */
  twoSample: [TwoSampleContext, number, number]
  nearest: [NearestContext, NearestTask, NearestResult]
  propensity: [PropensityContext, null, Measured<Propensity>]
  membership: [MembershipContext, MembershipTask, MembershipResult]
}

export type JobKind = keyof JobKinds
export type Context<K extends JobKind> = JobKinds[K][0]
export type Task<K extends JobKind> = JobKinds[K][1]
export type TaskResult<K extends JobKind> = JobKinds[K][2]

/** Makes a context ready for its tasks; what is prepared here is kept for all tasks of the job in this thread. */
export const JOB_KINDS: { readonly [K in JobKind]: (context: Context<K>) => (task: Task<K>) => TaskResult<K> } = {
  encode: () => encodeWithEdges,
  tree: (data) => {
    const screening = new Screening(data)
    const fitting = new ScoreFitting(data)
    const groups = new GroupScores(data, screening, fitting)
    const crossings = new CrossingSearch(data)
    return ({ target, told, predecessors, always, scores, strictness }) => {
      const candidates = screening.predictors(target, predecessors, always)
      const column = told?.column ?? target
      const regression = scores ? fitting.regress(column, candidates) : null
      const fitted = scores
        ? [
            ...fitting.scores(column, regression),
            ...groups.fit(column, candidates, regression),
            ...crossings.find(column, candidates),
          ]
        : []
      const tree = growTree(data, column, candidates, fitted, strictness)
      return told ? { ...tree, target, relation: told.relation } : tree
    }
  },
  sample: sampleBatches,
  twoSample: testFold,
  nearest: countNearer,
  propensity: (context) => () => measurePropensity(context),
  membership: nearestSynthetic,
}
