import { describe, expect, it } from 'vitest'
import { compareRows } from '../../../src/engine/quality/compared-rows.ts'
import { rareNumberRows } from '../../../src/engine/quality/rare-numbers.ts'
import { sampleModel } from '../../../src/engine/sampling/sample.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { compareTables, range } from './compared-parts.ts'

/** Each value as often as its count says. */
const repeated = (counts: readonly (readonly [value: number | null, rows: number])[]) =>
  counts.flatMap(([value, rows]) => new Array<number | null>(rows).fill(value))

describe('rows with a rare number', () => {
  const ages = repeated([
    [30, 20],
    [40, 10],
    [80, 9],
    [99, 1],
    [null, 10],
  ])
  const seed = tableOf([numeric('age', ages)])
  const generated = tableOf([
    numeric(
      'age',
      repeated([
        [30, 43],
        [80, 3],
        [99, 2],
        [98, 1],
        [null, 1],
      ]),
    ),
  ])

  it('carry exactly a number that fewer than ten rows of the seed have', () => {
    const found = rareNumberRows(seed, compareTables(seed, seed, generated))
    expect(found).toEqual({ columns: 1, synthetic: 5, training: 10 })
  })

  it('count once, whatever the number of such columns', () => {
    const twice = (table: typeof seed) => tableOf([...table.columns, { ...table.columns[0]!, name: 'again' }])
    const rows = compareTables(twice(seed), twice(seed), twice(generated))
    expect(rareNumberRows(twice(seed), rows)).toEqual({ columns: 2, synthetic: 5, training: 10 })
  })

  it('are fewer if the table is a sample of the seed', () => {
    // 9 of 50 rows are about 18 of 100.
    const found = rareNumberRows({ ...seed, seedRows: 100 }, compareTables(seed, seed, generated))
    expect(found).toEqual({ columns: 1, synthetic: 2, training: 1 })
  })

  it.each([
    ['numbers of which most occur once', numeric('income', range(0, 50))],
    ['more than 256 numbers', numeric('income', [...range(0, 257), ...range(0, 257)])],
    ['dates', { ...seed.columns[0]!, format: 'date' as const }],
    ['levels, whose rare ones are gone', categorical('region', new Array(50).fill('north'))],
    ['nothing but missing numbers', numeric('age', new Array(50).fill(null))],
  ])('are none in %s', (_, column) => {
    const table = tableOf([column as (typeof seed.columns)[0]])
    expect(rareNumberRows(table, compareTables(table, table, table))).toBeNull()
  })

  it('are generated of a scale, but not of document numbers among zeros', async () => {
    const scale = range(0, 600).map((i) => (i < 12 ? 80 + i : 20 + (i % 30)))
    const documents = (count: number) => range(0, 600).map((i) => (i < count ? 20_000_000 + 417_013 * i + i * i : 0))
    // Five rows each: of 100 rows among zeros, or of all rows.
    const repeats = range(0, 600).map((i) => (i < 100 ? 20_000_000 + 417_013 * (i % 20) + (i % 20) ** 2 : i % 2))
    const places = range(0, 600).map((i) => 10_000 + 7_130_017 * (i % 120) + (i % 120) ** 2)
    // Two codes for no answer beside a scale are no documents.
    // Eight people paid an exact fee beside those of the list.
    const fees = range(0, 600).map((i) => (i < 592 ? 250 * (1 + ((7 * i) % 13)) : 1013 + 177 * (i - 592)))
    const codes = range(0, 600).map((i) => (i < 4 ? 99_998 : i < 12 ? 99_999 : 1 + (i % 5)))
    for (const [values, isGenerated, training] of [
      [scale, true, 12],
      [documents(12), false, 12],
      [documents(6), false, 6],
      [repeats, false, 100],
      [places, false, 600],
      [fees, false, 8],
      [codes, true, 12],
    ] as const) {
      const table = tableOf([
        numeric('c', values),
        categorical(
          'answer',
          values.map((_, i) => 'abc'[i % 3]!),
        ),
      ])
      const sample = await sampleModel(await trainModel(table, { threads: 1 }), { threads: 1 })
      const found = rareNumberRows(table, compareRows(table, table, sample))!
      expect(found).toMatchObject({ columns: 1, training })
      expect(found.synthetic > 0).toBe(isGenerated)
    }
  })
})
