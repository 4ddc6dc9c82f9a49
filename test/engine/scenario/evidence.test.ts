import { describe, expect, it } from 'vitest'
import { resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { rowsInside } from '../../../src/engine/scenario/evidence.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { numeric, tableOf } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

describe('seed rows inside a range', () => {
  // 5,000 different values in 256 bins: the bounds of the range lie inside of bins.
  const values = Array.from({ length: 5000 }, (_, i) => i / 10)
  const model = trainModel(tableOf([numeric('x', values, 1)]), { threads: 1 })
  const sumOf = (rows: Float64Array) => rows.reduce((a, b) => a + b, 0)

  it.each([
    { min: 100.5, max: 300.2, rows: 1998 },
    { min: 100.5, max: 101.4, rows: 10 },
    { min: 100.5, max: 100.5, rows: 1 },
    { min: 100.52, max: 100.58, rows: 0 },
  ])('are those whose own values lie in it: $rows from $min to $max', async ({ rows, ...range }) => {
    const { ranges } = resolveConditions(await model, scenario({}, { x: range }))
    const inside = rowsInside(await model, ranges)
    expect(sumOf(inside)).toBe(rows)
    expect(inside.every((part) => part === 0 || part === 1)).toBe(true)
  })

  it('are counted in parts of bins in a model of an earlier version, which has bins alone', async () => {
    const { positions: _, ...old } = await model
    const { ranges } = resolveConditions(old, scenario({}, { x: { min: 100.5, max: 300.2 } }))
    const inside = rowsInside(old, ranges)
    expect(sumOf(inside)).toBeCloseTo(1998, 0)
    expect(inside.some((part) => part > 0 && part < 1)).toBe(true)
  })
})
