import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { logisticFit } from '../../../src/engine/quality/logistic-fit.ts'
import { measurePropensity, propensityContext } from '../../../src/engine/quality/propensity.ts'
import type { Propensity } from '../../../src/engine/quality/quality.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { categorical, surveyTable, tableOf } from '../survey-table.ts'
import { compareTables, range, rowsOf } from './compared-parts.ts'
import { itemsTable, weakened } from './item-tables.ts'

describe('a logistic regression', () => {
  it('finds the log-odds of a table of two by two', () => {
    // 10 of 30 rows with x = 0 have label 1, and 30 of 40 rows with x = 1.
    const rows = [
      ...Array(10).fill([0, 1]),
      ...Array(20).fill([0, 0]),
      ...Array(30).fill([1, 1]),
      ...Array(10).fill([1, 0]),
    ]
    const { guesses, rank } = logisticFit(
      Float64Array.from(rows, ([x]) => x),
      Uint8Array.from(rows, ([, label]) => label),
      1,
    )
    expect(rank).toBe(2)
    expect(guesses[0]).toBeCloseTo(1 / 3, 8)
    expect(guesses[69]).toBeCloseTo(3 / 4, 8)
  })

  it('leaves out columns that other columns determine', () => {
    const design = Float64Array.from(range(0, 60).flatMap((i) => [i % 2, i % 3, (i % 2) + (i % 3), 0]))
    const labels = Uint8Array.from(range(0, 60), (i) => (i % 5 < 2 ? 1 : 0))
    expect(logisticFit(design, labels, 4).rank).toBe(3)
  })

  it('ends even if rows can be recognized for certain', () => {
    const { guesses } = logisticFit(
      Float64Array.from(range(0, 40), (i) => (i < 20 ? 0 : 1)),
      Uint8Array.from(range(0, 40), (i) => (i < 20 ? 0 : 1)),
      1,
    )
    expect(guesses[0]).toBeLessThan(0.01)
    expect(guesses[39]).toBeGreaterThan(0.99)
  })
})

describe('the propensity score mean squared error', () => {
  const measure = (training: Table, synthetic: Table) =>
    measurePropensity(propensityContext(compareTables(training, training, synthetic))) as Propensity
  /** Over samples of one population, each with as many other rows of it. */
  const ratios = (seeds: number, synthetic: (training: Table, others: Table, seed: number) => Table) =>
    range(0, seeds).map((seed) => {
      const table = itemsTable(1_600, seed + 1)
      const [training, others] = [rowsOf(table, range(0, 800)), rowsOf(table, range(800, 1_600))]
      const { pmse, expected } = measure(training, synthetic(training, others, seed))
      return pmse / expected
    })
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  /** Draws from the rows trained on are rows of a model that is right about them. */
  const drawn = (training: Table, _: Table, seed: number) => {
    const stream = new RandomStream(seed, PURPOSE.value)
    return rowsOf(
      training,
      range(0, training.rowCount).map(() => stream.below(training.rowCount)),
    )
  }

  it('has the expected value and spread where the model is right', () => {
    const found = ratios(40, drawn)
    const { expected, deviation, parameters } = measure(itemsTable(800), itemsTable(800))
    expect(parameters).toBeGreaterThan(20)
    // The mean of 40 ratios has a sixth of their standard deviation, which is sqrt(2 / (k - 1)).
    const spread = deviation / expected
    expect(spread).toBeCloseTo(Math.sqrt(2 / (parameters - 1)), 12)
    expect(Math.abs(mean(found) - 1)).toBeLessThan((4 * spread) / Math.sqrt(40))
    const variance = mean(found.map((ratio) => (ratio - mean(found)) ** 2))
    expect(Math.sqrt(variance)).toBeGreaterThan(spread / 2)
    expect(Math.sqrt(variance)).toBeLessThan(2 * spread)
  })

  it('is twice as large for other rows of the population, for which the formula does not hold', () => {
    expect(Math.abs(mean(ratios(40, (_, others) => others)) - 2)).toBeLessThan(0.25)
  })

  it('shows weakened correlations, though every column keeps its distribution', () => {
    for (const ratio of ratios(4, (_, others) => weakened(others, 0.4))) {
      expect(ratio).toBeGreaterThan(3)
    }
  })

  it('has fewer parameters for few rows, and never more than 40', () => {
    const parametersOf = (table: Table) => measure(table, table).parameters
    expect(parametersOf(surveyTable(160))).toBeLessThanOrEqual(16)
    expect(parametersOf(surveyTable(6_000))).toBeLessThanOrEqual(40)
    expect(parametersOf(surveyTable(6_000))).toBeGreaterThan(16)
  })

  it('uses all training rows, because it depends on their number', () => {
    const { design, labels, terms } = propensityContext(
      compareTables(itemsTable(700), itemsTable(90, 2), itemsTable(500, 3)),
    )
    expect(labels.length).toBe(1_200)
    expect(design.length).toBe(1_200 * terms)
    expect(labels.reduce((sum, label) => sum + label, 0)).toBe(500)
  })

  it('is not measured where no column varies', () => {
    const alike = tableOf([
      categorical(
        'only',
        range(0, 300).map(() => 'a'),
      ),
    ])
    expect(measurePropensity(propensityContext(compareTables(alike, alike, alike)))).toEqual({
      unmeasured: expect.stringMatching(/^No column varies/),
    })
  })
})
