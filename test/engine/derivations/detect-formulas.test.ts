import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { detectFormulas } from '../../../src/engine/derivations/detect-formulas.ts'
import { derivedColumns } from '../../../src/engine/model/describe.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { numeric, tableOf } from '../survey-table.ts'
import { answers, dates, dateTimes, type People, people, round, tableWith } from './derived-tables.ts'

const ROWS = 1500

/** Column → formula in words. */
function found(table: Table): Record<string, string> {
  // Words need names and decimals only.
  const model = { columns: table.columns, derivations: detectFormulas(table) } as unknown as Model
  return Object.fromEntries(derivedColumns(model).map(({ column, formula }) => [column, formula]))
}

const each = (p: People, value: (i: number) => number | null) => p.height.map((_, i) => value(i))

describe('a formula is found for', () => {
  const items = Array.from({ length: 9 }, (_, i) => `item ${i}`)

  it.each<{ what: string; column: string; formula: string; table: (p: People) => Table }>([
    {
      what: 'a sum',
      column: 'total',
      formula: 'price + paid',
      table: (p) => {
        const paid = each(p, () => round(300 * p.random.real(), 2)) as number[]
        return tableWith(
          p,
          numeric('paid', paid, 2),
          numeric(
            'total',
            each(p, (i) => round(p.price[i]! + paid[i]!, 2)),
            2,
          ),
        )
      },
    },
    {
      what: 'a difference, written as the sum that gives the column with more values',
      column: 'cost',
      formula: 'price - margin',
      table: (p) => {
        const cost = each(p, (i) => round(p.price[i]! * (0.5 + 0.5 * p.random.real()), 2)) as number[]
        const margin = cost.map((value, i) => round(p.price[i]! - value, 2))
        return tableWith(p, numeric('margin', margin, 2), numeric('cost', cost, 2))
      },
    },
    {
      what: 'a product, rounded to its decimals',
      column: 'spent',
      formula: 'price * amount',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'spent',
            each(p, (i) => round(p.price[i]! * p.amount[i]!, 2)),
            2,
          ),
        ),
    },
    {
      what: 'a product rounded to whole numbers',
      column: 'spent',
      formula: 'price * amount',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'spent',
            each(p, (i) => Math.round(p.price[i]! * p.amount[i]!)),
          ),
        ),
    },
    {
      what: 'a product rounded down',
      column: 'spent',
      formula: 'price * amount, rounded down',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'spent',
            each(p, (i) => Math.floor(p.price[i]! * p.amount[i]!)),
          ),
        ),
    },
    {
      what: 'a ratio',
      column: 'each',
      formula: 'price / amount',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'each',
            each(p, (i) => round(p.price[i]! / p.amount[i]!, 4)),
            4,
          ),
        ),
    },
    {
      what: 'a percentage',
      column: 'percent',
      formula: '100 * weight / height',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'percent',
            each(p, (i) => round((100 * p.weight[i]!) / p.height[i]!, 1)),
            1,
          ),
        ),
    },
    {
      what: 'a ratio with a square',
      column: 'bmi',
      formula: '10000 * weight / height^2',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'bmi',
            each(p, (i) => round(p.weight[i]! / (p.height[i]! / 100) ** 2, 12)),
            12,
          ),
        ),
    },
    {
      what: 'a ratio in all digits of double precision',
      column: 'bmi',
      formula: '10000 * weight / height^2',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'bmi',
            each(p, (i) => Number((p.weight[i]! / (p.height[i]! / 100) ** 2).toPrecision(15))),
            12,
          ),
        ),
    },
    {
      what: 'a change of unit',
      column: 'inches',
      formula: 'height / 2.54',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'inches',
            each(p, (i) => round(p.height[i]! / 2.54, 1)),
            1,
          ),
        ),
    },
    {
      what: 'a change of unit and origin',
      column: 'fahrenheit',
      formula: '1.8 * celsius + 32',
      table: (p) => {
        const celsius = each(p, () => round(40 * p.random.real() - 10, 1)) as number[]
        return tableWith(
          p,
          numeric('celsius', celsius, 1),
          numeric(
            'fahrenheit',
            celsius.map((c) => round(1.8 * c + 32, 2)),
            2,
          ),
        )
      },
    },
    {
      what: 'a year from an age',
      column: 'year',
      formula: '-age + 2024',
      table: (p) => {
        const age = p.born.map((day) => 18 + (day % 70))
        return tableWith(
          p,
          numeric('age', age),
          numeric(
            'year',
            age.map((years) => 2024 - years),
          ),
        )
      },
    },
    {
      what: 'a total of nine answers',
      column: 'score',
      formula: items.join(' + '),
      table: (p) => {
        const columns = items.map(() => each(p, () => p.random.below(4)) as number[])
        return tableWith(
          p,
          ...items.map((name, j) => answers(name, columns[j]!)),
          numeric(
            'score',
            each(p, (i) => columns.reduce((sum, column) => sum + column[i]!, 0)),
          ),
        )
      },
    },
    {
      what: 'a weighted mark',
      column: 'mark',
      formula: '0.4 * oral + 0.6 * written',
      table: (p) => {
        const oral = each(p, () => p.random.below(101)) as number[]
        const written = each(p, () => p.random.below(101)) as number[]
        return tableWith(
          p,
          numeric('oral', oral),
          numeric('written', written),
          numeric(
            'mark',
            each(p, (i) => round(0.4 * oral[i]! + 0.6 * written[i]!, 1)),
            1,
          ),
        )
      },
    },
    {
      what: 'a date some days after another',
      column: 'left',
      formula: 'joined + stayed',
      table: (p) => {
        const stayed = each(p, () => p.random.below(400)) as number[]
        return tableWith(
          p,
          dates('joined', p.born),
          numeric('stayed', stayed),
          dates(
            'left',
            each(p, (i) => p.born[i]! + stayed[i]!),
          ),
        )
      },
    },
    {
      what: 'an age in years between two dates',
      column: 'age',
      formula: 'asked / 365.25 - born / 365.25, rounded down',
      table: (p) => {
        const asked = each(p, () => 19_000 + p.random.below(300)) as number[]
        return tableWith(
          p,
          dates('born', p.born),
          dates('asked', asked),
          numeric(
            'age',
            each(p, (i) => Math.floor((asked[i]! - p.born[i]!) / 365.25)),
          ),
        )
      },
    },
    {
      what: 'minutes between two times',
      column: 'minutes',
      formula: 'end / 60 - begin / 60',
      table: (p) => {
        const begin = each(p, (i) => 1000 * p.born[i]! + p.random.below(900)) as number[]
        const end = begin.map((second) => second + 20 + p.random.below(5000))
        return tableWith(
          p,
          dateTimes('begin', begin),
          dateTimes('end', end),
          numeric(
            'minutes',
            each(p, (i) => Math.round((end[i]! - begin[i]!) / 60)),
          ),
        )
      },
    },
  ])('$what', ({ column, formula, table }) => {
    expect(found(table(people(ROWS)))[column]).toBe(formula)
  })

  it('a sum that some rows violate, with the share of rows in which it holds', () => {
    const p = people(ROWS)
    const total = each(p, (i) => p.height[i]! + p.weight[i]! + (i % 200 === 7 ? 1 + p.random.below(90) : 0))
    const [formula] = detectFormulas(tableWith(p, numeric('total', total)))
    expect(formula!.share).toBeGreaterThan(0.99)
    expect(formula!.share).toBeLessThan(0.996)
  })

  it('a sum whose sources and target have codes, which stay apart', () => {
    const p = people(ROWS)
    const part = each(p, () => (p.random.real() < 0.2 ? -8 : p.random.below(60))) as number[]
    const total = each(p, (i) => (part[i] === -8 ? -8 : i % 11 === 0 ? 9999 : p.height[i]! + part[i]!))
    const [formula] = detectFormulas(tableWith(p, numeric('part', part), numeric('total', total)))
    expect(formula).toMatchObject({ target: 5, share: 1 })
    expect(formula!.sources.find(({ column }) => column === 4)!.exceptions).toEqual([-8])
    expect(formula!.targetExceptions).toContain(9999)
  })

  it.each([
    { what: 'where a source is', own: 0, missingTogether: true, ownMissing: false },
    { what: 'in other rows too', own: 0.1, missingTogether: true, ownMissing: true },
  ])('a ratio that is missing $what', ({ own, missingTogether, ownMissing }) => {
    const p = people(ROWS)
    const weight = p.weight.map((value) => (p.random.real() < 0.1 ? null : value))
    const ratio = weight.map((value, i) =>
      value === null || p.random.real() < own ? null : round(value / p.height[i]!, 5),
    )
    const columns = [numeric('height', p.height), numeric('weight', weight), numeric('ratio', ratio, 5)]
    expect(detectFormulas(tableOf(columns))).toMatchObject([{ target: 2, missingTogether, ownMissing }])
  })
})

describe('no formula is found for', () => {
  it.each<{ what: string; table: (p: People) => Table }>([
    { what: 'columns that are merely related', table: (p) => tableWith(p) },
    {
      what: 'a total that is nearly a product',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'total',
            each(p, (i) => round(p.price[i]! * p.amount[i]! * (0.98 + 0.04 * p.random.real()), 2)),
            2,
          ),
        ),
    },
    {
      what: 'a sum that holds in 97 of 100 rows',
      table: (p) =>
        tableWith(
          p,
          numeric(
            'total',
            each(p, (i) => p.height[i]! + p.weight[i]! + (i % 33 === 0 ? 5 + p.random.below(40) : 0)),
          ),
        ),
    },
    {
      what: 'columns that agree in being 0',
      table: (p) => {
        const rare = () =>
          numeric(
            `gain ${p.random.word()}`,
            each(p, () => (p.random.real() < 0.01 ? 100 + p.random.below(5000) : 0)),
          )
        return tableWith(p, rare(), rare(), rare())
      },
    },
    {
      what: 'small counts, with which too much agrees by chance',
      table: (p) =>
        tableOf(
          Array.from({ length: 30 }, (_, j) =>
            numeric(
              `count ${j}`,
              each(p, () => p.random.below(7)),
            ),
          ),
        ),
    },
    {
      what: 'columns of many decimals that vary less than single precision distinguishes',
      table: (p) =>
        tableWith(
          p,
          ...[0, 1, 2].map((j) =>
            numeric(
              `share ${j}`,
              each(p, () => round(0.99999 + 1e-7 * p.random.real(), 12)),
              12,
            ),
          ),
        ),
    },
  ])('$what', ({ table }) => {
    expect(found(table(people(ROWS)))).toEqual({})
  })

  it('a column that is the source of another formula, so there are no cycles', () => {
    const p = people(ROWS)
    const spent = each(p, (i) => round(p.price[i]! * p.amount[i]!, 2)) as number[]
    const again = spent.map((value) => round(value * 1.19, 2))
    const table = tableWith(p, numeric('spent', spent, 2), numeric('gross', again, 2))
    const formulas = detectFormulas(table)
    expect(formulas.map(({ target }) => table.columns[target]!.name).sort()).toEqual(['gross', 'spent'])
  })
})
