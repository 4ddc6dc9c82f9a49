import { describe, expect, it } from 'vitest'
import type { ComparedSide } from '../../src/answers/comparisons/compared-sides.ts'
import { compareScenarios, type SegmentsOf } from '../../src/answers/comparisons/comparisons.ts'
import type { RecordedEstimates } from '../../src/records/state/estimates.ts'
import type { Measurement, SegmentCounts } from '../../src/records/state/measurements.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'

const STUDY = `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
defaults: { rows: 2000, seed: 1 }
scenarios: { base: {}, more: { shares: { member: { Yes: 0.5 } } } }
baseline: base
comparisons: [{ id: lift, scenarios: [more], shares: [intent], means: [age], by: region }]
`

/** Rows of a region, how many of them say Yes, and their mean age. */
type Region = readonly [rows: number, yes: number, mean: number]

const counts = ([rows, yes, mean]: Region): SegmentCounts => ({
  rows,
  shares: [
    [
      'intent',
      {
        levels: [
          ['No', rows - yes],
          ['Yes', yes],
        ],
        missing: 0,
      },
    ],
  ],
  numbers: [['age', { n: rows, missing: 0, min: 18, max: 90, mean, sd: 10, quantiles: [1, 2, 3, 4, 5] }]],
})

function side(regions: Readonly<Record<string, Region>>, effectiveRows: number | null = null): ComparedSide {
  const parts = Object.values(regions)
  const total = (at: 0 | 1) => parts.reduce((sum, part) => sum + part[at], 0)
  const measured: Measurement = {
    ...counts([total(0), total(1), 40]),
    outside: [],
    absent: [],
    segments: [['region', Object.entries(regions).map(([level, region]) => [level, counts(region)] as const)]],
  }
  return { measured, datasetId: 'ds_1', modelId: null, effectiveRows, selected: true }
}

const SURE = { standardError: 0.02, degreesOfFreedom: 150 }
const estimates = (difference: number): RecordedEstimates => ({
  scenario: { effectiveRows: 200, support: 190 },
  against: { effectiveRows: 400, support: 400 },
  bases: [],
  shares: [
    [
      'intent',
      [
        ['No', { ...SURE, scenario: 0.6 - difference, against: 0.6, difference: -difference }],
        ['Yes', { ...SURE, scenario: 0.4 + difference, against: 0.4, difference }],
      ],
    ],
  ],
  means: [['age', { scenario: 41, against: 40, difference: 1, standardError: 0.5, degreesOfFreedom: null }]],
})

const BEFORE = { North: [1000, 400, 40], South: [600, 300, 42], West: [400, 100, 50] } as const
const AFTER = { North: [1000, 480, 41], South: [600, 306, 42], West: [400, 130, 52] } as const

const segmentsOf = (known: SegmentsOf, before: ComparedSide = side(BEFORE), after: ComparedSide = side(AFTER)) => {
  const { study, diagnostics } = loadStudy(STUDY, { filename: 'demo.study.yaml' })
  if (study === null) throw new Error(JSON.stringify(diagnostics))
  const sides = new Map([
    ['base', before],
    ['more', after],
  ])
  const { lift } = compareScenarios(study, sides, () => 'estimates_failed', known)
  expect(lift?.by).toBe('region')
  return lift!.scenarios.more!.segments!
}

describe('the segments of a comparison', () => {
  it('have the differences among their rows, with intervals from their part of the seed, in the sequence of the data', () => {
    const known = new Map([
      ['North', estimates(0.07)],
      ['South', estimates(0.01)],
      ['West', estimates(0.02)],
    ])
    const segments = segmentsOf(() => ({ estimates: known, order: ['West', 'North', 'South', 'East'] }))
    expect(segments.map(({ level }) => level)).toEqual(['West', 'North', 'South'])
    const north = segments[1]!
    expect(north.rows).toEqual({ scenario: 1000, against: 1000 })
    expect(north.effective_rows).toEqual({ scenario: 200, against: 400 })
    // t(0.975, 150) = 1.975905
    expect(north.shares.intent?.Yes).toEqual({
      against: 0.4,
      scenario: 0.48,
      delta: 0.08,
      basis: 'seed',
      answer: { scenario: 0.47, against: 0.4, difference: 0.07, degrees_of_freedom: 150 },
      standard_error: 0.02,
      interval: [0.030482, 0.109518],
      support: 'ok',
      beyond_chance: true,
    })
    expect(north.means.age).toMatchObject({ delta: 1, basis: 'seed', answer: { difference: 1 } })
  })

  it('have no interval if they have few people, or if the service leaves them out', () => {
    const few: RecordedEstimates = {
      ...estimates(0),
      scenario: { effectiveRows: null, support: null },
      shares: [['intent', []]],
      means: [],
    }
    const segments = segmentsOf(() => ({ estimates: new Map([['North', few]]), order: [] }))
    expect(segments.map(({ level }) => level)).toEqual(['North', 'South', 'West'])
    for (const { shares, means, effective_rows, no_estimates } of segments) {
      expect(shares.intent?.Yes).toMatchObject({ support: 'too_few_rows', interval: null, basis: 'seed' })
      expect(means.age).toMatchObject({ support: 'too_few_rows', interval: null })
      expect([effective_rows, no_estimates]).toEqual([undefined, undefined])
    }
  })

  it('have no difference if one side has no rows', () => {
    const known: SegmentsOf = () => ({ estimates: 'estimates_failed', order: [] })
    const segments = segmentsOf(known, side(BEFORE), side({ North: [1000, 480, 41], East: [200, 60, 40] }))
    expect(segments.map(({ level, rows, shares, means }) => [level, rows, shares, means]).slice(1)).toEqual([
      ['South', { scenario: 0, against: 600 }, {}, {}],
      ['West', { scenario: 0, against: 400 }, {}, {}],
      ['East', { scenario: 200, against: 0 }, {}, {}],
    ])
    expect(segments[0]?.shares.intent?.Yes?.delta).toBe(0.08)
  })

  it('use the effective rows of the whole in proportion to their smaller share if there are no estimates', () => {
    const known: SegmentsOf = () => ({ estimates: 'no_segment_estimates', order: [] })
    const after = { North: [1600, 800, 41], South: [200, 100, 42], West: [200, 60, 52] } as const
    const [north, south, west] = segmentsOf(known, side(BEFORE, 800), side(after, 100))
    // North has half of the rows before and four fifths after.
    expect(north).toMatchObject({
      effective_rows: { scenario: 50, against: 400 },
      no_estimates: 'no_segment_estimates',
    })
    expect(north?.shares.intent?.Yes?.basis).toBe('effective_rows')
    expect(south?.effective_rows).toEqual({ scenario: 10, against: 80 })
    expect(west?.shares.intent?.Yes).toMatchObject({ support: 'too_few_rows', interval: null })
  })

  it('cover only the noise of generation if nothing is known of the seed', () => {
    const [north] = segmentsOf(() => ({ estimates: 'no_estimates_operation', order: [] }))
    expect(north?.shares.intent?.Yes).toMatchObject({ basis: 'generation', support: 'unknown' })
  })

  it('have an interval of nothing but 0 if the seed’s difference is 0 by definition, whatever the rows show', () => {
    const none = { scenario: 0.4, against: 0.4, difference: 0, standardError: 0, degreesOfFreedom: null }
    const same: RecordedEstimates = { ...estimates(0), shares: [['intent', [['Yes', none]]]] }
    const [north] = segmentsOf(() => ({ estimates: new Map([['North', same]]), order: [] }))
    const { answer, interval, delta, beyond_chance } = north!.shares.intent!.Yes!
    expect([answer?.difference, interval, delta, beyond_chance]).toEqual([0, [0, 0], 0.08, false])
  })
})
