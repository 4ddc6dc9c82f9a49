/**
 * Finds two columns whose sum, difference, product or ratio is a target.
 *
 * d  columns     m  test rows of the target
 *
 * In one row, a target and a first column determine the value of the second: it is looked up among the columns, sorted by their
 * values in that row. Products are sums of logarithms; the difference of two rows removes their constant. A pair that is found in
 * a probe is checked on all test rows. This takes about d log d steps per target and first column, instead of d per pair.
 */

import type { Formula } from '../model/derivation.ts'
import { type SampledNumbers, testRows } from './numeric-sample.ts'

/** A formula whose rounding, exceptions and share are not known yet. */
export type FormulaDraft = Pick<Formula, 'target' | 'form' | 'constant'> & {
  readonly sources: readonly { readonly column: number; readonly weight: number }[]
}

/** Most test rows; a pair must have both values in MIN_TESTS of them and may fail in MAX_MISSES. */
const TEST_ROWS = 48
export const MIN_TESTS = 20
const MAX_MISSES = 2
/** Rows that are probed: one may violate a relation that holds elsewhere, or lack a source. */
const PROBES = 3
/** Most candidates of one target that are tested further. */
const MAX_DRAFTS = 64
/** Rows that a product's constant is estimated from: the next one is used if the first is faulty. */
const REFERENCE_ROWS = 2

type Weights = readonly [number, number]

const SUMS: readonly Weights[] = [
  [1, 1],
  [1, -1],
]
const PRODUCTS: readonly Weights[] = [
  [1, 1],
  [1, -1],
  [1, -2],
  [1, 2],
]

/** @param sources d columns, without the target. */
export function searchPairs(target: SampledNumbers, sources: readonly SampledNumbers[]): FormulaDraft[] {
  const { ulp, relative } = target.precision!
  const rows = testRows(target, TEST_ROWS)
  if (rows.length < MIN_TESTS) return []
  // Large values come first: they determine a product's constant best.
  rows.sort((a, b) => Math.abs(target.values[b]!) - Math.abs(target.values[a]!) || a - b)
  const y = Float64Array.from(rows, (row) => target.values[row]!)
  const slack = y.map((value) => ulp + 2 * relative * Math.abs(value))
  const x = sources.map(({ values }) => Float64Array.from(rows, (row) => values[row]!))
  const drafts = new Map<string, FormulaDraft>()
  const add = (form: Formula['form'], [u, v]: Weights, a: number, b: number, constant: number) => {
    const pair = [
      { column: sources[a]!.column, weight: u },
      { column: sources[b]!.column, weight: v },
    ].sort((one, other) => one.column - other.column)
    const key = `${form} ${pair.map(({ column, weight }) => `${column}^${weight}`).join()}`
    if (drafts.size < MAX_DRAFTS) drafts.set(key, { target: target.column, form, constant, sources: pair })
  }
  for (let probe = 0; probe < PROBES; probe++) {
    const inRow = new Lookup(x.map((column) => column[probe]!))
    eachPair(inRow, y[probe]!, slack[probe]!, SUMS, (a, b, weights) => {
      if (isSum(y, slack, x[a]!, x[b]!, weights)) add('sum', weights, a, b, 0)
    })
    const i = 2 * probe
    const ratio = (column: Float64Array) => Math.log(Math.abs(column[i]! / column[i + 1]!))
    const betweenRows = new Lookup(x.map(ratio))
    const doubt = 2 * (slack[i]! / Math.abs(y[i]!) + slack[i + 1]! / Math.abs(y[i + 1]!))
    eachPair(betweenRows, ratio(y), doubt, PRODUCTS, (a, b, weights) => {
      const constant = productConstant(y, slack, x[a]!, x[b]!, weights)
      if (constant !== null) add('product', weights, a, b, constant)
    })
  }
  return [...drafts.values()]
}

/** Visits ordered pairs whose u a + v b is close to the wanted value. */
function eachPair(
  lookup: Lookup,
  wanted: number,
  tolerance: number,
  forms: readonly Weights[],
  visit: (a: number, b: number, weights: Weights) => void,
): void {
  if (!Number.isFinite(wanted) || !Number.isFinite(tolerance)) return
  for (const weights of forms) {
    const [u, v] = weights
    lookup.values.forEach((value, a) => {
      if (!Number.isFinite(value)) return
      lookup.near((wanted - u * value) / v, tolerance / Math.abs(v), (b) => {
        if (a !== b && (u !== v || a < b)) visit(a, b, weights)
      })
    })
  }
}

/** Finds the columns whose value in a row is close to a given one. */
class Lookup {
  /** Length d; not finite if there is none. */
  readonly values: readonly number[]
  readonly #sorted: Float64Array
  readonly #columns: Int32Array

  constructor(values: readonly number[]) {
    this.values = values
    const columns = Array.from(values.keys()).filter((c) => Number.isFinite(values[c]!))
    columns.sort((a, b) => values[a]! - values[b]! || a - b)
    this.#columns = Int32Array.from(columns)
    this.#sorted = Float64Array.from(columns, (c) => values[c]!)
  }

  near(value: number, tolerance: number, visit: (column: number) => void): void {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sorted[middle]! < value - tolerance) low = middle + 1
      else high = middle
    }
    for (; low < this.#sorted.length && this.#sorted[low]! <= value + tolerance; low++) visit(this.#columns[low]!)
  }
}

function isSum(y: Float64Array, slack: Float64Array, a: Float64Array, b: Float64Array, [u, v]: Weights): boolean {
  let tests = 0
  let misses = 0
  for (let i = 0; i < y.length; i++) {
    const sum = u * a[i]! + v * b[i]!
    if (Number.isNaN(sum)) continue
    tests++
    if (!(Math.abs(sum - y[i]!) <= slack[i]!) && ++misses > MAX_MISSES) return false
  }
  return tests >= MIN_TESTS
}

/** About the c of y = c a^u b^v; null if there is none. */
function productConstant(
  y: Float64Array,
  slack: Float64Array,
  a: Float64Array,
  b: Float64Array,
  [u, v]: Weights,
): number | null {
  let references = 0
  for (let r = 0; r < y.length && references < REFERENCE_ROWS; r++) {
    const product = power(a[r]!, u) * power(b[r]!, v)
    if (!Number.isFinite(product) || product === 0 || y[r] === 0) continue
    references++
    const constant = y[r]! / product
    const doubt = slack[r]! / Math.abs(y[r]!)
    let tests = 0
    let misses = 0
    for (let i = 0; i < y.length && misses <= MAX_MISSES; i++) {
      const value = constant * power(a[i]!, u) * power(b[i]!, v)
      if (!Number.isFinite(value)) continue
      tests++
      if (!(Math.abs(value - y[i]!) <= slack[i]! + doubt * Math.abs(value))) misses++
    }
    if (misses <= MAX_MISSES && tests >= MIN_TESTS) return constant
  }
  return null
}

function power(x: number, exponent: number): number {
  if (exponent === 1) return x
  if (exponent === -1) return 1 / x
  return exponent === 2 ? x * x : 1 / (x * x)
}
