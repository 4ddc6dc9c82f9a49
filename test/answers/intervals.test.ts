import { describe, expect, it } from 'vitest'
import {
  certaintyOf,
  intervalOf,
  MEAN,
  type SeedKnowledge,
  SHARE,
  type SidePair,
} from '../../src/answers/arithmetic/intervals.ts'
import type { RecordedEstimate } from '../../src/records/state/estimates.ts'

/** 0.4731 of 2,000 rows against 0.3472 of 4,000, as in the description of the operation. */
const SIDES = {
  scenario: { rows: 2000, variance: 0.4731 * 0.5269 },
  against: { rows: 4000, variance: 0.3472 * 0.6528 },
}
const rows = (scenario: number, against: number) => ({ scenario, against })
const fromSeed = (
  change: Partial<RecordedEstimate> = {},
  behind: { effective?: SidePair; support?: SidePair } = {},
) => {
  const { effective = rows(812, 4903), support = effective } = behind
  const estimate = { scenario: 0.4731, against: 0.3472, difference: 0.1259, standardError: 0.0143 }
  return {
    basis: 'seed',
    estimate: { ...estimate, degreesOfFreedom: 812, ...change },
    effectiveRows: effective,
    support,
  } as const
}

describe('the answer of a comparison', () => {
  it('is what the seed says, with Student’s t at its degrees of freedom', () => {
    // t(0.975, 812) = 1.962890, by SciPy
    expect(certaintyOf(0.13, SIDES, fromSeed(), SHARE)).toEqual({
      basis: 'seed',
      answer: { against: 0.3472, scenario: 0.4731, difference: 0.1259, degrees_of_freedom: 812 },
      standard_error: 0.0143,
      interval: [0.097831, 0.153969],
      support: 'ok',
    })
  })

  it.each([20, 2000, 1e9])('does not depend on the %d rows that are generated, nor on what they show', (count) => {
    const sides = { scenario: { ...SIDES.scenario, rows: count }, against: { ...SIDES.against, rows: count } }
    for (const delta of [0.1, 0.1259, -0.4, null])
      expect(certaintyOf(delta, sides, fromSeed(), SHARE)).toEqual(certaintyOf(0.13, SIDES, fromSeed(), SHARE))
  })

  it('has the interval of the normal distribution where nothing limits the degrees of freedom', () => {
    const found = certaintyOf(0.13, SIDES, fromSeed({ degreesOfFreedom: null }), SHARE)
    expect(found.answer).toEqual({ against: 0.3472, scenario: 0.4731, difference: 0.1259 })
    // t(0.975, 1e6) = 1.959966; · 0.0143
    expect(found.interval).toEqual([0.097872, 0.153928])
  })

  it.each([
    [50, 'ok'],
    [49.9, 'thin'],
    [20, 'thin'],
    [19.9, 'too_few_rows'],
  ])('has this support with %f supporting rows on its weaker side: %s', (fewest, support) => {
    for (const pair of [rows(fewest, 5000), rows(5000, fewest)]) {
      const known: SeedKnowledge[] = [
        fromSeed({}, { support: pair }),
        { basis: 'effective_rows', effectiveRows: pair } as const,
      ]
      for (const seed of known) {
        const found = certaintyOf(0.13, SIDES, seed, SHARE)
        expect([found.support, found.interval === null]).toEqual([support, support === 'too_few_rows'])
      }
    }
  })

  it('goes by support, not by effective rows that few heavy rows make', () => {
    const behind = { effective: rows(83, 4903), support: rows(46, 4903) }
    expect(certaintyOf(0.13, SIDES, fromSeed({}, behind), SHARE).support).toBe('thin')
  })

  it.each([
    ['share', SHARE, 20, 'ok'],
    ['share', SHARE, 19.9, 'thin'],
    ['share', SHARE, 1, 'thin'],
    ['mean', MEAN, 50, 'ok'],
    ['mean', MEAN, 49.9, 'thin'],
  ] as const)(
    'is thin with few degrees of freedom: a %s with %o and %f is %s',
    (_, figure, degreesOfFreedom, support) => {
      const found = certaintyOf(0.13, SIDES, fromSeed({ degreesOfFreedom }), figure)
      expect(found.support).toBe(support)
      expect(found.interval).not.toBeNull()
    },
  )

  it('stands beside a mix with the rows’ difference below 50 rows of support', () => {
    const mixed = (effective: number, support: number, delta: number | null) =>
      certaintyOf(delta, SIDES, fromSeed({}, { effective: rows(effective, 4903), support: rows(support, 4903) }), SHARE)
        .answer?.with_model
    // 30/80 of 0.1259, and 50/80 of 0.05
    expect(mixed(30, 30, 0.05)).toBe(0.078463)
    expect(mixed(83, 46, 0.05)).toBe(Number(((83 * 0.1259 + 50 * 0.05) / 133).toFixed(6)))
    expect(mixed(50, 50, 0.05)).toBeUndefined()
    // Before there are rows.
    expect(mixed(30, 30, null)).toBeUndefined()
  })

  it('keeps its figures without an interval where too few rows support it', () => {
    expect(certaintyOf(0.13, SIDES, fromSeed({}, { effective: rows(15, 4903) }), SHARE)).toEqual({
      basis: 'seed',
      answer: { against: 0.3472, scenario: 0.4731, difference: 0.1259, degrees_of_freedom: 812, with_model: 0.129054 },
      standard_error: null,
      interval: null,
      support: 'too_few_rows',
    })
  })

  it('is absent if the service says that a side has too few rows', () => {
    expect(certaintyOf(0.13, SIDES, { basis: 'seed', estimate: null }, SHARE)).toEqual({
      basis: 'seed',
      standard_error: null,
      interval: null,
      support: 'too_few_rows',
    })
  })

  it('has no interval where its ends are not finite', () => {
    const found = certaintyOf(2, SIDES, fromSeed({ difference: -1.7e308, standardError: 1.7e308 }), MEAN)
    expect(found).toMatchObject({ interval: null, standard_error: null, support: 'ok' })
  })
})

describe('the interval of a difference in the rows, where the seed’s is unknown', () => {
  it('has a bound from the effective rows of both sides if the seed’s difference is unknown', () => {
    const seed = { basis: 'effective_rows', effectiveRows: rows(100, 400) } as const
    // √(0.24928/100 + 0.22665/400 + 0.24928/2000 + 0.22665/4000) = 0.056927; t(0.975, 100) = 1.983972
    expect(certaintyOf(0.13, SIDES, seed, SHARE)).toEqual({
      basis: 'effective_rows',
      standard_error: 0.056927,
      interval: [0.017058, 0.242942],
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
    expect(certaintyOf(2, sides, seed, SHARE)).toMatchObject(expected)
  })

  it('covers only the noise of generation if nothing is known of the seed; support is then unknown', () => {
    const found = certaintyOf(0.13, SIDES, { basis: 'generation' }, SHARE)
    expect(found).toMatchObject({ basis: 'generation', standard_error: 0.013465, support: 'unknown' })
    expect(found.interval).toEqual([0.103593, 0.156407])
  })

  it('is omitted for a mean of one value', () => {
    const one = { scenario: { rows: 1, variance: null }, against: { rows: 100, variance: 4 } }
    const seed = { basis: 'effective_rows', effectiveRows: rows(100, 400) } as const
    expect(certaintyOf(2, one, seed, MEAN)).toMatchObject({
      interval: null,
      standard_error: null,
      support: 'ok',
    })
  })

  it('is wider at a higher confidence', () => {
    const reach = (confidence: number) => intervalOf(0, 1, 30, confidence, SHARE.round)[1]
    expect([0.5, 0.9, 0.95, 0.999].map(reach)).toEqual([0.682756, 1.697261, 2.042272, 3.645959])
  })
})
