import { describe, expect, it } from 'vitest'
import { CELL_CASES, DESIGN_CASES, MEAN_CASES, REPLICATE_CASES, SMALL_CASES, type SurveyCase } from './survey-cases.ts'
import figures from './survey-figures.json' with { type: 'json' }
import { people240 } from './survey-people.ts'
import { replicateWeights } from './survey-replicates.ts'
import { seedOfRows, toldFigures, workedOut } from './survey-seed.ts'

/**
 * The figures of R 4.2.2 with survey 4.1.1, on people whom both programs make from whole numbers. survey-package.long.test.ts asks R
 * again where it is installed.
 */
const FIGURES: Readonly<Record<string, { scenario: number; baseline: number; standardError: number }>> = figures
const PEOPLE = people240()

/** R ends its calibration at 1e-11 of the totals. */
const CLOSE = 1e-6
/**
 * The jackknife rakes anew without each row, so it is no linearisation; told errors have a leverage correction that comes near it.
 * R's linearised error is no yardstick for several margins: it takes the weights before the calibration into the regression.
 */
const NEAR_JACKKNIFE = 0.01
/** With four totals and case weights 100 effective rows stand behind a side; what the two differ by falls as one over the rows. */
const NEAR_JACKKNIFE_OF_MEANS = 0.015

const expectScenarioAndBaseline = (found: { scenario: number; baseline: number }, { name }: SurveyCase): void => {
  expect(Math.abs(found.scenario / FIGURES[name]!.scenario - 1)).toBeLessThan(CLOSE)
  expect(Math.abs(found.baseline / FIGURES[name]!.baseline - 1)).toBeLessThan(CLOSE)
}

describe('figures of R’s survey package', () => {
  it('are there for all cases', () => {
    const cases = [...SMALL_CASES, ...DESIGN_CASES, ...MEAN_CASES, ...CELL_CASES, ...REPLICATE_CASES]
    expect(cases.map(({ name }) => name)).toEqual(Object.keys(FIGURES))
  })

  it.each([...SMALL_CASES, ...DESIGN_CASES, ...CELL_CASES].filter(({ method }) => method === 'linearised'))(
    'equal ours: $name',
    async (of) => {
      const seed = await seedOfRows(PEOPLE, of)
      expectScenarioAndBaseline(await toldFigures(seed, of), of)
      const { linearisedError } = await workedOut(seed, PEOPLE, of)
      expect(Math.abs(linearisedError / FIGURES[of.name]!.standardError - 1)).toBeLessThan(CLOSE)
    },
  )

  it.each([...SMALL_CASES, ...MEAN_CASES, ...CELL_CASES].filter(({ method }) => method === 'jackknife'))(
    'equal ours, and our error is near that of a jackknife: $name',
    async (of) => {
      const seed = await seedOfRows(PEOPLE, of)
      const told = await toldFigures(seed, of)
      expectScenarioAndBaseline(told, of)
      const near = of.scenario.means === undefined ? NEAR_JACKKNIFE : NEAR_JACKKNIFE_OF_MEANS
      expect(Math.abs(told.standardError / FIGURES[of.name]!.standardError - 1)).toBeLessThan(near)
    },
  )

  it.each(REPLICATE_CASES)('equal ours with replicate weights: $name', async (of) => {
    const seed = await seedOfRows(PEOPLE, of, replicateWeights(of.method, PEOPLE))
    const told = await toldFigures(seed, of)
    expectScenarioAndBaseline(told, of)
    expect(Math.abs(told.standardError / FIGURES[of.name]!.standardError - 1)).toBeLessThan(CLOSE)
  })
})
