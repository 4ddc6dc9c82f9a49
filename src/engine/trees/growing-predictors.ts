/**
 * What a tree may split on: its candidate columns in bins, and additive scores of them.
 *
 * n  rows     K  codes of the target     G  target classes
 */

import { type Score, scoreBins } from '../scores/additive-score.ts'
import type { TrainingData } from '../training-data.ts'
import { groupLevels } from './level-order.ts'
import { MAX_BINS, type Predictor } from './split-search.ts'
import { levelClasses, MAX_CLASSES, orderedClasses } from './target-classes.ts'

export interface GrowingPredictor extends Predictor {
  /** -1 for a score. */
  readonly column: number
  readonly score: Score | null
  /** Code → bin where the tree has to keep it, see Tree.groups. */
  readonly groups: Uint16Array | null
  /** Largest code of every bin; null where thresholds compare bins. */
  readonly upper: Uint16Array | null
}

/** Candidates first, in their order, then scores. */
export function growingPredictors(
  data: TrainingData,
  target: number,
  candidates: Int32Array,
  scores: readonly Score[],
): GrowingPredictor[] {
  return [...columnPredictors(data, target, candidates), ...scorePredictors(data, scores)]
}

function columnPredictors(data: TrainingData, target: number, candidates: Int32Array): GrowingPredictor[] {
  let classes: { classes: Uint8Array; g: number } | null = null
  return Array.from(candidates, (column) => {
    const shape = data.columns[column]!
    const { bins, binCount, upper } = data.bins[column]!
    if (bins) {
      const ordered = shape.kind === 'numeric'
      const kept = { groups: null, upper: ordered ? upper : null }
      return { column, score: null, bins, binCount, ordered, missing: shape.missing, ...kept }
    }
    classes ??= targetClasses(data, target)
    const codes = data.codes[column]!
    const groups = groupLevels(codes, shape.codeCount, classes.classes, classes.g, MAX_BINS / 2)
    const groupOfRow = new Uint8Array(codes.length)
    let last = 0
    for (let i = 0; i < codes.length; i++) {
      const group = groups[codes[i]!]!
      groupOfRow[i] = group
      if (group > last) last = group
    }
    const grouped = { bins: groupOfRow, binCount: last + 1, groups }
    return { column, score: null, ...grouped, ordered: true, missing: 0, upper: null }
  })
}

function scorePredictors(data: TrainingData, scores: readonly Score[]): GrowingPredictor[] {
  return scores.map((score) => ({
    column: -1,
    score,
    bins: scoreBins(score, data),
    binCount: score.cuts.length + 1,
    ordered: true,
    missing: 0,
    groups: null,
    upper: null,
  }))
}

/** Classes of the target over the whole table. */
function targetClasses(data: TrainingData, target: number): { classes: Uint8Array; g: number } {
  const { kind, codeCount: k, missing } = data.columns[target]!
  const codes = data.codes[target]!
  const counts = new Int32Array(k)
  const present = new Int32Array(k)
  let presentCount = 0
  for (let i = 0; i < codes.length; i++) if (counts[codes[i]!]!++ === 0) present[presentCount++] = codes[i]!
  const classOf = new Uint8Array(Math.max(k, MAX_CLASSES))
  const g =
    kind === 'numeric'
      ? orderedClasses(counts, k, codes.length, missing, classOf)
      : levelClasses(counts, k, present, presentCount, classOf)
  const classes = new Uint8Array(codes.length)
  for (let i = 0; i < codes.length; i++) classes[i] = classOf[codes[i]!]!
  return { classes, g }
}
