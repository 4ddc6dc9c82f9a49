/**
 * Scores within the two groups of a binary column: regressions of each group's rows alone.
 *
 * Where effects differ between the groups, one regression for both blurs them. The tree splits on the column, and below it on
 * the score of its group: linear models in the branches (Quinlan's M5, 1992). Without them a tree needs leaves for it, and small
 * leaves copy training rows. ARCHITECTURE.md has what they change on three tables.
 */

import type { Screening } from '../order.ts'
import type { TrainingData } from '../training-data.ts'
import type { Score } from './additive-score.ts'
import { ScoreFitting } from './fit-scores.ts'

/** A group has at least this many rows: about as many as a regression on 20 columns has features. */
const MIN_GROUP_ROWS = 200
/** Targets of fewer codes have few places for a group's score to move them to. */
const MIN_TARGET_CODES = 16

export class GroupScores {
  readonly #data: TrainingData
  readonly #screening: Screening
  readonly #groups = new Map<number, readonly ScoreFitting[]>()
  /** Columns of two codes, each with rows enough. */
  #binary: ReadonlySet<number> | null = null

  constructor(data: TrainingData, screening: Screening) {
    this.#data = data
    this.#screening = screening
  }

  /**
   * The scores of both groups of the binary candidate that tells most of the target: where a column has no effect, the effects of
   * others seldom depend on it.
   *
   * candidates  ascending
   */
  fit(target: number, candidates: Int32Array): Score[] {
    if (this.#data.columns[target]!.codeCount < MIN_TARGET_CODES || candidates.length < 3) return []
    this.#binary ??= new Set(Array.from(this.#data.columns.keys()).filter((column) => this.#isBinary(column)))
    const binary = Array.from(candidates).filter((column) => this.#binary!.has(column))
    const column = this.#screening.closest(target, binary)
    if (column === null) return []
    const others = candidates.filter((c) => c !== column)
    return this.#groupsOf(column).flatMap((group) => group.fit(target, others))
  }

  #isBinary(column: number): boolean {
    if (this.#data.columns[column]!.codeCount !== 2) return false
    const ones = this.#data.codes[column]!.reduce((sum, code) => sum + code, 0)
    return Math.min(ones, this.#data.rowCount - ones) >= MIN_GROUP_ROWS
  }

  #groupsOf(column: number): readonly ScoreFitting[] {
    const known = this.#groups.get(column)
    if (known) return known
    const codes = this.#data.codes[column]!
    const made = [0, 1].map((code) => new ScoreFitting(this.#data, rowsOf(codes, code)))
    this.#groups.set(column, made)
    return made
  }
}

/** The rows that have a code, ascending. */
function rowsOf(codes: Uint16Array, code: number): Int32Array {
  const rows = new Int32Array(codes.length)
  let count = 0
  for (let i = 0; i < codes.length; i++) if (codes[i] === code) rows[count++] = i
  return rows.slice(0, count)
}
