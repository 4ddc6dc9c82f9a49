/**
 * The result of training and the input of sampling: column dictionaries, binned codes, and one classification tree per column.
 *
 * n  rows of the training sample (`rowCount`)     N  clean rows of the seed file (`seedRows`)
 * d  columns                                      K  codes of a column (`codeCount`)
 * V  distinct values of a numeric column          B  its bins
 * m  nodes of a tree                              F  predictors of a tree, S  its scores
 *
 * All arrays of a trained or decoded model are views on SharedArrayBuffers: worker threads read them without copies.
 * Nobody writes to them after training.
 */

import type { Rule } from '../../base/rules/rule.ts'
import type { SurveyDesign } from '../weighting/survey-design.ts'
import { type Score, scoreBin } from './additive-score.ts'
import type { Derivation } from './derivation.ts'
import type { EncodedColumn } from './encoded-column.ts'
import type { Relation } from './relation.ts'

export type { SurveyDesign } from '../weighting/survey-design.ts'
export type { EncodedCategorical, EncodedColumn, EncodedNumeric } from './encoded-column.ts'

/** Codes are 16-bit. A column with more levels than this cannot be modelled; cleaning drops it. */
export const MAX_LEVELS = 65_535

/** Rows of a block: the unit of random numbers (see random.ts). */
export const BLOCK_ROWS = 1024

export interface Model {
  readonly seedRows: number
  readonly rowCount: number
  /** d columns in the table's order; a "column index" anywhere in the engine is an index into this array. */
  readonly columns: readonly EncodedColumn[]
  /** d arrays of length n: the binned training sample, for orders on demand and for evidence counts. */
  readonly codes: readonly Uint16Array[]
  /**
   * d arrays of length n, or null: which of the values of its bin a row has, counted from 0. With them estimates and counts use the
   * seed's own numbers. Null for categorical columns, and where each bin is one value. Absent in models of earlier versions.
   */
  readonly positions?: readonly (Uint16Array | null)[] | undefined
  /** Length n: case weights, mean 1; absent where all rows count alike. */
  readonly weights?: Float64Array | undefined
  /** How the rows were drawn; absent where nobody said. */
  readonly design?: SurveyDesign | undefined
  /**
   * How much stricter its trees are about splits and leaf sizes (see grow-tree.ts): 0 unless rows would otherwise be copied.
   * Orders on demand use the same value.
   */
  readonly strictness: number
  /** The order without conditions. */
  readonly base: Order
  /** At most one formula per column; without cycles. */
  readonly derivations: readonly Derivation[]
  /** Relations between columns that do not determine each other. */
  readonly relations: readonly Relation[]
  /** What the author of the seed says that rows follow, by column index; absent: nothing. */
  readonly rules?: readonly Rule<number>[] | undefined
}

/** A sequence of all d columns, each with a tree that predicts it from columns before it. */
export interface Order {
  /** Length d: column indices, first sampled first. */
  readonly columns: Int32Array
  /** The first `conditioned` columns are those of a scenario; 0 in the base order. */
  readonly conditioned: number
  /**
   * trees[i] predicts columns[i]; its predictors are among columns[0 … i - 1]. Length d; of an order from which no row is sampled
   * (`frontFor`), only as many as are conditioned.
   */
  readonly trees: readonly Tree[]
}

/**
 * A classification tree as parallel arrays. Node 0 is the root; the children of node v are left[v] and left[v] + 1, and
 * children always have higher numbers than their parent.
 *
 * Training rows are permuted so that every node, inner or leaf, holds one contiguous range start[v] … end[v] - 1 of
 * `codes`. Prefix sums over `codes` therefore give any node's mass of any set of codes, and a uniform draw from a range is a
 * draw from that node's distribution. Within a leaf the codes ascend (no row identity is left).
 */
export interface Tree {
  /** Column index of the predicted column. */
  readonly target: number
  /**
   * Index of the model's relation that codes the tree's target; absent when the tree predicts the target's own codes.
   * training/codings.ts defines the meaning of its `codes` then.
   */
  readonly relation?: number
  /** Length F: column indices of the predictors that occur in some split, ascending. */
  readonly predictors: Int32Array
  /** Additive scores of candidates that occur in some split: S more predictors, numbered from F on. */
  readonly scores: readonly Score[]
  /** The columns that growing could choose from, used or not; ascending. */
  readonly candidates: Int32Array
  /**
   * Length F: null, or code → group where a categorical predictor with many levels is used through a target-specific
   * ordering of its levels (Coppersmith, Hong, Hosking 1999); splits then compare the group instead of the code.
   */
  readonly groups: readonly (Uint16Array | null)[]
  /** Length m: index into `predictors`, F + s for score s; -1 marks a leaf. */
  readonly feature: Int16Array
  /**
   * Length m. 0 or more: rows whose code (or group, or score's bin) is at most this go left. Negative: ~test is an offset into `masks`;
   * rows for whose code c bit c & 31 of masks[~test + (c >>> 5)] is set go left. Arbitrary in leaves.
   */
  readonly test: Int32Array
  /** Length m: left child; 0 in leaves. */
  readonly left: Int32Array
  /** Length m: parent; -1 at the root. */
  readonly parent: Int32Array
  readonly masks: Uint32Array
  /** Length m each: row ranges, end exclusive. */
  readonly start: Int32Array
  readonly end: Int32Array
  /** Length n, or copies of the rows where they have weights: codes of the target column in tree order. */
  readonly codes: Uint16Array
}

/** The leaf that a row's codes lead to; codes[c] is the row's code in column c. For single rows: clear, not fast. */
export function leafOf(tree: Tree, codes: ArrayLike<number>): number {
  const f = tree.predictors.length
  let node = 0
  // A branch tends to split on the same score again.
  let scored = -1
  let bin = 0
  for (;;) {
    const feature = tree.feature[node]!
    if (feature < 0) return node
    if (feature >= f && feature !== scored) {
      scored = feature
      bin = scoreBin(tree.scores[feature - f]!, codes)
    }
    const code = feature >= f ? bin : codes[tree.predictors[feature]!]!
    node = tree.left[node]! + (goesLeft(tree, node, feature, code) ? 0 : 1)
  }
}

/** Whether a code of the node's split column, or a bin of its score, goes to the left child. */
export function goesLeft(tree: Tree, node: number, feature: number, code: number): boolean {
  const test = tree.test[node]!
  if (test < 0) return ((tree.masks[~test + (code >>> 5)]! >>> (code & 31)) & 1) === 1
  const groups = tree.groups[feature]
  return (groups ? groups[code]! : code) <= test
}
