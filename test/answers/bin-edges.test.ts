import { describe, expect, it } from 'vitest'
import { areWhole, binEdges } from '../../src/answers/counts/bin-edges.ts'

const number = { name: 'x', type: 'numeric' } as const

describe('whole numbers of a small range', () => {
  it('have a bin each', () => {
    const edges = binEdges({ ...number, integer: true, min: 1, max: 5 })!
    expect(edges).toEqual([0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
    expect(areWhole(edges)).toBe(true)
  })

  it('have a bin for a single number', () => {
    expect(binEdges({ ...number, integer: true, min: 7, max: 7 })).toEqual([6.5, 7.5])
  })
})

it('many whole numbers share bins with equally many numbers each', () => {
  const edges = binEdges({ ...number, integer: true, min: 18, max: 84 })!
  expect(edges.slice(0, 3)).toEqual([17.5, 19.5, 21.5])
  expect(edges.at(-1)).toBe(85.5)
  expect(areWhole(edges)).toBe(false)
})

it.each([
  [0, 1],
  [-3.2, 3.3],
  [0.001, 0.0023],
  [0, 123456],
  [-1e14, 1e14],
])('numbers from %d to %d fall into 16 to 40 bins of equal width that contain both ends', (min, max) => {
  const edges = binEdges({ ...number, integer: false, min, max })!
  expect(edges.length - 1).toBeLessThanOrEqual(40)
  expect(edges.length - 1).toBeGreaterThanOrEqual(16)
  expect(edges[0]).toBeLessThanOrEqual(min)
  expect(edges.at(-1)).toBeGreaterThanOrEqual(max)
  const width = edges[1]! - edges[0]!
  for (const [i, edge] of edges.entries()) if (i > 0) expect((edge - edges[i - 1]!) / width).toBeCloseTo(1, 6)
})

it('numbers that may be whole do not end on the upper edge of the last bin', () => {
  const edges = binEdges({ ...number, min: 20, max: 59 })!
  expect([edges.at(-2), edges.at(-1)]).toEqual([59, 60])
})

it('edges have no rounding errors', () => {
  expect(binEdges({ ...number, integer: false, min: 0, max: 1 })).toContain(0.3)
})

describe('quantiles of numbers', () => {
  const heavy = { ...number, integer: false, min: 0, max: 5_000_000 }

  it('keep bins filled when there is a long tail', () => {
    const edges = binEdges({ ...heavy, quantiles: { q05: 10_000, q95: 110_000 } })!
    expect(edges[0]).toBe(0)
    expect(edges.at(-1)).toBe(160_000)
  })

  it('never move bins beyond the bounds', () => {
    const edges = binEdges({ ...number, integer: true, min: 18, max: 60, quantiles: { q05: 20, q95: 58 } })!
    expect(edges[0]).toBe(17.5)
    expect(edges.at(-1)).toBe(61.5)
  })

  it('are ignored if they are equal, in favour of the bounds', () => {
    expect(binEdges({ ...heavy, quantiles: { q05: 0, q95: 0 } })!.at(-1)).toBe(5_000_000)
  })
})

describe('dates', () => {
  it('fall into whole days', () => {
    const edges = binEdges({ ...number, min: '2026-10-02', max: '2026-10-31', format: 'date' })!
    expect(edges).toHaveLength(31)
    expect(edges[0]).toBe(Date.parse('2026-10-02'))
    expect(edges.at(-1)).toBe(Date.parse('2026-11-01'))
    expect(areWhole(edges)).toBe(false)
  })

  it('of many years fall into bins of whole days', () => {
    const edges = binEdges({ ...number, min: '1950-01-01', max: '2026-10-31', format: 'date' })!
    expect(edges.length - 1).toBeLessThanOrEqual(40)
    expect(edges.every((edge) => edge % 86_400_000 === 0)).toBe(true)
  })

  it('with a time of day fall into parts of a day', () => {
    const edges = binEdges({
      ...number,
      min: '2026-10-02T08:00:00.000Z',
      max: '2026-10-02T17:59:59.999Z',
      format: 'date-time',
    })!
    expect(edges[1]! - edges[0]!).toBe(1_200_000)
  })
})

it.each([
  ['of levels', { name: 'x', type: 'categorical', levels: ['a'] }],
  ['without bounds', number],
  ['of one number that need not be whole', { ...number, min: 2, max: 2 }],
  ['with bounds in the wrong sequence', { ...number, min: 3, max: 2 }],
  ['with a bound that is no date', { ...number, min: 'soon', max: 'later', format: 'date' }],
  ['of numbers too large to be distinguished', { ...number, min: 0, max: 1e300 }],
  ['too narrow for numbers between its ends', { ...number, min: 1e14, max: 1e14 + 0.02 }],
] as const)('a column %s has no bins', (_, column) => {
  expect(binEdges(column as Parameters<typeof binEdges>[0])).toBeNull()
})
