/**
 * Scores within the two groups of a binary column: regressions of each group's rows alone.
 *
 * If effects differ between the groups, one regression for both blurs them. The tree splits on the column, and below it on the
 * score of each group: linear models in the branches (Quinlan's M5, 1992). Without these scores a tree needs leaves for the
 * difference, and small leaves copy training rows. docs/engine.md has their effect on two tables.
 */

import type { Score } from '../model/additive-score.ts'
import { type Regression, ScoreFitting } from './fit-scores.ts'
import type { Screening } from './screening.ts'
import type { TrainingData } from './training-data.ts'

/** Least rows of a group: about as many as a regression on 20 columns has features. */
const MIN_GROUP_ROWS = 200
/** Least codes of a target: with fewer, a group's score can hardly move it. */
const MIN_TARGET_CODES = 16
/** Most binary columns that are tried, the most informative first: a column without an effect seldom changes others' effects. */
const MAX_TRIED = 3
/** The group regressions must reduce the unexplained part of the joint regression by at least this share. */
const MIN_GAIN = 0.02

export class GroupScores {
  readonly #data: TrainingData
  readonly #screening: Screening
  readonly #both: ScoreFitting
  /** By column: rows among those that `#both` reads, for comparison with it. */
  readonly #compared = new Map<number, readonly ScoreFitting[]>()
  /** By column: as many rows of each group as one regression reads. */
  readonly #groups = new Map<number, readonly ScoreFitting[]>()
  /** Columns of two codes that both have enough rows. */
  #binary: ReadonlySet<number> | null = null

  constructor(data: TrainingData, screening: Screening, both: ScoreFitting) {
    this.#data = data
    this.#screening = screening
    this.#both = both
  }

  /**
   * The scores of both groups of the binary candidate whose groups differ most; none if they gain too little.
   *
   * candidates  ascending
   * both        the regression of the target on them without groups
   */
  fit(target: number, candidates: Int32Array, both: Regression | null): Score[] {
    const { codeCount } = this.#data.columns[target]!
    if (both === null || codeCount < MIN_TARGET_CODES || !this.#data.centers[target]) return []
    let least = 1 - MIN_GAIN
    let best: number | null = null
    for (const column of this.#tried(target, candidates)) {
      const groups = this.#groupsOf(column, this.#compared, this.#both.rows)
      const others = candidates.filter((c) => c !== column)
      const regressions = groups.map((group) => group.regress(target, others))
      const left = shareLeft(both, regressions, groups)
      if (left < least) [least, best] = [left, column]
    }
    if (best === null) return []
    const others = candidates.filter((c) => c !== best)
    const groups = this.#groupsOf(best, this.#groups, null)
    return groups.flatMap((group) => group.scores(target, group.regress(target, others)))
  }

  #tried(target: number, candidates: Int32Array): number[] {
    this.#binary ??= new Set(Array.from(this.#data.columns.keys()).filter((column) => this.#isBinary(column)))
    const binary = Array.from(candidates).filter((column) => this.#binary!.has(column))
    return binary.length <= MAX_TRIED ? binary : this.#screening.closest(target, binary).slice(0, MAX_TRIED)
  }

  #isBinary(column: number): boolean {
    if (this.#data.columns[column]!.codeCount !== 2) return false
    const codes = this.#data.codes[column]!
    const { rows, worth } = this.#both
    const ones = rows.reduce((sum, row) => sum + codes[row]!, 0)
    return Math.min(ones, rows.length - ones) * worth >= MIN_GROUP_ROWS
  }

  /** @param rows The source of the groups; null: all rows. */
  #groupsOf(column: number, known: Map<number, readonly ScoreFitting[]>, rows: Int32Array | null) {
    const made = known.get(column) ?? [0, 1].map((code) => ScoreFitting.ofGroup(this.#data, { column, code, rows }))
    known.set(column, made)
    return made
  }
}

/** The unexplained part of the group regressions relative to that of the joint one, for the response that gains most. */
function shareLeft(both: Regression, regressions: readonly (Regression | null)[], groups: readonly ScoreFitting[]) {
  const rows = groups.reduce((sum, group) => sum + group.rows.length, 0)
  const shares = both.unexplained.map((whole, r) => {
    const left = groups.reduce((sum, group, g) => {
      return sum + (group.rows.length / rows) * (regressions[g]?.unexplained[r] ?? Infinity)
    }, 0)
    return whole > 0 ? left / whole : 1
  })
  return Math.min(...shares)
}
