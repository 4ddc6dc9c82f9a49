import { beforeAll, describe, expect, it } from 'vitest'
import type { Model, Order } from '../../../src/engine/model/model.ts'
import { sampleRows } from '../../../src/engine/sampling/sample.ts'
import { inOrder, type RangeCondition, resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { settleScenario } from '../../../src/engine/scenario/feasibility.ts'
import { RangeWalk } from '../../../src/engine/scenario/range-mass.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { surveyTable } from '../survey-table.ts'
import { laidCodes } from './laid-codes.ts'
import { columnIndex, scenario } from './written-scenario.ts'

const ROWS = 60_000

const RANGES = {
  one: { spend: { min: 10, max: 25.5 } },
  two: { spend: { min: 5, max: 40 }, visits: { min: 3, max: 9 } },
  three: { spend: { min: 5, max: 40 }, visits: { min: 2, max: 9 }, height: { min: 160.05, max: 180 } },
}

let model: Model

beforeAll(async () => {
  model = await trainModel(surveyTable(4000), { threads: 1 })
})

interface Prepared {
  readonly order: Order
  readonly ranges: readonly RangeCondition[]
  /** Code of member yes. */
  readonly yes: number
}

async function prepare(name: keyof typeof RANGES): Promise<Prepared> {
  const conditions = resolveConditions(model, scenario({ member: { yes: 1 } }, RANGES[name]))
  const indices = [...conditions.shares, ...conditions.ranges].map(({ index }) => index)
  const order = await trainOrder(model, indices, { threads: 1 })
  return { order, ranges: inOrder(conditions.ranges, order.columns), yes: [...conditions.shares[0]!.listed.keys()][0]! }
}

/** Values of the ranged columns of many members sampled without any range. */
async function sampleMembers({ order, yes, ranges }: Prepared): Promise<Float64Array[]> {
  const values = ranges.map(() => new Float64Array(ROWS).fill(Number.NaN))
  const preset = [new Uint16Array(ROWS).fill(yes)]
  let at = 0
  for await (const block of sampleRows({
    model,
    order,
    rowCount: ROWS,
    seed: 11,
    preset,
    ranges: new Map(),
    threads: 1,
  })) {
    ranges.forEach(({ index }, j) => {
      const data = block.columns[index]!
      if ('codes' in data) return
      for (let i = 0; i < block.rowCount; i++) {
        if (data.valid === null || data.valid[i] === 1) values[j]![at + i] = data.values[i]!
      }
    })
    at += block.rowCount
  }
  return values
}

function insideAll({ ranges }: Prepared, values: readonly Float64Array[], row: number): boolean {
  return ranges.every(({ range }, j) => values[j]![row]! >= range.min && values[j]![row]! <= range.max)
}

describe('mass inside ranges', () => {
  it.each(Object.keys(RANGES) as (keyof typeof RANGES)[])(
    'is the share of rows that unconditioned sampling places inside %s range(s)',
    async (name) => {
      const prepared = await prepare(name)
      const { order, ranges, yes } = prepared
      const walk = new RangeWalk(model, order, ranges, order.columns.subarray(0, 1))
      const mass = walk.masses(Int32Array.of(yes), 1)[0]!
      const values = await sampleMembers(prepared)
      let inside = 0
      for (let row = 0; row < ROWS; row++) if (insideAll(prepared, values, row)) inside++
      const share = inside / ROWS
      expect(share).toBeGreaterThan(0.05)
      // Five standard errors of the sampling, and of 256 draws where the mass is an estimate itself.
      const error = 5 * Math.sqrt((share * (1 - share)) / ROWS) + (name === 'three' ? 0.05 : 0)
      expect(Math.abs(mass - share)).toBeLessThan(error)
    },
  )

  it.each(Object.keys(RANGES) as (keyof typeof RANGES)[])(
    'is distributed over cells as by rejection of unconditioned rows, with %s range(s)',
    async (name) => {
      const prepared = await prepare(name)
      const { order, ranges } = prepared
      const conditions = resolveConditions(model, scenario({ member: { yes: 1 } }, RANGES[name]))
      const settlement = await settleScenario(model, order, conditions, 20_000)
      const codes = await laidCodes(model, settlement, 5)
      const values = await sampleMembers(prepared)
      ranges.forEach((condition, j) => {
        const drawn = codes[j + 1]!
        expect(drawn.every((code) => condition.fractions[code]! > 0)).toBe(true)
        const accepted = values[j]!.filter((_, row) => insideAll(prepared, values, row)).sort()
        const got = meanOfCodes(model, condition, drawn)
        const wanted = accepted.reduce((a, b) => a + b, 0) / accepted.length
        const spread = Math.sqrt(accepted.reduce((a, b) => a + (b - wanted) ** 2, 0) / accepted.length)
        expect(Math.abs(got - wanted)).toBeLessThan(0.06 * spread)
      })
    },
  )

  it('is 0 for missing values: no row without a value has a code in the range', async () => {
    const { ranges } = await prepare('one')
    expect(model.columns[columnIndex(model, 'spend')]!.missing).toBe(1)
    expect(ranges[0]!.fractions[0]).toBe(0)
  })

  it('requires the ranged columns right after the cells', async () => {
    const { order, ranges } = await prepare('one')
    expect(() => new RangeWalk(model, order, ranges, new Int32Array(0))).toThrow('does not sample column')
  })
})

/** Mean of the drawn codes' values, each bin at the middle of its values inside the range. */
function meanOfCodes(of: Model, { index, column, range }: RangeCondition, codes: Uint16Array): number {
  expect(of.columns[index]).toBe(column)
  let sum = 0
  for (const code of codes) {
    const bin = code - column.missing
    const first = Math.max(range.min, column.values[column.binStart[bin]!]!)
    const last = Math.min(range.max, column.values[column.binStart[bin + 1]! - 1]!)
    sum += (first + last) / 2
  }
  return sum / codes.length
}
