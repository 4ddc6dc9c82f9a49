/**
 * Fits additive scores: ridge regressions of functions of a target on its candidates.
 *
 * p  features     F  candidates     d  columns     K  codes of a column
 */

import { type Score, scoreValues } from '../model/additive-score.ts'
import { share, sharedFloat64 } from '../threads/shared-arrays.ts'
import { worthOfCopies } from '../weighting/row-copies.ts'
import { CrossProducts, type Term } from './cross-products.ts'
import { dot, mostPredictable } from './predictable-axis.ts'
import { solveRidge } from './ridge-regression.ts'
import { byFrequency, type ColumnFeatures, hasLogarithm, momentsOf, standardizer } from './score-features.ts'
import { MAX_LEVEL_FEATURES } from './shared-products.ts'
import { MAX_BINS, type TrainingData } from './training-data.ts'

/** Regressions read at most this many rows, evenly spaced, fewer in tables with more than 64 columns. */
const FIT_ROWS = 8_000
const FIT_ROWS_WIDE = 2_000
const FIT_COLUMNS = 64
const MIN_FIT_ROWS = 50
/** Columns of many levels share what is left of this number of features: solving costs p^3. */
const MAX_FEATURES = 192
/** Number of pseudo-rows that shrink every effect towards 0. */
const RIDGE = 3
/** Columns with less than this share of the effects' variance are left out of a score. */
const MIN_VARIANCE_SHARE = 0.0003

/** The regression of a target on its candidates, for each response: value, logarithm if it has one, or levels. */
export interface Regression {
  readonly terms: readonly Term[]
  /** X'y by response. */
  readonly products: readonly Float64Array[]
  /** Weights by response. */
  readonly solved: readonly Float64Array[]
  /** The variance of a response that the features leave, in its own units, less the part that chance explains. */
  readonly unexplained: readonly number[]
}

interface Response {
  /** By code of the target; mean 0 over the rows, and variance 1 except for levels. */
  readonly values: Float64Array
  /** The variance before scaling. */
  readonly variance: number
  readonly rows: number
}

/** Fits scores for the targets of one table. The common part of the regressions is computed once. */
export class ScoreFitting {
  readonly #data: TrainingData
  readonly #products: CrossProducts
  /** Effective rows for each row that regressions read; 1 where rows have no weights. */
  readonly worth: number

  /** @param rows The rows that regressions read; null: a bounded part of the table, evenly spaced. */
  constructor(data: TrainingData, rows: Int32Array | null = null) {
    this.#data = data
    this.#products = new CrossProducts(
      data,
      rows ?? spacedRows(data.rowCount, data.columns.length),
      rows === null ? data.products : null,
    )
    this.worth = worthOfCopies(data.copies, this.#products.rows)
  }

  /** The regression rows with a code in a column, among the given ones (null: all rows, a bounded part of them). */
  static ofGroup(data: TrainingData, group: { column: number; code: number; rows: Int32Array | null }): ScoreFitting {
    const codes = data.codes[group.column]!
    if (group.rows !== null)
      return new ScoreFitting(
        data,
        group.rows.filter((row) => codes[row] === group.code),
      )
    const rows = new Int32Array(data.rowCount)
    let count = 0
    for (let row = 0; row < rows.length; row++) if (codes[row] === group.code) rows[count++] = row
    const spaced = spacedRows(count, data.columns.length)
    return new ScoreFitting(
      data,
      spaced.map((i) => rows[i]!),
    )
  }

  /** The rows that regressions read, ascending. */
  get rows(): Int32Array {
    return this.#products.rows
  }

  /**
   * Null if nothing can be fitted, or with fewer than two candidates: a tree needs no sum then.
   *
   * candidates  ascending
   */
  regress(target: number, candidates: Int32Array): Regression | null {
    const { codes } = this.#products.column(target)
    if (candidates.length < 2 || codes.length * this.worth < MIN_FIT_ROWS) return null
    const responses = this.#responses(target)
    const terms = responses.length === 0 ? null : this.#terms(candidates)
    if (terms === null) return null
    const last = terms.at(-1)!
    const p = last.first + last.count
    const products = responses.map(({ values }) => this.#responseProducts(terms, p, codes, values))
    const solved = solveRidge(this.#products.matrix(terms, p, this.#excluded(target)), products, RIDGE / this.worth)
    const unexplained = responses.map(({ variance, rows }, r) => {
      const left = Math.max(0, rows - dot(solved[r]!, products[r]!))
      return (variance * left * this.worth) / Math.max(1, rows * this.worth - p)
    })
    return { terms, products, solved, unexplained }
  }

  /**
   * The scores of a regression that predict the target better than chance: for a numeric target, its value, and its logarithm if it
   * has one; for a categorical target, its most frequent level. (Scores for three levels instead of one, measured: C2ST of sd2011
   * 0.551 instead of 0.541.)
   */
  scores(target: number, regression: Regression | null): Score[] {
    if (regression === null) return []
    const { terms, products, solved } = regression
    return this.#telling(target, solved, products)
      .map((weights) => this.#withCuts(this.#effects(this.#noticed(terms, weights), weights)))
      .filter((score) => score.cuts.length > 0)
  }

  /** The regressions that explain more of the target than chance does. */
  #telling(target: number, solved: readonly Float64Array[], products: readonly Float64Array[]): Float64Array[] {
    const levels = this.#nominalLevels(target)
    if (levels === null) return solved.filter((weights, r) => dot(weights, products[r]!) * this.worth > weights.length)
    const { counts } = this.#products.column(target)
    const axis = mostPredictable(
      solved,
      products,
      levels.map((c) => counts[c]!),
      this.worth,
    )
    return axis === null ? [] : [axis]
  }

  /** The most frequent of three or more unordered levels; null for other targets. */
  #nominalLevels(target: number): number[] | null {
    if (this.#data.centers[target]) return null
    const levels = byFrequency(this.#products.column(target).counts)
    return levels.length < 3 ? null : levels.slice(0, MAX_LEVEL_FEATURES)
  }

  /** Selects the rows with a value or level. */
  #responses(target: number): Response[] {
    const { kind, missing } = this.#data.columns[target]!
    const { counts } = this.#products.column(target)
    const centers = this.#data.centers[target] ?? null
    const from = kind === 'numeric' ? missing : 0
    const isIn = (c: number) =>
      c >= from && counts[c]! > 0 && (kind === 'numeric' || centers === null || Number.isFinite(centers[c]))
    const present = Array.from(counts.keys()).filter(isIn)
    if (present.length < 2) return []
    const rows = present.reduce((sum, c) => sum + counts[c]!, 0)
    const nominal = this.#nominalLevels(target)
    if (nominal !== null) {
      return nominal.map((level) => ({ values: centredIndicator(level, counts), variance: 1, rows }))
    }
    const response = (numberOf: (code: number) => number): Response => {
      const standardized = standardizer(present, numberOf, counts)
      const values = new Float64Array(counts.length)
      for (const c of present) values[c] = standardized(numberOf(c))
      return { values, variance: momentsOf(present, numberOf, counts).variance, rows }
    }
    if (centers === null) {
      const first = byFrequency(counts)[0]!
      return [response((c) => (c === first ? 1 : 0))]
    }
    const value = response((c) => centers[c]!)
    if (kind === 'categorical' || !hasLogarithm(centers, present, counts)) return [value]
    const smallest = centers[present.find((c) => centers[c]! > 0)!]!
    return [value, response((c) => Math.log(Math.max(centers[c]!, smallest)))]
  }

  /** Null if the numeric columns alone have too many features. */
  #terms(candidates: Int32Array): Term[] | null {
    const isNumeric = (column: number) => this.#data.columns[column]!.kind === 'numeric'
    const countOf = (column: number) => this.#products.column(column).features.count
    const numeric = candidates.filter(isNumeric)
    const taken = numeric.reduce((sum, column) => sum + countOf(column), 1)
    const levels = Math.floor((MAX_FEATURES - taken) / Math.max(1, candidates.length - numeric.length))
    if (levels < 1) return null
    let first = 1
    return Array.from(candidates, (column) => {
      const count = isNumeric(column) ? countOf(column) : Math.min(levels, countOf(column))
      const term = { column, first, count }
      first += count
      return term
    })
  }

  /** Rows without a value, or without a place of an ordered target; null if there are none. */
  #excluded(target: number): Uint8Array | null {
    const centers = this.#data.centers[target]
    const { codes, counts } = this.#products.column(target)
    if (!centers) return null
    const isOut = (code: number) => Number.isNaN(centers[code]!)
    if (!counts.some((count, code) => count > 0 && isOut(code))) return null
    return Uint8Array.from(codes, (code) => (isOut(code) ? 1 : 0))
  }

  /** X'y */
  #responseProducts(terms: readonly Term[], p: number, codes: Uint16Array, response: Float64Array): Float64Array {
    const products = new Float64Array(p)
    for (let i = 0; i < codes.length; i++) products[0] = products[0]! + response[codes[i]!]!
    for (const { column, first, count } of terms) {
      const { codes: codesOf, features } = this.#products.column(column)
      const sums = responseByCode(codesOf, features.at.length - 1, codes, response)
      for (let c = 0; c < sums.length; c++) {
        for (let e = features.at[c]!; e < features.at[c + 1]!; e++) {
          const f = features.feature[e]!
          if (f < count) products[first + f] = products[first + f]! + sums[c]! * features.value[e]!
        }
      }
    }
    return products
  }

  /** The terms that affect z. Every term costs time at every sampled row. */
  #noticed(terms: readonly Term[], weights: Float64Array): Term[] {
    const variances = terms.map((term) => this.#effectVariance(term, weights))
    const least = MIN_VARIANCE_SHARE * variances.reduce((sum, variance) => sum + variance, 0)
    return terms.filter((_, t) => variances[t]! > least)
  }

  /** Over the rows of the fit. */
  #effectVariance(term: Term, weights: Float64Array): number {
    const { counts, features } = this.#products.column(term.column)
    let sum = 0
    let squares = 0
    for (let c = 0; c < counts.length; c++) {
      if (counts[c] === 0) continue
      const effect = effectOf(features, term, weights, c)
      sum += counts[c]! * effect
      squares += counts[c]! * effect * effect
    }
    const n = this.#products.rows.length
    return squares / n - (sum / n) ** 2
  }

  /** A regression as effects by code. The intercept moves all rows by the same amount and is left out. */
  #effects(terms: readonly Term[], weights: Float64Array): Omit<Score, 'cuts' | 'groups'> {
    const at = new Int32Array(terms.length + 1)
    terms.forEach(({ column }, j) => {
      at[j + 1] = at[j]! + this.#data.columns[column]!.codeCount
    })
    const effects = sharedFloat64(at[terms.length]!)
    terms.forEach((term, j) => {
      const { counts, features } = this.#products.column(term.column)
      for (let c = 0; c < counts.length; c++) effects[at[j]! + c] = effectOf(features, term, weights, c)
    })
    return { columns: share(Int32Array.from(terms, ({ column }) => column)), at: share(at), effects }
  }

  /** Cuts halfway between neighbouring values at the quantiles: bins of about equal mass. */
  #withCuts(score: Omit<Score, 'cuts' | 'groups'>): Score {
    const z = scoreValues(score, this.#data, this.#products.rows).sort()
    const cuts = new Float64Array(MAX_BINS - 1)
    let count = 0
    for (let b = 1; b < MAX_BINS; b++) {
      const i = Math.floor((b * z.length) / MAX_BINS)
      const low = z[i - 1]
      const high = z[i]
      if (low === undefined || high === undefined || !(high > low)) continue
      const cut = (low + high) / 2
      if (count === 0 || cut > cuts[count - 1]!) cuts[count++] = cut
    }
    return { ...score, cuts: cuts.slice(0, count), groups: null }
  }
}

/** At most a bounded number of the indices below `rowCount`, evenly spaced. */
function spacedRows(rowCount: number, columns: number): Int32Array {
  const wide = Math.floor((FIT_ROWS * FIT_COLUMNS) / columns)
  const count = Math.min(rowCount, FIT_ROWS, Math.max(FIT_ROWS_WIDE, wide))
  return Int32Array.from({ length: count }, (_, i) => Math.floor((i * rowCount) / count))
}

/** By code: 1 for the level, less its share of the rows. */
function centredIndicator(level: number, counts: Int32Array): Float64Array {
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const values = new Float64Array(counts.length).fill(-counts[level]! / rows)
  values[level] = values[level]! + 1
  return values
}

/** Sums of the response over the rows of each of the K codes. */
function responseByCode(codesOf: Uint16Array, k: number, codes: Uint16Array, response: Float64Array): Float64Array {
  const sums = new Float64Array(k)
  for (let i = 0; i < codes.length; i++) {
    const c = codesOf[i]!
    sums[c] = sums[c]! + response[codes[i]!]!
  }
  return sums
}

function effectOf({ at, feature, value }: ColumnFeatures, { first, count }: Term, weights: Float64Array, code: number) {
  let effect = 0
  for (let e = at[code]!; e < at[code + 1]!; e++) {
    if (feature[e]! < count) effect += weights[first + feature[e]!]! * value[e]!
  }
  return effect
}
