import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { generate } from '../../../src/engine/generate.ts'
import { derivedColumns } from '../../../src/engine/model/describe.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { decodeModel, encodeModel } from '../../../src/engine/model/model-file.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { type People, people, round, tableWith } from '../derivations/derived-tables.ts'
import { countOf, rowsOf, scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const ROWS = 1500
const WANTED = 3000

type Rows = Record<string, (string | number | null)[]>

async function rowsFor(model: Model, wanted: RequestedConditions = scenario({}), rowCount = WANTED): Promise<Rows> {
  return rowsOf(await generate(model, { rowCount, seed: 11, scenario: wanted, threads: 1 }))
}

const train = (table: Table) => trainModel(table, { threads: 1 })
const each = <T>(p: People, value: (i: number) => T) => p.height.map((_, i) => value(i))

const BANDS = ['short', 'middle', 'tall'] as const
const bandOf = (height: number) => BANDS[height < 168 ? 0 : height < 180 ? 1 : 2]!

/** A relation of every kind: what it adds to the people, and whether a generated row satisfies it. */
const RELATIONS: Record<
  string,
  { add: (p: People) => Table['columns']; holds: (row: Record<string, number | string>) => boolean }
> = {
  total: {
    add: (p) => [
      numeric(
        'total',
        each(p, (i) => round(p.price[i]! + p.weight[i]!, 2)),
        2,
      ),
    ],
    holds: ({ total, price, weight }) => total === round((price as number) + (weight as number), 2),
  },
  spent: {
    add: (p) => [
      numeric(
        'spent',
        each(p, (i) => round(p.price[i]! * p.amount[i]!, 2)),
        2,
      ),
    ],
    holds: ({ spent, price, amount }) =>
      Math.abs((spent as number) - (price as number) * (amount as number)) < 0.005 + 1e-9,
  },
  bmi: {
    add: (p) => [
      numeric(
        'bmi',
        each(p, (i) => round(p.weight[i]! / (p.height[i]! / 100) ** 2, 3)),
        3,
      ),
    ],
    holds: ({ bmi, weight, height }) =>
      Math.abs((bmi as number) - (weight as number) / ((height as number) / 100) ** 2) < 0.0005 + 1e-9,
  },
  band: {
    add: (p) => [
      categorical(
        'band',
        each(p, (i) => bandOf(p.height[i]!)),
      ),
    ],
    holds: ({ band, height }) => band === bandOf(height as number),
  },
  code: {
    add: (p) => {
      const label = each(p, () => `level ${p.random.below(8)}`)
      return [
        categorical('label', label),
        numeric(
          'code',
          label.map((text) => 10 * Number(text.split(' ')[1]) ** 2),
        ),
      ]
    },
    holds: ({ label, code }) => code === 10 * Number((label as string).split(' ')[1]) ** 2,
  },
}

const NAMES = Object.keys(RELATIONS)

function tableOfRelations(names: readonly string[], seed: number): Table {
  const p = people(ROWS, seed)
  return tableWith(p, ...names.flatMap((name) => RELATIONS[name]!.add(p)))
}

function brokenRows(rows: Rows, names: readonly string[]): number {
  const columns = Object.entries(rows)
  return rows.height!.filter((_, i) => {
    const row = Object.fromEntries(columns.map(([name, cells]) => [name, cells[i]!]))
    return !names.every((name) => RELATIONS[name]!.holds(row))
  }).length
}

describe('generated rows', () => {
  it.each(NAMES)('all satisfy a relation of the seed: %s', async (name) => {
    const model = await train(tableOfRelations([name], 3))
    expect(model.derivations.length).toBe(1)
    expect(brokenRows(await rowsFor(model), [name])).toBe(0)
  })

  it('satisfy all relations of the seed, and exactly a scenario on other columns and on sources', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.record({ low: fc.integer({ min: 155, max: 170 }), width: fc.integer({ min: 8, max: 30 }) }),
        async (names, seed, { low, width }) => {
          const model = await train(tableOfRelations(names, seed))
          const wanted = scenario({}, { height: { min: low, max: low + width }, amount: { min: 3, max: 15 } })
          const rows = await rowsFor(model, wanted, 400)
          expect(rows.height!.length).toBe(400)
          expect(rows.height!.every((value) => Number(value) >= low && Number(value) <= low + width)).toBe(true)
          expect(rows.amount!.every((value) => Number(value) >= 3 && Number(value) <= 15)).toBe(true)
          expect(brokenRows(rows, names)).toBe(0)
        },
      ),
      { numRuns: 6, seed: 20 },
    )
  })

  it.each<{ what: string; names: string[]; wanted: RequestedConditions; kept: string[] }>([
    {
      what: 'a computed column: its tree has the word',
      names: ['total', 'band'],
      wanted: scenario({}, { total: { min: 90, max: 120.5 } }),
      kept: ['band'],
    },
    {
      what: 'a column that another decides: the other is drawn to fit',
      names: ['band', 'code'],
      wanted: scenario({ band: { tall: 0.7, short: 0.1 } }, { code: { min: 40, max: 300 } }),
      kept: ['band', 'code'],
    },
    {
      what: 'both sides of a recoding',
      names: ['code', 'bmi'],
      wanted: scenario({ label: { 'level 2': 0.5, 'level 3': 0.5 } }, { code: { min: 40, max: 90 } }),
      kept: ['code', 'bmi'],
    },
    {
      what: 'a source and the column computed from it',
      names: ['spent', 'band'],
      wanted: scenario({}, { spent: { min: 100, max: 300 }, amount: { min: 4, max: 9 } }),
      kept: ['band'],
    },
  ])('satisfy exactly a scenario that conditions $what', async ({ names, wanted, kept }) => {
    const model = await train(tableOfRelations(names, 5))
    const rows = await rowsFor(model, wanted)
    expect(rows.height!.length).toBe(WANTED)
    for (const { column, min, max } of wanted.ranges) {
      expect(rows[column]!.every((value) => Number(value) >= min && Number(value) <= max)).toBe(true)
    }
    for (const { column, levels } of wanted.shares) {
      for (const [level, share] of levels) expect(countOf(rows[column]!, level)).toBe(Math.round(share * WANTED))
    }
    expect(brokenRows(rows, kept)).toBe(0)
  })

  it('are the same from a stored model', async () => {
    const model = await train(tableOfRelations(NAMES, 8))
    const whole = await rowsFor(model)
    expect(await rowsFor(decodeModel(encodeModel(model)))).toEqual(whole)
  })

  it('lack a ratio exactly where a source is missing', async () => {
    const p = people(ROWS, 9)
    const weight = p.weight.map((value) => (p.random.real() < 0.15 ? null : value))
    const ratio = weight.map((value, i) => (value === null ? null : round(value / p.height[i]!, 5)))
    const rows = await rowsFor(
      await train(tableOf([numeric('height', p.height), numeric('weight', weight), numeric('ratio', ratio, 5)])),
    )
    expect(countOf(rows.weight!, null)).toBeGreaterThan(100)
    rows.ratio!.forEach((value, i) => {
      const source = rows.weight![i] as number | null
      expect(value).toBe(source === null ? null : round(source / (rows.height![i] as number), 5))
    })
  })

  it.each(['total', 'spent', 'bmi', 'change'])(
    'keep a computed column within its bounds and its sign: %s',
    async (name) => {
      const p = people(300, 21)
      const lost = each(p, (i) => round(p.price[i]! * p.random.real(), 2))
      const columns =
        name === 'change'
          ? [
              numeric('lost', lost, 2),
              numeric(
                'change',
                each(p, (i) => round(p.price[i]! - lost[i]!, 2)),
                2,
              ),
            ]
          : RELATIONS[name]!.add(p)
      const table = tableWith(p, ...columns)
      const target = table.columns.find((column) => column.name === name)!
      if (target.kind !== 'numeric') throw new Error(`${name} is a number`)
      const model = await train(table)
      expect(derivedColumns(model).map(({ column }) => column)).toContain(name)
      for (const wanted of [scenario({}), scenario({}, { price: { min: 60, max: 100 } })]) {
        const rows = await rowsFor(model, wanted, 20_000)
        const values = rows[name]!.map(Number)
        expect(values.filter((value) => value < target.min || value > target.max)).toEqual([])
        if (name === 'change')
          expect(values.filter((v, i) => v !== round(Number(rows.price![i]) - Number(rows.lost![i]), 2))).toEqual([])
        else expect(brokenRows(rows, [name])).toBe(0)
      }
    },
  )

  it('keep all digits of products of very small numbers', async () => {
    const p = people(ROWS, 15)
    const chance = each(p, () => 10 ** (-20 * p.random.real()))
    const other = each(p, () => 10 ** (-8 * p.random.real()))
    const both = chance.map((value, i) => value * other[i]!)
    // Readers count decimals up to 12.
    const model = await train(
      tableOf([numeric('chance', chance, 12), numeric('other', other, 12), numeric('both', both, 12)]),
    )
    expect(derivedColumns(model)).toMatchObject([{ column: 'both', formula: 'chance * other' }])
    const rows = await rowsFor(model)
    rows.both!.forEach((value, i) => {
      const product = Number(rows.chance![i]) * Number(rows.other![i])
      expect(Math.abs(Number(value) / product - 1)).toBeLessThan(1e-6)
    })
  })

  it('keep the shares of exceptions, codes and missing values', async () => {
    const p = people(4000, 10)
    const part = each(p, () => (p.random.real() < 0.2 ? -8 : p.random.below(60)))
    const total = part.map((value, i) => {
      if (value === -8) return -8
      if (i % 10 === 0) return i % 20 === 0 ? null : 9999
      return p.height[i]! + value + (i % 160 === 3 ? 1 + p.random.below(20) : 0)
    })
    const model = await train(tableWith(p, numeric('part', part), numeric('total', total)))
    const rows = await rowsFor(model, scenario({}), 20_000)
    const count = (holds: (total: number | null, part: number, height: number) => boolean) =>
      rows.total!.filter((value, i) => holds(value as number | null, Number(rows.part![i]), Number(rows.height![i])))
        .length / 20_000
    // Four standard errors of a share of 0.04 in 4,000 rows are 0.012.
    expect(Math.abs(count((t) => t === 9999) - 0.04)).toBeLessThan(0.012)
    expect(Math.abs(count((t) => t === null) - 0.04)).toBeLessThan(0.012)
    expect(count((t, a) => (t === -8) !== (a === -8))).toBeLessThan(0.001)
    const ordinary = count((t, a) => t !== null && t !== 9999 && a !== -8)
    const follow = count((t, a, height) => t !== null && t !== 9999 && a !== -8 && t === height + a)
    expect(follow / ordinary).toBeGreaterThan(0.985)
    expect(follow / ordinary).toBeLessThan(0.9995)
  })

  it('are never between two bands if the seed has no value there', async () => {
    const p = people(ROWS, 12)
    const income = each(p, () => round(1000 + 9000 * p.random.real() ** 2, 2)).map((value) =>
      value > 2900 && value < 3100 ? 3100 : value,
    )
    const band = income.map((value) => (value < 3000 ? 'low' : 'high'))
    const model = await train(tableOf([numeric('income', income, 2), categorical('band', band)]))
    const rows = await rowsFor(model, scenario({}), 20_000)
    expect(rows.income!.some((value) => Number(value) > 2900 && Number(value) < 3100)).toBe(false)
    expect(rows.band).toEqual(rows.income!.map((value) => (Number(value) < 3000 ? 'low' : 'high')))
  })

  it('have each finer level inside its coarser level, in the shares of the seed', async () => {
    const p = people(4000, 13)
    const district = each(p, () => Math.floor(200 * p.random.real() ** 2))
    const table = tableOf([
      categorical(
        'region',
        district.map((d) => ['north', 'east', 'south', 'west'][d % 4]!),
      ),
      categorical(
        'district',
        district.map((d) => `district ${d}`),
      ),
      numeric('amount', p.amount),
    ])
    const model = await train(table)
    expect(derivedColumns(model)).toEqual([
      { column: 'region', sources: ['district'], formula: 'decided by district', share: 1 },
    ])
    const rows = await rowsFor(model, scenario({ region: { north: 0.7, east: 0.3 } }))
    expect(countOf(rows.region!, 'north')).toBe(0.7 * WANTED)
    rows.district!.forEach((name, i) => {
      expect(['north', 'east'][Number(String(name).split(' ')[1]) % 4]).toBe(rows.region![i])
    })
  })
})

describe('a finer column', () => {
  it('fits into the coarser one although regions are too small for separate leaves', async () => {
    const p = people(ROWS, 14)
    const district = each(p, () => p.random.below(240))
    const table = tableOf([
      categorical(
        'region',
        district.map((d) => `region ${d % 60}`),
      ),
      categorical(
        'district',
        district.map((d) => `district ${d}`),
      ),
      // Things that say something of the district draw its tree's first splits to themselves.
      ...Array.from({ length: 20 }, (_, j) =>
        categorical(
          `trade ${j}`,
          district.map((d) => `${(d * (j + 3)) % 7 < 3} ${p.random.below(2)}`),
        ),
      ),
    ])
    const rows = await rowsFor(await train(table))
    rows.district!.forEach((name, i) => {
      expect(rows.region![i]).toBe(`region ${Number(String(name).split(' ')[1]) % 60}`)
    })
  })
})

describe('no recoding is found', () => {
  it.each<{ what: string; table: (p: People) => Table }>([
    {
      what: 'where few rows share a level',
      table: (p) =>
        tableOf([
          categorical(
            'own',
            each(p, (i) => `own ${i >> 1}`),
          ),
          categorical(
            'rare',
            each(p, () => (p.random.real() < 0.02 ? 'yes' : 'no')),
          ),
        ]),
    },
    {
      what: 'where a level is merely likely',
      table: (p) => {
        const group = each(p, () => p.random.below(10))
        return tableOf([
          categorical(
            'group',
            group.map((g) => `group ${g}`),
          ),
          categorical(
            'sex',
            group.map((g) => (p.random.real() < 0.97 ? (g < 5 ? 'f' : 'm') : 'x')),
          ),
        ])
      },
    },
  ])('$what', async ({ table }) => {
    expect((await train(table(people(ROWS)))).derivations).toEqual([])
  })
})
