import { describe, expect, it } from 'vitest'
import type { SurveyCase, SurveySide } from './survey-cases.ts'
import { fortyEightPeople } from './survey-people.ts'
import { seedOfRows, toldFigures, workedOut } from './survey-seed.ts'
import figures from './test-vectors.json' with { type: 'json' }

/** Ten differences of the 48 people. A program of another language worked out the figures from the formulas alone. */
const NOTHING: SurveySide = {}
const MEMBERS: SurveySide = { shares: { member: { Yes: 0.6 } } }
const TWO: SurveySide = { shares: { member: { Yes: 0.6 }, region: { North: 0.5 } } }
const RANGED: SurveySide = { shares: { member: { Yes: 0.5 } }, ranges: { age: [25, 60] } }

const INTENT = { outcome: 'intent', level: 'Yes', scenario: MEMBERS, baseline: NOTHING }
const SPEND = { outcome: 'spend', level: null, scenario: MEMBERS, baseline: NOTHING }

type Vector = Omit<SurveyCase, 'name' | 'table' | 'method'> & { readonly name: keyof typeof figures }

const VECTORS: readonly Vector[] = [
  { name: 'share, one margin', ...INTENT },
  { name: 'mean, one margin', ...SPEND },
  { name: 'the lever itself', ...INTENT, outcome: 'member' },
  { name: 'share, two margins', ...INTENT, scenario: TWO },
  { name: 'mean, margin and range', ...SPEND, scenario: RANGED },
  { name: 'mean, baseline conditioned too', ...SPEND, scenario: TWO, baseline: MEMBERS },
  { name: 'mean, case weights', ...SPEND, weight: 'weight' },
  { name: 'mean, missing answers', ...SPEND, outcome: 'spend if told' },
  { name: 'share, segment East', ...INTENT, segment: ['region', 'East'] },
  { name: 'mean, strata and clusters', ...SPEND, stratum: 'stratum', cluster: 'cluster' },
]

/** Both sides are sums of 48 terms; weights are raked to 13 places. */
const CLOSE = 1e-9

describe('differences of 48 people', () => {
  const rows = fortyEightPeople()

  it('are those of all test vectors', () => {
    expect(VECTORS.map(({ name }) => name)).toEqual(Object.keys(figures))
  })

  it.each(VECTORS)('$name: estimates, both standard errors, degrees of freedom and support', async (vector) => {
    const of = { ...vector, table: '48 people', method: 'linearised' } as const
    const expected = figures[vector.name]
    const seed = await seedOfRows(rows, of)
    const told = await toldFigures(seed, of)
    const near = (found: number, wanted: number): void =>
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(CLOSE * Math.max(1, Math.abs(wanted)))
    near(told.scenario, expected.scenario)
    near(told.baseline, expected.baseline)
    near(told.difference, expected.difference)
    near(told.standardError, expected.standardError)
    near(told.degreesOfFreedom!, expected.degreesOfFreedom)
    near(told.support, expected.support)
    told.effectiveRows.forEach(({ effectiveRows }, side) => {
      near(effectiveRows!, expected.effectiveRows[side]!)
    })
    near((await workedOut(seed, rows, of)).linearisedError, expected.standardErrorLinearised)
  })
})
