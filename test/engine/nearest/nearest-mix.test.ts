import { beforeAll, describe, expect, it } from 'vitest'
import { assessScenario, generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { withNearest } from '../../../src/engine/nearest/proposed-conditions.ts'
import type { RequestedConditions, ShareBounds } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { rowKeysOf } from '../row-keys-of.ts'
import { countOf, rowsOf, scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const EXACT = { threads: 1, disclosure: 'exact' } as const

/** Rows of a table, repeated: plan, region, age. */
type Row = readonly [plan: string, region: string, age: number]

const tableWith = (counts: readonly (readonly [times: number, row: Row])[]) => {
  const rows = counts.flatMap(([times, row]) => Array.from({ length: times }, () => row))
  return tableOf([
    categorical(
      'plan',
      rows.map(([plan]) => plan),
    ),
    categorical(
      'region',
      rows.map(([, region]) => region),
    ),
    numeric(
      'age',
      rows.map(([, , age]) => age),
    ),
  ])
}

const COUNTS: (readonly [number, Row])[] = [
  [400, ['basic', 'north', 30]],
  [300, ['basic', 'south', 40]],
  [300, ['plus', 'south', 50]],
  // A seed row may stand behind 100 of 1,000 rows.
  [2, ['plus', 'north', 60]],
  [98, ['trial', 'south', 20]],
]

/** In readable form: column → level → share or bounds, cells, means. */
function written({ shares, cells, means }: RequestedConditions) {
  return {
    ...Object.fromEntries(
      shares.map(({ column, levels, bounds }) => [
        column,
        { ...Object.fromEntries(levels), ...(bounds && Object.fromEntries(bounds)) },
      ]),
    ),
    ...(cells && { cells: cells.map(({ cells: listed }) => listed.map(({ share }) => share)) }),
    ...(means && { means: means.map(({ min, max }) => [min, max]) }),
  }
}

const bounded = (column: string, level: string, bounds: ShareBounds) => ({
  column,
  levels: new Map<string, number>(),
  bounds: new Map([[level, bounds]]),
})

describe('the nearest mix of a scenario that cannot have all rows', () => {
  let model: Model

  beforeAll(async () => {
    model = await trainModel(tableWith(COUNTS), { threads: 1 })
  })

  /** Its proposal for 1,000 rows, which runs. */
  async function proposed(of: RequestedConditions, rowCount = 1000) {
    const { rows, nearest } = await assessScenario(model, of, rowCount, EXACT)
    expect(rows).toBeLessThan(rowCount)
    if (nearest === undefined) return null
    const made = await generate(model, { ...EXACT, rowCount, seed: 1, scenario: withNearest(of, nearest.conditions) })
    expect(made.feasibility).toMatchObject({ rows: rowCount, shortfall: null })
    return { ...nearest, written: written(nearest.conditions), made }
  }

  it.each([
    {
      // 0.5 + 0.8 - 1 = 0.3 of the rows have to be both; two seed rows give 0.2.
      name: 'moves two columns by half of what is missing each',
      of: scenario({ plan: { plus: 0.5 }, region: { north: 0.8 } }),
      changes: { plan: { plus: 0.45 }, region: { north: 0.75 } },
      moved: 0.1,
    },
    {
      name: 'keeps what does not bind, also in the column that gives way',
      of: scenario({ plan: { trial: 0.1, plus: 0.4 }, region: { north: 0.9 } }),
      // Half of the rows cannot be in the north, but for the 0.2 of plus: 0.4 are there.
      changes: { plan: { trial: 0.1, plus: 0.3 }, region: { north: 0.8 } },
      moved: 0.2,
      isOneOf: true,
    },
    {
      name: 'leaves a level out whose rows are in another range',
      of: scenario({ plan: { trial: 0.5 } }, { age: { min: 30, max: 60 } }),
      changes: { plan: { trial: 0 } },
      moved: 0.5,
    },
    {
      name: 'lets in what is excluded only where nothing else is left',
      of: scenario({ plan: { trial: 1 }, region: { north: 1 } }),
      changes: { plan: { trial: 0.5 }, region: { north: 0.5 } },
      moved: 1,
    },
    {
      // All rows are in the north; those of basic are enough there.
      name: 'keeps excluded what is excluded where a mix is left',
      of: scenario({ plan: { trial: 0.3 }, region: { north: 1 } }),
      changes: { plan: { trial: 0 } },
      moved: 0.3,
    },
    {
      name: 'moves levels of a column whose shares sum to 1 against each other',
      of: scenario({ plan: { basic: 0.2, plus: 0.5, trial: 0.3 }, region: { north: 0.5, south: 0.5 } }),
      // North can have the basic 0.2 and 0.2 of plus.
      changes: null,
      moved: 0.1,
    },
    {
      name: 'moves the bound that binds',
      of: {
        shares: [bounded('plan', 'plus', { min: 0.5, max: 0.9 }), bounded('region', 'north', { min: 0.8, max: 1 })],
        ranges: [],
      },
      changes: { plan: { plus: { min: 0.45, max: 0.9 } }, region: { north: { min: 0.75, max: 1 } } },
      moved: 0.1,
    },
    {
      name: 'moves a cell',
      of: {
        ...scenario({}),
        cells: [
          {
            columns: ['plan', 'region'],
            cells: [
              { levels: ['plus', 'north'], share: 0.3 },
              { levels: ['basic', 'north'], share: 0.3 },
            ],
          },
        ],
      },
      changes: { cells: [[0.2, 0.3]] },
      moved: 0.1,
    },
  ])('$name', async ({ of, changes, moved, isOneOf }) => {
    const found = await proposed(of)
    expect(found?.moved).toBeCloseTo(moved, 6)
    if (changes !== null && isOneOf !== true) expect(found?.written).toEqual(changes)
  })

  it('rounds shares to three decimals, or two digits, such that all rows can be made', async () => {
    const of = scenario({ plan: { plus: 0.5 }, region: { north: 0.8 } })
    // 200 of 3,300 rows are both: 0.0606.
    const found = await proposed(of, 3300)
    expect(found?.written).toEqual({ plan: { plus: expect.any(Number) }, region: { north: expect.any(Number) } })
    for (const { levels } of found!.conditions.shares)
      for (const share of levels.values()) expect(String(share)).toMatch(/^0\.\d{1,3}$/)
    expect(found?.moved).toBeGreaterThanOrEqual(0.3 - 200 / 3300)
    expect(found?.moved).toBeLessThan(0.3 - 200 / 3300 + 0.002)
    // One seed row of 5,000.
    const rare = await proposed(scenario({ plan: { plus: 1 }, region: { north: 0.9 } }), 7000)
    expect(rare?.written).toEqual({ region: { north: 0.028 } })
  })

  it('is exact in whole rows', async () => {
    const found = await proposed(scenario({ plan: { plus: 0.5 }, region: { north: 0.8 } }))
    const rows = await rowsOf(found!.made)
    expect([countOf(rows.plan!, 'plus'), countOf(rows.region!, 'north')]).toEqual([450, 750])
  })

  it('is not there where the ranges have no rows, because these do not give way', async () => {
    expect(await proposed(scenario({ plan: { plus: 0.5 } }, { age: { min: 70, max: 80 } }))).toBeNull()
  })

  it('gives each mean in turn the nearest value that is possible with the shares', async () => {
    const of = {
      ...scenario({ plan: { plus: 0.5 }, region: { north: 0.8 } }),
      means: [{ column: 'age', min: 70, max: Number.POSITIVE_INFINITY }],
    }
    const found = await proposed(of)
    expect(found?.written).toMatchObject({ plan: { plus: 0.45 }, region: { north: 0.75 } })
    const { min: low, max: high } = found!.conditions.means![0]!
    expect(high).toBe(Number.POSITIVE_INFINITY)
    // Weights of the seed's rows give 45.995, but the two rows that are 60 may not have as much: halving finds the end.
    expect(low).toBeGreaterThan(40)
    expect(low).toBeLessThan(45.995)
    const further = {
      ...of,
      ...withNearest(of, found!.conditions),
      means: [{ column: 'age', min: low + 0.2, max: high }],
    }
    expect((await assessScenario(model, further, 1000, EXACT)).rows).toBeLessThan(1000)
    const own = await proposed({ ...scenario({}), means: [{ column: 'age', min: 10, max: 15 }] })
    expect(own?.moved).toBe(0)
    expect(own?.conditions.means?.[0]).toEqual({ column: 'age', min: 10, max: expect.closeTo(20.04, 2) })
  })
})

it('states the share of a level whose bounds come to more than its rows may have', async () => {
  // Of the five rows of a, two may be 0.2 of 1,000 rows and three 0.3, so that b is at most 0.2. Weights without that limit make it more.
  const rows = [
    [2, 'a', 'b', 'c'],
    [3, 'a', 'other', 'not c'],
    [500, 'not a', 'neither', 'c'],
    [500, 'not a', 'neither', 'not c'],
  ].flatMap(([times, ...levels]) => Array.from({ length: Number(times) }, () => levels.map(String)))
  const columns = ['x', 'y', 'z'].map((name, c) =>
    categorical(
      name,
      rows.map((row) => row[c]!),
    ),
  )
  const model = await trainModel(tableOf(columns), { threads: 1 })
  const of = scenario({ x: { a: 0.5 }, z: { c: 0.7 } })
  const stated = { ...of, shares: [...of.shares, bounded('y', 'b', { min: 0, max: 0.9 })] }
  const { rows: made, nearest } = await assessScenario(model, stated, 1000, EXACT)
  expect(made).toBeLessThan(1000)
  expect(nearest).toMatchObject({ moved: 0 })
  expect(written(nearest!.conditions)).toEqual({ y: { b: expect.any(Number) } })
  expect(nearest!.conditions.shares[0]!.levels.get('b')).toBeLessThanOrEqual(0.2)
  const to = withNearest(stated, nearest!.conditions)
  expect(await assessScenario(model, to, 1000, EXACT)).toMatchObject({ rows: 1000 })
})

describe('the nearest mix of a protected seed', () => {
  /** How many rows are plus in the north. */
  const modelWith = async (rows: number) => {
    const counts = COUNTS.map(([times, row]) => [row[0] === 'plus' && row[1] === 'north' ? rows : times, row] as const)
    return await trainModel(tableWith(counts.filter(([times]) => times > 0)), { threads: 1 })
  }

  const CASES = [
    scenario({ plan: { plus: 0.5 }, region: { north: 0.8 } }),
    scenario({ plan: { plus: 1 }, region: { north: 1 } }),
    scenario({ plan: { plus: 1 }, region: { north: 0.3 } }),
  ]

  it('is the same for none, one and nine rows of a combination', async () => {
    const told = new Set<string>()
    for (const rows of [0, 1, 9]) {
      const model = await modelWith(rows)
      const answers: unknown[] = []
      for (const of of CASES) {
        const { rows: made, nearest } = await assessScenario(model, of, 1000, { threads: 1 })
        answers.push([made, nearest && [nearest.moved, written(nearest.conditions)]])
      }
      expect(answers[0]).toEqual([0, [0.3, { plan: { plus: 0.35 }, region: { north: 0.65 } }]])
      told.add(JSON.stringify(answers))
    }
    expect(told.size).toBe(1)
  })

  it('needs no row of a combination that may not be told, also where counts have noise', async () => {
    const model = await modelWith(9)
    for (const of of CASES) {
      const disclosure = rowKeysOf(model)
      const { nearest } = await assessScenario(model, of, 1000, { threads: 1, disclosure })
      const to = withNearest(of, nearest!.conditions)
      const [plus, north] = to.shares.map(({ levels }) => [...levels.values()][0]!)
      expect(plus! + north!).toBeLessThanOrEqual(1)
      expect(await assessScenario(model, to, 1000, { threads: 1, disclosure })).toMatchObject({ rows: 1000 })
    }
  })
})
