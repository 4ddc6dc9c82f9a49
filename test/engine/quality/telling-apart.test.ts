import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import type { Points } from '../../../src/engine/quality/gower-distance.ts'
import { countNearer, nearestContext } from '../../../src/engine/quality/nearest-rows.ts'
import { areaUnderCurve, FOLDS, testFold, twoSampleContext } from '../../../src/engine/quality/two-sample-test.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { compareTables, range, rowsOf, shuffleColumns } from './compared-parts.ts'

const survey = surveyTable(9000)
const training = rowsOf(survey, range(0, 3000))
const heldOut = rowsOf(survey, range(3000, 5000))
const others = rowsOf(survey, range(5000, 8000))

describe('the classifier two-sample test', () => {
  const auc = (synthetic: Table, real = heldOut) => {
    const context = twoSampleContext(compareTables(real, real, synthetic))
    return range(0, FOLDS).reduce((sum, fold) => sum + testFold(context)(fold), 0) / FOLDS
  }

  // 2,000 rows of either kind: a standard error of 0.009; 0.04 is more than four.
  it('does not distinguish new rows of the same population', () => {
    expect(Math.abs(auc(others) - 0.5)).toBeLessThan(0.04)
  })

  it('distinguishes rows with unrelated columns', () => {
    expect(auc(shuffleColumns(others))).toBeGreaterThan(0.8)
  })

  it.each([
    {
      what: 'a number that is shifted',
      change: (table: Table) => withColumn(table, 6, (height) => (height === null ? null : height + 20)),
    },
    {
      what: 'values where real rows have none',
      change: (table: Table) => withColumn(table, 5, (spend) => spend ?? 5.55),
    },
  ])('recognizes $what', ({ change }) => {
    expect(auc(change(others))).toBeGreaterThan(0.75)
  })

  it('recognizes levels that are too frequent in an unordered column', () => {
    // Half of 30 levels do not occur in the synthetic rows, so half of the real rows can be recognized for certain.
    const table = tableOf([
      categorical(
        'level',
        draws(4000, 30).map((level, i) => `level ${i < 2000 ? level : level - (level % 2)}`),
      ),
    ])
    const area = auc(rowsOf(table, range(2000, 4000)), rowsOf(table, range(0, 2000)))
    expect(Math.abs(area - 0.75)).toBeLessThan(0.04)
  })

  it.each([
    { scores: [1, 2, 3, 4], positive: [0, 0, 1, 1], area: 1 },
    { scores: [4, 3, 2, 1], positive: [0, 0, 1, 1], area: 0 },
    { scores: [1, 1, 1, 1], positive: [0, 1, 0, 1], area: 0.5 },
    { scores: [1, 2, 2, 3], positive: [0, 0, 1, 1], area: 0.875 },
  ])('computes an area of $area under the curve of $scores', ({ scores, positive, area }) => {
    expect(areaUnderCurve(Float64Array.from(scores), Uint8Array.from(positive))).toBe(area)
  })
})

describe('the nearest real rows', () => {
  const shareNearer = (synthetic: Table) => {
    const context = nearestContext(compareTables(training, heldOut, synthetic))
    const queries = context.queries.coordinates.length / context.d
    return countNearer(context)({ firstQuery: 0, endQuery: queries }) / queries
  }

  // 2,000 queries: a standard error of 0.011.
  it('are training and held-out rows equally often if the compared rows are new', () => {
    expect(Math.abs(shareNearer(others) - 0.5)).toBeLessThan(0.045)
  })

  it('are training rows for copies of them, as often as the originals are among the rows compared', () => {
    // 2,000 of 3,000 training rows are in the base: 2/3 of the copies find their original, the others are equally near to both parts.
    const copies = rowsOf(training, draws(3000, 3000))
    expect(Math.abs(shareNearer(copies) - (0.5 + 1 / 3))).toBeLessThan(0.045)
  })

  const levelsOf = (name: string, count: number, from: number) =>
    categorical(
      name,
      draws(9000, count, from).map((level) => (level === 1 ? null : `level ${level}`)),
    )

  it.each([
    { what: 'of several kinds', table: survey, asked: 40 },
    { what: 'of numbers alone', table: tableOf(survey.columns.filter(({ kind }) => kind === 'numeric')), asked: 40 },
    {
      // 300 levels: more than a byte distinguishes.
      what: 'of levels, of many of them too',
      table: tableOf([300, 2, 4, 3, 700, 5].map((count, c) => levelsOf(`levels ${c}`, count, c))),
      asked: 200,
    },
  ])('equal those found by a comparison with all rows and columns: columns $what', ({ table, asked }) => {
    const parts = [range(0, 3000), range(3000, 5000), range(5000, 8000)].map((rows) => rowsOf(table, rows))
    const context = nearestContext(compareTables(parts[0]!, parts[1]!, parts[2]!))
    const { d } = context
    const queries = context.queries.coordinates
    const distances = ({ coordinates }: Points, q: number) =>
      range(0, coordinates.length / d).map((row) =>
        range(0, d).reduce((sum, c) => sum + Math.min(1, Math.abs(queries[q * d + c]! - coordinates[row * d + c]!)), 0),
      )
    const expected = range(0, asked).map((q) => {
      const toTraining = Math.min(...distances(context.training, q))
      const toHeldOut = Math.min(...distances(context.heldOut, q))
      return Math.abs(toTraining - toHeldOut) < 1e-5 ? 0.5 : toTraining < toHeldOut ? 1 : 0
    })
    const count = countNearer(context)
    expect(range(0, asked).map((q) => count({ firstQuery: q, endQuery: q + 1 }))).toEqual(expected)
    expect(new Set(expected).size).toBeGreaterThan(1)
  })

  it('treat a missing number as far from all numbers and near to a missing one', () => {
    const ones = tableOf([numeric('a', [null, 0, 10]), numeric('b', [3, 3, 3])])
    const twos = tableOf([numeric('a', [0, 10, 5]), numeric('b', [3, 3, 3])])
    const asked = tableOf([numeric('a', [null, null, null]), numeric('b', [3, 3, 3])])
    const context = nearestContext(compareTables(ones, twos, asked))
    expect(countNearer(context)({ firstQuery: 0, endQuery: 3 })).toBe(3)
  })
})

/** Whole numbers below `limit`, evenly drawn. */
function draws(count: number, limit: number, variant = 0): number[] {
  const stream = new RandomStream(3 + variant, PURPOSE.value)
  return range(0, count).map(() => stream.below(limit))
}

function withColumn(table: Table, at: number, change: (value: number | null) => number | null): Table {
  return {
    ...table,
    columns: table.columns.map((column, c) => {
      if (c !== at || column.kind !== 'numeric') return column
      const values = [...column.values].map((value, i) => change(column.valid[i] === 1 ? value : null))
      return { ...numeric(column.name, values, column.decimals) }
    }),
  }
}
