import { beforeAll, describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { effectiveRows } from '../../../src/engine/weighting/case-weights.ts'
import { referenceDifference } from '../estimates/reference-estimate.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { POPULATION, shareOf, weightedSurvey } from './weighted-people.ts'

const { rows, weights, table } = weightedSurvey(POPULATION, 2_000, 11)
const WRITTEN = { shares: { member: { yes: 0.7 } } }
const MEMBERS = scenario(WRITTEN.shares)

/** Weights of the rows by definition: case weights, raked to 70 % members. */
function raked(): Float64Array {
  const members = shareOf(rows, weights, ({ member }) => member === 'yes')
  const all = weights.reduce((sum, a) => sum + a, 0)
  return weights.map((a, i) => (a / all) * (rows[i]!.member === 'yes' ? 0.7 / members : 0.3 / (1 - members)))
}

describe('estimates of a weighted survey', () => {
  let seed: Seed
  beforeAll(async () => {
    seed = await encodeTable(table, { threads: 1 })
  })

  it('weight rows by their case weights, raked to the scenario', async () => {
    const weighted = await weighSeed(seed, MEMBERS)
    for (const [row, weight] of raked().entries()) expect(weighted!.weights[row]).toBeCloseTo(weight, 9)
    expect(weighted!.effectiveRows).toBeCloseTo(effectiveRows(raked()), 6)
  })

  it('equal those of the definition, and lie near the population', async () => {
    const { outcomes } = await estimateDifferences(seed, {
      scenario: MEMBERS,
      baseline: scenario({}),
      outcomes: ['intent', 'age'].map((column) => ({ column, base: 'all' })),
      maxLevels: 10,
      disclosure: 'exact',
    })
    const [intent, age] = outcomes
    if (intent?.kind !== 'shares' || age?.kind !== 'mean' || age.mean === null) throw new Error('not estimated')
    for (const { level, ...found } of intent.levels) {
      const expected = referenceDifference(rows, WRITTEN, {}, (row) => Number(row.intent === level), {
        weights: [...weights],
        isShare: true,
      })
      expect(found.difference).toBeCloseTo(expected.difference, 9)
      expect(found.standardError / expected.standardError).toBeCloseTo(1, 8)
    }
    // The figures of the population, not of the people asked.
    const mean = POPULATION.reduce((sum, person) => sum + person.age, 0) / POPULATION.length
    expect(Math.abs(age.mean.baseline - mean)).toBeLessThan(
      2.5 * (age.mean.baselineSd / Math.sqrt(effectiveRows(weights))),
    )
  })

  it('need 10 people inside a scenario, whatever their weight', async () => {
    const nine = new Set([...rows.keys()].filter((i) => rows[i]!.region === 'west').slice(0, 9))
    const few = rows.map((_, i) => (nine.has(i) ? 1 : 0))
    const codes = Uint16Array.from(few, (one) => one)
    const base = seed.columns[0]!
    if (base.kind !== 'categorical') throw new Error('no levels')
    const rare = { ...base, name: 'rare', levels: ['no', 'yes'], missing: 0 as const, codeCount: 2 }
    const heavy = seed.weights!.map((a, i) => (nine.has(i) ? 60 * a : a))
    const seeded = { ...seed, columns: [...seed.columns, rare], codes: [...seed.codes, codes], weights: heavy }
    expect(await weighSeed(seeded, scenario({ rare: { yes: 1 } }))).toBeNull()
    // Twelve are enough people; where three of them outweigh the others, they are too few effective rows.
    for (const other of [...rows.keys()].filter((i) => !nine.has(i)).slice(0, 3)) codes[other] = 1
    const weighing = (three: number) => ({
      ...seeded,
      weights: heavy.map((a, i) => (codes[i] === 0 ? a : nine.has(i) ? 1 : three)),
    })
    expect(await weighSeed(weighing(20), scenario({ rare: { yes: 1 } }))).toBeNull()
    expect((await weighSeed(weighing(1), scenario({ rare: { yes: 1 } })))?.effectiveRows).toBeCloseTo(12, 9)
  })

  it('do not count people of weight 0', async () => {
    const nobody = { ...seed, weights: seed.weights!.map((a, i) => (rows[i]!.region === 'north' ? 0 : a)) }
    expect(await weighSeed(nobody, scenario({ region: { north: 0.5 } }))).toBeNull()
  })
})
