/**
 * Logistic regression by Newton's method (McCullagh and Nelder 1989).
 *
 * n  rows     k  parameters, the constant first     X  n × k, the constant's column left out of `design`
 */

export interface LogisticFit {
  /** Length n: the probability of label 1. */
  readonly guesses: Float64Array
  /** Number of fitted parameters, the constant included: columns that others determine are left out. */
  readonly rank: number
}

const MAX_STEPS = 12
/** A step changes no row's log-odds by more than this, so that rows with certain labels do no harm. */
const LONGEST_STEP = 4
/** Largest change of a row's log-odds in the last step; a further step would change about its square. */
const CONVERGED = 1e-4
/** A column is determined by the previous ones if less than this share of its squares is left. */
const DEPENDENT = 1e-6

/** design  length n · terms, row after row     labels  length n, 0 or 1 */
export function logisticFit(design: Float64Array, labels: Uint8Array, terms: number): LogisticFit {
  const n = labels.length
  const k = terms + 1
  const odds = new Float64Array(n)
  let isIn = new Uint8Array(k).fill(1)
  for (let step = 0; step < MAX_STEPS; step++) {
    const { information, gradient } = newtonTerms(design, labels, odds, terms)
    const solved = solve(information, gradient, k, isIn)
    if (step === 0) isIn = solved.isIn
    const changes = new Float64Array(n)
    let largest = 0
    for (let i = 0; i < n; i++) {
      let change = solved.x[0]!
      for (let t = 0; t < terms; t++) change += design[i * terms + t]! * solved.x[1 + t]!
      changes[i] = change
      largest = Math.max(largest, Math.abs(change))
    }
    const scale = Math.min(1, LONGEST_STEP / Math.max(largest, CONVERGED))
    for (let i = 0; i < n; i++) odds[i]! += scale * changes[i]!
    if (largest < CONVERGED) break
  }
  return { guesses: odds.map(probability), rank: isIn.reduce((sum, one) => sum + one, 0) }
}

const probability = (odds: number) => 1 / (1 + Math.exp(-odds))

/** Sums X'WX (lower triangle) and X'(label - probability). */
function newtonTerms(design: Float64Array, labels: Uint8Array, odds: Float64Array, terms: number) {
  const k = terms + 1
  const information = new Float64Array(k * k)
  const gradient = new Float64Array(k)
  const x = new Float64Array(k).fill(1, 0, 1)
  for (let i = 0; i < labels.length; i++) {
    const guess = probability(odds[i]!)
    const weight = guess * (1 - guess)
    const residual = labels[i]! - guess
    for (let t = 0; t < terms; t++) x[1 + t] = design[i * terms + t]!
    for (let a = 0; a < k; a++) {
      gradient[a]! += residual * x[a]!
      const weighted = weight * x[a]!
      if (weighted === 0) continue
      for (let b = 0; b <= a; b++) information[a * k + b]! += weighted * x[b]!
    }
  }
  return { information, gradient }
}

/**
 * Cholesky factors of the included columns; columns that the previous ones determine are excluded, and their
 * coefficient is 0.
 */
function solve(matrix: Float64Array, right: Float64Array, k: number, wasIn: Uint8Array) {
  const isIn = wasIn.slice()
  const factor = new Float64Array(k * k)
  for (let a = 0; a < k; a++) {
    if (isIn[a] === 0) continue
    for (let b = 0; b <= a; b++) {
      if (isIn[b] === 0) continue
      let sum = matrix[a * k + b]!
      for (let c = 0; c < b; c++) sum -= factor[a * k + c]! * factor[b * k + c]!
      if (b < a) factor[a * k + b] = sum / factor[b * k + b]!
      else if (sum > DEPENDENT * matrix[a * k + a]!) factor[a * k + a] = Math.sqrt(sum)
      else {
        isIn[a] = 0
        factor.fill(0, a * k, (a + 1) * k)
      }
    }
  }
  const x = new Float64Array(k)
  for (let a = 0; a < k; a++) {
    if (isIn[a] === 0) continue
    let sum = right[a]!
    for (let b = 0; b < a; b++) sum -= factor[a * k + b]! * x[b]!
    x[a] = sum / factor[a * k + a]!
  }
  for (let a = k - 1; a >= 0; a--) {
    if (isIn[a] === 0) continue
    let sum = x[a]!
    for (let b = a + 1; b < k; b++) sum -= factor[b * k + a]! * x[b]!
    x[a] = sum / factor[a * k + a]!
  }
  return { x, isIn }
}
