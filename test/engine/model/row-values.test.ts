import { expect, it } from 'vitest'
import type { EncodedNumeric } from '../../../src/engine/model/model.ts'
import { valuesOfRows } from '../../../src/engine/model/row-values.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { numeric, tableOf } from '../survey-table.ts'

const modelOf = async (values: readonly (number | null)[]) => {
  const model = await encodeTable(tableOf([numeric('x', values, 3)]), { threads: 1 })
  return { model, column: model.columns[0] as EncodedNumeric }
}

/** 3,000 rows with 2,000 different values and some gaps. */
const MANY = Array.from({ length: 3_000 }, (_, i) => (i % 37 === 5 ? null : ((i * 7_919) % 2_000) / 8))

it('each row has its own value, also where values share bins', async () => {
  const { model, column } = await modelOf(MANY)
  expect(column.values.length).toBeGreaterThan(1_500)
  expect(column.binStart.length).toBeLessThan(300)
  expect([...valuesOfRows(model, 0, column)]).toEqual(MANY.map((value) => value ?? Number.NaN))
})

it('each row has its own value without positions where every bin is one value', async () => {
  const few = MANY.map((value) => (value === null ? null : Math.floor(value / 10)))
  const { model, column } = await modelOf(few)
  expect(model.positions?.[0]).toBeNull()
  expect([...valuesOfRows(model, 0, column)]).toEqual(few.map((value) => value ?? Number.NaN))
})

it('a model without positions, as earlier versions kept it, gives each row the mean of its bin', async () => {
  const { model, column } = await modelOf(MANY)
  const { positions: _, ...earlier } = model
  const values = valuesOfRows(earlier, 0, column)
  const bins = new Map<number, number[]>()
  const codes = model.codes[0]!
  for (const [row, value] of MANY.entries()) {
    if (value === null) expect(values[row]).toBeNaN()
    else bins.set(codes[row]!, [...(bins.get(codes[row]!) ?? []), value])
  }
  for (const [row, value] of MANY.entries()) {
    if (value === null) continue
    const own = bins.get(codes[row]!)!
    expect(values[row]).toBeCloseTo(own.reduce((sum, one) => sum + one, 0) / own.length, 9)
  }
})
