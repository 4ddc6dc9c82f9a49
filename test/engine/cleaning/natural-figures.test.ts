import { expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { naturalFigures } from '../../../src/engine/cleaning/natural-figures.ts'
import { numbers, table as rawTable, texts } from './raw-columns.ts'

const ROWS = 400
const every = <T>(value: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => value(row))

const raw = rawTable(
  texts(
    'region',
    every((row) => (row < 20 ? null : row < 260 ? 'North' : 'South')),
  ),
  numbers(
    'age',
    every((row) => (row < 40 ? null : 20 + (row % 40))),
  ),
  numbers(
    'born',
    every((row) => Date.UTC(1960, 0, 1 + 30 * row)),
    'date',
  ),
)

it('levels have their share of all rows, and numbers and dates have their quantiles', () => {
  const { table, schema } = cleanTable(raw, { autoClean: true })
  expect(naturalFigures(table, schema)).toEqual([
    { levelShares: [0.6, 0.35] },
    { quantiles: [20, 30, 40, 50, 55] },
    { quantiles: ['1961-07-02', '1968-07-02', '1976-07-02', '1984-07-02', '1991-07-02'] },
  ])
})

it('weights move shares and quantiles towards the rows with larger weights', () => {
  const values = Float64Array.from({ length: ROWS }, (_, row) => (row < 260 ? 1 : 3))
  const { table, schema } = cleanTable(raw, { autoClean: true, weight: { name: 'w', values } })
  const [region, age, born] = naturalFigures(table, schema)
  // 240 of 680 and 420 of 680: the levels stay in the sequence of their rows.
  expect(region).toEqual({ levelShares: [0.353, 0.618] })
  expect(age).toMatchObject({ quantiles: [20, 30, 40, 50, 60] })
  expect(born).toMatchObject({ quantiles: expect.arrayContaining(['1983-07-02']) })
})

it('a column has no figures if none may be released or the schema has no room for them', () => {
  const few = rawTable(
    numbers(
      'age',
      Array.from({ length: 60 }, (_, row) => (row < 45 ? null : 2 * row + 1)),
    ),
    texts(
      'region',
      Array.from({ length: 60 }, (_, row) => (row < 30 ? 'North' : 'South')),
    ),
  )
  const { table, schema } = cleanTable(few, { autoClean: false })
  expect(naturalFigures(table, schema)).toEqual([null, { levelShares: [0.5, 0.5] }])
  expect(naturalFigures(table, schema, JSON.stringify(schema).length + 20)).toEqual([null, null])
})
