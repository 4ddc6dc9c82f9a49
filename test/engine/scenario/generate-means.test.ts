import { beforeAll, describe, expect, it } from 'vitest'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { assessScenario, generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { valuesOfRows } from '../../../src/engine/model/row-values.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { MeanTarget, RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { RELATED } from '../relations/related-tables.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { countOf, rowsOf, scenario } from './written-scenario.ts'

let model: Model
let weighted: Model

beforeAll(async () => {
  const table = surveyTable(2000)
  model = await trainModel(table, { threads: 1 })
  const weights = Float64Array.from({ length: 2000 }, (_, row) => [0.4, 1, 1.6][row % 3]!)
  weighted = await trainModel({ ...table, weights }, { threads: 1 })
})

const from = (column: string, min: number, max = min): MeanTarget => ({ column, min, max })
const asked = (means: readonly MeanTarget[], rest: RequestedConditions = scenario({})): RequestedConditions => {
  return { ...rest, means }
}
const EXACT = { threads: 1, disclosure: 'exact' } as const
const generated = (of: RequestedConditions, by = model, rowCount = 1500) =>
  generate(by, { ...EXACT, rowCount, seed: 7, scenario: of })

const numbers = (cells: readonly (string | number | null)[]): number[] =>
  cells.filter((cell): cell is number => typeof cell === 'number')
const meanOf = (cells: readonly (string | number | null)[]): number => {
  const values = numbers(cells)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const MIXED = scenario({ region: { north: 0.5 }, member: { yes: 0.8 } }, { visits: { min: 2, max: 9 } })

describe('rows of a scenario that states means', () => {
  it.each([
    { name: 'whole numbers', column: 'visits', mean: 5.5, decimals: 0 },
    { name: 'prices', column: 'price', mean: 2.5, decimals: 2 },
    { name: 'a column with missing values and many zeros', column: 'spend', mean: 20, decimals: 2 },
    { name: 'measures', column: 'height', mean: 175, decimals: 1 },
    { name: 'a mean near the end of the values', column: 'visits', mean: 11.5, decimals: 0 },
  ])('have the mean, of $name', async ({ column, mean, decimals }) => {
    const table = await generated(asked([from(column, mean)]))
    expect(table.feasibility).toMatchObject({ rows: 1500, shortfall: null })
    const cells = (await rowsOf(table))[column]!
    const values = numbers(cells)
    expect(Math.abs(meanOf(cells) - mean)).toBeLessThanOrEqual(10 ** -decimals / 2 / values.length + 1e-12)
    const seed = model.columns.find(({ name }) => name === column)!
    if (seed.kind !== 'numeric') throw new Error('not numeric')
    expect(Math.min(...values)).toBeGreaterThanOrEqual(seed.min)
    expect(Math.max(...values)).toBeLessThanOrEqual(seed.max)
    for (const value of values) expect(Number(value.toFixed(decimals))).toBe(value)
  })

  it.each([
    { name: 'as they are', weighted: false },
    { name: 'with case weights', weighted: true },
  ])('have shares, ranges and several means together, $name', async (one) => {
    const means = [from('visits', 6), from('price', 2.6), from('height', 172)]
    const table = await generated(asked(means, MIXED), one.weighted ? weighted : model)
    expect(table.feasibility.rows).toBe(1500)
    const rows = await rowsOf(table)
    for (const { column, min } of means) expect(meanOf(rows[column]!)).toBeCloseTo(min, 3)
    expect(countOf(rows.region!, 'north')).toBe(750)
    expect(countOf(rows.member!, 'yes')).toBe(1200)
    for (const value of numbers(rows.visits!)) expect(value >= 2 && value <= 9).toBe(true)
  })

  it('keep missing values where they belong', async () => {
    const rows = await rowsOf(await generated(asked([from('spend', 25)], scenario({ member: { yes: 0.5 } }))))
    expect(meanOf(rows.spend!)).toBeCloseTo(25, 4)
    rows.spend!.forEach((value, row) => {
      expect(value === null).toBe(rows.member![row] === 'no')
    })
  })

  it('change other columns as far as they go with it: people who come more often spend more', async () => {
    const before = await rowsOf(await generated(scenario({ member: { yes: 0.6 } })))
    const after = await rowsOf(await generated(asked([from('visits', 7)], scenario({ member: { yes: 0.6 } }))))
    expect(meanOf(after.spend!)).toBeGreaterThan(1.15 * meanOf(before.spend!))
    expect(meanOf(after.height!)).toBeCloseTo(meanOf(before.height!), 0)
  })

  it('agree with the seed that is weighted in the same way', async () => {
    const of = asked([from('visits', 7)], scenario({ member: { yes: 0.7 } }))
    const { weights } = (await weighSeed(model, of, 'exact'))!
    const rows = await rowsOf(await generated(of, model, 6000))
    for (const name of ['spend', 'price', 'height']) {
      const index = model.columns.findIndex((column) => column.name === name)
      const column = model.columns[index]!
      if (column.kind !== 'numeric') throw new Error('not numeric')
      const own = valuesOfRows(model, index, column)
      let [total, sum, squares] = [0, 0, 0]
      own.forEach((value, row) => {
        if (Number.isNaN(value)) return
        total += weights[row]!
        sum += weights[row]! * value
        squares += weights[row]! * value ** 2
      })
      const error = Math.sqrt((squares / total - (sum / total) ** 2) / 1000)
      expect(Math.abs(meanOf(rows[name]!) - sum / total)).toBeLessThan(2 * error)
    }
  })

  it.each([1, 7, 33])('have the mean to the nearest whole number of a file of %i rows', async (rowCount) => {
    const visits = numbers((await rowsOf(await generated(asked([from('visits', 5.3)]), model, rowCount))).visits!)
    expect(visits.reduce((sum, value) => sum + value, 0)).toBe(Math.round(5.3 * rowCount))
  })

  it('have the mean also where the seed supports fewer rows than are wanted', async () => {
    const rare = scenario({ district: { 'district 299': 0.6 } })
    const whole = await assessScenario(model, rare, 20_000, EXACT)
    const table = await generated(asked([from('price', 2.5)], rare), model, 20_000)
    expect(table.feasibility.rows).toBe(whole.rows)
    expect(whole.rows).toBeLessThan(20_000)
    expect(meanOf((await rowsOf(table)).price!)).toBeCloseTo(2.5, 4)
  })

  it('follow the values with an exponential tilt: what is left has the form of the seed', async () => {
    const values = numbers((await rowsOf(await generated(asked([from('visits', 5)]), model, 20_000))).visits!)
    const natural = numbers((await rowsOf(await generated(scenario({}), model, 20_000))).visits!)
    const logs = [1, 2, 3, 4].map((visits) => Math.log(countOf(values, visits) / countOf(natural, visits)))
    for (const i of [1, 2]) expect(logs[i + 1]! - logs[i]!).toBeCloseTo(logs[i]! - logs[i - 1]!, 0)
  })

  it.each([
    { name: 'is met where the seed is below', bound: { min: 6, max: Number.POSITIVE_INFINITY }, is: 6 },
    { name: 'is met where the seed is above', bound: { min: Number.NEGATIVE_INFINITY, max: 3 }, is: 3 },
    { name: 'changes nothing where the seed keeps it', bound: { min: 1, max: 10 }, is: null },
  ])('a bound $name', async ({ bound, is }) => {
    const mean = meanOf((await rowsOf(await generated(asked([{ column: 'visits', ...bound }])))).visits!)
    expect(mean).toBeGreaterThanOrEqual(bound.min - 1e-12)
    expect(mean).toBeLessThanOrEqual(bound.max + 1e-12)
    const natural = meanOf((await rowsOf(await generated(scenario({})))).visits!)
    expect(Math.abs(mean - (is ?? natural))).toBeLessThan(is === null ? 0.15 : 1e-3)
  })

  it('are the same again, and others with another seed', async () => {
    const visits = async (seed: number) =>
      (await rowsOf(await generate(model, { ...EXACT, rowCount: 1500, seed, scenario: asked([from('visits', 5)]) })))
        .visits
    expect(await visits(7)).toEqual(await visits(7))
    expect(await visits(8)).not.toEqual(await visits(7))
  })

  it('have the support that the weighted rows of the seed give', async () => {
    const mild = await assessScenario(model, asked([from('visits', 5)]), 100, EXACT)
    const strong = await assessScenario(model, asked([from('visits', 11.9)]), 100, EXACT)
    expect(mild).toMatchObject({ rows: 100, lowSupport: false })
    expect(strong.effectiveRows).toBeLessThan(mild.effectiveRows / 5)
    expect(strong.largestTilt).toBeGreaterThan(mild.largestTilt)
  })
})

describe('means of columns that hang together with others', () => {
  const random = () => new RandomStream(5, PURPOSE.testTable)

  it('leave a relation between two conditioned columns, and to others, in every row', async () => {
    const { columns, holds } = RELATED.levels!
    const related = await trainModel(tableOf(columns(random(), 1500)), { threads: 1 })
    const of = asked([from('middle', 78), from('high', 92)], scenario({}, { low: { min: 55, max: 85 } }))
    const rows = await rowsOf(await generated(of, related))
    expect(meanOf(rows.middle!)).toBeCloseTo(78, 3)
    expect(meanOf(rows.high!)).toBeCloseTo(92, 3)
    const broken = rows.low!.filter((low, row) => !holds({ low, middle: rows.middle![row]!, high: rows.high![row]! }))
    expect(broken).toEqual([])
    const alone = await rowsOf(await generated(asked([from('middle', 95)]), related))
    expect(meanOf(alone.middle!)).toBeCloseTo(95, 3)
    expect(
      alone.low!.filter((low, row) => !holds({ low, middle: alone.middle![row]!, high: alone.high![row]! })),
    ).toEqual([])
  })

  it('leave each value in the band that the row has, whether the band has shares or not', async () => {
    const stream = random()
    const ages = Array.from({ length: 1500 }, () => 18 + Math.floor(60 * stream.real() ** 1.5))
    const bandOf = (age: number) => (age < 30 ? 'young' : age < 50 ? 'middle' : 'old')
    const table = tableOf([numeric('age', ages), categorical('band', ages.map(bandOf))])
    const banded = await trainModel(table, { threads: 1 })
    for (const shares of [scenario({ band: { young: 0.2, old: 0.5 } }), scenario({})]) {
      const rows = await rowsOf(await generated(asked([from('age', 48.5)], shares), banded))
      expect(meanOf(rows.age!)).toBeCloseTo(48.5, 3)
      expect(rows.age!.map((age) => bandOf(Number(age)))).toEqual(rows.band)
    }
  })
})

describe('means that cannot be', () => {
  it.each([
    {
      name: 'beyond the values',
      of: asked([from('visits', 14)]),
      says: 'The mean of visits is to be 14; the seed rows can have means between 1 and 12. The nearest possible mean is about 11.989.',
      binding: [{ column: 'visits', target: 14, nearest: 11.989 }],
    },
    {
      name: 'beyond a range',
      of: asked([from('visits', 9.5)], scenario({}, { visits: { min: 2, max: 9 } })),
      says: 'means between 2 and 9, with visits from 2 to 9. The nearest possible mean is about 8.993.',
      binding: [{ column: 'visits', target: 9.5, nearest: 8.993 }],
    },
    {
      name: 'beyond what the shares leave',
      of: asked([from('visits', 9)], scenario({ member: { no: 0.5 } })),
      says: 'means between 1 and 8, with the shares of member. The nearest possible mean is about 7.993.',
      binding: [{ column: 'visits', target: 9, nearest: 7.993 }, { column: 'member' }],
    },
    {
      name: 'at the very end',
      of: asked([from('visits', 12)]),
      says: 'The mean of visits is to be 12; the seed rows can have means between 1 and 12.',
      binding: [{ column: 'visits', target: 12, nearest: 11.989 }],
    },
    {
      name: 'a bound',
      of: asked([{ column: 'visits', min: 13, max: Number.POSITIVE_INFINITY }]),
      says: 'The mean of visits is to be at least 13;',
      binding: [{ column: 'visits', target: 13, nearest: 11.989 }],
    },
  ])('$name: the refusal names what binds and the nearest mean', async ({ of, says, binding }) => {
    const { rows, shortfall } = await assessScenario(model, of, 100, EXACT)
    expect(rows).toBe(0)
    expect(shortfall?.detail).toContain(says)
    expect(shortfall?.binding).toEqual(binding)
    expect((await rowsOf(await generated(of))).visits).toEqual([])
  })

  it('name the other mean where the two exclude each other', async () => {
    const members = scenario({ member: { yes: 1 } })
    const { rows, shortfall } = await assessScenario(
      model,
      asked([from('spend', 40), from('visits', 2)], members),
      100,
      EXACT,
    )
    expect(rows).toBe(0)
    expect(shortfall?.detail).toContain('with the mean of spend as stated')
    expect(shortfall?.binding.map(({ column }) => column)).toEqual(['visits', 'spend'])
    const { nearest } = shortfall!.binding[0]!
    const possible = asked([from('spend', 40), from('visits', nearest!)], members)
    expect((await assessScenario(model, possible, 100, EXACT)).rows).toBe(100)
  })

  it.each([
    ['a column of levels', asked([from('region', 2)]), 'column region'],
    ['a column that is not there', asked([from('weight', 2)]), 'there is no column weight'],
    ['a mean beside shares', asked([from('member', 2)], scenario({ member: { yes: 1 } })), 'conditioned twice'],
  ])('are refused for %s', async (_name, of, message) => {
    await expect(generated(of)).rejects.toThrow(message)
  })

  it('are refused of a protected seed', async () => {
    const options = { rowCount: 10, seed: 1, threads: 1, scenario: asked([from('visits', 5)]) }
    await expect(generate(model, options)).rejects.toThrow('a protected seed takes no means')
  })
})
