import { expect, it } from 'vitest'
import { studentQuantile } from '../../../src/answers/arithmetic/student-t.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { type Person, people, sampleOf, tableOfPeople } from './people.ts'
import { referenceDifference } from './reference-estimate.ts'

/**
 * Samples of a population whose differences inside each region are known, counted over all of its people. Fixed seeds: the same
 * figures each time.
 */
const SAMPLES = 200
const N = 1_200
const OF = { shares: { member: { yes: 0.8 } } }
const REGIONS = ['north', 'south', 'west'] as const
const LEVELS = ['buy', 'maybe', 'never'] as const

it('95 % intervals inside segments cover the truth in 93 to 97 % of samples', async () => {
  const population = people(60_000, 3)
  const truth = new Map<string, number>(
    REGIONS.flatMap((region) =>
      LEVELS.map((level) => {
        const inside = (row: Person) => (row.region === region ? Number(row.intent === level) : null)
        return [`${region} ${level}`, referenceDifference(population, OF, {}, inside).difference] as const
      }),
    ),
  )
  let covered = 0
  let intervals = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const seed = await encodeTable(tableOfPeople(sampleOf(population, N, sample)), { threads: 1 })
    const { segments = [] } = await estimateDifferences(seed, {
      scenario: scenario(OF.shares),
      baseline: scenario({}),
      outcomes: [{ column: 'intent', base: 'all' }],
      by: 'region',
      maxLevels: 10,
      disclosure: 'exact',
    })
    for (const { level: segment, outcomes } of segments) {
      const [intent] = outcomes
      if (intent?.kind !== 'shares') throw new Error('no shares')
      for (const { level, difference, standardError, degreesOfFreedom } of intent.levels) {
        const reach = studentQuantile(0.975, degreesOfFreedom ?? 1e6) * standardError
        intervals++
        if (Math.abs(difference - truth.get(`${segment} ${level}`)!) <= reach) covered++
      }
    }
  }
  expect(intervals).toBe(SAMPLES * REGIONS.length * LEVELS.length)
  expect(covered / intervals).toBeGreaterThanOrEqual(0.93)
  expect(covered / intervals).toBeLessThanOrEqual(0.97)
}, 600_000)
