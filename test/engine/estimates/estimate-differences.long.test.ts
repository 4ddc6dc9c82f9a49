import { describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedOutcome } from '../../../src/engine/estimates/outcome-estimates.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { type Person, people, sampleOf, tableOfPeople } from './people.ts'
import {
  effectiveRowsOf,
  type ReferenceDifference,
  type ReferenceScenario,
  referenceDifference,
  referenceWeights,
} from './reference-estimate.ts'

const seedOf = (rows: readonly Person[]): Promise<Seed> => encodeTable(tableOfPeople(rows), { threads: 1 })

const NOTHING = scenario({})

const written = ({ shares = {}, age }: ReferenceScenario): RequestedConditions =>
  scenario(shares, age === undefined ? {} : { age: { min: age[0], max: age[1] } })

const YOUNGER: ReferenceScenario = { shares: { member: { yes: 0.7 } }, age: [18, 45] }
const CASES: readonly (readonly [name: string, of: ReferenceScenario, baseline: ReferenceScenario])[] = [
  ['one share', { shares: { member: { yes: 0.8 } } }, {}],
  ['shares of two columns', { shares: { member: { yes: 0.7, no: 0.3 }, region: { west: 0.5 } } }, {}],
  ['a share and a range', YOUNGER, {}],
  ['a share of 0', { shares: { region: { west: 0 } } }, { shares: { member: { no: 0.9 } } }],
  ['a baseline with conditions of its own', YOUNGER, { shares: { region: { north: 0.6 } }, age: [30, 80] }],
]

async function estimate(
  seed: Seed,
  of: RequestedConditions,
  baseline: RequestedConditions,
  outcomes: readonly string[],
) {
  return await estimateDifferences(seed, { scenario: of, baseline, outcomes, maxLevels: 100 })
}

function levelOf(outcome: EstimatedOutcome | undefined, level: string) {
  if (outcome?.kind !== 'shares') throw new Error('no shares')
  const found = outcome.levels.find((candidate) => candidate.level === level)
  if (found === undefined) throw new Error(`no level ${level}`)
  return found
}

function meanOf(outcome: EstimatedOutcome | undefined) {
  if (outcome?.kind !== 'mean' || outcome.mean === null) throw new Error('no mean')
  return outcome.mean
}

describe('the weights of a seed', () => {
  const rows = people(1500, 1)

  it.each(CASES)('equal those of raking by definition for %s', async (_name, of) => {
    const weighted = await weighSeed(await seedOf(rows), written(of))
    const expected = referenceWeights(rows, of)
    for (const [row, weight] of expected.entries()) expect(weighted?.weights[row]).toBeCloseTo(weight, 8)
    expect(weighted?.effectiveRows).toBeCloseTo(effectiveRowsOf(expected), 3)
  })

  it('leave the rest to the unlisted levels that occur inside a range', async () => {
    // No row within the range has the unlisted level "none"; the rest goes to "fibre", which occurs.
    const service = [...Array(100).fill('dsl'), ...Array(100).fill('fibre'), ...Array(100).fill('none')]
    const charge = service.map((level, i) => (level === 'none' ? 20 : 40 + (i % 50)))
    const seed = await encodeTable(tableOf([categorical('service', service), numeric('charge', charge)]), {
      threads: 1,
    })
    const weighted = await weighSeed(seed, scenario({ service: { dsl: 0.7 } }, { charge: { min: 40, max: 90 } }))
    const shareOf = (from: number, to: number) =>
      weighted?.weights.slice(from, to).reduce((total, weight) => total + weight, 0)
    expect(shareOf(0, 100)).toBeCloseTo(0.7, 9)
    expect(shareOf(100, 200)).toBeCloseTo(0.3, 9)
  })

  it('count a row in part if a bound cuts its bin', async () => {
    // 5,000 different values in 256 bins: the bounds of the range lie inside of bins.
    const values = Array.from({ length: 5000 }, (_, i) => i / 10)
    const seed = await encodeTable(tableOf([numeric('x', values, 1), numeric('y', values, 1)]), { threads: 1 })
    const weighted = await weighSeed(seed, scenario({}, { x: { min: 100.5, max: 300.2 } }))
    expect(weighted?.inside.reduce((total, part) => total + part, 0)).toBeCloseTo(1998, 0)
    const { outcomes } = await estimate(seed, scenario({}, { x: { min: 100.5, max: 300.2 } }), NOTHING, ['x', 'y'])
    // A uniform column has its middle as mean, and its width over the root of 12 as standard deviation.
    for (const outcome of outcomes) {
      expect(Math.abs(meanOf(outcome).scenario - 200.35)).toBeLessThan(0.5)
      expect(meanOf(outcome).scenarioSd).toBeCloseTo(199.8 / Math.sqrt(12), 0)
      expect(meanOf(outcome).baselineSd).toBeCloseTo(500 / Math.sqrt(12), 0)
    }
  })
})

describe('estimates', () => {
  const rows = people(4000, 2)

  /** Released as far as the standard error and the weight of a single row allow. */
  const expectReleased = (released: ReferenceDifference, expected: ReferenceDifference): void => {
    expect(released.standardError / expected.standardError).toBeGreaterThan(0.95)
    expect(released.standardError / expected.standardError).toBeLessThan(1.05)
    expect(Math.abs(released.difference - expected.difference)).toBeLessThan(0.3 * expected.standardError)
    expect(Math.abs(released.scenario - released.baseline - expected.difference)).toBeLessThan(expected.standardError)
  }

  it.each(CASES)('equal those of the definition for %s', async (_name, of, baseline) => {
    const { outcomes } = await estimate(await seedOf(rows), written(of), written(baseline), ['intent', 'spend', 'age'])
    for (const level of ['buy', 'maybe', 'never'] as const) {
      const expected = referenceDifference(rows, of, baseline, ({ intent }) => (intent === level ? 1 : 0))
      expectReleased(levelOf(outcomes[0], level), expected)
    }
    expectReleased(
      meanOf(outcomes[1]),
      referenceDifference(rows, of, baseline, ({ spend }) => spend),
    )
    expectReleased(
      meanOf(outcomes[2]),
      referenceDifference(rows, of, baseline, ({ age }) => age),
    )
  })

  it('count shares among all rows: a missing answer is no level', async () => {
    const { outcomes } = await estimate(await seedOf(rows), NOTHING, NOTHING, ['member'])
    const yes = rows.filter(({ member }) => member === 'yes').length / rows.length
    expect(levelOf(outcomes[0], 'yes').scenario).toBeCloseTo(yes, 2)
  })

  it('show no difference between a scenario and itself', async () => {
    const of = written(YOUNGER)
    const { outcomes } = await estimate(await seedOf(rows), of, of, ['intent', 'spend'])
    expect(levelOf(outcomes[0], 'buy')).toMatchObject({ difference: 0, standardError: 0 })
    expect(meanOf(outcomes[1])).toMatchObject({ difference: 0, standardError: 0 })
  })

  it('are not blurred by the bins of a column with many values', async () => {
    const wide = Array.from({ length: 3000 }, (_, i) => ((i * 7919) % 3001) / 7)
    const group = wide.map((value, i) => (value > 200 + (i % 100) ? 'high' : 'low'))
    const seed = await encodeTable(tableOf([categorical('group', group), numeric('value', wide, 3)]), { threads: 1 })
    const { outcomes } = await estimate(seed, scenario({ group: { high: 0.8 } }), NOTHING, ['value'])
    const mean = wide.reduce((total, value) => total + value, 0) / wide.length
    const sd = Math.sqrt(wide.reduce((total, value) => total + (value - mean) ** 2, 0) / wide.length)
    expect(meanOf(outcomes[0]).baselineSd / sd).toBeCloseTo(1, 2)
    expect(Math.abs(meanOf(outcomes[0]).baseline - mean)).toBeLessThan(sd / 100)
  })

  it('are refused for an unknown column or scenario', async () => {
    const seed = await seedOf(rows)
    await expect(estimate(seed, NOTHING, NOTHING, ['height'])).rejects.toThrow(/no column height/)
    await expect(estimate(seed, scenario({ region: { east: 1 } }), NOTHING, ['age'])).rejects.toThrow(/no level east/)
  })
})

/**
 * Samples of a population whose differences are known: counted over all of its people, weighted by the definition. 200
 * samples of 1,000; at 95 % the share that covers is known to within 3 points.
 */
describe('an interval of two standard errors', () => {
  const SAMPLES = 200
  const population = people(100_000, 3)

  it.each([
    ['one share', { shares: { member: { yes: 0.8 } } }, {}],
    ['two shares and a range', { shares: { member: { yes: 0.7 }, region: { west: 0.4 } }, age: [18, 50] }, {}],
    ['two shares, a range and a baseline with conditions', YOUNGER, { shares: { region: { north: 0.5 } } }],
  ] satisfies [string, ReferenceScenario, ReferenceScenario][])(
    'covers the truth of %s in 92 to 98 of 100 samples',
    async (_name, of, baseline) => {
      const buys = ({ intent }: Person): number => (intent === 'buy' ? 1 : 0)
      const truth = {
        share: referenceDifference(population, of, baseline, buys).difference,
        mean: referenceDifference(population, of, baseline, ({ spend }) => spend).difference,
      }
      const covered = { share: 0, mean: 0 }
      for (let sample = 0; sample < SAMPLES; sample++) {
        const seed = await seedOf(sampleOf(population, 1000, sample))
        const { outcomes } = await estimate(seed, written(of), written(baseline), ['intent', 'spend'])
        const share = levelOf(outcomes[0], 'buy')
        const mean = meanOf(outcomes[1])
        if (Math.abs(share.difference - truth.share) <= 2 * share.standardError) covered.share++
        if (Math.abs(mean.difference - truth.mean) <= 2 * mean.standardError) covered.mean++
      }
      for (const count of Object.values(covered)) {
        expect(count / SAMPLES).toBeGreaterThanOrEqual(0.92)
        expect(count / SAMPLES).toBeLessThanOrEqual(0.98)
      }
    },
  )
})
