import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { mostPredictable } from '../../../src/engine/scores/predictable-axis.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { sampleTable } from '../sampled-table.ts'
import { categorical, tableOf } from '../survey-table.ts'

const ITEMS = 20
const CODES = ['1', '2', '3', '4', '5']
const NAMES = ['vek', 'ola', 'zim', 'pra', 'dun']

/** Answers to items that share one factor, with `levels` from low to high. */
function itemsTable(rows: number, levels: readonly string[], integer: boolean): Table {
  const random = new RandomStream(3, PURPOSE.value)
  const labels = Array.from({ length: ITEMS }, (): string[] => [])
  for (let i = 0; i < rows; i++) {
    const factor = random.real() + random.real() + random.real()
    for (const item of labels) {
      const own = random.real() + random.real() + random.real()
      item.push(levels[Math.min(4, Math.max(0, Math.floor((0.6 * factor + 0.4 * own - 0.5) * 2.5)))]!)
    }
  }
  return tableOf(labels.map((of, i) => ({ ...categorical(`item ${i + 1}`, of), integer })))
}

/** Mean correlation of all pairs of items. */
function meanCorrelation(columns: readonly (readonly number[])[]): number {
  const standardized = columns.map((values) => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    const deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length)
    return values.map((value) => (value - mean) / deviation)
  })
  let sum = 0
  let pairs = 0
  for (const [i, a] of standardized.entries()) {
    for (const b of standardized.slice(0, i)) {
      sum += a.reduce((total, value, row) => total + value * b[row]!, 0) / a.length
      pairs++
    }
  }
  return sum / pairs
}

async function correlationsKept(table: Table, levels: readonly string[]): Promise<number> {
  const model = await trainModel(table, { threads: 1 })
  const sampled = await sampleTable(model, { rowCount: 8_000, seed: 1 })
  const places = (labels: readonly (string | null)[]) => labels.map((label) => levels.indexOf(label!))
  const seed = table.columns.map((column) =>
    column.kind === 'categorical' ? places([...column.codes].map((code) => column.levels[code]!)) : [],
  )
  const made = table.columns.map(({ name }) => places(sampled.labels(name)))
  return meanCorrelation(made) / meanCorrelation(seed)
}

describe('correlations of many items', () => {
  it.each([
    { what: 'integer codes, by their order', levels: CODES, integer: true },
    { what: 'names without a known order, by the order that the other items show', levels: NAMES, integer: false },
  ])('hold in generated rows: $what', async ({ levels, integer }) => {
    const kept = await correlationsKept(itemsTable(1_000, levels, integer), levels)
    expect(kept).toBeGreaterThan(0.9)
    expect(kept).toBeLessThan(1.1)
  })
})

describe('the most predictable axis of levels', () => {
  it('weighs each level by the explained part of it', () => {
    // Two features; the first distinguishes level 0 from level 2, and neither predicts level 1.
    const weights = [Float64Array.of(1, 0), Float64Array.of(0, 0), Float64Array.of(-1, 0)]
    const products = [Float64Array.of(300, 0), Float64Array.of(0, 0), Float64Array.of(-300, 0)]
    const axis = mostPredictable(weights, products, [400, 400, 400])!
    expect(Math.abs(axis[0]!)).toBeGreaterThan(0)
    expect(axis[1]).toBe(0)
  })

  it('is absent if chance explains as much', () => {
    const weights = [Float64Array.of(0.01, 0), Float64Array.of(0, 0.01), Float64Array.of(-0.01, -0.01)]
    const products = [Float64Array.of(3, 0), Float64Array.of(0, 3), Float64Array.of(-3, -3)]
    expect(mostPredictable(weights, products, [400, 400, 400])).toBeNull()
  })
})
