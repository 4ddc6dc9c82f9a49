/**
 * Finds linear combinations of one column (changes of unit, ages from years) and of many (totals).
 *
 * S  sampled rows     p  columns of the combination so far
 *
 * Orthogonal matching pursuit (Pati, Rezaiifar, Krishnaprasad 1993): the column most correlated with the residual of the target
 * joins, and weights are fitted again, until weights of few digits reproduce the target.
 */

import { solveRidge } from '../scores/ridge-regression.ts'
import type { SampledNumbers } from './numeric-sample.ts'
import { type FormulaDraft, MIN_TESTS } from './search-pairs.ts'

const MAX_TERMS = 24
/** A further column must explain this share of the remaining variance; the columns of a total explain more. */
const MIN_STEP = 0.04
/** Correlations are computed on at most this many rows, which is enough to choose a column. */
const CORRELATION_ROWS = 256
/** Digits after the point that weights may have. Changes of unit need more than totals. */
const MOST_DIGITS = 3
const MOST_DIGITS_OF_ONE = 6
/** Rows farther off than this many times the median deviation are left out of a second fit. */
const FAR = 4

/**
 * Drafts in ascending number of columns and digits. The caller checks each against the target and stops at the first that fits.
 *
 * @param sources Columns other than the target.
 */
export function* searchSums(target: SampledNumbers, sources: readonly SampledNumbers[]): Generator<FormulaDraft> {
  const chosen: SampledNumbers[] = []
  let rows = present([target])
  let residual = centred(target.values, rows)
  while (chosen.length < MAX_TERMS) {
    const next = mostCorrelated(residual, rows, sources, chosen)
    if (next === null) return
    chosen.push(next)
    rows = present([target, ...chosen])
    if (rows.length < MIN_TESTS + 2 * chosen.length) return
    const weights = leastSquares(target, chosen, rows)
    if (weights === null) return
    const before = variance(centredOn(residual, rows, target.values.length))
    residual = residuals(target, chosen, weights, rows)
    yield* drafts(target, chosen, weights, rows)
    const usual = usualRows(residual, rows)
    const trimmed = usual.length < rows.length ? leastSquares(target, chosen, usual) : null
    if (trimmed !== null) yield* drafts(target, chosen, trimmed, usual)
    if (variance(residual) > (1 - MIN_STEP) * before) return
  }
}

function* drafts(
  target: SampledNumbers,
  chosen: readonly SampledNumbers[],
  weights: Float64Array,
  rows: Int32Array,
): Generator<FormulaDraft> {
  const { ulp, relative } = target.precision!
  // Weights of few digits fit no better than the best weights.
  const left = residuals(target, chosen, weights, rows)
  const middle = medianOf(left)
  const typical = medianOf(target.values.map(Math.abs))
  if (medianOf(left.map((value) => Math.abs(value - middle))) > ulp + 2 * relative * typical) return
  const seen = new Set<string>()
  for (const snapped of snappings(weights)) {
    const key = snapped.join()
    if (seen.has(key) || snapped.every((weight) => weight === 0)) continue
    seen.add(key)
    const median = medianOf(residuals(target, chosen, snapped, rows))
    // Rounding down leaves half a unit on average.
    for (const constant of new Set([median, median + ulp / 2].map((c) => Math.round(c / ulp) * ulp))) {
      yield {
        target: target.column,
        form: 'sum',
        constant: Number(constant.toPrecision(15)),
        sources: chosen
          .map(({ column }, j) => ({ column, weight: snapped[j]! }))
          .filter(({ weight }) => weight !== 0)
          .sort((a, b) => a.column - b.column),
      }
    }
  }
}

/** Weights of few digits near the fitted ones; one weight alone may also be one over such a number. */
function* snappings(weights: Float64Array): Generator<number[]> {
  const one = weights.length === 1
  for (let digits = 0; digits <= (one ? MOST_DIGITS_OF_ONE : MOST_DIGITS); digits++) {
    yield Array.from(weights, (weight) => Number(weight.toFixed(digits)))
    if (!one) continue
    const inverse = Number((1 / weights[0]!).toFixed(digits))
    if (inverse !== 0) yield [1 / inverse]
  }
}

/** Rows close to the fit: a few codes for "unknown" or typing errors would distort it. */
function usualRows(residual: Residual, rows: Int32Array): Int32Array {
  const middle = medianOf(residual)
  const spread = medianOf(residual.map((value) => Math.abs(value - middle)))
  return rows.filter((row) => Math.abs(residual[row]! - middle) <= FAR * spread)
}

function medianOf(values: Float64Array): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  return sorted[sorted.length >> 1] ?? Number.NaN
}

function present(columns: readonly SampledNumbers[]): Int32Array {
  const rows: number[] = []
  for (let row = 0; row < columns[0]!.values.length; row++) {
    if (columns.every(({ values }) => !Number.isNaN(values[row]!))) rows.push(row)
  }
  return Int32Array.from(rows)
}

/** Length S: the residual of the target, NaN in other rows. */
type Residual = Float64Array

function centred(values: Float64Array, rows: Int32Array): Residual {
  let mean = 0
  for (let i = 0; i < rows.length; i++) mean += values[rows[i]!]! / rows.length
  const out = new Float64Array(values.length).fill(Number.NaN)
  for (let i = 0; i < rows.length; i++) out[rows[i]!] = values[rows[i]!]! - mean
  return out
}

function centredOn(residual: Residual, rows: Int32Array, size: number): Residual {
  const out = new Float64Array(size).fill(Number.NaN)
  for (let i = 0; i < rows.length; i++) out[rows[i]!] = residual[rows[i]!]!
  return out
}

function variance(residual: Residual): number {
  let sum = 0
  let squares = 0
  let n = 0
  for (let row = 0; row < residual.length; row++) {
    const value = residual[row]!
    if (Number.isNaN(value)) continue
    sum += value
    squares += value * value
    n++
  }
  return n === 0 ? 0 : squares / n - (sum / n) ** 2
}

function mostCorrelated(
  residual: Residual,
  rows: Int32Array,
  sources: readonly SampledNumbers[],
  chosen: readonly SampledNumbers[],
): SampledNumbers | null {
  const step = Math.ceil(rows.length / CORRELATION_ROWS)
  let best: SampledNumbers | null = null
  let most = 0
  for (const source of sources) {
    if (chosen.includes(source)) continue
    let n = 0
    let sx = 0
    let sy = 0
    let sxx = 0
    let sxy = 0
    let syy = 0
    for (let i = 0; i < rows.length; i += step) {
      const x = source.values[rows[i]!]!
      const y = residual[rows[i]!]!
      if (Number.isNaN(x) || Number.isNaN(y)) continue
      n++
      sx += x
      sy += y
      sxx += x * x
      sxy += x * y
      syy += y * y
    }
    if (n < MIN_TESTS) continue
    const spread = (sxx - (sx * sx) / n) * (syy - (sy * sy) / n)
    if (!(spread > 0)) continue
    const share = (sxy - (sx * sy) / n) ** 2 / spread
    if (share > most) {
      most = share
      best = source
    }
  }
  return best
}

/** Least squares on centred and scaled columns; null if they depend on each other. */
function leastSquares(
  target: SampledNumbers,
  chosen: readonly SampledNumbers[],
  rows: Int32Array,
): Float64Array | null {
  const p = chosen.length
  const columns = chosen.map(({ values }) => centred(values, rows))
  const scales = columns.map((values) => Math.sqrt(variance(values)))
  if (scales.some((scale) => !(scale > 0))) return null
  const y = centred(target.values, rows)
  const matrix = new Float64Array(p * p)
  const products = new Float64Array(p)
  for (let a = 0; a < p; a++) {
    for (let b = 0; b <= a; b++) matrix[a * p + b] = product(columns[a]!, columns[b]!, rows) / (scales[a]! * scales[b]!)
    products[a] = product(columns[a]!, y, rows) / scales[a]!
  }
  const [weights] = solveRidge(matrix, [products], 0)
  const scaled = weights!.map((weight, j) => weight / scales[j]!)
  return scaled.every(Number.isFinite) ? scaled : null
}

function product(x: Float64Array, y: Float64Array, rows: Int32Array): number {
  let sum = 0
  for (let i = 0; i < rows.length; i++) sum += x[rows[i]!]! * y[rows[i]!]!
  return sum
}

function residuals(
  target: SampledNumbers,
  chosen: readonly SampledNumbers[],
  weights: ArrayLike<number>,
  rows: Int32Array,
): Residual {
  const out = new Float64Array(target.values.length).fill(Number.NaN)
  for (let i = 0; i < rows.length; i++) out[rows[i]!] = target.values[rows[i]!]!
  for (let j = 0; j < chosen.length; j++) subtractMultiple(out, weights[j]!, chosen[j]!.values, rows)
  return out
}

function subtractMultiple(out: Residual, weight: number, values: Float64Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) out[rows[i]!] = out[rows[i]!]! - weight * values[rows[i]!]!
}
