/** A tree as it is kept: arrays of their final length, with the predictors and cuts that splits use. */

import type { Tree } from '../model.ts'
import type { Score } from '../scores/additive-score.ts'
import { share, sharedInt16, sharedInt32, sharedUint16 } from '../threads/shared-arrays.ts'
import type { GrowingPredictor } from './growing-predictors.ts'

/** The tree's parallel arrays while they are filled; sized for the most nodes that the leaf size allows. */
export interface Growing {
  readonly feature: Int16Array
  readonly test: Int32Array
  readonly left: Int32Array
  readonly parent: Int32Array
  readonly start: Int32Array
  readonly end: Int32Array
  readonly masks: number[]
  nodes: number
}

/**
 * candidates  see Tree.candidates      predictors  what `feature` counts
 * codes       length n: the target's   rows        length n: the tree's permutation of rows
 */
export function packTree(
  tree: Growing,
  target: number,
  candidates: Int32Array,
  predictors: readonly GrowingPredictor[],
  codes: Uint16Array,
  rows: Int32Array,
): Tree {
  const m = tree.nodes
  const used = [...new Set(tree.feature.subarray(0, m))].filter((f) => f >= 0).sort((a, b) => a - b)
  const feature = sharedInt16(m)
  const nodeInts = [tree.test, tree.left, tree.parent, tree.start, tree.end].map((source) => {
    const copy = sharedInt32(m)
    copy.set(source.subarray(0, m))
    return copy
  }) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]
  const [test, left, parent, start, end] = nodeInts
  const treeCodes = sharedUint16(rows.length)
  for (let i = 0; i < rows.length; i++) treeCodes[i] = codes[rows[i]!]!
  for (let node = 0; node < m; node++) {
    feature[node] = used.indexOf(tree.feature[node]!)
    if (feature[node]! < 0) treeCodes.subarray(start[node]!, end[node]!).sort()
  }
  const columns = used.filter((f) => predictors[f]!.score === null)
  const scores = used
    .slice(columns.length)
    .map((f, s) => withUsedCuts(predictors[f]!.score!, feature, columns.length + s, test))
  return {
    target,
    predictors: share(Int32Array.from(columns, (f) => predictors[f]!.column)),
    scores,
    candidates: share(candidates),
    groups: columns.map((f) => {
      const { groups } = predictors[f]!
      return groups && share(groups)
    }),
    feature,
    test,
    left,
    parent,
    masks: share(Uint32Array.from(tree.masks)),
    start,
    end,
    codes: treeCodes,
  }
}

/** Leaves out the cuts that no node compares with, and numbers the others anew in `test`. */
function withUsedCuts(score: Score, feature: Int16Array, index: number, test: Int32Array): Score {
  const used = new Set<number>()
  for (let node = 0; node < feature.length; node++) if (feature[node] === index) used.add(test[node]!)
  const cuts = [...used].sort((a, b) => a - b)
  for (let node = 0; node < feature.length; node++) if (feature[node] === index) test[node] = cuts.indexOf(test[node]!)
  return { ...score, cuts: share(Float64Array.from(cuts, (cut) => score.cuts[cut]!)) }
}
