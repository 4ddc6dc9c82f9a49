import { describe, expect, it } from 'vitest'
import type { CategoricalColumn, Table } from '../../../src/engine/cleaning/table.ts'
import type { ComparedRows } from '../../../src/engine/quality/compared-rows.ts'
import { correlationSlope } from '../../../src/engine/quality/correlations.ts'
import { differenceSlopes } from '../../../src/engine/quality/difference-slopes.ts'
import { itemBlocks } from '../../../src/engine/quality/item-blocks.ts'
import type { Estimate, Measured } from '../../../src/engine/quality/quality.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { compareTables, range, rowsOf, shuffleColumns } from './compared-parts.ts'
import { itemsTable, weakened } from './item-tables.ts'

/** Splits a table: 4 in 9 rows for training, 1 in 9 held out, and 4 in 9 in place of synthetic rows. */
function parted(table: Table, change: (others: Table) => Table = (others) => others): ComparedRows {
  const part = Math.floor(table.rowCount / 9)
  const training = rowsOf(table, range(0, 4 * part))
  const heldOut = rowsOf(table, range(4 * part, 5 * part))
  return compareTables(training, heldOut, change(rowsOf(table, range(5 * part, 9 * part))))
}

function measuredFigure<Figure extends object>(measured: Measured<Figure>): Figure {
  if ('unmeasured' in measured) throw new Error(`not measured: ${measured.unmeasured}`)
  return measured as Figure
}

const holds = ({ low, high }: Estimate, value: number) => low <= value && value <= high

const items = itemsTable(9_000)
/** How often the interval of a figure has the true value, over 60 tables: 95 % with a standard error of 3 %. */
function coverage(
  rows: number,
  lost: number,
  figure: (rows: ComparedRows) => Estimate,
  truth: (found: Estimate) => number,
) {
  const found = range(0, 60).map((seed) =>
    figure(parted(itemsTable(rows, seed + 10), (others) => weakened(others, lost))),
  )
  return found.filter((one) => holds(one, truth(one))).length / found.length
}

describe('the slope of correlations', () => {
  const slope = (rows: ComparedRows) => measuredFigure(correlationSlope(rows))

  it.each([
    { what: 'all correlations', lost: 0, value: 1 },
    { what: 'six tenths of the correlations', lost: 0.4, value: 0.6 },
    { what: 'no correlations', lost: 1, value: 0 },
  ])('is $value for rows that have $what', ({ lost, value }) => {
    const found = slope(parted(items, (others) => weakened(others, lost)))
    expect(found.pairs).toBe(21)
    expect(Math.abs(found.value - value)).toBeLessThan(0.06)
    expect(holds(found, value)).toBe(true)
    expect(found.high - found.low).toBeLessThan(0.2)
  })

  it.each([
    { rows: 450, lost: 0 },
    { rows: 450, lost: 0.4 },
    { rows: 1_800, lost: 0.4 },
  ])('has an interval that contains the true value: $rows rows, $lost lost', ({ rows, lost }) => {
    expect(coverage(rows, lost, slope, () => 1 - lost)).toBeGreaterThan(0.86)
  })

  it('does not depend on the direction of a scale', () => {
    const turned = tableOf(
      items.columns.map((column, c) => (c % 2 === 0 ? column : turnedAround(column as CategoricalColumn))),
    )
    expect(slope(parted(turned)).value).toBeCloseTo(slope(parted(items)).value, 9)
  })

  it('is not dominated by one outlier', () => {
    const one = numeric('wild', [...range(0, 9_000).map((i) => i % 7), 1e12].slice(1))
    const table = tableOf([...items.columns, one])
    expect(Math.abs(slope(parted(table, (others) => weakened(others, 0.4))).value - 0.6)).toBeLessThan(0.06)
  })

  it('leaves out pairs of nearly equal columns', () => {
    const twice = { ...items.columns[0]!, name: 'again' }
    expect(slope(parted(tableOf([...items.columns, twice]))).pairs).toBe(27)
  })

  it('ignores rows that lack one of the two values', () => {
    const gaps = tableOf(
      items.columns.map((column, c) => ({
        ...(column as CategoricalColumn),
        codes: (column as CategoricalColumn).codes.map((code, i) => (i % 5 === c ? -1 : code)),
      })),
    )
    expect(Math.abs(slope(parted(gaps, (others) => weakened(others, 0.4))).value - 0.6)).toBeLessThan(0.07)
  })

  it.each([
    {
      what: 'without two columns that have an order',
      table: tableOf(surveyTable(900).columns.slice(0, 4)),
      why: /^Fewer than two/,
    },
    {
      what: 'of columns that have nothing to do with each other',
      table: shuffleColumns(itemsTable(900)),
      why: /too weakly/,
    },
  ])('is not measured $what', ({ table, why }) => {
    expect(correlationSlope(parted(table))).toEqual({ unmeasured: expect.stringMatching(why) })
  })
})

describe('blocks of items', () => {
  const block = (rows: ComparedRows) => measuredFigure(itemBlocks(rows))[0]!

  it('keep their first eigenvalue in other real rows', () => {
    const found = block(parted(items))
    expect(found).toMatchObject({ first: 'scale 1', last: 'scale 7', items: 7 })
    expect(found.training).toBeGreaterThan(3)
    expect(Math.abs(found.value - 1)).toBeLessThan(0.05)
    expect(holds(found, 1)).toBe(true)
  })

  it('lose as much as their correlations, weakened to 0.6', () => {
    const found = block(parted(items, (others) => weakened(others, 0.4)))
    // An eigenvalue is 1 and what correlations add.
    const left = 1 + 0.6 * (found.training - 1)
    expect(Math.abs(found.synthetic - left)).toBeLessThan(0.15)
    expect(holds(found, left / found.training)).toBe(true)
  })

  it('have an interval that contains the true ratio, also for few rows', () => {
    expect(coverage(450, 0, block, () => 1)).toBeGreaterThan(0.86)
  })

  it('consist of columns on one scale, also if answers are missing', () => {
    const few = (name: string, levels: readonly string[]) => ({
      ...categorical(
        name,
        range(0, 9_000).map((i) => levels[i % levels.length]!),
      ),
      integer: true,
    })
    const table = tableOf([
      ...items.columns,
      few('nobody gave 5', ['1', '2', '3', '4']),
      few('yes or no', ['0', '1']),
      few('other scale', ['1', '2', '3', '4', '5', '6', '7']),
      categorical(
        'words',
        range(0, 9_000).map((i) => `word ${i % 5}`),
      ),
      numeric(
        'number',
        range(0, 9_000).map((i) => i % 50),
      ),
    ])
    expect(measuredFigure(itemBlocks(parted(table)))).toEqual([
      expect.objectContaining({ items: 8, last: 'nobody gave 5' }),
    ])
  })

  it('may consist of numbers with the same smallest and largest value', () => {
    const random = new RandomStream(5, PURPOSE.value)
    const moods = range(0, 1_800).map(() => random.real())
    const sliders = range(0, 4).map((c) =>
      numeric(`slider ${c}`, [0, 100, ...moods.map((mood) => Math.round(50 * mood + 50 * random.real()))]),
    )
    // The first two rows have the ends in both parts of the real rows.
    const table = tableOf(sliders)
    const training = rowsOf(table, range(0, 800))
    expect(
      block(compareTables(training, rowsOf(table, range(800, 1_000)), rowsOf(table, range(1_000, 1_800)))),
    ).toMatchObject({
      items: 4,
    })
  })

  it.each([
    { what: 'three columns', table: tableOf(items.columns.slice(0, 3)), why: /^No 4 columns/ },
    {
      what: 'columns that have nothing to do with each other',
      table: shuffleColumns(itemsTable(900)),
      why: /too weakly/,
    },
  ])('are not measured of $what', ({ table, why }) => {
    expect(itemBlocks(parted(table))).toEqual({ unmeasured: expect.stringMatching(why) })
  })
})

describe('the slope of differences between groups', () => {
  const slopes = (rows: ComparedRows) => measuredFigure(differenceSlopes(rows))

  it.each([
    { lost: 0, value: 1 },
    { lost: 0.4, value: 0.6 },
  ])('is $value for rows that have lost $lost of the differences', ({ lost, value }) => {
    const found = slopes(parted(items, (others) => weakened(others, lost)))
    expect(found.outcomes).toBe(7)
    for (const one of [found, found.median!]) {
      expect(Math.abs(one.value - value)).toBeLessThan(0.07)
      expect(holds(one, value)).toBe(true)
    }
  })

  it('has an interval that contains the true value, also for few rows', () => {
    expect(coverage(900, 0.4, slopes, () => 0.6)).toBeGreaterThan(0.86)
  })

  it('names the column that has lost its differences', () => {
    const answers = [...(items.columns[0] as CategoricalColumn).codes]
    const numbers = numeric(
      'spend',
      answers.map((code, i) => 10 * code + (i % 40)),
    )
    const table = tableOf([...items.columns, numbers])
    const found = slopes(
      parted(table, (others) => {
        const shuffled = weakened(others, 1)
        return { ...others, columns: others.columns.map((column, c) => (c === 7 ? shuffled.columns[7]! : column)) }
      }),
    )
    expect(found.lowest[0]).toMatchObject({ column: 'spend' })
    expect(Math.abs(found.lowest[0]!.value)).toBeLessThan(0.1)
    expect(found.lowest).toHaveLength(3)
    const values = found.lowest.map(({ value }) => value)
    expect(values).toEqual([...values].sort((a, b) => a - b))
  })

  it('leaves out columns that decide each other, whose differences would outweigh all others', () => {
    const band = { ...items.columns[0]!, name: 'band' }
    const table = tableOf([...items.columns, band])
    const found = slopes(
      // The two keep their relation to each other, and lose their relations to the others.
      parted(table, (others) => {
        const lost = weakened(tableOf(others.columns.slice(0, 7)), 0.4)
        return tableOf([...lost.columns, { ...lost.columns[0]!, name: 'band' }])
      }),
    )
    expect(Math.abs(found.value - 0.6)).toBeLessThan(0.07)
  })

  it('names no single columns where only chance makes a few of them stand out', () => {
    const noise = range(0, 20).map((c) => ({
      ...shuffleColumns(itemsTable(9_000, 40 + c)).columns[0]!,
      name: `noise ${c}`,
    }))
    const found = slopes(parted(tableOf([...items.columns, ...noise])))
    expect(found).toMatchObject({ outcomes: 0, median: null, lowest: [] })
    expect(holds(found, 1)).toBe(true)
  })

  it.each([
    { what: 'numbers alone', table: tableOf(surveyTable(900).columns.slice(3)), why: /levels that define groups/ },
    {
      what: 'columns that have nothing to do with each other',
      table: shuffleColumns(itemsTable(450)),
      why: /too small/,
    },
  ])('is not measured of $what', ({ table, why }) => {
    expect(differenceSlopes(parted(table))).toEqual({ unmeasured: expect.stringMatching(why) })
  })
})

/** A scale from 1 to 5 as one from 5 to 1. */
function turnedAround(column: CategoricalColumn): CategoricalColumn {
  return { ...column, levels: column.levels.map((level) => String(6 - Number(level))) }
}
