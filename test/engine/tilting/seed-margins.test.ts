import { describe, expect, it } from 'vitest'
import type { Model } from '../../../src/engine/model/model.ts'
import { ownRows } from '../../../src/engine/sampling/tilted-order.ts'
import { tiltTowards, type WeightedRows } from '../../../src/engine/tilting/seed-margins.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const ROWS = 400
const everywhere = () => true

async function modelOf(...columns: Parameters<typeof tableOf>[0]): Promise<Model> {
  return trainModel(tableOf(columns), { threads: 1 })
}

/** `counts` rows of each level, the rest "most". */
function labels(counts: Readonly<Record<string, number>>): string[] {
  const listed = Object.entries(counts).flatMap(([level, count]) => new Array<string>(count).fill(level))
  return Array.from({ length: ROWS }, (_, i) => listed[i] ?? 'most')
}

const withRows = (model: Model, weightOf: (row: number) => number): WeightedRows => {
  const weights = Float64Array.from({ length: model.rowCount }, (_, row) => weightOf(row))
  const sum = weights.reduce((a, b) => a + b, 0)
  const squares = weights.reduce((a, b) => a + b * b, 0)
  return {
    weights: weights.map((weight) => weight / sum),
    inside: weights.map((weight) => +(weight > 0)),
    effectiveRows: sum ** 2 / squares,
  }
}

describe('the classes of levels', () => {
  const classesOf = async (counts: Readonly<Record<string, number>>) => {
    const model = await modelOf(categorical('answer', labels(counts)))
    const [column] = model.columns
    const [tilt] = tiltTowards(model, ownRows(model), false, everywhere)!.columns
    if (column?.kind !== 'categorical' || !tilt) return null
    const byClass = new Map<number, string[]>()
    column.levels.forEach((level, l) => {
      const of = tilt.classOf[l + column.missing]!
      byClass.set(of, [...(byClass.get(of) ?? []), level])
    })
    return [...byClass.values()].map((one) => one.sort().join('+')).sort()
  }

  it('are the levels themselves where each has ten rows of the seed', async () => {
    expect(await classesOf({ a: 10, b: 100 })).toEqual(['a', 'b', 'most'])
  })

  it('join the levels of fewer rows', async () => {
    expect(await classesOf({ a: 6, b: 5, c: 30 })).toEqual(['a+b', 'c', 'most'])
  })

  it('join the next level as well where the rare ones are fewer than ten rows together', async () => {
    expect(await classesOf({ a: 9, c: 30, d: 40 })).toEqual(['a+c', 'd', 'most'])
  })

  it('are none where a single class would be left', async () => {
    expect(await classesOf({ a: 9 })).toBeNull()
  })
})

describe('the classes of numbers', () => {
  it('are at most 16 of about equal mass, in ascending order, and missing is one more', async () => {
    const values = Array.from({ length: 2_000 }, (_, i) => (i % 10 === 0 ? null : (i * 7919) % 1_999))
    const model = await modelOf(numeric('amount', values))
    const tilt = tiltTowards(model, ownRows(model), false, everywhere)!.columns[0]!
    expect(tilt.shares.length).toBe(17)
    expect(tilt.shares[16]).toBeCloseTo(0.1, 10)
    expect(tilt.classOf[0]).toBe(16)
    for (const share of tilt.shares.subarray(0, 16)) expect(Math.abs(share - 0.9 / 16)).toBeLessThan(0.01)
    const ascending = [...tilt.classOf.subarray(1)]
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
  })

  it('hold ten rows of the seed each, however they weigh', async () => {
    const values = Array.from({ length: 2_000 }, (_, i) => i)
    const model = await modelOf(numeric('amount', values))
    // Every fourth row, and one row in ten of them for ten.
    const seed = withRows(model, (row) => (row % 4 > 0 ? 0 : row % 40 === 0 ? 10 : 1))
    const tilt = tiltTowards(model, seed, true, everywhere)!.columns[0]!
    const rows = new Array<number>(tilt.shares.length).fill(0)
    for (let row = 0; row < 2_000; row++) {
      if (seed.inside[row] === 1) rows[tilt.classOf[model.codes[0]![row]!]!]!++
    }
    expect(rows.length).toBe(Math.floor(seed.effectiveRows / 50))
    expect(rows.length).toBeGreaterThan(2)
    expect(Math.min(...rows)).toBeGreaterThanOrEqual(10)
  })

  it('are fewer where fewer than 50 effective rows would be in each; the mean remains', async () => {
    const model = await modelOf(
      numeric(
        'amount',
        Array.from({ length: 2_000 }, (_, i) => i),
      ),
    )
    for (const [rows, classes] of [
      [90, 1],
      [100, 2],
      [250, 5],
      [1_000, 16],
    ] as const) {
      const seed = withRows(model, (row) => +(row < rows))
      const tilt = tiltTowards(model, seed, true, everywhere)!.columns[0]!
      expect(tilt.shares.length).toBe(classes)
      expect(tilt.numbers).not.toBeNull()
    }
  })

  it('know the codes as numbers whose mean over the weighted seed is 0 and whose standard deviation is 1', async () => {
    const values = Array.from({ length: ROWS }, (_, i) => (i % 7 === 0 ? null : i * i))
    const model = await modelOf(numeric('amount', values))
    const seed = withRows(model, (row) => 1 + (row % 3))
    const { numbers } = tiltTowards(model, seed, true, everywhere)!.columns[0]!
    const codes = model.codes[0]!
    let [mass, mean, square] = [0, 0, 0]
    for (let row = 0; row < ROWS; row++) {
      const x = numbers![codes[row]!]!
      if (codes[row] === 0) expect(x).toBe(0)
      else mass += seed.weights[row]!
      mean += seed.weights[row]! * x
      square += seed.weights[row]! * x * x
    }
    expect(mean).toBeCloseTo(0, 10)
    expect(square / mass).toBeCloseTo(1, 10)
  })
})

describe('the weight of the seed', () => {
  it('is n / (n + 50) of its effective rows under conditions, and all without', async () => {
    const model = await modelOf(categorical('answer', labels({ a: 150 })))
    const seed = withRows(model, (row) => +(row % 4 === 0))
    expect(seed.effectiveRows).toBe(100)
    expect(tiltTowards(model, seed, true, everywhere)!.lambda).toBeCloseTo(100 / 150, 12)
    expect(tiltTowards(model, ownRows(model), false, everywhere)!.lambda).toBe(1)
  })

  it('is nothing below 20 effective rows', async () => {
    const model = await modelOf(categorical('answer', labels({ a: 150 })))
    expect(
      tiltTowards(
        model,
        withRows(model, (row) => +(row < 19)),
        true,
        everywhere,
      ),
    ).toBeNull()
    expect(
      tiltTowards(
        model,
        withRows(model, (row) => +(row % 20 === 0)),
        true,
        everywhere,
      ),
    ).not.toBeNull()
  })
})
