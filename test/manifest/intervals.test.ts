import { describe, expect, it } from 'vitest'
import { roundRatio, roundStatistic } from '../../src/manifest/figures.ts'
import {
  certaintyOf,
  foreseenCertaintyOf,
  intervalOf,
  type SeedKnowledge,
  standardErrorFactor,
} from '../../src/manifest/intervals.ts'

/** 0.4731 of 2,000 rows against 0.3472 of 4,000, as in the description of the operation. */
const SIDES = {
  scenario: { rows: 2000, variance: 0.4731 * 0.5269 },
  against: { rows: 4000, variance: 0.3472 * 0.6528 },
}
const rows = (scenario: number, against: number) => ({ scenario, against })
const fromSeed = (change: object = {}): SeedKnowledge =>
  ({
    basis: 'seed',
    difference: 0.1259,
    standardError: 0.0143,
    effectiveRows: rows(812, 4903),
    ...change,
  }) as SeedKnowledge

describe('the interval of a difference', () => {
  it('includes seed and distance from the seed, with Student’s t at the smaller effective sample size', () => {
    // √(0.0143² + 0.0041²) = 0.014876; t(0.975, 812) = 1.962890, both by SciPy
    expect(certaintyOf(0.13, SIDES, fromSeed(), roundRatio)).toEqual({
      basis: 'seed',
      standard_error: 0.014876,
      interval: [0.1008, 0.1592],
      seed: { difference: 0.1259, standard_error: 0.0143 },
      departs: false,
      support: 'ok',
    })
  })

  it.each([20, 2000, 1e9])('equals that of the seed if %d rows show the same as the seed', (count) => {
    const sides = { scenario: { ...SIDES.scenario, rows: count }, against: { ...SIDES.against, rows: count } }
    expect(certaintyOf(0.1259, sides, fromSeed(), roundRatio).standard_error).toBe(0.0143)
  })

  it.each([20, 2000, 1e9])('includes the whole distance of %d rows from the seed', (count) => {
    const sides = { scenario: { ...SIDES.scenario, rows: count }, against: { ...SIDES.against, rows: count } }
    // √(0.0143² + 0.0259²)
    expect(certaintyOf(0.1, sides, fromSeed(), roundRatio).standard_error).toBe(0.029585)
  })

  it.each([
    // √(0.0143² + 0.24928/2000 + 0.22665/4000)
    [1, 0.019642],
    // √(0.0143² + 0.25 · (0.24928/2000 + 0.22665/4000))
    [0.25, 0.015806],
  ])(
    'includes the part %f of the noise of generation that the service reports before there are rows',
    (effect, error) => {
      expect(foreseenCertaintyOf(0.1259, SIDES, fromSeed(), effect, roundRatio)).toMatchObject({
        standard_error: error,
        departs: false,
        support: 'ok',
      })
    },
  )

  it.each([
    [0.1402, false],
    [0.1403, true],
    [0.1116, false],
    [0.1115, true],
  ])('is marked as departing from the seed if the model differs by %f: %s', (delta, departs) => {
    expect(certaintyOf(delta, SIDES, fromSeed(), roundRatio).departs).toBe(departs)
  })

  it('does not depart from the seed by less than the last digit of its figure', () => {
    const seed = fromSeed({ difference: 0.333333, standardError: 0 })
    expect(certaintyOf(1 / 3, SIDES, seed, roundRatio).departs).toBe(false)
  })

  it.each([
    [50, 'ok'],
    [49.9, 'thin'],
    [20, 'thin'],
    [19.9, 'too_few_rows'],
  ])('has this support with %f effective rows on its weaker side: %s', (effective, support) => {
    for (const effectiveRows of [rows(effective, 5000), rows(5000, effective)]) {
      for (const seed of [fromSeed({ effectiveRows }), { basis: 'effective_rows', effectiveRows } as const]) {
        const found = certaintyOf(0.13, SIDES, seed, roundRatio)
        expect([found.support, found.interval === null]).toEqual([support, support === 'too_few_rows'])
      }
    }
  })

  it('is omitted if the service says that a side has too few rows', () => {
    expect(certaintyOf(0.13, SIDES, { basis: 'seed', difference: null }, roundRatio)).toEqual({
      basis: 'seed',
      standard_error: null,
      interval: null,
      departs: false,
      support: 'too_few_rows',
    })
  })

  it('has a bound from the effective rows of both sides if the seed’s difference is unknown', () => {
    const seed = { basis: 'effective_rows', effectiveRows: rows(100, 400) } as const
    // √(0.24928/100 + 0.22665/400 + 0.24928/2000 + 0.22665/4000) = 0.056927; t(0.975, 100) = 1.983972
    expect(certaintyOf(0.13, SIDES, seed, roundRatio)).toEqual({
      basis: 'effective_rows',
      standard_error: 0.056927,
      interval: [0.017058, 0.242942],
      departs: false,
      support: 'ok',
    })
  })

  it.each([
    // √(9²/25 + 9²/100 + 9²/100 + 9²/100); t(0.975, 100) = 1.98397152
    [0.25, { standard_error: 2.381176, interval: [-2.724185, 6.724185], support: 'thin' }],
    [0.19, { standard_error: null, interval: null, support: 'too_few_rows' }],
  ])('has a bound from the effective rows with a value if only a part of %f has one', (answered, expected) => {
    const side = { rows: 100, variance: 81, answered }
    const sides = { scenario: side, against: { ...side, answered: 1 } }
    const seed = { basis: 'effective_rows', effectiveRows: rows(100, 100) } as const
    expect(certaintyOf(2, sides, seed, roundRatio)).toMatchObject(expected)
  })

  it('covers only the noise of generation if nothing is known of the seed; support is then unknown', () => {
    const found = certaintyOf(0.13, SIDES, { basis: 'generation' }, roundRatio)
    expect(found).toMatchObject({ basis: 'generation', standard_error: 0.013465, support: 'unknown' })
    expect(found.interval).toEqual([0.103593, 0.156407])
  })

  it('is omitted for a mean of one value and for figures that are not finite', () => {
    const one = { scenario: { rows: 1, variance: null }, against: { rows: 100, variance: 4 } }
    const seed = fromSeed({ difference: 3, standardError: 1 })
    expect(certaintyOf(2, one, seed, roundStatistic)).toMatchObject({
      interval: null,
      standard_error: null,
      support: 'ok',
    })
    for (const standardError of [1e200, 1.7e308])
      expect(certaintyOf(2, SIDES, fromSeed({ standardError }), roundStatistic)).toMatchObject({
        interval: null,
        standard_error: null,
      })
  })

  it('is wider at a higher confidence', () => {
    const reach = (confidence: number) => intervalOf(0, 1, 30, confidence, roundRatio)[1]
    expect([0.5, 0.9, 0.95, 0.999].map(reach)).toEqual([0.682756, 1.697261, 2.042272, 3.645959])
  })
})

it('the standard errors of people who use the rows grow by √(1 + rows / effective rows)', () => {
  expect(standardErrorFactor(10_000, 1000)).toBeCloseTo(Math.sqrt(11), 12)
  expect(standardErrorFactor(1, 1e9)).toBeCloseTo(1, 8)
})
