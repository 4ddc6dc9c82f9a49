import { expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { generate } from '../../../src/engine/generate.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { rowsOf, scenario } from '../scenario/written-scenario.ts'
import { POPULATION, weightedSurvey } from './weighted-people.ts'

/**
 * Samples of a population whose truth is known, each person with a chance of 1 to 12. Fixed seeds: the same figures each time.
 */
const SAMPLES = 80
const N = 800
const ROWS = 8_000
/** The quantile of Student's t for about 500 effective rows. */
const T = 1.965
const MEMBERS = scenario({ member: { yes: 0.8, no: 0.2 } })

/** Shares of the population, and of the population with 80 % members. */
function truth(): Map<string, { readonly scenario: number; readonly baseline: number }> {
  const share = (level: string, of = POPULATION) => of.filter(({ intent }) => intent === level).length / of.length
  const members = POPULATION.filter(({ member }) => member === 'yes')
  const others = POPULATION.filter(({ member }) => member === 'no')
  return new Map(
    ['buy', 'maybe', 'never'].map((level) => [
      level,
      { scenario: 0.8 * share(level, members) + 0.2 * share(level, others), baseline: share(level) },
    ]),
  )
}

it('95 % intervals of differences cover the truth of the population in 90 to 99 % of weighted samples', async () => {
  const expected = truth()
  let ofSeed = 0
  let ofModel = 0
  let unweighted = 0
  let intervals = 0
  for (let s = 0; s < SAMPLES; s++) {
    const { table } = weightedSurvey(POPULATION, N, 100 + s)
    const { weights: _, ...plain } = table
    const model = await trainModel(table, { threads: 1 })
    const question = { scenario: MEMBERS, baseline: scenario({}), outcomes: ['intent'], maxLevels: 10 }
    const [intent] = (await estimateDifferences(model, question)).outcomes
    const [asked] = (await estimateDifferences(await trainModel(plain, { threads: 1 }), question)).outcomes
    if (intent?.kind !== 'shares' || asked?.kind !== 'shares') throw new Error('no shares')
    const share = async (of: RequestedConditions) => {
      const { intent: cells } = await rowsOf(
        await generate(model, { rowCount: ROWS, seed: s, scenario: of, threads: 1 }),
      )
      return (level: string) => cells!.filter((cell) => cell === level).length / ROWS
    }
    const [made, before] = [await share(MEMBERS), await share(scenario({}))]
    for (const { level, scenario: m, baseline: b, difference, standardError } of intent.levels) {
      intervals++
      const { scenario: of, baseline } = expected.get(level)!
      if (Math.abs(difference - (of - baseline)) <= T * standardError) ofSeed++
      const error = Math.sqrt(standardError ** 2 + (m * (1 - m) + b * (1 - b)) / ROWS)
      if (Math.abs(made(level) - before(level) - (of - baseline)) <= T * error) ofModel++
    }
    for (const { level, scenario: m } of asked.levels) {
      const error = Math.sqrt((m * (1 - m)) / (N / 4))
      if (Math.abs(m - expected.get(level)!.scenario) <= T * error) unweighted++
    }
  }
  expect(intervals).toBe(3 * SAMPLES)
  for (const covered of [ofSeed, ofModel]) {
    expect(covered / intervals).toBeGreaterThanOrEqual(0.9)
    expect(covered / intervals).toBeLessThanOrEqual(0.99)
  }
  // Without weights the sample says something about the people asked, not about the population: not even intervals twice as wide
  // as theirs cover it.
  expect(unweighted / intervals).toBeLessThan(0.5)
}, 600_000)
