import { beforeAll, describe, expect, it } from 'vitest'
import {
  type EstimatedSegment,
  type Estimates,
  estimateDifferences,
} from '../../../src/engine/estimates/estimate-differences.ts'
import type { RequestedOutcome } from '../../../src/engine/estimates/outcome-estimates.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { rowKeysOf } from '../row-keys-of.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { people, tableOfPeople } from './people.ts'

const MEMBERS = scenario({ member: { yes: 0.7 } })
const OUTCOMES: readonly RequestedOutcome[] = [
  { column: 'intent', base: 'valid' },
  { column: 'spend', base: 'all' },
]
const ROWS = people(3000, 5)

let seed: Seed
beforeAll(async () => {
  seed = await encodeTable(tableOfPeople(ROWS), { threads: 1 })
})

type Asked = { readonly where?: RequestedConditions; readonly by?: string; readonly isProtected?: boolean }

async function estimates({ where, by, isProtected = false }: Asked) {
  return await estimateDifferences(seed, {
    scenario: MEMBERS,
    baseline: scenario({}),
    outcomes: OUTCOMES,
    maxLevels: 100,
    disclosure: isProtected ? rowKeysOf(seed) : 'exact',
    ...(where && { where }),
    ...(by !== undefined && { by }),
  })
}

const figures = ({ scenario: one, baseline, outcomes }: Estimates | EstimatedSegment) => ({ one, baseline, outcomes })

describe('estimates among some rows', () => {
  it('of one level are those of its segment', async () => {
    const { segments = [] } = await estimates({ by: 'region' })
    const north = segments.find(({ level }) => level === 'north')!
    const found = await estimates({ where: scenario({ region: { north: 1 } }) })
    // Segments are looked at together, and have a quantile for that. The last digits depend on the sequence of sums.
    const comparable = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, one) =>
          key === 'simultaneousQuantile' ? undefined : typeof one === 'number' ? Number(one.toPrecision(9)) : one,
        ),
      )
    expect(comparable(figures(found))).toEqual(comparable(figures(north)))
  })

  it('are the weighted figures of these rows, with the scenario’s own weights', async () => {
    const where = { ...scenario({ region: { north: 0.5, west: 0.5 } }), ranges: [{ column: 'age', min: 30, max: 49 }] }
    const { outcomes } = await estimates({ where })
    const member = (one: string | null): number => {
      const share = ROWS.filter((row) => row.member === 'yes').length / ROWS.length
      return one === 'yes' ? 0.7 / share : 0.3 / (1 - share)
    }
    const inside = ROWS.filter(({ region, age }) => region !== 'south' && age >= 30 && age <= 49)
    const meanOf = (weightOf: (row: (typeof ROWS)[number]) => number): number => {
      const known = inside.filter(({ spend }) => spend !== null)
      const total = known.reduce((sum, row) => sum + weightOf(row), 0)
      return known.reduce((sum, row) => sum + weightOf(row) * row.spend!, 0) / total
    }
    const spend = outcomes[1]!
    if (spend.kind !== 'mean' || spend.mean === null) throw new Error('no mean')
    expect(spend.mean.scenario).toBeCloseTo(
      meanOf((row) => member(row.member)),
      8,
    )
    expect(spend.mean.baseline).toBeCloseTo(
      meanOf(() => 1),
      8,
    )
    expect(spend.scenarioBase.rows).toBe(inside.filter((row) => row.spend !== null).length)
    expect(outcomes[0]!.baselineBase.rows).toBe(inside.length)
  })

  it('have an error that the rows outside take no part in, and segments among these rows', async () => {
    const young = { ...scenario({}), ranges: [{ column: 'age', min: Number.NEGATIVE_INFINITY, max: 30 }] }
    const [all, some] = [await estimates({}), await estimates({ where: young, by: 'region' })]
    const errorOf = ({ outcomes }: Estimates): number =>
      outcomes[1]?.kind === 'mean' ? outcomes[1].mean!.standardError : Number.NaN
    expect(errorOf(some)).toBeGreaterThan(errorOf(all))
    expect(some.baseline.effectiveRows).toBeCloseTo(ROWS.filter(({ age }) => age <= 30).length, 6)
    const rows = (some.segments ?? []).map(({ outcomes }) => outcomes[0]!.baselineBase.rows ?? 0)
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(ROWS.filter(({ age }) => age <= 30).length)
  })

  it('are refused for what the columns do not have', async () => {
    await expect(estimates({ where: scenario({ region: { east: 1 } }) })).rejects.toThrow(/no level east/)
    await expect(estimates({ where: scenario({ age: { 30: 1 } }) })).rejects.toThrow(/numeric and takes no shares/)
  })
})

describe('of a protected seed', () => {
  it('figures among some rows have noise of their own, which the error knows', async () => {
    const where = scenario({ region: { north: 0.5, west: 0.5 } })
    const [exact, told] = [await estimates({ where }), await estimates({ where, isProtected: true })]
    const mean = ({ outcomes }: Estimates) => (outcomes[1]?.kind === 'mean' ? outcomes[1].mean! : null)!
    expect(mean(told).scenario).not.toBe(mean(exact).scenario)
    expect(Math.abs(mean(told).difference - mean(exact).difference)).toBeLessThan(4 * mean(told).standardError)
    expect(mean(told).standardError).toBeGreaterThan(0.8 * mean(exact).standardError)
    // The same words have the same noise, also where they come from a scenario.
    expect(await estimates({ where, isProtected: true })).toEqual(told)
  })

  it('nothing is told of a few rows', async () => {
    const few = { ...scenario({ region: { west: 1 } }), ranges: [{ column: 'age', min: 79, max: 79 }] }
    expect(ROWS.filter(({ region, age }) => region === 'west' && age === 79).length).toBeLessThan(10)
    const { scenario: side, outcomes, segments = [] } = await estimates({ where: few, by: 'member', isProtected: true })
    expect(side).toMatchObject({ effectiveRows: null, lowSupport: true })
    expect(outcomes).toMatchObject([{ levels: [] }, { mean: null }])
    expect(segments.map(({ status }) => status)).toEqual(['too_few_rows', 'too_few_rows'])
  })
})
