import { beforeAll, describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions, ShareBounds, ShareTarget } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable, trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { countOf, rowsOf, scenario } from './written-scenario.ts'

type Stated = number | ShareBounds

const atLeast = (min: number): ShareBounds => ({ min, max: 1 })
const atMost = (max: number): ShareBounds => ({ min: 0, max })

/** A column's shares and bounds by level. */
const share = (column: string, stated: Readonly<Record<string, Stated>>): ShareTarget => ({
  column,
  levels: new Map(Object.entries(stated).filter((one): one is [string, number] => typeof one[1] === 'number')),
  bounds: new Map(Object.entries(stated).filter((one): one is [string, ShareBounds] => typeof one[1] !== 'number')),
})

const asked = (shares: readonly ShareTarget[], rest: Partial<RequestedConditions> = {}): RequestedConditions => ({
  shares,
  ranges: [],
  ...rest,
})

const EXACT = { threads: 1, disclosure: 'exact' } as const

describe('rows of a scenario that bounds shares', () => {
  let model: Model
  let weighted: Model

  beforeAll(async () => {
    const table = surveyTable(2000)
    model = await trainModel(table, { threads: 1 })
    const weights = Float64Array.from({ length: 2000 }, (_, row) => [0.4, 1, 1.6][row % 3]!)
    weighted = await trainModel({ ...table, weights }, { threads: 1 })
  })

  const generated = (of: RequestedConditions, rowCount = 1001, by = model) =>
    generate(by, { ...EXACT, rowCount, seed: 7, scenario: of })

  it.each([
    {
      name: 'a least share that binds: the next whole row above',
      stated: { yes: atLeast(0.7) },
      least: 701,
      most: 701,
    },
    { name: 'a greatest share that binds: the whole row below', stated: { yes: atMost(0.2) }, least: 200, most: 200 },
    { name: 'a share between two ends', stated: { yes: { min: 0.7, max: 0.75 } }, least: 701, most: 701 },
  ])('have $name', async ({ stated, least, most }) => {
    const table = await generated(asked([share('member', stated)]))
    expect(table.feasibility).toMatchObject({ rows: 1001, shortfall: null })
    const count = countOf((await rowsOf(table)).member!, 'yes')
    expect(count).toBeGreaterThanOrEqual(least)
    expect(count).toBeLessThanOrEqual(most)
  })

  it('do not change by a bound that holds by itself, and keep it to the row', async () => {
    const free = await generated(scenario({ region: { north: 0.5 } }))
    const before = countOf((await rowsOf(free)).member!, 'yes') / 1001
    const loose = { yes: { min: before - 0.15, max: before + 0.15 } }
    const table = await generated(asked([share('region', { north: 0.5 }), share('member', loose)]))
    const after = countOf((await rowsOf(table)).member!, 'yes') / 1001
    expect(Math.abs(after - before)).toBeLessThan(0.04)
  })

  it.each([
    { name: 'as they are', isWeighted: false },
    { name: 'with case weights', isWeighted: true },
  ])('have bounds, shares, ranges and means together, $name', async ({ isWeighted }) => {
    const of = asked([share('region', { north: 0.5, south: atMost(0.1) }), share('member', { yes: atLeast(0.8) })], {
      ranges: [{ column: 'visits', min: 2, max: 9 }],
      means: [{ column: 'price', min: 2.6, max: 2.6 }],
    })
    const table = await generated(of, 1501, isWeighted ? weighted : model)
    expect(table.feasibility.rows).toBe(1501)
    expect(table.roundingDeviation).toBe(0)
    const rows = await rowsOf(table)
    expect([750, 751]).toContain(countOf(rows.region!, 'north'))
    expect(countOf(rows.region!, 'south')).toBeLessThanOrEqual(150)
    expect(countOf(rows.member!, 'yes')).toBeGreaterThanOrEqual(1201)
    for (const value of rows.visits!) expect(Number(value)).toBeGreaterThanOrEqual(2)
    const prices = rows.price!.filter((price): price is number => typeof price === 'number')
    expect(prices.reduce((sum, price) => sum + price, 0) / prices.length).toBeCloseTo(2.6, 3)
  })

  it('are none where bounds and shares exclude each other in the seed, and the reason names them', async () => {
    const pairs = Array.from({ length: 400 }, (_, row) =>
      row % 2 === 0 ? ['a', 'x'] : ['b', row % 4 === 1 ? 'x' : 'y'],
    )
    const table = tableOf([
      categorical(
        'left',
        pairs.map(([left]) => left!),
      ),
      categorical(
        'right',
        pairs.map(([, right]) => right!),
      ),
    ])
    const small = await trainModel(table, { threads: 1 })
    const found = await generate(small, {
      ...EXACT,
      rowCount: 100,
      seed: 1,
      scenario: asked([share('left', { a: 0.8 }), share('right', { y: atLeast(0.6) })]),
    })
    expect(found.feasibility.rows).toBe(0)
    expect(found.feasibility.shortfall?.detail).toContain('0.6 y (right)')
    expect(found.feasibility.shortfall?.binding).toContainEqual(
      expect.objectContaining({ column: 'right', level: 'y', target: 0.6 }),
    )
  })

  it('are not made of a protected seed: where a bound begins to bind tells a share', async () => {
    const of = asked([share('member', { yes: atLeast(0.7) })])
    await expect(generate(model, { threads: 1, rowCount: 10, seed: 1, scenario: of })).rejects.toThrow('protected seed')
    await expect(weighSeed(model, of)).rejects.toThrow('protected seed')
  })
})

describe('the error of a difference under a bound', () => {
  const people = Array.from({ length: 400 }, (_, row) => ({
    member: row % 5 < 2 ? 'yes' : 'no',
    spend: (row * 7) % 40,
  }))
  const error = async (stated: Stated) => {
    const model = await encodeTable(
      tableOf([
        categorical(
          'member',
          people.map(({ member }) => member),
        ),
        numeric(
          'spend',
          people.map(({ member, spend }) => spend + (member === 'yes' ? 20 : 0)),
        ),
      ]),
      { threads: 1 },
    )
    const { outcomes } = await estimateDifferences(model, {
      scenario: asked([share('member', { yes: stated })]),
      baseline: asked([]),
      outcomes: [{ column: 'spend', base: 'all' }],
      maxLevels: 10,
      disclosure: 'exact',
    })
    const [spend] = outcomes
    return spend?.kind === 'mean' ? spend.mean! : null
  }

  it('is that of a share where the bound binds, and none where it holds by far', async () => {
    expect((await error(atLeast(0.6)))!.standardError).toBeCloseTo((await error(0.6))!.standardError, 9)
    expect(await error(atLeast(0.2))).toMatchObject({ difference: 0, standardError: 0 })
  })

  it('is that of a share where chance decides whether the bound binds', async () => {
    const found = await error(atLeast(0.39))
    expect(found!.difference).toBeCloseTo(0, 12)
    expect(found!.standardError / (await error(0.39))!.standardError).toBeCloseTo(1, 1)
  })
})

const SEEDS = Array.from({ length: 10 }, (_, seed) => seed)

/** Every choice of which bounds are free, at their least or at their greatest share. */
const choices = (bounds: readonly [string, string, ShareBounds][]): Map<string, number>[] =>
  bounds.reduce<Map<string, number>[]>(
    (before, [column, level, { min, max }]) =>
      before.flatMap((chosen) => [
        chosen,
        new Map([...chosen, [`${column} ${level}`, min]]),
        new Map([...chosen, [`${column} ${level}`, max]]),
      ]),
    [new Map()],
  )

it.each(SEEDS)('weights within bounds are those of the choice of ends that changes least: draw %i', async (seed) => {
  const random = new RandomStream(seed, PURPOSE.value)
  const people = Array.from({ length: 150 }, () => random.real())
  const columns = ['a', 'b'].map((name) => ({
    name,
    levels: people.map((own) => ['low', 'middle', 'high'][Math.floor(3 * (0.5 * own + 0.5 * random.real()))]!),
  }))
  const model = await encodeTable(tableOf(columns.map(({ name, levels }) => categorical(name, levels))), { threads: 1 })
  const bounds = columns.flatMap(({ name, levels }) =>
    ['low', 'high'].map((level): [string, string, ShareBounds] => {
      const natural = levels.filter((own) => own === level).length / levels.length
      const min = Math.max(0.02, natural + 0.2 * (random.real() - 0.5))
      return [name, level, { min, max: min + 0.1 * random.real() }]
    }),
  )
  const weigh = async (stated: ReadonlyMap<string, Stated>): Promise<Float64Array | null> => {
    const shares = columns.map(({ name }) =>
      share(
        name,
        Object.fromEntries(
          [...stated].flatMap(([key, value]) =>
            key.startsWith(`${name} `) ? [[key.slice(name.length + 1), value]] : [],
          ),
        ),
      ),
    )
    const used = shares.filter(({ levels, bounds: own }) => levels.size + (own?.size ?? 0) > 0)
    return (await weighSeed(model, asked(used), 'exact'))?.weights ?? null
  }
  const shareOf = (weights: Float64Array, column: string, level: string): number => {
    const { levels } = columns.find(({ name }) => name === column)!
    return weights.reduce((sum, w, row) => sum + (levels[row] === level ? w : 0), 0)
  }
  const meets = (weights: Float64Array): boolean =>
    bounds.every(([column, level, { min, max }]) => {
      const found = shareOf(weights, column, level)
      return found >= min - 1e-9 && found <= max + 1e-9
    })
  const divergence = (weights: Float64Array): number =>
    weights.reduce((sum, w) => sum + (w > 0 ? w * Math.log(w * weights.length) : 0), 0)
  const possible: Float64Array[] = []
  for (const choice of choices(bounds)) {
    const weights = await weigh(choice)
    if (weights !== null && meets(weights)) possible.push(weights)
  }
  const found = await weigh(new Map(bounds.map(([column, level, ends]) => [`${column} ${level}`, ends])))
  expect(found).not.toBeNull()
  expect(meets(found!)).toBe(true)
  const least = Math.min(...possible.map(divergence))
  expect(divergence(found!)).toBeCloseTo(least, 9)
})
