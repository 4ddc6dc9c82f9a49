import { describe, expect, it } from 'vitest'
import { around, type CurveValue, leavesChance, nearestSolution } from '../../src/runner/estimates/curve-crossings.ts'

/** A straight curve through 0 at 0.3 with slope 0.2; its interval is 0.01 and a tenth of the distance to either side. */
const STRAIGHT: CurveValue[] = Array.from({ length: 11 }, (_, i) => {
  const value = i / 10
  const reach = 0.01 + 0.02 * Math.abs(value - 0.3)
  const difference = 0.2 * (value - 0.3)
  return { value, difference, interval: [difference - reach, difference + reach] as const }
})

describe('a curve of differences', () => {
  it('is solved where it reaches a height, also between two values', () => {
    expect(nearestSolution(STRAIGHT, 0.05, 0.3)).toBeCloseTo(0.55, 9)
    expect(nearestSolution(STRAIGHT, -0.06, 0.3)).toBeCloseTo(0, 9)
    expect(nearestSolution(STRAIGHT, 0.2, 0.3)).toBeNull()
  })

  it('that rises and falls again is solved at the nearest value', () => {
    const hill = [0, 0.1, 0.05, 0].map((difference, i) => ({ value: i / 3, difference, interval: null }))
    expect(nearestSolution(hill, 0.08, 0)).toBeCloseTo(0.8 / 3, 9)
    expect(nearestSolution(hill, 0.08, 1)).toBeCloseTo(1.4 / 3, 9)
  })

  it('holds the height in the intervals of the values around its solution', () => {
    // 0.2 d - (0.01 + 0.02 d) = 0.05 at d = 1/3; 0.2 d + 0.01 + 0.02 d = 0.05 at d = 2/11.
    const { low, high } = around(STRAIGHT, 0.05, 0.55)
    expect(low).toBeCloseTo(0.3 + 2 / 11, 2)
    expect(high).toBeCloseTo(0.3 + 1 / 3, 2)
    // 0.13 is reached at 0.95, and still held at the last value.
    expect(around(STRAIGHT, 0.13, 0.95)).toEqual({ low: expect.closeTo(0.845, 2) })
  })

  it('leaves chance where its interval leaves 0, down and up', () => {
    // 0.2 d = 0.01 + 0.02 d at d = 1/18.
    const { below, above } = leavesChance(STRAIGHT, 0.3)
    expect(below).toBeCloseTo(0.3 - 1 / 18, 2)
    expect(above).toBeCloseTo(0.3 + 1 / 18, 2)
    expect(
      leavesChance(
        STRAIGHT.map((point) => ({ ...point, interval: [-1, 1] })),
        0.3,
      ),
    ).toEqual({})
  })

  it('tells nothing beyond a value of which nothing is known', () => {
    const cut = STRAIGHT.map((point) => (point.value > 0.3 ? { ...point, interval: null } : point))
    expect(leavesChance(cut, 0.3)).toEqual({ below: expect.closeTo(0.3 - 1 / 18, 2) })
    expect(around(cut, 0.05, 0.55)).toEqual({})
  })
})
