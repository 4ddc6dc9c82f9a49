/**
 * The least divergence of any mix under caps with given margins, from below: the Lagrange dual of
 *
 *   minimise KL(q || p) = sum of q ln(q / p)   subject to   A q = b,   0 <= q <= cap
 *
 * For any prices y of the margins, with f(c) the sum over the cell's margins, no such q lies below
 *
 *   b y + sum of min over q of (q ln(q / p) - q f),   the minimum being at q = min(cap, p e^(f - 1)).
 *
 * The prices are improved by damped Newton steps. The engine's result by scaling is compared with this bound.
 */
import type { Margins } from '../../../src/engine/scenario/margins.ts'

export interface CappedTable {
  readonly natural: Float64Array
  readonly cap: Float64Array
  /** K × D, row-major; -1 throughout for a cell that must not occur. */
  readonly cellMargins: Int32Array
  readonly margins: Margins
}

export function divergence(q: ArrayLike<number>, p: Float64Array): number {
  return p.reduce((sum, mass, c) => sum + (q[c]! > 0 ? q[c]! * Math.log(q[c]! / mass) : 0), 0)
}

/** @param sums b, the margins that the mixes are to have. */
export function leastDivergence(table: CappedTable, sums: Float64Array, steps = 400): number {
  const { natural, cap, cellMargins, margins } = table
  const D = margins.columnCount
  const M = sums.length
  const cells = [...natural.keys()].filter((c) => natural[c]! > 0 && cap[c]! > 0 && cellMargins[c * D]! >= 0)
  const of = (c: number) => cellMargins.subarray(c * D, (c + 1) * D)
  const evaluate = (y: Float64Array) => {
    let value = sums.reduce((sum, b, m) => sum + b * y[m]!, 0)
    const slope = Float64Array.from(sums)
    const curvature = new Float64Array(M * M)
    for (const c of cells) {
      const f = of(c).reduce((sum, m) => sum + y[m]!, 0)
      const free = natural[c]! * Math.exp(Math.min(700, f - 1))
      const isCapped = free >= cap[c]!
      const q = isCapped ? cap[c]! : free
      value += isCapped ? q * (Math.log(q / natural[c]!) - f) : -q
      for (const m of of(c)) {
        slope[m]! -= q
        if (!isCapped) for (const other of of(c)) curvature[m * M + other]! += q
      }
    }
    return { value, slope, curvature }
  }
  let y = new Float64Array(M).fill(1 / D)
  let now = evaluate(y)
  for (let step = 0, damping = 1e-3; step < steps; step++) {
    const scale = now.slope.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0)
    if (scale < 1e-13) break
    for (let i = 0; i < M; i++) now.curvature[i * M + i]! += damping * scale + 1e-14
    const change = solve(now.curvature, now.slope)
    const next = y.map((price, m) => price + change[m]!)
    const then = evaluate(next)
    if (then.value > now.value) {
      y = next
      now = then
      damping /= 3
    } else {
      damping *= 8
      now = evaluate(y)
      if (damping > 1e12) break
    }
  }
  return now.value
}

/** Gaussian elimination with partial pivoting; a is M × M and overwritten. */
function solve(a: Float64Array, b: Float64Array): Float64Array {
  const M = b.length
  const x = Float64Array.from(b)
  for (let k = 0; k < M; k++) {
    let pivot = k
    for (let i = k + 1; i < M; i++) if (Math.abs(a[i * M + k]!) > Math.abs(a[pivot * M + k]!)) pivot = i
    for (let j = 0; j < M; j++) [a[k * M + j], a[pivot * M + j]] = [a[pivot * M + j]!, a[k * M + j]!]
    ;[x[k], x[pivot]] = [x[pivot]!, x[k]!]
    for (let i = k + 1; i < M; i++) {
      const factor = a[i * M + k]! / a[k * M + k]!
      if (factor === 0) continue
      for (let j = k; j < M; j++) a[i * M + j]! -= factor * a[k * M + j]!
      x[i]! -= factor * x[k]!
    }
  }
  for (let k = M - 1; k >= 0; k--) {
    for (let j = k + 1; j < M; j++) x[k]! -= a[k * M + j]! * x[j]!
    x[k]! /= a[k * M + k]!
  }
  return x
}
