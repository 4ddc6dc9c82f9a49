// Random draws for the simulations: the engine's own counter-based words, so that a seed gives the same rows everywhere.
import { PURPOSE, RandomStream } from '../../dist/engine/sampling/random.js'

/** Draws of one simulation. */
export class Draws {
  #stream
  #spare = Number.NaN

  /**
   * @param {number} seed
   * @param {number} [column] Streams of one seed do not depend on each other.
   */
  constructor(seed, column = 0) {
    this.#stream = new RandomStream(seed, PURPOSE.testTable, 0, column)
  }

  /** In [0, 1). */
  uniform() {
    return this.#stream.fineReal()
  }

  /** Standard normal (Box, Muller 1958). */
  normal() {
    if (!Number.isNaN(this.#spare)) {
      const kept = this.#spare
      this.#spare = Number.NaN
      return kept
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()))
    const angle = 2 * Math.PI * this.uniform()
    this.#spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }

  /** @param {number} shape At least 1; scale 1 (Marsaglia, Tsang 2000). */
  gamma(shape) {
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = this.normal()
      const v = (1 + c * x) ** 3
      if (v <= 0) continue
      if (Math.log(1 - this.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
    }
  }

  /** @param {number} p */
  chance(p) {
    return this.uniform() < p
  }

  /** @param {number} log odds */
  logistic(log) {
    return this.uniform() < 1 / (1 + Math.exp(-log))
  }

  /**
   * An index, as probable as its weight.
   *
   * @param {readonly number[]} weights
   */
  pick(weights) {
    let left = this.uniform() * weights.reduce((sum, weight) => sum + weight, 0)
    for (let i = 0; i < weights.length - 1; i++) {
      left -= weights[i] ?? 0
      if (left < 0) return i
    }
    return weights.length - 1
  }
}
