/**
 * The factors that give a column a wanted margin with the least change of its leaves.
 *
 * A leaf that r rows reach has code c with probability p_c f_c / (sum of p f), f_c = exp(eta of the class of c + theta x_c) instead of
 * p_c. Among all distributions in leaves that have the margin, these are closest to the model's (minimum Kullback-Leibler divergence,
 * Csiszár 1975). eta and theta solve
 *
 *   sum over leaves of r p_k f_k / (sum of p f) = R t_k for every class k,     and the same with x in place of the class's indicator
 *
 * The left sides are the gradient of a convex function, so Newton's method solves it, from 0 in two or three steps. eta is bounded,
 * and so is theta times the largest |x|: what the bounds leave remains. A class that the leaves determine (each has it wholly or
 * not at all) keeps its margin.
 *
 * L  leaves     K  codes of the column     k  its classes     R  rows     t  wanted margin     x  numbers of the codes
 */

import { exponential } from './exponential.ts'
import type { LeafRuns } from './leaf-runs.ts'
import type { ColumnTilt } from './tilt.ts'

/** ln MOST_FACTOR: written down, as Math.log may differ between machines. */
const BOUND = 1.6094379124341003
const MOST_STEPS = 12
/** A step of a logarithm is at most this. */
const LONGEST_STEP = 1
/** Levenberg's part of the diagonal, against directions in which hardly anything changes. */
const DAMPING = 1e-4
/** Least variance of a class inside its leaves, as a part of its share: below, the leaves determine it. */
const LEAST_FREEDOM = 1e-3
/** The largest miss of a share, in standard errors of a share of one half: sqrt(effective rows) / 2. */
const TOLERANCE = 0.004
/** The curvature is measured on so many leaves. */
const CURVATURE_LEAVES = 600

/** Working memory: kept from column to column. */
export class FactorFit {
  /** Length K: factor of each code, from the last `fit`. */
  factors = new Float64Array(256)
  #size = 0
  #eta = new Float64Array(0)
  #gradient = new Float64Array(0)
  #step = new Float64Array(0)
  #hessian = new Float64Array(0)
  /** The Hessian's diagonal. */
  #spread = new Float64Array(0)
  #kept = new Float64Array(0)
  #part = new Float64Array(0)
  #partX = new Float64Array(0)
  #present = new Int32Array(0)

  /**
   * Writes `factors`.
   *
   * @param rows R, the sum of the leaves' rows.
   * @param lambda Weight of the tilt's margin against that of the leaves.
   */
  fit(
    leaves: LeafRuns,
    { classOf, shares, numbers }: ColumnTilt,
    rows: number,
    lambda: number,
    effectiveRows: number,
  ): void {
    const k = shares.length
    const size = k + (numbers ? 1 : 0)
    this.#reserve(size, classOf.length)
    const { factors } = this
    const eta = this.#eta
    const gradient = this.#gradient
    factors.fill(1, 0, classOf.length)
    eta.fill(0, 0, size)
    this.#measure(leaves, classOf, numbers, k, true)
    // From here on, the gradient is that of shares: what the leaves give less what is wanted.
    const wanted = Float64Array.from({ length: size }, (_, i) => {
      const own = gradient[i]! / rows
      return own + lambda * ((i < k ? shares[i]! : 0) - own)
    })
    const spread = this.#spread
    let reference = 0
    for (let i = 1; i < k; i++) if (gradient[i]! > gradient[reference]!) reference = i
    const isFixed = (i: number): boolean =>
      i === reference || !(spread[i]! > LEAST_FREEDOM * (i < k ? gradient[i]! : rows))
    const fixed = Uint8Array.from({ length: size }, (_, i) => +isFixed(i))
    let largest = 0
    if (numbers) for (let code = 0; code < classOf.length; code++) largest = Math.max(largest, Math.abs(numbers[code]!))
    const bounds = Float64Array.from({ length: size }, (_, i) => (i < k ? BOUND : BOUND / largest))
    const tolerance = TOLERANCE / 2 / Math.sqrt(effectiveRows)
    const miss = () => this.#miss(wanted, rows, k, size, fixed, bounds)
    let far = miss()
    let isCurved = true
    for (let step = 0; step < MOST_STEPS && far > tolerance; step++) {
      if (!this.#solve(size, rows, fixed, bounds, wanted)) break
      const before = far
      this.#kept.set(eta.subarray(0, size))
      for (let part = 1; part > 0.02; part /= 2) {
        for (let i = 0; i < size; i++) {
          const to = this.#kept[i]! + part * Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, this.#step[i]!))
          eta[i] = Math.max(-bounds[i]!, Math.min(bounds[i]!, to))
        }
        this.#writeFactors(classOf, numbers, k)
        this.#measure(leaves, classOf, numbers, k, false)
        far = miss()
        isCurved = false
        if (far < before) break
      }
      if (far >= before) {
        eta.set(this.#kept.subarray(0, size))
        this.#writeFactors(classOf, numbers, k)
        this.#measure(leaves, classOf, numbers, k, false)
        break
      }
      // A curvature that is out of date shows in slow progress.
      if (far > tolerance && far > before / 8 && !isCurved) {
        this.#measure(leaves, classOf, numbers, k, true)
        isCurved = true
      }
    }
  }

  #reserve(size: number, codeCount: number): void {
    if (this.factors.length < codeCount) this.factors = new Float64Array(codeCount)
    if (size <= this.#size) return
    this.#size = size
    this.#eta = new Float64Array(size)
    this.#gradient = new Float64Array(size)
    this.#step = new Float64Array(size)
    this.#kept = new Float64Array(size)
    this.#spread = new Float64Array(size)
    this.#hessian = new Float64Array(size * size)
    this.#part = new Float64Array(size)
    this.#partX = new Float64Array(size)
    this.#present = new Int32Array(size)
  }

  #writeFactors(classOf: Uint8Array, numbers: Float64Array | null, k: number): void {
    const eta = this.#eta
    const { factors } = this
    const ofClass = this.#part
    for (let i = 0; i < k; i++) ofClass[i] = exponential(eta[i]!)
    if (numbers) {
      const theta = eta[k]!
      for (let code = 0; code < classOf.length; code++) {
        factors[code] = ofClass[classOf[code]!]! * exponential(theta * numbers[code]!)
      }
    } else for (let code = 0; code < classOf.length; code++) factors[code] = ofClass[classOf[code]!]!
    ofClass.fill(0, 0, k)
  }

  /** Sums over the rows: of the classes and x into the gradient, of their covariance inside leaves into the Hessian. */
  #measure(
    leaves: LeafRuns,
    classOf: Uint8Array,
    numbers: Float64Array | null,
    k: number,
    withCurvature: boolean,
  ): void {
    const { factors } = this
    const gradient = this.#gradient
    const hessian = this.#hessian
    const part = this.#part
    const partX = this.#partX
    const present = this.#present
    const spread = this.#spread
    const size = numbers ? k + 1 : k
    const { count, rows, firstRun, codes, counts } = leaves
    gradient.fill(0, 0, size)
    if (withCurvature) {
      hessian.fill(0, 0, size * size)
      spread.fill(0, 0, size)
    }
    const stride = Math.max(1, Math.ceil(count / CURVATURE_LEAVES))
    let curved = 0
    let all = 0
    for (let leaf = 0; leaf < count; leaf++) {
      let sum = 0
      let sumX = 0
      let sumXX = 0
      let classes = 0
      for (let run = firstRun[leaf]!; run < firstRun[leaf + 1]!; run++) {
        const code = codes[run]!
        const weight = counts[run]! * factors[code]!
        const of = classOf[code]!
        if (part[of] === 0) present[classes++] = of
        part[of]! += weight
        sum += weight
        if (numbers) {
          const x = weight * numbers[code]!
          partX[of]! += x
          sumX += x
          sumXX += x * numbers[code]!
        }
      }
      const r = rows[leaf]!
      const scale = r / sum
      const isCurved = withCurvature && leaf % stride === 0
      all += r
      if (isCurved) curved += r
      for (let a = 0; a < classes; a++) {
        const i = present[a]!
        const share = part[i]! / sum
        gradient[i]! += r * share
        if (withCurvature) spread[i]! += r * share * (1 - share)
        if (!isCurved) continue
        hessian[i * size + i]! += r * share
        for (let b = 0; b < classes; b++) hessian[i * size + present[b]!]! -= share * scale * part[present[b]!]!
        if (numbers) hessian[i * size + k]! += scale * partX[i]! - share * scale * sumX
      }
      if (numbers) {
        gradient[k]! += scale * sumX
        const variance = scale * sumXX - scale * sumX * (sumX / sum)
        if (withCurvature) spread[k]! += variance
        if (isCurved) hessian[k * size + k]! += variance
      }
      for (let a = 0; a < classes; a++) {
        part[present[a]!] = 0
        partX[present[a]!] = 0
      }
    }
    if (!withCurvature) return
    if (stride > 1) {
      for (let i = 0; i < size * size; i++) hessian[i]! *= all / curved
      // A class of few leaves may be in none of those measured.
      for (let i = 0; i < size; i++) hessian[i * size + i] = Math.max(hessian[i * size + i]!, spread[i]!)
    }
    if (numbers) for (let i = 0; i < k; i++) hessian[k * size + i] = hessian[i * size + k]!
  }

  /** Whether a parameter may not move further in the direction in which the margin is missed. */
  #isHeld(i: number, wanted: Float64Array, rows: number, bounds: Float64Array): boolean {
    const miss = this.#gradient[i]! / rows - wanted[i]!
    return (this.#eta[i]! >= bounds[i]! && miss < 0) || (this.#eta[i]! <= -bounds[i]! && miss > 0)
  }

  #miss(wanted: Float64Array, rows: number, k: number, size: number, fixed: Uint8Array, bounds: Float64Array): number {
    let most = 0
    // What all the others miss together, the class of reference misses as well.
    let together = 0
    for (let i = 0; i < size; i++) {
      if (fixed[i] === 1 || this.#isHeld(i, wanted, rows, bounds)) continue
      const miss = this.#gradient[i]! / rows - wanted[i]!
      if (i < k) together += miss
      // A standard deviation of a number counts as much as that of a share of one half.
      most = Math.max(most, Math.abs(miss) * (i < k ? 1 : 0.5))
    }
    return Math.max(most, Math.abs(together))
  }

  /** Newton's step for the parameters that are free (Cholesky); false where there is none. */
  #solve(size: number, rows: number, fixed: Uint8Array, bounds: Float64Array, wanted: Float64Array): boolean {
    const free: number[] = []
    for (let i = 0; i < size; i++) if (fixed[i] === 0 && !this.#isHeld(i, wanted, rows, bounds)) free.push(i)
    const m = free.length
    const lower = new Float64Array(m * m)
    const y = new Float64Array(m)
    for (let a = 0; a < m; a++) {
      const i = free[a]!
      for (let b = 0; b <= a; b++) {
        let sum = this.#hessian[i * size + free[b]!]!
        if (a === b) sum *= 1 + DAMPING
        for (let c = 0; c < b; c++) sum -= lower[a * m + c]! * lower[b * m + c]!
        if (a === b && !(sum > 0)) return false
        lower[a * m + b] = a === b ? Math.sqrt(sum) : sum / lower[b * m + b]!
      }
      let sum = rows * wanted[i]! - this.#gradient[i]!
      for (let c = 0; c < a; c++) sum -= lower[a * m + c]! * y[c]!
      y[a] = sum / lower[a * m + a]!
    }
    this.#step.fill(0, 0, size)
    for (let a = m - 1; a >= 0; a--) {
      let sum = y[a]!
      for (let c = a + 1; c < m; c++) sum -= lower[c * m + a]! * this.#step[free[c]!]!
      this.#step[free[a]!] = sum / lower[a * m + a]!
    }
    return m > 0
  }
}
