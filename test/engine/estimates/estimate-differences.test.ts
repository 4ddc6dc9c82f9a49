import { describe, expect, it } from 'vitest'
import { type EstimateOptions, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedDifference } from '../../../src/engine/estimates/figures.ts'
import type { EstimatedOutcome } from '../../../src/engine/estimates/outcome-estimates.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { type RandomSurvey, type Respondent, randomSurvey } from './random-survey.ts'
import {
  effectiveRowsOf,
  type ReferenceDifference,
  type ReferenceScenario,
  referenceDifference,
  referenceSpread,
  referenceWeights,
} from './reference-estimate.ts'

const written = ({ shares = {}, ranges = {} }: ReferenceScenario) =>
  scenario(shares, Object.fromEntries(Object.entries(ranges).map(([name, [min, max]]) => [name, { min, max }])))

const MEMBERS: ReferenceScenario = { shares: { member: { yes: 0.65 } } }
const CASES: readonly (readonly [name: string, of: ReferenceScenario, baseline: ReferenceScenario])[] = [
  ['one share', MEMBERS, {}],
  ['no condition at all', {}, {}],
  ['several levels of one column', { shares: { district: { 'north 0': 0.3, 'south 1': 0.25, 'west 1': 0.05 } } }, {}],
  ['all levels of a column', { shares: { region: { north: 0.5, south: 0.2, west: 0.3 } } }, {}],
  ['shares of two columns', { shares: { member: { yes: 0.5, no: 0.4 }, region: { west: 0.5 } } }, {}],
  ['a share and two ranges', { ...MEMBERS, ranges: { age: [22, 60], spend: [20, 120] } }, {}],
  ['a share of 0', { shares: { region: { west: 0 } } }, {}],
  ['a baseline with other conditions', MEMBERS, { shares: { region: { north: 0.45 } }, ranges: { age: [20, 65] } }],
  [
    'a baseline that has the same conditions in part',
    { shares: { member: { yes: 0.6 }, region: { north: 0.4 } } },
    MEMBERS,
  ],
  ['levers that say the same', { shares: { member: { yes: 0.6 }, card: { gold: 0.6 } } }, {}],
  [
    'levers of which one determines the other',
    { shares: { region: { north: 0.5 }, district: { 'north 0': 0.2, 'north 1': 0.3 }, member: { yes: 0.6 } } },
    {},
  ],
]

const SURVEYS: readonly (readonly [name: string, survey: RandomSurvey])[] = [
  ['a small one', randomSurvey(90, 1, false)],
  ['one with more different values than bins', randomSurvey(700, 2, false)],
  ['one with case weights', randomSurvey(400, 3, true)],
]

type OutcomeName = 'intent' | 'member' | 'district' | 'age' | 'spend'
const NAMES: readonly OutcomeName[] = ['intent', 'member', 'district', 'age', 'spend']

/** A released figure, and the value of each row that it is made of. */
interface Figure {
  readonly name: string
  readonly level: string | null
  readonly found: EstimatedDifference
  readonly value: (row: Respondent) => number | null
}

/** All levels and means in one list. */
function figuresOf(outcomes: readonly EstimatedOutcome[]): Figure[] {
  return outcomes.flatMap((outcome): Figure[] => {
    const column = outcome.column as OutcomeName
    if (outcome.kind === 'mean') {
      if (outcome.mean === null) throw new Error(`${column} has no mean`)
      return [{ name: column, level: null, found: outcome.mean, value: (row) => row[column] as number | null }]
    }
    if (outcome.kind !== 'shares') throw new Error(`${column} has quantiles`)
    return outcome.levels.map(({ level, ...found }) => ({
      name: `${column} ${level}`,
      level,
      found,
      value: (row) => (outcome.base === 'valid' && row[column] === null ? null : Number(row[column] === level)),
    }))
  })
}

function expectEqual(found: EstimatedDifference, expected: ReferenceDifference): void {
  // Both are sums of numbers of this size; rounding errors do not grow beyond.
  const unit = Math.max(1e-3, Math.abs(expected.scenario), Math.abs(expected.baseline))
  expect(Math.abs(found.scenario - expected.scenario) / unit).toBeLessThan(1e-9)
  expect(Math.abs(found.baseline - expected.baseline) / unit).toBeLessThan(1e-9)
  expect(Math.abs(found.difference - expected.difference) / unit).toBeLessThan(1e-9)
  expect(Math.abs(found.standardError - expected.standardError)).toBeLessThan(
    1e-8 * expected.standardError + 1e-10 * unit,
  )
  if (expected.degreesOfFreedom === Number.POSITIVE_INFINITY) expect(found.degreesOfFreedom).toBeNull()
  else expect(found.degreesOfFreedom! / expected.degreesOfFreedom).toBeCloseTo(1, 6)
}

describe.each(SURVEYS)('estimates of a random survey: %s', (_survey, { rows, weights, table }) => {
  const options = weights === null ? {} : { weights }
  const ask = async (of: ReferenceScenario, baseline: ReferenceScenario, more: Partial<EstimateOptions> = {}) =>
    estimateDifferences(await encodeTable(table, { threads: 1 }), {
      scenario: written(of),
      baseline: written(baseline),
      outcomes: NAMES.map((column) => ({ column, base: 'all' })),
      maxLevels: 100,
      disclosure: 'exact',
      ...more,
    })

  it.each(CASES)('have the weights of raking row by row for %s', async (_name, of) => {
    const weighted = await weighSeed(await encodeTable(table, { threads: 1 }), written(of), 'exact')
    const expected = referenceWeights(rows, of, weights ?? undefined)
    const largest = Math.max(...expected.map((weight, row) => Math.abs(weighted!.weights[row]! - weight)))
    expect(largest).toBeLessThan(1e-11)
  })

  it.each(CASES)('equal those of the definition for %s', async (_name, of, baseline) => {
    const figures = figuresOf((await ask(of, baseline)).outcomes)
    expect(new Set(figures.map(({ name }) => name)).size).toBe(3 + 2 + 6 + 2)
    for (const { level, value, found } of figures) {
      expectEqual(found, referenceDifference(rows, of, baseline, value, { ...options, isShare: level !== null }))
    }
  })

  it.each(CASES)('equal those of the definition among the rows that answered for %s', async (_name, of, baseline) => {
    const outcomes = (['intent', 'member'] as const).map((column) => ({ column, base: 'valid' as const }))
    const found = await ask(of, baseline, { outcomes })
    for (const { value, found: one } of figuresOf(found.outcomes)) {
      expectEqual(one, referenceDifference(rows, of, baseline, value, { ...options, isShare: true }))
    }
  })

  it.each(CASES)('equal those of the definition inside segments for %s', async (_name, of, baseline) => {
    const { segments = [] } = await ask(of, baseline, { by: 'region' })
    expect(segments.map(({ level }) => level).sort()).toEqual(['north', 'south', 'west'])
    for (const { level: region, status, outcomes } of segments) {
      const isExcluded = [of, baseline].some(({ shares }) => shares?.region?.[region] === 0)
      expect(status).toBe(isExcluded ? 'excluded' : 'estimated')
      if (isExcluded) continue
      for (const { level, value, found } of figuresOf(outcomes)) {
        const inside = (row: Respondent) => (row.region === region ? value(row) : null)
        expectEqual(found, referenceDifference(rows, of, baseline, inside, { ...options, isShare: level !== null }))
      }
    }
  })

  it('have standard deviations of the weighted values', async () => {
    const { outcomes } = await ask(MEMBERS, {}, { outcomes: [{ column: 'spend', base: 'all' }] })
    const expected = referenceDifference(rows, MEMBERS, {}, ({ spend }) => spend, options)
    expect(outcomes[0]).toMatchObject({
      mean: {
        scenarioSd: Number(expected.scenarioSd.toPrecision(3)),
        baselineSd: Number(expected.baselineSd.toPrecision(3)),
      },
    })
  })

  it('state effective rows, and the smaller of them and their spread as support', async () => {
    const { scenario: side, baseline } = await ask({ shares: { member: { yes: 0.95 } } }, {})
    for (const [found, of] of [
      [side, { shares: { member: { yes: 0.95 } } }],
      [baseline, {}],
    ] as const) {
      const expected = referenceWeights(rows, of, weights ?? undefined)
      const support = Math.min(effectiveRowsOf(expected), referenceSpread(expected))
      expect(found.effectiveRows! / effectiveRowsOf(expected)).toBeCloseTo(1, 9)
      expect(found.support! / support).toBeCloseTo(1, 9)
      expect(found.lowSupport).toBe(support < 50)
    }
  })

  it('state the rows that each figure is made of: all, or those that answered', async () => {
    const outcomes = (['all', 'valid'] as const).map((base) => ({ column: 'member', base }))
    const of: ReferenceScenario = { ...MEMBERS, ranges: { age: [25, 60] } }
    const found = await ask(of, {}, { outcomes: [...outcomes, { column: 'spend', base: 'all' }] })
    const inside = rows.filter(({ age }) => age >= 25 && age <= 60)
    const counts = (all: readonly Respondent[]) => [
      all.length,
      all.filter(({ member }) => member !== null).length,
      all.filter(({ spend }) => spend !== null).length,
    ]
    expect(found.outcomes.map(({ scenarioBase }) => scenarioBase.rows)).toEqual(counts(inside))
    expect(found.outcomes.map(({ baselineBase }) => baselineBase.rows)).toEqual(counts(rows))
    const w = referenceWeights(rows, of, weights ?? undefined).map((weight, i) =>
      rows[i]!.member === null ? 0 : weight,
    )
    const effective = Math.min(effectiveRowsOf(w), referenceSpread(w))
    expect(found.outcomes[1]!.scenarioBase.effectiveRows! / effective).toBeCloseTo(1, 9)
  })
})

describe('estimates', () => {
  const { rows, table } = randomSurvey(500, 5, false)
  const ask = async (of: ReferenceScenario, baseline: ReferenceScenario, column: string) =>
    estimateDifferences(await encodeTable(table, { threads: 1 }), {
      scenario: written(of),
      baseline: written(baseline),
      outcomes: [{ column, base: 'all' }],
      maxLevels: 100,
      disclosure: 'exact',
    })

  it('are the same of a seed that was asked before, as of one that was not', async () => {
    const seed = await encodeTable(table, { threads: 1 })
    const outcomes = NAMES.flatMap((column) => (['all', 'valid'] as const).map((base) => ({ column, base })))
    const options = (of: ReferenceScenario, baseline: ReferenceScenario): EstimateOptions => ({
      ...{ scenario: written(of), baseline: written(baseline), outcomes, by: 'region' },
      ...{ maxLevels: 100, disclosure: 'exact' },
    })
    for (const [, of, baseline] of [...CASES, ...CASES]) {
      const fresh = await encodeTable(table, { threads: 1 })
      expect(await estimateDifferences(seed, options(of, baseline))).toEqual(
        await estimateDifferences(fresh, options(of, baseline)),
      )
    }
  })

  it('show no difference between a scenario and itself', async () => {
    const of: ReferenceScenario = { ...MEMBERS, ranges: { age: [22, 60] } }
    for (const column of NAMES) {
      for (const { found } of figuresOf((await ask(of, of, column)).outcomes)) {
        expect(found).toMatchObject({ difference: 0, standardError: 0 })
      }
    }
  })

  it('of the conditioned column know its share in the scenario, and have the error of its natural share', async () => {
    const { outcomes } = await ask(MEMBERS, {}, 'member')
    const yes = figuresOf(outcomes).find(({ level }) => level === 'yes')!.found
    const p = rows.filter(({ member }) => member === 'yes').length / rows.length
    expect(yes.scenario).toBeCloseTo(0.65, 12)
    expect(yes.standardError / Math.sqrt((p * (1 - p)) / rows.length)).toBeCloseTo(1, 1)
  })

  it('of a column that both sides condition have no error', async () => {
    const { outcomes } = await ask(MEMBERS, { shares: { member: { yes: 0.2 } } }, 'member')
    const yes = figuresOf(outcomes).find(({ level }) => level === 'yes')!.found
    expect(yes).toMatchObject({ scenario: 0.65, baseline: 0.2, difference: 0.45, standardError: 0 })
    expect(yes.degreesOfFreedom).toBeNull()
  })

  it('have a smaller error where the outcome goes with what the scenario changes', async () => {
    // `card` is decided by membership, so that the scenario's value has no error; regarded as fixed, the weights would give it one.
    const { outcomes } = await ask({ shares: { member: { yes: 0.9 } } }, {}, 'card')
    const { difference, standardError } = figuresOf(outcomes)[0]!.found
    const p = rows.filter(({ card }) => card === 'gold').length / rows.length
    expect(Math.abs(difference)).toBeCloseTo(Math.abs(0.9 - p), 9)
    expect(standardError / Math.sqrt((p * (1 - p)) / rows.length)).toBeLessThan(1.1)
  })

  it('have one group of unlisted levels, whatever proportions they have', async () => {
    // No row within the range has the unlisted level "none"; the rest goes to "fibre", which occurs.
    const service = [...Array(100).fill('dsl'), ...Array(100).fill('fibre'), ...Array(100).fill('none')]
    const charge = service.map((level, i) => (level === 'none' ? 20 : 40 + (i % 50)))
    const seed = await encodeTable(tableOf([categorical('service', service), numeric('charge', charge)]), {
      threads: 1,
    })
    const weighted = await weighSeed(seed, scenario({ service: { dsl: 0.7 } }, { charge: { min: 40, max: 90 } }))
    const shareOf = (from: number, to: number) =>
      weighted?.weights.slice(from, to).reduce((total, weight) => total + weight, 0)
    expect(shareOf(0, 100)).toBeCloseTo(0.7, 12)
    expect(shareOf(100, 200)).toBeCloseTo(0.3, 12)
  })

  it('count exactly the rows within a range, wherever bins end', async () => {
    // 5,000 different values in 256 bins: the bounds of the range lie inside of bins.
    const values = Array.from({ length: 5000 }, (_, i) => i / 10)
    const seed = await encodeTable(tableOf([numeric('x', values, 1)]), { threads: 1 })
    const weighted = await weighSeed(seed, scenario({}, { x: { min: 100.5, max: 300.2 } }))
    expect(weighted?.inside.reduce((total, part) => total + part, 0)).toBe(1998)
    expect(weighted?.effectiveRows).toBeCloseTo(1998, 9)
  })

  it('are refused for an unknown column or level', async () => {
    await expect(ask({}, {}, 'height')).rejects.toThrow(/no column height/)
    await expect(ask({ shares: { region: { east: 1 } } }, {}, 'age')).rejects.toThrow(/no level east/)
  })
})
