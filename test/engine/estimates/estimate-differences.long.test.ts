import { beforeAll, expect, it } from 'vitest'
import { studentQuantile } from '../../../src/answers/arithmetic/student-t.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedDifference } from '../../../src/engine/estimates/figures.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { type Person, people, sampleOf, tableOfPeople } from './people.ts'
import { type ReferenceScenario, referenceDifference } from './reference-estimate.ts'

/**
 * Samples of a population whose differences are known: counted over all of its people, weighted by the definition. Fixed seeds: the
 * same figures each time. With 200 samples, the share of intervals that cover is known to within 3 points.
 */
const SAMPLES = 200
const N = 1_000
const POPULATION = people(100_000, 3)

const written = ({ shares = {}, ranges = {} }: ReferenceScenario) =>
  scenario(shares, Object.fromEntries(Object.entries(ranges).map(([name, [min, max]]) => [name, { min, max }])))

const YOUNGER: ReferenceScenario = { shares: { member: { yes: 0.7 } }, ranges: { age: [18, 45] } }
/** 3 points more than the population has. */
const MORE_MEMBERS: ReferenceScenario = {
  shares: { member: { yes: 0.03 + POPULATION.filter(({ member }) => member === 'yes').length / POPULATION.length } },
}

const OUTCOMES: readonly (readonly [column: string, level: string | null, value: (row: Person) => number | null])[] = [
  ['intent', 'buy', ({ intent }) => Number(intent === 'buy')],
  ['member', 'yes', ({ member }) => Number(member === 'yes')],
  ['spend', null, ({ spend }) => spend],
  ['age', null, ({ age }) => age],
]

const STUDIES: readonly (readonly [name: string, of: ReferenceScenario, baseline: ReferenceScenario])[] = [
  ['one share', { shares: { member: { yes: 0.8 } } }, {}],
  ['a share 3 points above the natural one', MORE_MEMBERS, {}],
  ['two shares, a range and a baseline with conditions', YOUNGER, { shares: { region: { north: 0.5 } } }],
]

/** In how many samples the interval of each outcome covers the truth, for each study. */
const covered = STUDIES.map(() => OUTCOMES.map(() => 0))

beforeAll(async () => {
  const truths = STUDIES.map(([, of, baseline]) =>
    OUTCOMES.map(([, , value]) => referenceDifference(POPULATION, of, baseline, value).difference),
  )
  for (let sample = 0; sample < SAMPLES; sample++) {
    const seed = await encodeTable(tableOfPeople(sampleOf(POPULATION, N, sample)), { threads: 1 })
    for (const [study, [, of, baseline]] of STUDIES.entries()) {
      const { outcomes } = await estimateDifferences(seed, {
        scenario: written(of),
        baseline: written(baseline),
        outcomes: OUTCOMES.map(([column]) => ({ column, base: 'all' })),
        maxLevels: 100,
        disclosure: 'exact',
      })
      for (const [i, [column, level]] of OUTCOMES.entries()) {
        const outcome = outcomes[i]!
        const found: EstimatedDifference | null | undefined =
          outcome.kind === 'shares'
            ? outcome.levels.find((one) => one.level === level)
            : outcome.kind === 'mean'
              ? outcome.mean
              : null
        if (!found) throw new Error(`${column} was not estimated`)
        const reach = studentQuantile(0.975, found.degreesOfFreedom ?? 1e6) * found.standardError
        if (Math.abs(found.difference - truths[study]![i]!) <= reach) covered[study]![i]!++
      }
    }
  }
})

it.each(STUDIES.map(([name, of], study) => ({ name, of, study })))(
  'intervals of $name cover the truth in 0.92 to 0.98 of samples, for every outcome',
  ({ of, study }) => {
    for (const [i, count] of covered[study]!.entries()) {
      // A small shift times an uncertain effect on a skewed number: the error is right on average, but small where the effect
      // looks small. The known weak spot.
      const isWeak = of === MORE_MEMBERS && OUTCOMES[i]![0] === 'spend'
      expect(count / SAMPLES).toBeGreaterThanOrEqual(isWeak ? 0.87 : 0.92)
      expect(count / SAMPLES).toBeLessThanOrEqual(0.98)
    }
  },
)
