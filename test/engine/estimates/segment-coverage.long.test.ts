import { expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { generate } from '../../../src/engine/generate.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { roundRatio } from '../../../src/manifest/figures.ts'
import { certaintyOf, shareVariance } from '../../../src/manifest/intervals.ts'
import { rowsOf, scenario } from '../scenario/written-scenario.ts'
import { type Person, people, sampleOf, tableOfPeople } from './people.ts'
import { referenceDifference } from './reference-estimate.ts'

/**
 * Samples of a population whose differences inside each region are known, counted over all of its people. Fixed seeds: the same
 * figures each time.
 */
const SAMPLES = 100
const N = 1_200
const ROWS = 4_000
const MEMBERS = scenario({ member: { yes: 0.8 } })
const REGIONS = ['north', 'south', 'west'] as const
const LEVELS = ['buy', 'maybe', 'never'] as const

it('95 % intervals inside segments, from seed and generation, cover the truth in 92 to 98 % of samples', async () => {
  const population = people(60_000, 3)
  const truth = new Map<string, number>(
    REGIONS.flatMap((region) =>
      LEVELS.map((level) => {
        const inside = (row: Person) => (row.region === region ? Number(row.intent === level) : null)
        const of = { shares: { member: { yes: 0.8 } } }
        return [`${region} ${level}`, referenceDifference(population, of, {}, inside).difference] as const
      }),
    ),
  )
  let covered = 0
  let intervals = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const model = await trainModel(tableOfPeople(sampleOf(population, N, sample)), { threads: 1 })
    const question = { scenario: MEMBERS, baseline: scenario({}), outcomes: ['intent'], by: 'region', maxLevels: 10 }
    const { segments = [] } = await estimateDifferences(model, question)
    const shares = async (of: RequestedConditions, seed: number) => {
      const made = await generate(model, { rowCount: ROWS, seed, scenario: of, threads: 1 })
      const { region = [], intent = [] } = await rowsOf(made)
      return (segment: string, level: string) => {
        const own = intent.filter((_, row) => region[row] === segment)
        return { rows: own.length, share: own.filter((cell) => cell === level).length / own.length }
      }
    }
    const [made, before] = [await shares(MEMBERS, sample), await shares(scenario({}), sample)]
    for (const { level: segment, scenario: side, baseline, outcomes } of segments) {
      const [intent] = outcomes
      if (intent?.kind !== 'shares') throw new Error('no shares')
      for (const { level, difference, standardError } of intent.levels) {
        const [one, other] = [made(segment, level), before(segment, level)]
        const { interval } = certaintyOf(
          one.share - other.share,
          {
            scenario: { rows: one.rows, variance: shareVariance(one.share) },
            against: { rows: other.rows, variance: shareVariance(other.share) },
          },
          {
            basis: 'seed',
            difference,
            standardError,
            effectiveRows: { scenario: side.effectiveRows ?? 1, against: baseline.effectiveRows ?? 1 },
          },
          roundRatio,
        )
        const expected = truth.get(`${segment} ${level}`)!
        intervals++
        if (interval !== null && interval[0] <= expected && expected <= interval[1]) covered++
      }
    }
  }
  expect(intervals).toBe(SAMPLES * REGIONS.length * LEVELS.length)
  expect(covered / intervals).toBeGreaterThanOrEqual(0.92)
  expect(covered / intervals).toBeLessThanOrEqual(0.98)
}, 600_000)
