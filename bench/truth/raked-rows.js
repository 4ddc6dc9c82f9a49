// Rows reweighted to a scenario with the least change: the truth where the rows are the population, an estimate where they are
// a sample of it. Written for the reader, and independent of the engine's own estimates.
import { Draws } from './draws.js'

/** First stream of the rows drawn; the population's columns have those below. */
const DRAWN_ROWS = 1_000

/**
 * @typedef {{ columns: readonly import('./simulated-table.js').SimulatedColumn[], values: readonly ArrayLike<number>[] }} Rows
 * @typedef {import('./population.js').KnownScenario} KnownScenario
 */

/**
 * Weights that sum to 1; null where the rows do not have what the scenario asks for.
 *
 * @param {Rows} rows
 * @param {KnownScenario} scenario
 */
export function rakedWeights({ columns, values }, { shares, ranges }) {
  const n = values[0]?.length ?? 0
  /** @param {string} name */
  const valuesOf = (name) => values[columns.findIndex((column) => column.name === name)] ?? []
  const isInside = new Uint8Array(n).fill(1)
  for (const [name, low, high] of ranges) {
    const numbers = valuesOf(name)
    for (let i = 0; i < n; i++) if ((numbers[i] ?? 0) < low || (numbers[i] ?? 0) > high) isInside[i] = 0
  }
  let cells = 1
  const cellOf = new Int32Array(n)
  const strides = shares.map(([name, targets]) => {
    const levels = valuesOf(name)
    const stride = cells
    for (let i = 0; i < n; i++) cellOf[i] = (cellOf[i] ?? 0) + stride * (levels[i] ?? 0)
    cells *= targets.length
    return stride
  })
  const counts = new Float64Array(cells)
  let inside = 0
  for (let i = 0; i < n; i++) {
    if (isInside[i] === 0) continue
    const cell = cellOf[i] ?? 0
    counts[cell] = (counts[cell] ?? 0) + 1
    inside++
  }
  if (inside === 0) return null
  const q = counts.map((count) => count / inside)
  if (!rake(q, shares, strides)) return null
  const weights = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const cell = cellOf[i] ?? 0
    if (isInside[i] === 1) weights[i] = (q[cell] ?? 0) / (counts[cell] ?? 1)
  }
  return weights
}

/**
 * Iterative proportional fitting (Deming, Stephan 1940), in place.
 *
 * @param {Float64Array} q
 * @param {KnownScenario['shares']} shares
 * @param {readonly number[]} strides
 */
function rake(q, shares, strides) {
  for (let sweep = 0; sweep < 5_000; sweep++) {
    let worst = 0
    for (const [d, [, targets]] of shares.entries()) {
      const stride = strides[d] ?? 1
      const sums = new Float64Array(targets.length)
      const levelOf = (/** @type {number} */ cell) => Math.floor(cell / stride) % targets.length
      q.forEach((share, cell) => {
        const l = levelOf(cell)
        sums[l] = (sums[l] ?? 0) + share
      })
      for (const [l, target] of targets.entries()) {
        if (target > 0 && sums[l] === 0) return false
        worst = Math.max(worst, Math.abs((sums[l] ?? 0) - target))
      }
      for (let cell = 0; cell < q.length; cell++) {
        const l = levelOf(cell)
        if ((sums[l] ?? 0) > 0) q[cell] = ((q[cell] ?? 0) * (targets[l] ?? 0)) / (sums[l] ?? 1)
      }
    }
    if (worst < 1e-10) return true
  }
  return false
}

/**
 * An outcome of every row: 1 or 0 for a level, else the number.
 *
 * @param {Rows} rows
 * @param {import('./population.js').Outcome} outcome
 */
export function outcomeValues({ columns, values }, { column, level }) {
  const source = values[columns.findIndex(({ name }) => name === column)] ?? []
  return Float64Array.from(source, (value) => (level === null ? value : +(value === level)))
}

/**
 * @param {Float64Array} weights
 * @param {Float64Array} y
 */
export function weightedMean(weights, y) {
  let sum = 0
  for (let i = 0; i < y.length; i++) sum += (weights[i] ?? 0) * (y[i] ?? 0)
  return sum
}

/**
 * Draws rows with replacement, as likely as their weights: the rows that somebody would make of the reweighted seed.
 *
 * @param {Float64Array} weights Their sum is 1.
 * @param {number} count
 * @param {number} seed
 * @param {number} stream Streams of one seed do not depend on each other.
 * @returns {Uint32Array} How often each row was drawn.
 */
export function drawRows(weights, count, seed, stream) {
  const ends = new Float64Array(weights.length)
  let end = 0
  for (const [i, weight] of weights.entries()) {
    end += weight
    ends[i] = end
  }
  const draws = new Draws(seed, DRAWN_ROWS + stream)
  const counts = new Uint32Array(weights.length)
  for (let k = 0; k < count; k++) {
    const at = draws.uniform() * end
    let [low, high] = [0, weights.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) > at) high = middle
      else low = middle + 1
    }
    counts[low] = (counts[low] ?? 0) + 1
  }
  return counts
}

/**
 * Difference of two weighted means over the same rows and its standard error, the weights taken as fixed.
 *
 * @param {Float64Array} w
 * @param {Float64Array} v
 * @param {Float64Array} y
 */
export function weightedDifference(w, v, y) {
  const mean = weightedMean(w, y)
  const base = weightedMean(v, y)
  let squares = 0
  for (let i = 0; i < y.length; i++) {
    const e = (w[i] ?? 0) * ((y[i] ?? 0) - mean) - (v[i] ?? 0) * ((y[i] ?? 0) - base)
    squares += e * e
  }
  return { difference: mean - base, standardError: Math.sqrt((y.length / (y.length - 1)) * squares) }
}
