/**
 * Finds two columns whose sum, difference, product or ratio is a target.
 *
 * d  columns     m  test rows of the target
 *
 * All pairs of d columns are tried on the test rows. A wrong pair is gone after three rows, so that the search costs
 * some d^2 operations per target.
 */

import type { Formula } from './derivation.ts'
import { type SampledNumbers, testRows } from './numeric-sample.ts'

/** A formula before its rounding, exceptions and share are known. */
export type FormulaDraft = Pick<Formula, 'target' | 'form' | 'constant'> & {
  readonly sources: readonly { readonly column: number; readonly weight: number }[]
}

/** Test rows; a pair must have both values in MIN_TESTS of them and may fail in MAX_MISSES. */
const TEST_ROWS = 48
export const MIN_TESTS = 20
const MAX_MISSES = 2
/** Candidates of one target that are looked at further. */
const MAX_DRAFTS = 64
/** A product's constant is estimated from this row, and if that is a faulty one from the next. */
const REFERENCE_ROWS = 2

const SUMS = [
  [1, 1],
  [1, -1],
  [-1, 1],
] as const
const PRODUCTS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [1, -2],
  [-2, 1],
  [1, 2],
  [2, 1],
] as const

/** @param sources d columns, without the target. */
export function searchPairs(target: SampledNumbers, sources: readonly SampledNumbers[]): FormulaDraft[] {
  const { ulp, relative } = target.precision!
  const rows = testRows(target, TEST_ROWS)
  if (rows.length < MIN_TESTS) return []
  // Large values first: they fix a product's constant best.
  rows.sort((a, b) => Math.abs(target.values[b]!) - Math.abs(target.values[a]!) || a - b)
  const y = Float64Array.from(rows, (row) => target.values[row]!)
  const slack = y.map((value) => ulp + 2 * relative * Math.abs(value))
  const x = sources.map(({ values }) => Float64Array.from(rows, (row) => values[row]!))
  const drafts: FormulaDraft[] = []
  const add = (form: Formula['form'], weights: readonly [number, number], a: number, b: number, constant: number) => {
    if (drafts.length === MAX_DRAFTS) return
    const pair = [
      { column: sources[a]!.column, weight: weights[0] },
      { column: sources[b]!.column, weight: weights[1] },
    ]
    drafts.push({ target: target.column, form, constant, sources: pair })
  }
  for (let a = 0; a < x.length; a++) {
    for (let b = a + 1; b < x.length; b++) {
      for (const weights of SUMS) if (isSum(y, slack, x[a]!, x[b]!, weights)) add('sum', weights, a, b, 0)
      for (const weights of PRODUCTS) {
        const constant = productConstant(y, slack, x[a]!, x[b]!, weights)
        if (constant !== null) add('product', weights, a, b, constant)
      }
    }
  }
  return drafts
}

function isSum(
  y: Float64Array,
  slack: Float64Array,
  a: Float64Array,
  b: Float64Array,
  [u, v]: readonly [number, number],
): boolean {
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

/** About the c of y = c a^u b^v; null when there is none. */
function productConstant(
  y: Float64Array,
  slack: Float64Array,
  a: Float64Array,
  b: Float64Array,
  [u, v]: readonly [number, number],
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
