/**
 * Cross products X'X of the features of a table's columns: the costly part of fitting additive scores.
 *
 * Each pair of columns is summed once, over the same rows in the same sequence, and kept for all targets; if the table is not too
 * wide, also for all threads. This spends memory on work that the targets have in common. A row has few features that are not 0,
 * so a pair costs a few additions per row.
 *
 * n  rows     p  features of a regression, its intercept (feature 0, always 1) included
 */

import { type ColumnFeatures, featuresOf } from './score-features.ts'
import { claimedPair, claimPair, type SharedProducts } from './shared-products.ts'
import type { TrainingData } from './training-data.ts'

/** A column in a regression: its first `count` features are the regression's features from `first` on. */
export interface Term {
  readonly column: number
  readonly first: number
  readonly count: number
}

export class CrossProducts {
  /** The rows of the sums. */
  readonly rows: Int32Array
  readonly #data: TrainingData
  readonly #shared: SharedProducts | null
  readonly #columns = new Map<number, SummedColumn>()
  /** By column a · d + column b, a at most b: features of a times features of b, row-major. */
  readonly #pairs = new Map<number, Float64Array>()

  /** @param shared Data about the same rows that threads share; null: none. */
  constructor(data: TrainingData, rows: Int32Array, shared: SharedProducts | null) {
    this.#data = data
    this.rows = rows
    this.#shared = shared
  }

  /** The codes of a column at `rows`. */
  column(column: number): SummedColumn {
    const known = this.#columns.get(column)
    if (known) return known
    const { codeCount } = this.#data.columns[column]!
    const all = this.#data.codes[column]!
    const codes = new Uint16Array(this.rows.length)
    const counts = new Int32Array(codeCount)
    for (let i = 0; i < codes.length; i++) {
      codes[i] = all[this.rows[i]!]!
      counts[codes[i]!]!++
    }
    const made = { codes, counts, features: featuresOf(this.#data, column, counts) }
    this.#columns.set(column, made)
    return made
  }

  /**
   * The lower triangle of X'X, row-major p x p.
   *
   * terms     columns ascending, their features one after the other from 1 on
   * excluded  length of `rows`: 1 for rows that do not count; null if all do
   */
  matrix(terms: readonly Term[], p: number, excluded: Uint8Array | null): Float64Array {
    const matrix = new Float64Array(p * p)
    const left = excluded === null ? 0 : excluded.reduce((sum, one) => sum + one, 0)
    if (excluded !== null && 2 * left > this.rows.length) {
      this.#addRows(matrix, terms, p, excluded, 0, 1)
      return matrix
    }
    matrix[0] = this.rows.length
    this.#claimPairs(terms)
    for (const [t, term] of terms.entries()) {
      const { counts, features } = this.column(term.column)
      for (let c = 0; c < counts.length; c++) {
        for (let e = features.at[c]!; e < features.at[c + 1]!; e++) {
          if (features.feature[e]! >= term.count) continue
          const o = (term.first + features.feature[e]!) * p
          matrix[o] = matrix[o]! + counts[c]! * features.value[e]!
        }
      }
      for (let u = 0; u <= t; u++) this.#copyPair(matrix, terms[u]!, term, p)
    }
    if (left > 0) this.#addRows(matrix, terms, p, excluded!, 1, -1)
    return matrix
  }

  #copyPair(matrix: Float64Array, a: Term, b: Term, p: number): void {
    const pair = this.#pair(a.column, b.column)
    const width = this.column(b.column).features.count
    for (let f = 0; f < a.count; f++) {
      for (let g = 0; g < b.count; g++) matrix[(b.first + g) * p + a.first + f] = pair[f * width + g]!
    }
  }

  #pair(a: number, b: number): Float64Array {
    const key = a * this.#data.columns.length + b
    const known = this.#pairs.get(key)
    if (known) return known
    const made = (this.#shared && claimedPair(this.#shared, a, b)) ?? this.#summed(a, b)
    this.#pairs.set(key, made)
    return made
  }

  #summed(a: number, b: number): Float64Array {
    const products = new Float64Array(this.column(a).features.count * this.column(b).features.count)
    addPairProducts(this.column(a), this.column(b), products)
    return products
  }

  /** Sums unclaimed pairs here before waiting for the pairs that other threads claimed. */
  #claimPairs(terms: readonly Term[]): void {
    const shared = this.#shared
    if (shared === null) return
    for (const [t, { column: b }] of terms.entries()) {
      for (const { column: a } of terms.slice(0, t + 1)) {
        claimPair(shared, a, b, (sums) => addPairProducts(this.column(a), this.column(b), sums))
      }
    }
  }

  /** Adds weight · x x' of the rows whose entry in `excluded` is `which`. */
  #addRows(
    matrix: Float64Array,
    terms: readonly Term[],
    p: number,
    excluded: Uint8Array,
    which: 0 | 1,
    weight: 1 | -1,
  ): void {
    const columns = terms.map(({ column }) => this.column(column))
    const feature = new Int32Array(p)
    const value = new Float64Array(p)
    value[0] = 1
    for (let i = 0; i < excluded.length; i++) {
      if (excluded[i] !== which) continue
      let entries = 1
      for (let t = 0; t < terms.length; t++) {
        const { codes, features } = columns[t]!
        const { first, count } = terms[t]!
        const end = features.at[codes[i]! + 1]!
        for (let e = features.at[codes[i]!]!; e < end; e++) {
          if (features.feature[e]! >= count) continue
          feature[entries] = first + features.feature[e]!
          value[entries++] = features.value[e]!
        }
      }
      for (let x = 0; x < entries; x++) {
        const o = feature[x]! * p
        const weighted = weight * value[x]!
        for (let y = 0; y <= x; y++) {
          const at = o + feature[y]!
          matrix[at] = matrix[at]! + weighted * value[y]!
        }
      }
    }
  }
}

interface SummedColumn {
  readonly codes: Uint16Array
  /** Rows by code. */
  readonly counts: Int32Array
  readonly features: ColumnFeatures
}

/** products  features of a times features of b, row-major; may be longer */
function addPairProducts(a: SummedColumn, b: SummedColumn, products: Float64Array): void {
  const width = b.features.count
  const { at: atA, feature: featureA, value: valueA } = a.features
  const { at: atB, feature: featureB, value: valueB } = b.features
  for (let i = 0; i < a.codes.length; i++) {
    const startB = atB[b.codes[i]!]!
    const endB = atB[b.codes[i]! + 1]!
    const endA = atA[a.codes[i]! + 1]!
    for (let e = atA[a.codes[i]!]!; e < endA; e++) {
      const o = featureA[e]! * width
      const v = valueA[e]!
      for (let f = startB; f < endB; f++) {
        const at = o + featureB[f]!
        products[at] = products[at]! + v * valueB[f]!
      }
    }
  }
}
