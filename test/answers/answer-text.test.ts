import { describe, expect, it } from 'vitest'
import { answerLine, answerWords, comparisonAnswers } from '../../src/answers/words/answer-text.ts'
import { dataRecord } from '../../src/base/data-record.ts'
import type { ComparisonResult, ManifestComparison } from '../../src/records/manifest/comparisons.ts'
import type { ShareDifference } from '../../src/records/manifest/differences.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { compared, liftManifest, mean, share } from '../report/example-answers.ts'
import { exampleComparison, exampleManifest, sureComparison } from './example-manifest.ts'

/** A manifest with one comparison of `more` against `base`. */
const manifestOf = (
  shares: ComparisonResult['shares'],
  means: ComparisonResult['means'] = {},
  change: Partial<ManifestComparison> = {},
): Manifest => liftManifest({ more: compared(shares, means) }, change)

const only = (manifest: Manifest) => comparisonAnswers(manifest)[0]!
const lines = (manifest: Manifest) => only(manifest).answers.map(answerLine)

describe('an answer in words', () => {
  it('states shares as percentages and their difference in points', () => {
    const manifest = manifestOf({ 'purchase.intent': { Yes: share(0.3469, 0.4729, 0.0179) } })
    expect(lines(manifest)).toEqual(['purchase.intent Yes: 34.7 % → 47.3 %, +12.6 points, 95 % 9.1 to 16.1'])
  })

  it('states means in their own unit', () => {
    const manifest = manifestOf({}, { spend: mean(21.304, 28.414, 0.75) })
    expect(lines(manifest)).toEqual(['spend mean: 21.3 → 28.4, +7.1, 95 % 5.6 to 8.6'])
  })

  it('states means of dates as dates, and their difference in days', () => {
    const day = 86_400_000
    const { datasets, ...manifest } = manifestOf(
      {},
      { joined: mean(Date.UTC(2024, 2, 1), Date.UTC(2024, 3, 28), 9 * day) },
    )
    const described = { panel: { ...datasets.panel!, columns: { joined: { kind: 'date' as const } } } }
    const scenarios = { ...manifest.scenarios, base: manifest.scenarios.more! }
    expect(lines({ ...manifest, scenarios, datasets: described })).toEqual([
      'joined mean: 2024-03-01 → 2024-04-28, +58 days, 95 % 40 to 76',
    ])
  })

  it('rounds to what the standard error supports', () => {
    const [coarse, fine] = [0.12, 0.0004].map((se) => lines(manifestOf({ intent: { Yes: share(0.3, 0.7, se) } }))[0])
    expect(coarse).toBe('intent Yes: 30 % → 70 %, +40 points, 95 % 16 to 64')
    expect(fine).toBe('intent Yes: 30.00 % → 70.00 %, +40.00 points, 95 % 39.92 to 40.08')
  })

  it('groups the digits of large figures, but not of years', () => {
    const manifest = manifestOf({}, { income: mean(48_210.4, 61_200.2, 850), born: mean(1985.31, 1991.25, 0.4) })
    expect(lines(manifest)).toEqual([
      'income mean: 48,200 → 61,200, +13,000, 95 % 11,300 to 14,700',
      'born mean: 1985.3 → 1991.3, +5.9, 95 % 5.2 to 6.7',
    ])
  })

  it('keeps the sign of an end that rounds to 0, so that its side of 0 is visible', () => {
    const of = (interval: readonly [number, number], delta: number) =>
      answerWords(only(manifestOf({ intent: { Yes: share(0.3, 0.3 + delta, 0.01, { interval }) } })).answers[0]!)
    expect(of([0.0004, 0.04], 0.02).interval).toBe('+0.0 to 4.0')
    expect(of([-0.04, -0.0004], -0.02).interval).toBe('-4.0 to -0.0')
  })

  it('shows no sign for a difference or a side that rounds to 0', () => {
    const tiny = lines(manifestOf({}, { change: mean(0.00001, -0.00001, 0.75) }))[0]
    expect(tiny).toBe('change mean: 0.0 → 0.0, 0.0, 95 % -1.5 to 1.5')
  })

  it('adds remarks on a figure that a reader should know', () => {
    const manifest = manifestOf({
      intent: {
        Yes: share(0.3, 0.5, 0.02, { asked_for: true, support: 'thin' }),
      },
    })
    expect(lines(manifest)[0]).toMatch(/ \(asked for, thin\)$/)
  })
})

describe('a difference', () => {
  const beyond = (change: Partial<ShareDifference>) =>
    only(manifestOf({ intent: { Yes: share(0.3, 0.35, 0.01, change) } })).answers[0]!.beyond

  it('of an earlier manifest is beyond chance if its interval excludes 0', () => {
    expect(beyond({ interval: [0.01, 0.09] })).toBe(true)
    expect(beyond({ interval: [-0.09, -0.01] })).toBe(true)
    expect(beyond({ interval: [-0.01, 0.11] })).toBe(false)
  })

  it('is beyond chance as the manifest says, which looks at all questions of the study', () => {
    expect(beyond({ interval: [0.01, 0.09], beyond_chance: false })).toBe(false)
    expect(beyond({ interval: [0.01, 0.09], beyond_chance: true })).toBe(true)
  })

  it('that was asked for is no finding', () => {
    expect(beyond({ interval: [0.01, 0.09], asked_for: true })).toBeNull()
  })

  it('is told by its answer, and not by the rows', () => {
    const answer = { against: 0.31, scenario: 0.42, difference: 0.11 }
    const [found] = only(manifestOf({ intent: { Yes: share(0.3, 0.35, 0.01, { answer }) } })).answers
    expect(found).toMatchObject({ from: 0.31, to: 0.42, difference: 0.11 })
  })

  it('is not beyond chance if its interval ends at 0', () => {
    expect(beyond({ interval: [0, 0.1] })).toBe(false)
  })

  it('may or may not be beyond chance without an interval', () => {
    expect(beyond({ interval: null, support: 'too_few_rows' })).toBeNull()
    expect(
      only(exampleManifest(undefined, { comparisons: { lift: exampleComparison() } })).answers[0]!.beyond,
    ).toBeNull()
  })

  it('may or may not be beyond chance if its interval covers the noise of generation only, and the words say so', () => {
    expect(beyond({ basis: 'generation', support: 'unknown' })).toBeNull()
    const manifest = manifestOf({
      intent: { Yes: share(0.3, 0.35, 0.01, { basis: 'generation', support: 'unknown' }) },
    })
    expect(lines(manifest)).toEqual(['intent Yes: 30.0 % → 35.0 %, +5.0 points, 95 % of generation alone 3.0 to 7.0'])
  })
})

describe('answers of manifests with fewer fields', () => {
  it('state shares and means without intervals', () => {
    expect(lines(exampleManifest(undefined, { comparisons: { lift: exampleComparison() } }))).toEqual([
      'age mean: 40.0 → 44.0, +4.0',
      'intent Yes: 26.0 % → 36.0 %, +10.0 points',
      'intent No: 74.0 % → 64.0 %, -10.0 points',
    ])
  })

  it('have no figures if one side has no value', () => {
    const manifest = manifestOf({}, { spend: { against: null, scenario: null, delta: null } })
    expect(lines(manifest)).toEqual(['spend mean: – → –, –'])
  })

  it('list scenarios without a result', () => {
    const missing = { status: 'missing', shares: {}, means: {} } as const
    expect(only(manifestOf({}, {}, { scenarios: { more: missing } }))).toMatchObject({ answers: [], missing: ['more'] })
  })

  it('mark a difference between two trainings', () => {
    const mixed = { ...compared({ intent: { Yes: share(0.3, 0.5, 0.02) } }), status: 'mixed_model' } as const
    expect(only(manifestOf({}, {}, { scenarios: { more: mixed } })).answers[0]!.marks).toEqual(['another training'])
  })
})

describe('the sequence of answers', () => {
  it('begins with the largest difference over its standard error, and ends with those that have none', () => {
    const manifest = manifestOf(
      {
        intent: {
          Yes: share(0.3, 0.4, 0.05),
          No: share(0.5, 0.45, 0.01),
          Unsure: share(0.2, 0.3, 0.05, { standard_error: null, interval: null }),
        },
      },
      { age: mean(40, 41, 0.4) },
    )
    expect(only(manifest).answers.map(({ column, level }) => level ?? column)).toEqual(['No', 'age', 'Yes', 'Unsure'])
  })

  const LEVELS = dataRecord([
    ['No', share(0.2, 0.1, 0.01)],
    ['Unsure', share(0.2, 0.3, 0.01)],
    ['Yes', share(0.6, 0.6, 0.01)],
  ] as const)
  const inPlace = (manifest: Manifest) =>
    [...only(manifest).answers].sort((a, b) => a.place - b.place).map(({ column, level }) => level ?? column)

  it('follows the columns of the study and the levels of the data', () => {
    const outcomes = [
      { column: 'age', kind: 'means' },
      { column: 'intent', kind: 'shares', levels: ['Yes', 'Unsure', 'Refused', 'No'] },
    ] as const
    const manifest = manifestOf({ intent: LEVELS }, { age: mean(40, 41, 0.4) }, { outcomes })
    expect(inPlace(manifest)).toEqual(['age', 'Yes', 'Unsure', 'No'])
  })

  it('follows the levels of the dataset if the comparison does not list them', () => {
    const { datasets, ...manifest } = manifestOf({ intent: LEVELS })
    const base = manifest.scenarios.more!
    const levels = ['Yes', 'Unsure', 'No'].map((level) => ({ level }))
    const described = { panel: { ...datasets.panel!, columns: { intent: { kind: 'categorical' as const, levels } } } }
    const whole = { ...manifest, datasets: described, scenarios: { ...manifest.scenarios, base } }
    expect(inPlace(whole)).toEqual(['Yes', 'Unsure', 'No'])
  })

  it('follows the file if the manifest states no other', () => {
    expect(inPlace(manifestOf({ intent: LEVELS }, { age: mean(40, 41, 0.4) }))).toEqual(['No', 'Unsure', 'Yes', 'age'])
  })

  it('puts unlisted levels behind the others', () => {
    const outcomes = [{ column: 'intent', kind: 'shares', levels: ['Yes'] }] as const
    expect(inPlace(manifestOf({ intent: LEVELS }, {}, { outcomes }))).toEqual(['Yes', 'No', 'Unsure'])
  })
})

describe('answers inside segments', () => {
  it('are separate from those of all rows, and name their segment', () => {
    const segments = [
      { level: 'north', rows: { scenario: 900, against: 950 }, ...inside(0.3, 0.5) },
      { level: 'south', rows: { scenario: 1100, against: 1050 }, ...inside(0.3, 0.31) },
    ]
    const more = { ...compared({ intent: { Yes: share(0.3, 0.4, 0.02) } }), segments }
    const { answers, segments: found, by } = only(liftManifest({ more }, { by: 'region' }))
    expect(by).toBe('region')
    expect(answers.map(({ segment }) => segment)).toEqual([null])
    expect(found.map(({ segment, beyond }) => [segment, beyond])).toEqual([
      ['north', true],
      ['south', false],
    ])
  })

  const inside = (from: number, to: number) => ({ shares: { intent: { Yes: share(from, to, 0.03) } }, means: {} })
})

describe('names from data', () => {
  it('appear as they are, whatever they are', () => {
    const manifest = manifestOf(dataRecord([['__proto__', dataRecord([['constructor', share(0.3, 0.5, 0.02)]])]]))
    expect(lines(manifest)[0]).toMatch(/^__proto__ constructor: 30\.0 % → 50\.0 %/)
  })
})

it('answers have the figures of a manifest with intervals', () => {
  expect(lines(exampleManifest(undefined, { comparisons: { lift: sureComparison() } }))).toContain(
    'intent Yes: 25.4 % → 37.5 %, +12.1 points, 95 % 9.3 to 14.9',
  )
})
