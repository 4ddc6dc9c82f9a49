import { describe, expect, it } from 'vitest'
import { findBadHistogram, histogramsOf } from '../../src/answers/counts/histogram.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { NumberSummary } from '../../src/records/state/measurements.ts'

const summary = (bins?: NumberSummary['bins']): NumberSummary => ({
  n: 9,
  missing: 0,
  min: 0,
  max: 9,
  mean: 4,
  sd: 1,
  quantiles: [1, 2, 3, 4, 5],
  bins,
})
const bins = { edges: [0.5, 1.5, 2.5], counts: [1, 2], below: 0, above: 6 }

describe('the distributions of two sides', () => {
  it('are the shares of the values in each bin, and beyond the bins', () => {
    const { scenario, against } = histogramsOf(summary(bins), summary({ ...bins, counts: [3, 0], above: 0 }))
    expect(scenario).toEqual({ edges: bins.edges, shares: [0.1111, 0.2222], whole: true, above: 0.6667 })
    expect(against).toEqual({ edges: bins.edges, shares: [1, 0], whole: true })
  })

  it.each([
    ['other bins', summary({ ...bins, edges: [0.5, 1.5, 3.5] })],
    ['no bins, as in the records of an earlier version', summary()],
    ['no values', summary({ ...bins, counts: [0, 0], above: 0 })],
  ])('are left out if one side has %s', (_, other) => {
    expect(histogramsOf(summary(bins), other)).toEqual({})
    expect(histogramsOf(other, summary(bins))).toEqual({})
    expect(histogramsOf(null, summary(bins))).toEqual({})
  })
})

describe('reading a histogram', () => {
  const read = (scenario: object, against: object = scenario) =>
    findBadHistogram({
      comparisons: {
        c: {
          scenarios: { s: { means: { age: { scenario: { histogram: scenario }, against: { histogram: against } } } } },
        },
      },
    } as unknown as Manifest)
  const fine = { edges: [0, 1, 2], shares: [0.25, 0.5], below: 0.25 }

  it('accepts ascending edges, one more than shares', () => {
    expect(read(fine)).toBeNull()
  })

  it.each([
    ['edges that do not ascend', { ...fine, edges: [0, 0, 2] }],
    ['as many edges as shares', { ...fine, edges: [0, 1] }],
    ['shares of more than all', { ...fine, shares: [0.6, 0.6] }],
  ])('refuses %s', (_, histogram) => {
    expect(read(histogram)).toBe('comparisons.c.scenarios.s.means.age.scenario.histogram')
  })

  it('refuses edges that differ from those of the other side', () => {
    expect(read(fine, { ...fine, edges: [0, 1, 3] })).toBe('comparisons.c.scenarios.s.means.age.against.histogram')
  })

  it('covers the histograms of segments', () => {
    const means = { age: { scenario: { histogram: { edges: [1, 0], shares: [1] } }, against: null } }
    const manifest = { comparisons: { c: { scenarios: { s: { means: {}, segments: [{ means: {} }, { means }] } } } } }
    expect(findBadHistogram(manifest as unknown as Manifest)).toBe(
      'comparisons.c.scenarios.s.segments.1.means.age.scenario.histogram',
    )
  })
})
