import { describe, expect, it } from 'vitest'
import { intervalOf } from '../../src/answers/arithmetic/intervals.ts'
import { wrongInterval } from '../../src/answers/verification/wrong-interval.ts'

const round = (figure: number) => Math.round(figure * 1e6) / 1e6
const [low, high] = intervalOf(0.1, 0.02, 40, 0.95, round)
const TOLD = {
  delta: 0.12,
  basis: 'seed' as const,
  answer: { against: 0.3, scenario: 0.4, difference: 0.1, degrees_of_freedom: 40 },
  interval: [low, high] as const,
  standard_error: 0.02,
}

describe("a difference's own figures", () => {
  it('follow from each other', () => {
    expect(wrongInterval(TOLD)).toBeNull()
    expect(wrongInterval({ ...TOLD, interval: null, standard_error: null })).toBeNull()
    expect(wrongInterval({ delta: 0.12 })).toBeNull()
  })

  it.each([
    ['another answer', { answer: { ...TOLD.answer, difference: 0.15 } }, 'interval: its middle'],
    ['an interval elsewhere', { interval: [low + 0.01, high + 0.01] as const }, 'interval: its middle'],
    ['a narrower interval', { interval: [low + 0.01, high - 0.01] as const }, 'interval: its width'],
    ['a smaller standard error', { standard_error: 0.015 }, 'interval: its width'],
    ['more degrees of freedom', { answer: { ...TOLD.answer, degrees_of_freedom: 4 } }, 'interval: its width'],
  ])('do not with %s', (_, changed, fault) => {
    expect(wrongInterval({ ...TOLD, ...changed })).toContain(fault)
  })

  it('without an answer are about the rows, with a width that effective rows can make', () => {
    const rows = { delta: 0.1, basis: 'effective_rows' as const, standard_error: 0.02, interval: [low, high] as const }
    expect(wrongInterval(rows)).toBeNull()
    expect(wrongInterval({ ...rows, delta: 0.2 })).toContain('its middle')
    expect(wrongInterval({ ...rows, standard_error: 0.015 })).toContain('its width')
  })
})
