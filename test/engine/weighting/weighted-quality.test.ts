import { describe, expect, it } from 'vitest'
import type { CategoricalColumn, Table } from '../../../src/engine/cleaning/table.ts'
import { measureQuality } from '../../../src/engine/measure-quality.ts'
import { rowCoverage } from '../../../src/engine/quality/copy-limit.ts'
import { selfWeighting } from '../../../src/engine/quality/self-weighting.ts'
import { caseWeights, effectiveRows } from '../../../src/engine/weighting/case-weights.ts'
import { tableOfPeople } from '../estimates/people.ts'
import { POPULATION, shareOf, weightedSurvey } from './weighted-people.ts'

const { rows, weights, table } = weightedSurvey(POPULATION, 3_000, 21)

/** Share of the table's rows with a level of its first column. */
function levelShare(of: Table, level: string): number {
  const { levels, codes } = of.columns[0] as CategoricalColumn
  return codes.filter((code) => levels[code] === level).length / of.rowCount
}

describe('rows drawn by weight', () => {
  it('have the shares of the population, and number at most the effective rows', () => {
    const drawn = selfWeighting(table)
    expect(drawn.weights).toBeUndefined()
    expect(drawn.rowCount).toBeLessThanOrEqual(effectiveRows(weights))
    const west = shareOf(rows, weights, ({ region }) => region === 'west')
    expect(Math.abs(levelShare(drawn, 'west') - west)).toBeLessThan(0.01)
    expect(levelShare(table, 'west') - west).toBeGreaterThan(0.1)
  })

  it('seldom repeat a row, whatever the largest weights', () => {
    const heavy = { ...table, weights: caseWeights(weights.map((a, i) => (i % 100 === 0 ? 20 * a : a))) }
    const ages = selfWeighting({
      ...heavy,
      columns: [{ ...table.columns[1]!, values: Float64Array.from(rows.keys()) }],
    } as Table)
    const column = ages.columns[0]!
    if (column.kind !== 'numeric') throw new Error('no numbers')
    const times = new Map<number, number>()
    for (const row of column.values) times.set(row, (times.get(row) ?? 0) + 1)
    const squares = [...times.values()].reduce((sum, count) => sum + count * count, 0)
    const share = ages.rowCount / effectiveRows(heavy.weights!)
    expect(ages.rowCount / squares >= 0.9 || share < 0.25 / 0.8).toBe(true)
    expect(share).toBeGreaterThan(0.2)
  })

  it('include all rows of a table without weights', () => {
    const plain = tableOfPeople(rows)
    expect(selfWeighting(plain)).toBe(plain)
  })
})

describe('the quality of a weighted model', () => {
  it('is measured against the weighted held-out rows, and is as good as that of an unweighted model', async () => {
    const quality = (await measureQuality(table, { threads: 1 }))!
    expect([quality.trainingRows, quality.heldOutRows, quality.syntheticRows]).toEqual([2_400, 600, 2_400])
    const { columnShapes, pairs, twoSampleTest, copies } = quality
    expect(columnShapes!.synthetic).toBeGreaterThan(columnShapes!.training - 0.01)
    expect(pairs!.synthetic).toBeGreaterThan(pairs!.training - 0.02)
    expect(Math.abs(twoSampleTest.auc - 0.5)).toBeLessThan(1.5 * twoSampleTest.chance)
    // There are fewer rows than held-out rows, because people who were asked too often are left out.
    expect(twoSampleTest.rows).toBeLessThan(500)
    expect(copies.synthetic).toBeLessThan(copies.heldOut + 0.03)
  })
})

describe('the coverage that limits copies', () => {
  const columns = [Uint16Array.of(1, 1, 2, 3)]

  it('is the chance that a new person of the weighted population equals a row', () => {
    // Rows 2 and 3 are single, and stand for half of the population.
    expect(rowCoverage(columns, 4, Float64Array.of(0.8, 1.2, 0.5, 1.5)).share).toBe(0.5)
    expect(rowCoverage(columns, 4, Float64Array.of(1.8, 1.8, 0.1, 0.3)).share).toBeCloseTo(0.9, 12)
  })

  it('equals that of rows without weights if all weights are equal', () => {
    expect(rowCoverage(columns, 4, new Float64Array(4).fill(1))).toEqual(rowCoverage(columns, 4))
  })
})
