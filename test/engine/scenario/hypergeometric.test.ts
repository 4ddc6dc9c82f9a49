import { describe, expect, it } from 'vitest'
import { drawHypergeometric } from '../../../src/engine/scenario/hypergeometric.ts'

/** What evenly spaced uniform numbers give. */
function drawn(marked: number, others: number, draws: number, points: number): number[] {
  return Array.from({ length: points }, (_, i) => drawHypergeometric(marked, others, draws, () => (i + 0.5) / points))
}

function choose(n: number, k: number): number {
  let ways = k < 0 || k > n ? 0 : 1
  for (let i = 1; i <= k; i++) ways = (ways * (n - i + 1)) / i
  return ways
}

describe('a hypergeometric draw', () => {
  it('has every number as often as its law says, of every small urn', () => {
    const points = 2_000
    for (let marked = 0; marked <= 7; marked++) {
      for (let others = 0; others <= 7; others++) {
        for (let draws = 0; draws <= marked + others; draws++) {
          const counts = new Map<number, number>()
          for (const x of drawn(marked, others, draws, points)) counts.set(x, (counts.get(x) ?? 0) + 1)
          const most = Math.min(marked, draws)
          for (let x = -1; x <= most + 1; x++) {
            const law = (choose(marked, x) * choose(others, draws - x)) / choose(marked + others, draws)
            // A number is what the uniform numbers of one interval give, so their count is off by 1 at most.
            const off = Math.abs((counts.get(x) ?? 0) - points * law)
            expect(off, `${marked} ${others} ${draws} ${x}`).toBeLessThan(1 + 1e-6)
          }
        }
      }
    }
  })

  it.each([
    [6_000_000, 14_000_000, 491_520],
    [19_999_000, 1_000, 10_000_000],
    [3, 20_000_000, 9_830_400],
    [20_000_000, 20_000_000, 20_000_000],
  ])('has the mean and the variance of its law, of %i and %i balls with %i draws', (marked, others, draws) => {
    const points = 2_000
    const N = marked + others
    const mean = (draws * marked) / N
    const variance = (mean * others * (N - draws)) / (N * (N - 1))
    const numbers = drawn(marked, others, draws, points).map((x) => (x - mean) / Math.sqrt(variance))
    const average = numbers.reduce((sum, x) => sum + x, 0) / points
    const square = numbers.reduce((sum, x) => sum + x * x, 0) / points
    // Numbers go up from the mode and then down from it. So the sum of 2,000 is off by as much as they go up and down: 4 standard
    // deviations each way, and what the ends beyond have is nothing. Squares go up to 16 and back, twice.
    expect(Math.abs(average)).toBeLessThan(16 / points)
    expect(Math.abs(square - 1)).toBeLessThan(64 / points)
  })

  it('asks for no random number where nothing is to be decided', () => {
    const none = (): number => {
      throw new Error('a number was asked for')
    }
    expect(drawHypergeometric(0, 9, 4, none)).toBe(0)
    expect(drawHypergeometric(9, 0, 4, none)).toBe(4)
    expect(drawHypergeometric(5, 4, 9, none)).toBe(5)
    expect(drawHypergeometric(5, 4, 0, none)).toBe(0)
  })

  it('stays in its range at the ends of what is uniform', () => {
    for (const uniform of [0, 2 ** -53, 1 - 2 ** -53]) {
      const x = drawHypergeometric(100, 50, 120, () => uniform)
      expect(x).toBeGreaterThanOrEqual(70)
      expect(x).toBeLessThanOrEqual(100)
    }
  })
})
