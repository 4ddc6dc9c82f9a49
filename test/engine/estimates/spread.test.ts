import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effectiveCount, spreadOf, supportOf } from '../../../src/engine/estimates/spread.ts'

it('the spread of a vector is 2 (sum z²)² / (sum z⁴ - (sum z²)² / n)', () => {
  // Squares 1, 1, 0, 0: 2 · 4 / (2 - 4 / 4).
  expect(spreadOf(Float64Array.of(1, -1, 0, 0))).toBe(8)
  // Squares 9, 1: 2 · 100 / (82 - 100 / 2).
  expect(spreadOf(Float64Array.of(3, 1))).toBe(200 / 32)
})

it('nothing limits the degrees of freedom of equal weights, nor of a vector of zeros', () => {
  expect(spreadOf(new Float64Array(7).fill(0.1))).toBe(Number.POSITIVE_INFINITY)
  expect(spreadOf(new Float64Array(7))).toBe(Number.POSITIVE_INFINITY)
})

it('effective rows are (sum z)² / sum z²: as many as there are rows of equal weight', () => {
  expect(effectiveCount(new Float64Array(40).fill(0.3))).toBeCloseTo(40, 9)
  expect(effectiveCount(Float64Array.of(3, 1))).toBe(16 / 10)
  expect(effectiveCount(new Float64Array(5))).toBe(0)
})

it('support is the smaller of both: the spread where few rows have most of the weight', () => {
  const heavy = Float64Array.from({ length: 200 }, (_, i) => (i < 4 ? 12 : 1))
  expect(supportOf(heavy, null).support).toBe(spreadOf(heavy))
  expect(supportOf(heavy, null).support).toBeLessThan(effectiveCount(heavy) / 2)
  const half = Float64Array.from({ length: 200 }, (_, i) => (i < 100 ? 2 : 1))
  expect(supportOf(half, null).support).toBe(effectiveCount(half))
})

it('neither depends on the unit of the weights', () => {
  const weights = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { minLength: 2, maxLength: 50 })
  fc.assert(
    fc.property(weights, fc.constantFrom(0.001, 7, 1e6), (source, unit) => {
      const [z, scaled] = [Float64Array.from(source), Float64Array.from(source, (one) => unit * one)]
      expect(effectiveCount(scaled) / effectiveCount(z)).toBeCloseTo(1, 9)
      const [one, other] = [spreadOf(z), spreadOf(scaled)]
      // Nearly equal weights: differences of rounding errors.
      if (one < 1e8) expect(other / one).toBeCloseTo(1, 5)
      else expect(other).toBeGreaterThan(1e7)
    }),
  )
})
