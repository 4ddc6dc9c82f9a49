import { describe, expect, it } from 'vitest'
import { studentQuantile } from '../../src/answers/arithmetic/student-t.ts'

/** Probability, degrees of freedom, quantile: computed by SciPy 1.17 (`scipy.stats.t.ppf`). */
const TABLE = [
  [0.75, 1, 1],
  [0.75, 3, 0.7648923284],
  [0.75, 4.5, 0.7328666862],
  [0.75, 10, 0.6998120613],
  [0.75, 19.7, 0.687147364],
  [0.75, 50, 0.6794282003],
  [0.75, 812, 0.6747920074],
  [0.75, 4903, 0.6745397912],
  [0.75, 1_000_000, 0.6744899955],
  [0.95, 1, 6.313751515],
  [0.95, 3, 2.353363435],
  [0.95, 4.5, 2.065575889],
  [0.95, 10, 1.812461123],
  [0.95, 19.7, 1.725993307],
  [0.95, 50, 1.675905025],
  [0.95, 812, 1.646732346],
  [0.95, 4903, 1.645164469],
  [0.95, 1_000_000, 1.644855151],
  [0.975, 1, 12.70620474],
  [0.975, 3, 3.182446305],
  [0.975, 4.5, 2.658912347],
  [0.975, 10, 2.228138852],
  [0.975, 19.7, 2.08800175],
  [0.975, 50, 2.008559112],
  [0.975, 812, 1.962889786],
  [0.975, 4903, 1.960447943],
  [0.975, 1_000_000, 1.959966357],
  [0.9995, 1, 636.6192488],
  [0.9995, 3, 12.92397864],
  [0.9995, 4.5, 7.580740499],
  [0.9995, 10, 4.586893859],
  [0.9995, 19.7, 3.859271112],
  [0.9995, 50, 3.496012882],
  [0.9995, 812, 3.302548893],
  [0.9995, 4903, 3.292512263],
  [0.9995, 1_000_000, 3.290536461],
] as const

describe('quantiles of Student’s t', () => {
  it.each(TABLE)('are, at %f with %f degrees of freedom, %f', (probability, degrees, quantile) => {
    expect(studentQuantile(probability, degrees) / quantile).toBeCloseTo(1, 8)
  })

  it('agree with the closed forms of one and of two degrees of freedom', () => {
    for (const p of [0.6, 0.9, 0.975, 0.9995]) {
      expect(studentQuantile(p, 1)).toBeCloseTo(Math.tan(Math.PI * (p - 0.5)), 7)
      expect(studentQuantile(p, 2)).toBeCloseTo((2 * p - 1) / Math.sqrt(2 * p * (1 - p)), 7)
    }
  })

  it('are 0 in the middle, and approach the normal ones as the degrees of freedom grow', () => {
    expect(studentQuantile(0.5, 7)).toBeCloseTo(0, 9)
    const falling = [1, 1.5, 2, 5, 20, 50.5, 1000, 1e5, 1e9].map((degrees) => studentQuantile(0.975, degrees))
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect(falling.at(-1)).toBeCloseTo(1.959964, 5)
  })

  it('require a probability of at least one half and below 1, and at least one degree of freedom', () => {
    for (const [p, degrees] of [
      [0.4, 5],
      [1, 5],
      [Number.NaN, 5],
      [0.975, 0.5],
      [0.975, Number.NaN],
    ] as const)
      expect(() => studentQuantile(p, degrees)).toThrow(RangeError)
  })
})
