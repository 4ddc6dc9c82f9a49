import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import type { GenerateOptions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { sampleTable } from '../sampled-table.ts'
import { surveyTable } from '../survey-table.ts'
import { countOf, rowsOf, scenario } from './written-scenario.ts'

const TABLE = surveyTable(3000)

let model: Model

beforeAll(async () => {
  model = await trainModel(TABLE, { threads: 1 })
})

const generated = (options: Partial<GenerateOptions>, of: Model = model) =>
  generate(of, { rowCount: 5000, seed: 3, scenario: scenario({}), threads: 1, ...options })

async function digestOf(options: Partial<GenerateOptions>, of: Model = model): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of (await generated(options, of)).blocks) {
    for (const column of block.columns) {
      if ('codes' in column) hash.update(column.codes)
      else hash.update(column.values).update(column.valid ?? 'all')
    }
  }
  return hash.digest('hex')
}

const MIXED = scenario(
  { region: { north: 0.6 }, member: { yes: 0.7, no: 0.3 } },
  { visits: { min: 2, max: 8 }, height: { min: 160.25, max: 181 } },
)

describe('a generation', () => {
  it('without conditions has all rows and the columns of the model', async () => {
    const table = await generated({})
    expect(table.feasibility).toMatchObject({ rows: 5000, fill: 1, shortfall: null })
    expect(table.columns).toEqual([
      { name: 'region', kind: 'categorical', levels: expect.any(Array), integer: false },
      { name: 'district', kind: 'categorical', levels: expect.any(Array), integer: false },
      { name: 'member', kind: 'categorical', levels: expect.any(Array), integer: false },
      { name: 'visits', kind: 'numeric', integer: true, decimals: 0 },
      { name: 'price', kind: 'numeric', integer: false, decimals: 2 },
      { name: 'spend', kind: 'numeric', integer: false, decimals: 2 },
      { name: 'height', kind: 'numeric', integer: false, decimals: 1 },
    ])
    expect((await rowsOf(table)).spend).toHaveLength(5000)
  })

  it('has every listed level in exactly as many rows as its share, and counts them', async () => {
    const table = await generated({ rowCount: 1237, scenario: MIXED })
    const rows = await rowsOf(table)
    expect(countOf(rows.region!, 'north')).toBe(Math.round(1237 * 0.6))
    expect(countOf(rows.member!, 'yes')).toBe(Math.round(1237 * 0.7))
    expect(countOf(rows.member!, 'no')).toBe(1237 - Math.round(1237 * 0.7))
    expect(
      Object.fromEntries([...table.targetCounts].map(([column, counts]) => [column, Object.fromEntries(counts)])),
    ).toEqual({ region: { north: 742 }, member: { yes: 866, no: 371 } })
  })

  it('keeps missing values among the unlisted levels of a column', async () => {
    const rows = await rowsOf(await generated({ scenario: scenario({ region: { north: 0.6 } }) }))
    const shares = (await sampleTable(model, { rowCount: 1, seed: 1 })).sharesOf(TABLE, 'region')
    const expected = (5000 * 0.4 * shares.get(null)!) / (1 - shares.get('north')!)
    expect(Math.abs(countOf(rows.region!, null) - expected)).toBeLessThan(1)
  })

  it.each([
    { name: 'a whole-number column', ranges: { visits: { min: 4, max: 6 } } },
    { name: 'one value', ranges: { visits: { min: 5, max: 5 } } },
    { name: 'bounds between values', ranges: { visits: { min: 3.5, max: 7.2 } } },
    { name: 'a column with missing values', ranges: { spend: { min: 3.333, max: 17.9 } } },
    { name: 'a spike', ranges: { spend: { min: 0, max: 0 } } },
    { name: 'two columns', ranges: { price: { min: 2, max: 3.1 }, spend: { min: 5, max: 20 } } },
    {
      name: 'three columns',
      ranges: { price: { min: 2, max: 3.1 }, spend: { min: 5, max: 20 }, visits: { min: 2, max: 11 } },
    },
    {
      name: 'all numeric columns',
      ranges: {
        price: { min: 2, max: 4 },
        spend: { min: 1, max: 60 },
        visits: { min: 1, max: 12 },
        height: { min: 150, max: 190 },
      },
    },
  ])('has no missing value and no value outside its range: $name', async ({ ranges }) => {
    const wanted = scenario({ member: { yes: 1 } }, ranges)
    const table = await generated({ rowCount: 2000, scenario: wanted })
    expect(table.feasibility.rows).toBe(2000)
    const rows = await rowsOf(table)
    for (const { column, min, max } of wanted.ranges) {
      expect(rows[column]!.length).toBe(2000)
      expect(rows[column]!.every((value) => typeof value === 'number' && value >= min && value <= max)).toBe(true)
    }
    expect(countOf(rows.member!, 'yes')).toBe(2000)
  })

  it('keeps the distribution of all other columns given the conditioned ones', async () => {
    const unconditioned = await rowsOf(await generated({ rowCount: 40_000 }))
    const tilted = await rowsOf(await generated({ rowCount: 40_000, scenario: scenario({ member: { yes: 0.1 } }) }))
    for (const member of ['yes', 'no']) {
      const meanVisits = (rows: typeof unconditioned) => {
        const own = rows.visits!.filter((_, i) => rows.member![i] === member) as number[]
        return own.reduce((a, b) => a + b, 0) / own.length
      }
      expect(Math.abs(meanVisits(tilted) - meanVisits(unconditioned))).toBeLessThan(0.25)
    }
    expect(countOf(unconditioned.spend!, null)).toBe(countOf(unconditioned.member!, 'no'))
    expect(countOf(tilted.spend!, null)).toBe(countOf(tilted.member!, 'no'))
  })

  it('shuffles its rows, so that cells do not follow one another', async () => {
    const { member } = await rowsOf(await generated({ rowCount: 10_000, scenario: scenario({ member: { yes: 0.5 } }) }))
    let changes = 0
    for (let i = 1; i < member!.length; i++) if (member![i] !== member![i - 1]) changes++
    // Half of 9,999 neighbours differ, with a standard deviation of 50.
    expect(Math.abs(changes - 5000)).toBeLessThan(250)
  })

  it('has the same bytes for 1 and 2 threads, for an order trained before or now, and on repetition', async () => {
    const first = await digestOf({ scenario: MIXED, threads: 1 })
    expect(await digestOf({ scenario: MIXED, threads: 2 })).toBe(first)
    expect(await digestOf({ scenario: MIXED, threads: 1 })).toBe(first)
    const fresh = await trainModel(TABLE, { threads: 2 })
    expect(await digestOf({ scenario: MIXED, threads: 2 }, fresh)).toBe(first)
    // The same set of columns in another sequence, with other values in between.
    await digestOf({ scenario: scenario({ member: { no: 0.9 } }, { height: { min: 150, max: 170 } }) })
    const reversed = { shares: MIXED.shares.toReversed(), ranges: MIXED.ranges.toReversed() }
    expect(await digestOf({ scenario: reversed })).toBe(first)
  })

  it('differs between seeds', async () => {
    expect(await digestOf({ scenario: MIXED, seed: 4 })).not.toBe(await digestOf({ scenario: MIXED, seed: 5 }))
  })

  it('has no rows for an impossible scenario', async () => {
    const table = await generated({ scenario: scenario({ member: { no: 1 } }, { spend: { min: 1, max: 10 } }) })
    expect(table.feasibility.rows).toBe(0)
    expect(table.feasibility.shortfall?.detail).toBe(
      'Every row is to be no (member), with spend from 1 to 10; fewer than 10 of 3,000 seed rows are. A scenario needs at least 10.',
    )
    expect(table.targetCounts.get('member')!.get('no')).toBe(0)
    expect((await rowsOf(table)).member).toEqual([])
  })

  it('takes a single row', async () => {
    const rows = await rowsOf(await generated({ rowCount: 1, scenario: scenario({ member: { yes: 0.9 } }) }))
    expect(rows.member).toEqual(['yes'])
  })

  it('reports progress up to 1', async () => {
    const seen: number[] = []
    await rowsOf(await generated({ rowCount: 70_000, scenario: MIXED, onProgress: (fraction) => seen.push(fraction) }))
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(1)
  })

  it('stops with the reason of its signal', async () => {
    const early = AbortSignal.abort(new Error('before'))
    await expect(generated({ scenario: MIXED, signal: early })).rejects.toThrow('before')
    const controller = new AbortController()
    const table = await generated({ rowCount: 200_000, scenario: MIXED, signal: controller.signal })
    const reading = (async () => {
      for await (const block of table.blocks) {
        expect(block.rowCount).toBeGreaterThan(0)
        controller.abort(new Error('midway'))
      }
    })()
    await expect(reading).rejects.toThrow('midway')
  })
})
