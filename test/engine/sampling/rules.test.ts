import { describe, expect, it } from 'vitest'
import { generate } from '../../../src/engine/generate.ts'
import { decodeModel, encodeModel } from '../../../src/engine/model/model-file.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { countBreaking, type PeopleOptions, people, type Rows, rowsOf } from './ruled-people.ts'

const RULES = [
  'age >= 18 if driver = Yes',
  'start <= end',
  'food + other = total',
  'years <= age - 14',
  'pregnant in [No] if sex = Male',
  'age != 18 if region = East and driver = No',
]

const NONE: RequestedConditions = { shares: [], ranges: [] }

async function trained(options: Partial<PeopleOptions> = {}) {
  const model = await trainModel(people({ rows: 1_500, seed: 3, rules: RULES, ...options }), { threads: 1 })
  return decodeModel(encodeModel(model))
}

const drawn = async (
  model: Awaited<ReturnType<typeof trained>>,
  scenario: RequestedConditions,
  seed = 1,
  rows = 2_000,
) => {
  const generated = await generate(model, { scenario, rowCount: rows, seed, threads: 1, disclosure: 'exact' })
  return { generated, rows: await rowsOf(generated) }
}

const broken = (rows: Rows) => countBreaking(rows, RULES).map((one) => one.broken)
const mean = (rows: Rows, name: string) => {
  const there = rows.get(name)!.filter((value) => value !== null)
  return there.reduce<number>((sum, value) => sum + Number(value), 0) / there.length
}

const SCENARIOS: readonly (readonly [string, RequestedConditions])[] = [
  ['nothing', NONE],
  ['shares of a condition', { shares: [{ column: 'driver', levels: new Map([['Yes', 0.85]]) }], ranges: [] }],
  ['a range of what it bounds', { shares: [], ranges: [{ column: 'age', min: 15, max: 22 }] }],
  [
    'both',
    {
      shares: [
        { column: 'driver', levels: new Map([['Yes', 0.4]]) },
        { column: 'region', levels: new Map([['East', 0.5]]) },
      ],
      ranges: [{ column: 'age', min: 15, max: 30 }],
    },
  ],
  [
    'ranges of parts and their total',
    {
      shares: [],
      ranges: [
        { column: 'total', min: 100, max: 150 },
        { column: 'food', min: 60, max: 90 },
      ],
    },
  ],
  [
    'means, ranges and shares',
    {
      shares: [{ column: 'driver', levels: new Map([['Yes', 0.7]]) }],
      ranges: [{ column: 'start', min: 19_100 * 86_400_000, max: 19_300 * 86_400_000 }],
      means: [
        { column: 'age', min: 40, max: 40 },
        { column: 'total', min: 150, max: 150 },
      ],
    },
  ],
]

const ALL_PRESET: RequestedConditions = {
  shares: [
    { column: 'driver', levels: new Map([['Yes', 0.3]]) },
    { column: 'region', levels: new Map([['East', 0.7]]) },
  ],
  ranges: [],
  means: [{ column: 'age', min: 41, max: 41 }],
}

describe('generated rows keep all rules', () => {
  it('of columns that a scenario all sets, one of them by its mean', async () => {
    const { rows } = await drawn(await trained({ missing: 0.04 }), ALL_PRESET)
    const rules = [...RULES.slice(0, 5), 'age != 40 if region = East and driver = No']
    expect(countBreaking(rows, rules)[5]!.broken).toBeGreaterThan(0)
    const ruled = await drawn(await trained({ missing: 0.04, rules }), ALL_PRESET)
    expect(countBreaking(ruled.rows, rules).map((one) => one.broken)).toEqual(rules.map(() => 0))
    expect(mean(ruled.rows, 'age')).toBeCloseTo(41, 2)
    expect(ruled.rows.get('region')!.filter((value) => value === 'East')).toHaveLength(1_400)
  })

  it.each(SCENARIOS)('of %s', async (_, scenario) => {
    const { rows, generated } = await drawn(await trained(), scenario)
    expect(generated.feasibility.rows).toBe(2_000)
    expect(broken(rows)).toEqual(RULES.map(() => 0))
  })

  it.each(SCENARIOS)(
    'of %s, with missing values, weights and rows of the seed that break each',
    async (_, scenario) => {
      const model = await trained({ breaking: 8, weighted: true, missing: 0.06 })
      const { rows, generated } = await drawn(model, scenario)
      expect(generated.feasibility.rows).toBe(2_000)
      expect(broken(rows)).toEqual(RULES.map(() => 0))
      for (const { column, levels } of scenario.shares)
        for (const [level, share] of levels)
          expect(rows.get(column)!.filter((value) => value === level).length).toBe(Math.round(share * 2_000))
      for (const { column, min } of scenario.means ?? []) expect(mean(rows, column)).toBeCloseTo(min!, 2)
    },
  )
})

describe('what rules make impossible', () => {
  const halfDrivers = (max: number): RequestedConditions => ({
    shares: [{ column: 'driver', levels: new Map([['Yes', 0.5]]) }],
    ranges: [{ column: 'age', min: 14, max }],
  })

  it('is refused with the rule, also where rows of the seed break it', async () => {
    for (const breaking of [0, 8]) {
      const { generated } = await drawn(await trained({ breaking }), halfDrivers(17))
      expect(generated.feasibility.rows).toBe(0)
      expect(generated.feasibility.shortfall?.detail).toMatch(
        breaking === 0 ? /./ : /What breaks the rule "age >= 18 if driver = Yes" does not count\.$/,
      )
    }
  })

  it('does not concern what is possible', async () => {
    const { generated, rows } = await drawn(await trained({ breaking: 8 }), halfDrivers(30))
    expect(generated.feasibility).toMatchObject({ rows: 2_000, shortfall: null })
    expect(rows.get('driver')!.filter((value) => value === 'Yes')).toHaveLength(1_000)
    expect(broken(rows)).toEqual(RULES.map(() => 0))
  })

  it('is told of cells of levels alone', async () => {
    const shares = [
      { column: 'sex', levels: new Map([['Male', 1]]) },
      { column: 'pregnant', levels: new Map([['Yes', 0.3]]) },
    ]
    const { generated } = await drawn(await trained({ breaking: 8 }), { shares, ranges: [] })
    expect(generated.feasibility.rows).toBe(0)
    expect(generated.feasibility.shortfall?.detail).toContain('the rule "pregnant in [No] if sex = Male"')
  })
})

describe('the model of a table with rules', () => {
  it('gives the same rows for any number of threads', async () => {
    const model = await trained({ breaking: 4, missing: 0.05 })
    const digest = async (threads: number) => {
      const scenario = SCENARIOS[3]![1]
      return JSON.stringify([
        ...(await rowsOf(await generate(model, { scenario, rowCount: 3_000, seed: 2, threads, disclosure: 'exact' }))),
      ])
    }
    expect(await digest(2)).toBe(await digest(1))
  })

  it('without rules is the one of before', async () => {
    const table = people({ rows: 400, seed: 1, rules: [] })
    const { rules: _, ...plain } = table
    const bytes = async (one: typeof table) =>
      Buffer.from(encodeModel(await trainModel(one, { threads: 1 }))).toString('base64')
    expect(await bytes(table)).toBe(await bytes(plain))
  })

  it('keeps 200 rules', async () => {
    const rules = Array.from({ length: 200 }, (_, i) => `years <= age + ${i} if region in [North, East]`)
    const { rows } = await drawn(await trained({ rules }), NONE)
    expect(countBreaking(rows, rules.slice(0, 1))[0]).toMatchObject({ broken: 0 })
  })
})
