/**
 * The predictors of a growing tree: its candidate columns in bins, and additive scores of them.
 *
 * n  rows     K  codes of the target     G  target classes
 */

import { type Score, scoreBins } from '../model/additive-score.ts'
import { groupLevels } from '../scores/level-order.ts'
import { MAX_BINS, type TrainingData } from '../scores/training-data.ts'
import type { Predictor } from './row-cells.ts'
import { levelClasses, MAX_CLASSES, orderedClasses, scaleSequence } from './target-classes.ts'

export interface GrowingPredictor extends Predictor {
  /** -1 for a score. */
  readonly column: number
  readonly score: Score | null
  /** Code → bin if the tree must store it, see Tree.groups. */
  readonly groups: Uint16Array | null
  /** Largest code of every bin; null if thresholds compare bins. */
  readonly upper: Uint16Array | null
  /** Ordered levels: the code of every bin. Null if bins and codes have the same sequence. */
  readonly codes: Int32Array | null
}

/**
 * If the target chooses the order of p bins, the best cut between them gains about p / pi by chance: two halves of p normal means,
 * sorted, differ by that much.
 */
const GAIN_PER_CHOSEN_BIN = 1 / Math.PI

/** Candidates first, in their order, then scores. Ordered levels come twice: along the scale, and by membership. */
export function growingPredictors(
  data: TrainingData,
  target: number,
  candidates: Int32Array,
  scores: readonly Score[],
): GrowingPredictor[] {
  const predictors = [...columnPredictors(data, target, candidates), ...scorePredictors(data, scores)]
  const { copies } = data
  if (copies === null) return predictors
  // Gains are counted in copies.
  return predictors.map((one) => ({ ...one, gainPerBin: one.gainPerBin * copies.perEffectiveRow }))
}

function columnPredictors(data: TrainingData, target: number, candidates: Int32Array): GrowingPredictor[] {
  let classes: { classes: Uint8Array; g: number } | null = null
  return Array.from(candidates).flatMap((column): GrowingPredictor[] => {
    const shape = data.columns[column]!
    const { bins, binCount, upper } = data.bins[column]!
    const sequence = shape.kind === 'categorical' ? scaleSequence(data.centers[column]!) : null
    if (bins && sequence) {
      const scale = { column, score: null, ...alongScale(bins, sequence) }
      return binCount <= 3 ? [scale] : [scale, byMembership(column, bins, binCount)]
    }
    if (bins) {
      if (shape.kind === 'categorical') return [byMembership(column, bins, binCount)]
      const kept = { groups: null, upper, codes: null, gainPerBin: 0 }
      return [{ column, score: null, bins, binCount, ordered: true, missing: shape.missing, ...kept }]
    }
    classes ??= targetClasses(data, target)
    const codes = data.codes[column]!
    const groups = groupLevels(
      codes,
      shape.codeCount,
      classes.classes,
      classes.g,
      MAX_BINS / 2,
      data.copies?.perEffectiveRow,
    )
    const groupOfRow = new Uint8Array(codes.length)
    let last = 0
    for (let i = 0; i < codes.length; i++) {
      const group = groups[codes[i]!]!
      groupOfRow[i] = group
      if (group > last) last = group
    }
    const grouped = { bins: groupOfRow, binCount: last + 1, groups }
    const kept = { upper: null, codes: null, gainPerBin: GAIN_PER_CHOSEN_BIN }
    return [{ column, score: null, ...grouped, ordered: true, missing: 0, ...kept }]
  })
}

/** Levels that each node orders by its own rows. */
function byMembership(column: number, bins: Uint8Array, binCount: number): GrowingPredictor {
  const kept = { groups: null, upper: null, codes: null, gainPerBin: GAIN_PER_CHOSEN_BIN }
  return { column, score: null, bins, binCount, ordered: false, missing: 0, ...kept }
}

/** Bins of ordered levels: those off the scale first, then along it. */
function alongScale(codes: Uint8Array, sequence: Int32Array): Omit<GrowingPredictor, 'column' | 'score'> {
  const binOf = new Uint8Array(sequence.length)
  sequence.forEach((code, bin) => {
    binOf[code] = bin
  })
  const bins = codes.map((code) => binOf[code]!)
  return {
    bins,
    binCount: sequence.length,
    ordered: true,
    missing: 0,
    groups: null,
    upper: null,
    codes: sequence,
    gainPerBin: 0,
  }
}

function scorePredictors(data: TrainingData, scores: readonly Score[]): GrowingPredictor[] {
  return scores.map((score) => ({
    column: -1,
    score,
    bins: scoreBins(score, data),
    binCount: 1 + (score.groups ? Math.max(...score.groups) : score.cuts.length),
    ordered: true,
    missing: 0,
    groups: null,
    upper: null,
    codes: null,
    gainPerBin: score.groups ? GAIN_PER_CHOSEN_BIN : 0,
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
      ? orderedClasses(counts, k, codes.length, missing, MAX_CLASSES, classOf)
      : levelClasses(counts, k, present, presentCount, classOf)
  const classes = new Uint8Array(codes.length)
  for (let i = 0; i < codes.length; i++) classes[i] = classOf[codes[i]!]!
  return { classes, g }
}
