import { expect, it } from 'vitest'
import { studentQuantile } from '../../../src/answers/arithmetic/student-t.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { POPULATION, weightedSurvey } from './weighted-people.ts'

/**
 * Samples of a population whose truth is known, each person with a chance of 1 to 12. Fixed seeds: the same figures each time.
 */
const SAMPLES = 80
const N = 800
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

it('95 % intervals of differences cover the truth of the population in 91 to 98 % of weighted samples', async () => {
  const expected = truth()
  let covered = 0
  let unweighted = 0
  let intervals = 0
  for (let s = 0; s < SAMPLES; s++) {
    const { table } = weightedSurvey(POPULATION, N, 100 + s)
    const { weights: _, ...plain } = table
    const question = {
      scenario: MEMBERS,
      baseline: scenario({}),
      outcomes: [{ column: 'intent', base: 'all' as const }],
      maxLevels: 10,
      disclosure: 'exact' as const,
    }
    const [intent] = (await estimateDifferences(await encodeTable(table, { threads: 1 }), question)).outcomes
    const [asked] = (await estimateDifferences(await encodeTable(plain, { threads: 1 }), question)).outcomes
    if (intent?.kind !== 'shares' || asked?.kind !== 'shares') throw new Error('no shares')
    for (const { level, difference, standardError, degreesOfFreedom } of intent.levels) {
      intervals++
      const { scenario: of, baseline } = expected.get(level)!
      const reach = studentQuantile(0.975, degreesOfFreedom ?? 1e6) * standardError
      if (Math.abs(difference - (of - baseline)) <= reach) covered++
    }
    for (const { level, scenario: m } of asked.levels) {
      const error = Math.sqrt((m * (1 - m)) / (N / 4))
      if (Math.abs(m - expected.get(level)!.scenario) <= 1.965 * error) unweighted++
    }
  }
  expect(intervals).toBe(3 * SAMPLES)
  expect(covered / intervals).toBeGreaterThanOrEqual(0.91)
  expect(covered / intervals).toBeLessThanOrEqual(0.98)
  // Without weights the sample says something about the people asked, not about the population: not even intervals twice as wide
  // as theirs cover it.
  expect(unweighted / intervals).toBeLessThan(0.5)
}, 600_000)
