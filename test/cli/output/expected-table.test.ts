import { describe, expect, it } from 'vitest'
import { foreseenText } from '../../../src/cli/steps/expected-differences.ts'
import type { ExpectedScenario } from '../../../src/records/plan-estimates.ts'

const YES = {
  against: 0.4,
  scenario: 0.38,
  delta: -0.02,
  basis: 'seed',
  standard_error: 0.01,
  interval: [-0.04, -0.0001],
  support: 'ok',
} as const

describe('the differences to expect', () => {
  const rows = { scenario: 2000, against: 2000 }
  const expected: ExpectedScenario = {
    rows,
    effective_rows: { scenario: 290, against: 300 },
    shares: { intent: { Yes: { ...YES } } },
    means: {},
  }
  const textOf = (scenarios: Record<string, ExpectedScenario>) =>
    foreseenText({ lift: { against: 'base', scenarios } }, 80)

  it.each([
    [[-0.04, -0.0001], '-4.0 to -0.0'],
    [[-0.04, 0.0001], '-4.0 to +0.0'],
    [[-0.04, 0], '-4.0 to 0.0'],
  ] as const)('show on which side of 0 the interval %j ends', (interval, text) => {
    expect(textOf({ more: { ...expected, shares: { intent: { Yes: { ...YES, interval } } } } })).toContain(text)
  })

  it('of dates are days, beside long names that keep their levels', () => {
    const day = 86_400_000
    const visit = {
      against: Date.UTC(2026, 9, 16),
      scenario: Date.UTC(2026, 9, 18),
      delta: 2 * day,
      kind: 'date',
      standard_error: day / 2,
      interval: [day, 3 * day],
      support: 'ok',
    } as const
    const name = 'how.satisfied.are.you.with.the.opening.hours.of.the.shop'
    const text = textOf({
      more: { ...expected, shares: { [name]: { 'Very happy': { ...YES } } }, means: { visit: visit } },
    })
    expect(text).toContain(`
                                           From → to   Difference  95 % interval
  more
    how.satisfi… Very happy          40.0 % → 38.0 %  -2.0 points   -4.0 to -0.0
    visit mean               2026-10-16 → 2026-10-18    +2.0 days     1.0 to 3.0
`)
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('say which rows a comparison counts in, and how many of the seed they are', () => {
    const where = [{ column: 'region', levels: ['North'] }]
    expect(foreseenText({ lift: { against: 'base', where, scenarios: { more: expected } } }, 80)).toContain(
      '\n  counted in rows with region North (290 to 300 effective rows of the seed)\n',
    )
    const { effective_rows, ...untold } = expected
    expect(foreseenText({ lift: { against: 'base', where, scenarios: { more: untold } } }, 80)).toContain(
      '\n  counted in rows with region North\n',
    )
  })

  it('omit no scenario without a remark', () => {
    const text = textOf({ more: expected, trimmed: { ...expected, shares: { intent: {} } } })
    expect(text).toContain('  trimmed: not known: too few rows of the seed have a value or make the\n  difference\n')
    expect(text).not.toContain('more: not known')
  })

  it('are not explained where there are none', () => {
    expect(textOf({ trimmed: { ...expected, shares: { intent: {} } } })).not.toContain('The expected differences are')
  })
})
