/** A tree in its stored form: arrays of their final length, with the predictors and cuts that splits use. */

import type { Score } from '../model/additive-score.ts'
import type { Tree } from '../model/model.ts'
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
  const used = usedFeatures(tree, predictors.length)
  const nodeInts = [tree.test, tree.left, tree.parent, tree.start, tree.end].map((source) => {
    const copy = sharedInt32(m)
    copy.set(source.subarray(0, m))
    return copy
  }) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]
  const [test, left, parent, start, end] = nodeInts
  const feature = renumbered(tree, used, predictors.length)
  const treeCodes = codesInOrder(codes, rows)
  sortLeaves(treeCodes, feature, start, end)
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

/** Ascending. */
function usedFeatures({ feature, nodes }: Growing, F: number): number[] {
  const isUsed = new Uint8Array(F)
  for (let node = 0; node < nodes; node++) if (feature[node]! >= 0) isUsed[feature[node]!] = 1
  return Array.from(isUsed.keys()).filter((f) => isUsed[f] === 1)
}

/** Features as indices into `used`. */
function renumbered({ feature, nodes }: Growing, used: readonly number[], F: number): Int16Array {
  const indexOf = new Int16Array(F)
  used.forEach((f, index) => {
    indexOf[f] = index
  })
  const out = sharedInt16(nodes)
  for (let node = 0; node < nodes; node++) out[node] = feature[node]! < 0 ? -1 : indexOf[feature[node]!]!
  return out
}

function codesInOrder(codes: Uint16Array, rows: Int32Array): Uint16Array {
  const out = sharedUint16(rows.length)
  for (let i = 0; i < rows.length; i++) out[i] = codes[rows[i]!]!
  return out
}

function sortLeaves(codes: Uint16Array, feature: Int16Array, start: Int32Array, end: Int32Array): void {
  for (let node = 0; node < feature.length; node++) {
    if (feature[node]! < 0) codes.subarray(start[node]!, end[node]!).sort()
  }
}

/** Drops the cuts that no node uses, and renumbers the others in `test`. */
function withUsedCuts(score: Score, feature: Int16Array, index: number, test: Int32Array): Score {
  const used = new Set<number>()
  for (let node = 0; node < feature.length; node++) if (feature[node] === index) used.add(test[node]!)
  const cuts = [...used].sort((a, b) => a - b)
  for (let node = 0; node < feature.length; node++) if (feature[node] === index) test[node] = cuts.indexOf(test[node]!)
  if (score.groups)
    return { ...score, groups: share(score.groups.map((group) => cuts.filter((cut) => cut < group).length)) }
  return { ...score, cuts: share(Float64Array.from(cuts, (cut) => score.cuts[cut]!)) }
}
