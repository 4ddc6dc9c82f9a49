import { beforeAll, describe, expect, it } from 'vitest'
import type { Model, Order } from '../../../src/engine/model.ts'
import { CellIndex, enumerateCells } from '../../../src/engine/scenario/cells.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/train-order.ts'
import { surveyTable } from '../survey-table.ts'
import { columnIndex } from './written-scenario.ts'

let model: Model
let order: Order
/** region (with missing), district (300 levels), member, in the order's sequence */
let columns: number[]

beforeAll(async () => {
  model = await trainModel(surveyTable(3000), { threads: 1 })
  const conditioned = ['region', 'district', 'member'].map((name) => columnIndex(model, name))
  order = await trainOrder(model, conditioned, { threads: 1 })
  columns = [...order.columns.subarray(0, 3)]
})

const everything = () => columns.map((c) => new Uint8Array(model.columns[c]!.codeCount).fill(1))
const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0)

function sampleCells(): number[][] {
  return Array.from({ length: model.rowCount }, (_, row) => columns.map((c) => model.codes[c]![row]!))
}

describe('cells of the conditioned columns', () => {
  it('have probabilities that sum to 1', () => {
    const { probabilities, prunedShare } = enumerateCells(model, order, { allowed: everything() })
    expect(sum(probabilities)).toBeCloseTo(1, 10)
    expect(probabilities.every((p) => p > 0)).toBe(true)
    expect(prunedShare).toBe(0)
  })

  it('hold every row of the sample, once each', () => {
    const { codes } = enumerateCells(model, order, { allowed: everything() })
    const index = new CellIndex(
      columns.map((c) => model.columns[c]!.codeCount),
      codes,
    )
    for (const cell of sampleCells()) expect(index.find(Int32Array.from(cell))).toBeGreaterThanOrEqual(0)
    const keys = Array.from({ length: codes.length / 3 }, (_, c) => codes.subarray(3 * c, 3 * c + 3).join())
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('leave out codes that must not occur, and keep the probability of the others', () => {
    const all = enumerateCells(model, order, { allowed: everything() })
    const allowed = everything()
    allowed[0]![1] = 0
    const some = enumerateCells(model, order, { allowed })
    const kept = Array.from(all.probabilities.keys()).filter((c) => all.codes[3 * c] !== 1)
    expect([...some.probabilities]).toEqual(kept.map((c) => all.probabilities[c]))
  })

  it('are pruned by probability where there are too many, but never where a row of the sample lies', () => {
    const all = enumerateCells(model, order, { allowed: everything() })
    const maxCells = 100
    expect(all.probabilities.length).toBeGreaterThan(5 * maxCells)
    const { codes, probabilities, prunedShare } = enumerateCells(model, order, { allowed: everything(), maxCells })
    const index = new CellIndex(
      columns.map((c) => model.columns[c]!.codeCount),
      codes,
    )
    for (const cell of sampleCells()) expect(index.find(Int32Array.from(cell))).toBeGreaterThanOrEqual(0)
    const distinct = new Set(sampleCells().map((cell) => cell.join())).size
    expect(probabilities.length).toBeLessThanOrEqual(maxCells + distinct)
    expect(prunedShare).toBeGreaterThanOrEqual(1 - sum(probabilities) - 1e-9)
    expect(prunedShare).toBeLessThan(1)
  })

  it('are one, of probability 1, where no categorical column is conditioned', () => {
    expect(enumerateCells(model, order, { allowed: [] })).toEqual({
      codes: new Int32Array(0),
      probabilities: Float64Array.of(1),
      prunedShare: 0,
    })
  })

  it('need an order that begins with their columns', () => {
    const allowed = [...everything(), new Uint8Array(3)]
    expect(() => enumerateCells(model, order, { allowed })).toThrow('column 3 of the order is not')
  })
})

describe('an index of cells', () => {
  it.each([
    ['few codes', [3, 4]],
    ['more combinations than an exact integer holds', [60_000, 60_000, 60_000, 60_000]],
  ])('finds cells by their codes with %s', (_, counts) => {
    const cells = [counts.map(() => 0), counts.map((count) => count - 1), counts.map((_, d) => (d === 0 ? 1 : 0))]
    const index = new CellIndex(counts, Int32Array.from(cells.flat()))
    cells.forEach((cell, c) => {
      expect(index.find(Int32Array.from(cell))).toBe(c)
    })
    expect(index.find(Int32Array.from(counts, () => 1))).toBe(-1)
  })
})
