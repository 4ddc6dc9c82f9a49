/**
 * The best binary split of a node: maximal gain in multinomial log-likelihood.
 *
 *   gain = sum over classes g of [ l_g ln l_g + r_g ln r_g - t_g ln t_g ] - [ nL ln nL + nR ln nR - n ln n ]
 *          - gainPerBin max(0, p - 2)
 *
 * n  rows of the node     G  target classes, at most 16     b  bins of a predictor, at most 256, p of them in the node
 * t, l, r  class counts of the node and of its left and right child
 *
 * Where rows have weights, these are counts of copies (weighting/row-copies.ts), and only the size of a child counts rows.
 *
 * `reference-split.ts`, beside the tests, is the reference implementation without tables.
 */

import { MAX_BINS } from '../scores/training-data.ts'
import type { CodeTable } from './code-tables.ts'
import { logarithmsTo } from './logarithms.ts'
import { mostBins, type Predictor, RowCells } from './row-cells.ts'
import { MAX_CLASSES } from './target-classes.ts'

/** Searches the nodes of one tree: its predictors, and working memory for tables of up to `rows` rows. */
export class SplitSearch {
  /** Results of the last successful search. `leftBins[bin]` is 1 where the bin goes left, for all bins of the predictor. */
  gain = Number.NaN
  feature = -1
  /** Ordered predictors: bins up to this one go left. */
  threshold = 0
  readonly leftBins = new Uint8Array(MAX_BINS)

  readonly #predictors: readonly Predictor[]
  readonly cells: RowCells
  readonly #xl: Float64Array
  readonly #rise: Float64Array
  readonly #table: Int32Array
  readonly #binRows = new Int32Array(MAX_BINS)
  /** All 0 between calls. */
  readonly #tally = new Int32Array(MAX_BINS)
  readonly #binScore = new Float64Array(MAX_BINS)
  /** Rows behind the copies of each bin, and of the node. Without weights every copy is a row. */
  readonly #binPeople: Int32Array
  #people = 0
  readonly #isFirst: Uint8Array | null
  readonly #order = new Int32Array(MAX_BINS)
  readonly #offset = new Int32Array(MAX_BINS)
  readonly #total = new Int32Array(MAX_CLASSES)
  readonly #leftCount = new Int32Array(MAX_CLASSES)
  readonly #local: Uint8Array
  readonly #sorted: Uint8Array
  #base = Number.NaN
  #majority = 0
  #present = 0

  /** @param isFirst Length `rows`: 1 at the first copy of a row; null where rows have no weights. */
  constructor(predictors: readonly Predictor[], rows: number, isFirst: Uint8Array | null = null) {
    this.#predictors = predictors
    this.#isFirst = isFirst
    this.#binPeople = isFirst === null ? this.#binRows : new Int32Array(MAX_BINS)
    this.cells = new RowCells(predictors, rows)
    const { xlogx, rise } = logarithmsTo(rows)
    this.#xl = xlogx
    this.#rise = rise
    this.#table = new Int32Array(this.cells.binCount * MAX_CLASSES)
    this.#local = new Uint8Array(this.cells.gatheredAtMost(rows, MAX_CLASSES))
    this.#sorted = new Uint8Array(rows)
  }

  /**
   * rows      the tree's permutation of row indices; the node is rows[start … end - 1]
   * classes   classes[i] is the class of rows[start + i]
   * g         G
   * ordinal   classes have an order (numeric target)
   * leaf      fewest rows of a child, not counting further copies
   * minGain   smallest gain worth a split
   * counts    the node's counts by code if they are known, see code-tables.ts
   *
   * Ties go to the first predictor, then to the first cut. Returns whether there is a split.
   */
  search(
    rows: Int32Array,
    start: number,
    end: number,
    classes: Uint8Array,
    g: number,
    ordinal: boolean,
    leaf: number,
    minGain: number,
    counts: CodeTable | null = null,
  ): boolean {
    const n = end - start
    const xl = this.#xl
    const total = this.#total
    total.fill(0, 0, g)
    countClasses(classes, n, total)
    let base = -xl[n]!
    let majority = 0
    for (let c = 0; c < g; c++) {
      base += xl[total[c]!]!
      if (total[c]! > total[majority]!) majority = c
    }
    this.#base = base
    this.#majority = ordinal ? -1 : majority
    this.gain = minGain
    this.feature = -1
    if (total[majority] === n) return false
    this.#people = n
    const predictors = this.#predictors
    const cells = this.cells
    const counted = counts ? counts.counted : cells.predictorsUpTo(mostBins(n, g))
    if (counts) counts.groupInto(this.#table, g)
    else cells.count(this.#table, counted, rows, start, n, classes, g)
    if (counted < predictors.length) cells.gather(this.#local, counted, rows, start, n)
    for (let f = 0; f < predictors.length; f++) {
      const predictor = predictors[f]!
      const rank = cells.rank[f]!
      if (this.#isFirst) this.#countPeople(predictor, this.#isFirst, rows, start, end)
      if (rank < counted) this.#scanTable(predictor, f, cells.firstBin[f]! * g, n, g, leaf)
      else this.#scanRows(predictor, f, (rank - counted) * n, n, classes, g, leaf)
    }
    return this.feature >= 0
  }

  /** The predictor's counts are at table[at + bin · G + class]. */
  #scanTable(predictor: Predictor, feature: number, at: number, n: number, g: number, leaf: number): void {
    const present = this.#countBins(predictor.binCount, at, g)
    if (present < 2) return
    this.#present = present
    if (!predictor.ordered) {
      this.#scoreBins(at, g)
      this.#sortByScore(present)
    }
    this.#scanCuts(predictor, feature, at, n, g, leaf)
  }

  /** Rows behind the copies of every bin, and of the node. */
  #countPeople({ bins, binCount }: Predictor, isFirst: Uint8Array, rows: Int32Array, start: number, end: number): void {
    const people = this.#binPeople.fill(0, 0, binCount)
    this.#people = 0
    for (let i = start; i < end; i++) {
      const row = rows[i]!
      if (isFirst[row] === 0) continue
      people[bins[row]!]!++
      this.#people++
    }
  }

  /** Rows of every bin, and which bins have any: their number. */
  #countBins(binCount: number, at: number, g: number): number {
    const table = this.#table
    const binRows = this.#binRows
    const order = this.#order
    let present = 0
    for (let b = 0, o = at; b < binCount; b++, o += g) {
      let count = 0
      for (let c = 0; c < g; c++) count += table[o + c]!
      binRows[b] = count
      if (count > 0) order[present++] = b
    }
    return present
  }

  /** The cuts between the present bins, in their order. */
  #scanCuts(predictor: Predictor, feature: number, at: number, n: number, g: number, leaf: number): void {
    const table = this.#table
    const binRows = this.#binRows
    const binPeople = this.#binPeople
    const people = this.#people
    const order = this.#order
    const present = this.#present
    const xl = this.#xl
    const total = this.#total
    const left = this.#leftCount
    const byChance = gainByChance(predictor, present)
    left.fill(0, 0, g)
    let nL = 0
    let peopleL = 0
    for (let k = 0; k < present - 1; k++) {
      const b = order[k]!
      const o = at + b * g
      nL += binRows[b]!
      peopleL += binPeople[b]!
      if (people - peopleL < leaf) break
      if (peopleL < leaf) {
        for (let c = 0; c < g; c++) left[c] = left[c]! + table[o + c]!
        continue
      }
      let sum = -this.#base - byChance - xl[nL]! - xl[n - nL]!
      for (let c = 0; c < g; c++) {
        const l = left[c]! + table[o + c]!
        left[c] = l
        sum += xl[l]! + xl[total[c]! - l]!
      }
      if (sum > this.gain) this.#keep(predictor, feature, k, sum, nL * 2 >= n)
    }
  }

  /** Scores of the present bins: mean class, or share of the majority class. */
  #scoreBins(at: number, g: number): void {
    const table = this.#table
    const majority = this.#majority
    for (let k = 0; k < this.#present; k++) {
      const b = this.#order[k]!
      const o = at + b * g
      let score = 0
      if (majority >= 0) score = table[o + majority]!
      else for (let c = 1; c < g; c++) score += c * table[o + c]!
      this.#binScore[b] = score / this.#binRows[b]!
    }
  }

  /** The predictor's bin of the node's i-th row is local[at + i]. */
  #scanRows(
    predictor: Predictor,
    feature: number,
    at: number,
    n: number,
    classes: Uint8Array,
    g: number,
    leaf: number,
  ): void {
    const { ordered } = predictor
    const local = this.#local
    const tally = this.#tally
    const binScore = this.#binScore
    const order = this.#order
    const offset = this.#offset
    let low = MAX_BINS
    let high = -1
    for (let i = 0; i < n; i++) {
      const b = local[at + i]!
      tally[b]!++
      if (b < low) low = b
      if (b > high) high = b
    }
    let present = 0
    for (let b = low; b <= high; b++) if (tally[b]! > 0) order[present++] = b
    if (present < 2) {
      tally[low] = 0
      return
    }
    this.#present = present
    if (!ordered) {
      const majority = this.#majority
      binScore.fill(0, low, high + 1)
      for (let i = 0; i < n; i++) {
        const c = classes[i]!
        binScore[local[at + i]!]! += majority < 0 ? c : c === majority ? 1 : 0
      }
      for (let k = 0; k < present; k++) {
        const b = order[k]!
        binScore[b] = binScore[b]! / tally[b]!
      }
      this.#sortByScore(present)
    }
    for (let k = 0, before = 0; k < present; k++) {
      const b = order[k]!
      offset[b] = before
      before += tally[b]!
    }
    const sorted = this.#sorted
    for (let i = 0; i < n; i++) sorted[offset[local[at + i]!]!++] = classes[i]!

    const xl = this.#xl
    const rise = this.#rise
    const total = this.#total
    const left = this.#leftCount
    left.fill(0, 0, g)
    // The gain without the sizes of the children; a row that changes sides changes two of its terms.
    const byChance = gainByChance(predictor, present)
    const binPeople = this.#isFirst ? this.#binPeople : tally
    const people = this.#people
    let sum = 0
    let nL = 0
    let peopleL = 0
    for (let k = 0; k < present - 1; k++) {
      const stop = nL + tally[order[k]!]!
      peopleL += binPeople[order[k]!]!
      if (people - peopleL < leaf) break
      for (; nL < stop; nL++) {
        const c = sorted[nL]!
        const l = left[c]!
        sum += rise[l]! - rise[total[c]! - l - 1]!
        left[c] = l + 1
      }
      if (peopleL < leaf) continue
      const gain = sum - byChance + xl[n]! - xl[nL]! - xl[n - nL]!
      if (gain > this.gain) this.#keep(predictor, feature, k, gain, nL * 2 >= n)
    }
    tally.fill(0, low, high + 1)
  }

  /** Orders the present bins by score, ties by bin. At most 256 entries, nearly sorted from node to node: insertion. */
  #sortByScore(present: number): void {
    const order = this.#order
    const score = this.#binScore
    for (let i = 1; i < present; i++) {
      const b = order[i]!
      const s = score[b]!
      let j = i - 1
      while (j >= 0 && (score[order[j]!]! > s || (score[order[j]!]! === s && order[j]! > b))) {
        order[j + 1] = order[j]!
        j--
      }
      order[j + 1] = b
    }
  }

  /** Remembers the cut after the k-th present bin. */
  #keep(predictor: Predictor, feature: number, k: number, gain: number, leftIsLarger: boolean): void {
    this.gain = gain
    this.feature = feature
    const order = this.#order
    const left = this.leftBins
    if (predictor.ordered) {
      const last = order[k]!
      // Halfway into the bins that the node does not have. Values never go to the side of missing just because no others are near.
      this.threshold = last === 0 && predictor.missing === 1 ? 0 : (last + order[k + 1]!) >> 1
      left.fill(1, 0, this.threshold + 1)
      left.fill(0, this.threshold + 1, predictor.binCount)
    } else {
      left.fill(leftIsLarger ? 1 : 0, 0, predictor.binCount)
      for (let i = 0; i < this.#present; i++) left[order[i]!] = i <= k ? 1 : 0
    }
  }
}

/** Of the best cut of `present` bins. */
function gainByChance({ gainPerBin }: Predictor, present: number): number {
  return gainPerBin * Math.max(0, present - 2)
}

function countClasses(classes: Uint8Array, n: number, total: Int32Array): void {
  for (let i = 0; i < n; i++) {
    const c = classes[i]!
    total[c] = total[c]! + 1
  }
}
