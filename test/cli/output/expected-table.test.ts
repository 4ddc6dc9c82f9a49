import { describe, expect, it } from 'vitest'
import { foreseenText } from '../../../src/cli/steps/expected-differences.ts'
import type { ForeseenScenario } from '../../../src/run/estimates/foresee-differences.ts'

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
  const expected: ForeseenScenario = {
    rows,
    effective_rows: { scenario: 290, against: 300 },
    shares: { intent: { Yes: { ...YES } } },
    means: {},
  }
  const textOf = (scenarios: Record<string, ForeseenScenario>) =>
    foreseenText({ lift: { against: 'base', scenarios } }, 80)

  it.each([
    [[-0.04, -0.0001], '-4.0 to -0.0'],
    [[-0.04, 0.0001], '-4.0 to +0.0'],
    [[-0.04, 0], '-4.0 to 0.0'],
  ] as const)('show on which side of 0 the interval %j ends', (interval, text) => {
    expect(textOf({ more: { ...expected, shares: { intent: { Yes: { ...YES, interval } } } } })).toContain(text)
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
