import { describe, expect, it } from 'vitest'
import { columnShape } from '../../../src/engine/measure-quality.ts'
import { pairSimilarity, pairsOf } from '../../../src/engine/quality/binned-pairs.ts'
import type { ComparedRows, Part } from '../../../src/engine/quality/compared-rows.ts'
import { copyShare } from '../../../src/engine/quality/exact-copies.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { compareTables, range, rowsOf } from './compared-parts.ts'

describe('the shape of a column', () => {
  const answers = (labels: readonly (string | null)[]) => tableOf([categorical('answer', labels)])
  const amounts = (values: readonly (number | null)[]) => tableOf([numeric('amount', values, 1)])
  /** Levels come in one order, as training and held-out part of one table have them. */
  const padded = (labels: readonly (string | null)[]) => [...labels, 'a', 'a', 'a', 'b', 'b', 'c']

  it('is 1 minus the total variation distance of levels, without missing values', () => {
    const heldOut = answers(padded(['a', 'b', null, null]))
    const synthetic = answers(padded(['a', 'a', 'a', null]))
    const { columns } = compareTables(heldOut, heldOut, synthetic)
    // 4 a, 3 b, 1 c of 8 against 6 a, 2 b, 1 c of 9.
    const distance = (Math.abs(4 / 8 - 6 / 9) + Math.abs(3 / 8 - 2 / 9) + Math.abs(1 / 8 - 1 / 9)) / 2
    expect(columnShape(columns[0]!, 'heldOut', 'synthetic')).toBeCloseTo(1 - distance, 12)
  })

  it('is 1 minus the Kolmogorov-Smirnov statistic of numbers, without missing values', () => {
    const { columns } = compareTables(amounts([1, 2, 3, 4]), amounts([1, 2, 3, 4, null]), amounts([2.5, 3, 3, 9]))
    // Below 2.5: half of the held-out values, none of the synthetic ones.
    expect(columnShape(columns[0]!, 'heldOut', 'synthetic')).toBe(0.5)
    expect(columnShape(columns[0]!, 'heldOut', 'training')).toBe(1)
  })

  it('compares numbers rounded as in the seed', () => {
    const { columns } = compareTables(amounts([0.1, 0.3]), amounts([0.1, 0.3]), amounts([0.1 + 1e-9, 0.1 * 3]))
    expect(columnShape(columns[0]!, 'heldOut', 'synthetic')).toBe(1)
  })

  it('is unknown where one part has no value', () => {
    const { columns } = compareTables(amounts([1, 2]), amounts([null, null]), amounts([1, 2]))
    expect(columnShape(columns[0]!, 'heldOut', 'synthetic')).toBeNaN()
  })
})

describe('compared pairs of columns', () => {
  it.each([
    { d: 1, count: 0 },
    { d: 2, count: 1 },
    { d: 45, count: 990 },
    { d: 46, count: 966 },
    { d: 500, count: 1000 },
    { d: 1500, count: 1000 },
  ])('are $count of $d columns, without repetition', ({ d, count }) => {
    const pairs = pairsOf(d)
    expect(pairs.length).toBe(count)
    const keys = pairs.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`)
    expect(new Set(keys).size).toBe(count)
    expect(pairs.every(([a, b]) => a !== b && a >= 0 && b >= 0 && a < d && b < d)).toBe(true)
  })

  it('include every column equally often if there are many columns', () => {
    const times = new Int32Array(300)
    for (const pair of pairsOf(300)) for (const column of pair) times[column]!++
    expect(new Set(times)).toEqual(new Set([6]))
  })

  it('score 1 minus the total variation distance of their tables, in which missing is a value', () => {
    const table = (a: (string | null)[], b: (string | null)[]) => tableOf([categorical('a', a), categorical('b', b)])
    const real = table(['x', 'x', 'y', 'y', null], ['p', 'p', 'q', 'q', null])
    const swapped = table(['x', 'x', 'y', 'y', null], ['p', 'p', 'q', 'q', 'p'])
    // One of five rows, which lacks both answers in the one table, has b alone in the other.
    expect(pairSimilarity(compareTables(real, real, swapped))).toEqual({
      synthetic: expect.closeTo(0.8, 12),
      training: 1,
      pairs: 1,
    })
  })

  it('group numbers in deciles of the held-out rows', () => {
    const ranks = range(0, 100)
    const real = tableOf([
      numeric('up', ranks),
      numeric(
        'down',
        ranks.map((i) => 99 - i),
      ),
    ])
    const within = tableOf([
      numeric(
        'up',
        ranks.map((i) => 10 * Math.floor(i / 10) + 5),
      ),
      numeric(
        'down',
        ranks.map((i) => 99 - i),
      ),
    ])
    const apart = tableOf([numeric('up', ranks), numeric('down', ranks)])
    const similarity = (synthetic: typeof real) => pairSimilarity(compareTables(real, real, synthetic))!.synthetic
    expect(similarity(within)).toBeGreaterThan(0.85)
    expect(similarity(apart)).toBeLessThan(0.1)
  })
})

describe('exact copies', () => {
  /** The reference implementation: rows as texts. */
  function referenceCopyShare({ columns, rowCount }: ComparedRows, part: Part): number {
    const text = (of: Part, row: number) => columns.map(({ rows }) => rows[of][row]).join(' ')
    const known = new Set(range(0, rowCount.training).map((row) => text('training', row)))
    return range(0, rowCount[part]).filter((row) => known.has(text(part, row))).length / rowCount[part]
  }

  it('are the rows that equal a training row in every column, as a direct count shows', () => {
    // Few columns of few values: many rows are equal by chance, many hashes too.
    const table = surveyTable(3000)
    const narrow = { ...table, columns: [table.columns[0]!, table.columns[3]!, table.columns[5]!] }
    const rows = compareTables(
      rowsOf(narrow, range(0, 2000)),
      rowsOf(narrow, range(2000, 3000)),
      rowsOf(narrow, range(1500, 2500)),
    )
    const share = copyShare(rows, 'synthetic')
    expect(share).toBe(referenceCopyShare(rows, 'synthetic'))
    expect(copyShare(rows, 'heldOut')).toBe(referenceCopyShare(rows, 'heldOut'))
    expect(share).toBeGreaterThan(0.5)
    expect(share).toBeLessThan(1)
  })
})
