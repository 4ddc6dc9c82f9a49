import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Disclosure } from '../../../src/engine/disclosure/rounded-counts.ts'
import { assessScenario, generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { columnIndex, countOf, rowsOf, scenario } from './written-scenario.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FIRST_DAY = Date.UTC(2024, 0, 1)

/** Levels by column; `plan` is missing at times, and `none` goes with `off` alone. */
const LEVELS = {
  plan: ['basic', 'plus', 'none'],
  state: ['on', 'off'],
  area: ['a', 'b', 'c', 'd', 'e'],
} as const

/**
 * 900 people. `visits` come in fives, `points` are whole numbers of which few are alike, `weight` has one decimal, `ratio`
 * none in particular, `joined` is a date, `seen` a date with time; `visits` and `ratio` are missing at times.
 */
function peopleTable() {
  const random = new RandomStream(4, PURPOSE.value)
  const people = Array.from({ length: 900 }, () => {
    const plan = random.real() < 0.1 ? null : LEVELS.plan[Math.floor(random.real() ** 2 * 3)]!
    const state = plan === 'none' ? 'off' : random.real() < 0.8 ? 'on' : 'off'
    const area = LEVELS.area[Math.floor(random.real() ** 2 * 5)]!
    const visits = random.real() < 0.1 ? null : 5 * Math.floor(random.real() * 12) + (area === 'a' ? 1 : 0)
    const points = Math.floor(5000 * random.real() ** 2)
    const weight = Math.round(600 + 300 * random.real() + (state === 'on' ? 100 : 0)) / 10
    const ratio = random.real() < 0.2 ? null : random.real() ** 3
    const joined = FIRST_DAY + Math.floor(random.real() * 700) * DAY_MS
    const seen = joined + Math.floor(random.real() * 24 * 90) * HOUR_MS
    return { plan, state, area, visits, points, weight, ratio, joined, seen }
  })
  const pick = <K extends keyof (typeof people)[number]>(key: K) => people.map((person) => person[key])
  return tableOf([
    categorical('plan', pick('plan')),
    categorical('state', pick('state')),
    categorical('area', pick('area')),
    numeric('visits', pick('visits')),
    numeric('points', pick('points')),
    numeric('weight', pick('weight'), 1),
    numeric('ratio', pick('ratio'), 15),
    { ...numeric('joined', pick('joined')), format: 'date' },
    { ...numeric('seen', pick('seen')), format: 'date-time' },
  ])
}

const BOUNDS = {
  visits: [-5, 65],
  points: [-100, 5100],
  weight: [58, 102],
  ratio: [-0.1, 1.1],
  joined: [FIRST_DAY - 20 * DAY_MS, FIRST_DAY + 720 * DAY_MS],
  seen: [FIRST_DAY, FIRST_DAY + 800 * DAY_MS],
} as const

/** Shares of some levels in hundredths or otherwise, 0 among them, that sum to 1 or less. */
function anyShares(levels: readonly string[]): fc.Arbitrary<Record<string, number>> {
  const parts = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 })), {
    minLength: levels.length + 1,
    maxLength: levels.length + 1,
  })
  return fc
    .tuple(parts, fc.shuffledSubarray([...levels], { minLength: 1 }), fc.boolean())
    .filter(([weights, listed]) => weights.slice(0, listed.length).some((weight) => weight > 0))
    .map(([weights, listed, isWhole]) => {
      const own = weights.slice(0, listed.length)
      const rest = isWhole || listed.length === levels.length ? 0 : weights[levels.length]! + 1
      const sum = own.reduce((a, b) => a + b, 0) + rest
      return Object.fromEntries(listed.map((level, i) => [level, own[i]! / sum]))
    })
}

/** Wide, narrow, or a single point. */
function anyRange([low, high]: readonly [number, number]): fc.Arbitrary<{ min: number; max: number }> {
  const place = fc.double({ min: low, max: low + (high - low) / 2, noNaN: true })
  const width = fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: 0.4, max: 1, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 0.02, noNaN: true }) },
  )
  return fc.tuple(place, width).map(([min, share]) => ({ min, max: min + share * (high - low) }))
}

const anyScenario = fc
  .tuple(
    fc.record(
      { plan: anyShares(LEVELS.plan), state: anyShares(LEVELS.state), area: anyShares(LEVELS.area) },
      { requiredKeys: [] },
    ),
    fc
      .shuffledSubarray(Object.keys(BOUNDS) as (keyof typeof BOUNDS)[], { maxLength: 3 })
      .chain((columns) => fc.record(Object.fromEntries(columns.map((column) => [column, anyRange(BOUNDS[column])])))),
  )
  .map(([shares, ranges]) => scenario(shares as Record<string, Record<string, number>>, ranges))

/** Rows of each listed level and, last, of all others: the floor of each quota, one more for the largest remainders. */
function apportioned(shares: readonly number[], rows: number): number[] {
  const sum = shares.reduce((a, b) => a + b, 0)
  const rest = sum > 1 - 1e-9 ? 0 : 1 - sum
  const quotas = [...shares, rest].map((share) => (share / (sum + rest)) * rows)
  const counts = quotas.map(Math.floor)
  const order = [...quotas.keys()].sort((a, b) => quotas[b]! - counts[b]! - (quotas[a]! - counts[a]!) || a - b)
  let left = rows - counts.reduce((a, b) => a + b, 0)
  for (const i of order) if (left-- > 0) counts[i]!++
  return counts
}

let model: Model

beforeAll(async () => {
  model = await trainModel(peopleTable(), { threads: 1 })
})

async function deliver(of: RequestedConditions, rowCount: number, seed: number, disclosure: Disclosure = 'exact') {
  const table = await generate(model, { rowCount, seed, scenario: of, threads: 1, disclosure })
  const cells = await rowsOf(table)
  const { rows } = table.feasibility
  for (const column of Object.values(cells)) expect(column.length).toBe(rows)
  for (const { column, min, max } of of.ranges) {
    const outside = cells[column]!.filter((value) => typeof value !== 'number' || value < min || value > max)
    expect(outside, column).toEqual([])
  }
  for (const { column, levels } of of.shares) {
    const counts = [...levels.keys()].map((level) => countOf(cells[column]!, level))
    expect([...table.targetCounts.get(column)!.values()]).toEqual(counts)
    counts.push(rows - counts.reduce((a, b) => a + b, 0))
    const wanted = apportioned([...levels.values()], rows)
    // Remainders that are equal but for rounding may go either way.
    const off = counts.reduce((most, count, i) => Math.max(most, Math.abs(count - wanted[i]!)), 0)
    const quotas = [...levels.values()].map((share) => (share * rows) % 1)
    const isTie =
      quotas.some((a, i) => quotas.some((b, j) => i < j && Math.abs(a - b) < 1e-6)) ||
      quotas.some((a) => Math.abs(a - 0.5) < 1e-6)
    expect(off, `${column}: ${counts} for ${wanted}`).toBeLessThanOrEqual(table.roundingDeviation + (isTie ? 1 : 0))
    levels.forEach((share, level) => {
      if (share === 0) expect(countOf(cells[column]!, level)).toBe(0)
    })
  }
  return { table, cells }
}

describe('any scenario', () => {
  it('is delivered with exact shares, in all rows that are feasible, and with all values inside its ranges', async () => {
    const seen = { full: 0, partial: 0, none: 0, deviating: 0 }
    const rowCounts = fc.constantFrom(1, 7, 100, 5000)
    const disclosures = fc.constantFrom<Disclosure>('exact', 'protected')
    await fc.assert(
      fc.asyncProperty(anyScenario, rowCounts, fc.integer(), disclosures, async (of, rowCount, seed, disclosure) => {
        // First, while only the conditioned columns have trees.
        const assessed = await assessScenario(model, of, rowCount, { threads: 1, disclosure })
        const { feasibility, roundingDeviation } = (await deliver(of, rowCount, seed, disclosure)).table
        expect(feasibility).toEqual(assessed)
        const { rows, fill, shortfall } = feasibility
        expect(rows).toBe(fill === 1 ? rowCount : Math.floor(rowCount * fill + 1e-3))
        expect(shortfall === null).toBe(rows === rowCount)
        seen[rows === 0 ? 'none' : rows < rowCount ? 'partial' : 'full']++
        if (roundingDeviation > 0) seen.deviating++
      }),
      { numRuns: 110, seed: 21 },
    )
    expect(seen.full).toBeGreaterThan(30)
    expect(seen.partial).toBeGreaterThan(1)
    expect(seen.none).toBeGreaterThan(10)
    expect(seen.deviating).toBeLessThan(4)
  })

  it.each([
    {
      where: 'whose bounds lie between values of a continuous column',
      ranges: { ratio: { min: 0.5003, max: 0.5404 } },
      rows: 50,
    },
    { where: 'between two fives that many have', ranges: { visits: { min: 21.5, max: 24 } }, rows: 0 },
    {
      where: 'of two weeks',
      ranges: { joined: { min: FIRST_DAY + 300 * DAY_MS, max: FIRST_DAY + 313 * DAY_MS } },
      rows: 50,
    },
    {
      where: 'of two weeks and two hours',
      ranges: { seen: { min: FIRST_DAY + 400 * DAY_MS, max: FIRST_DAY + 414 * DAY_MS + 2 * HOUR_MS } },
      rows: 50,
    },
    {
      where: 'of several columns at once',
      ranges: {
        ratio: { min: 0.2, max: 0.7 },
        visits: { min: 10, max: 40 },
        weight: { min: 75.05, max: 90 },
        joined: { min: FIRST_DAY + 100 * DAY_MS, max: FIRST_DAY + 600 * DAY_MS },
      },
      rows: 50,
    },
  ])('has $rows rows in a narrow range $where', async ({ ranges, rows }) => {
    const { table, cells } = await deliver(scenario({ state: { on: 0.5 } }, ranges), 50, 1)
    expect(table.feasibility.inRangeShare).toBeLessThan(0.1)
    expect(table.feasibility.rows).toBe(rows)
    expect(countOf(cells.state!, 'on')).toBe(rows / 2)
    if ('visits' in ranges) expect(cells.visits!.every((value) => Number.isInteger(value))).toBe(true)
    if ('joined' in ranges) expect(cells.joined!.every((value) => (value as number) % DAY_MS === 0)).toBe(true)
  })

  it('has whole numbers between two observed ones if few values repeat', async () => {
    const points = model.columns[columnIndex(model, 'points')]!
    if (points.kind !== 'numeric') throw new Error('points are numbers')
    const at = points.values.findIndex((value, i) => i > 0 && value - points.values[i - 1]! > 4)
    const gap = { min: points.values[at - 1]! + 1, max: points.values[at]! - 1 }
    const range = { min: points.values[at - 8]!, max: points.values[at + 8]! }
    const { table, cells } = await deliver(scenario({ state: { on: 0.5 } }, { points: range }), 2000, 1)
    expect(table.feasibility.rows).toBe(2000)
    const values = new Set(cells.points)
    for (let value = gap.min; value <= gap.max; value++) expect(values).toContain(value)
  })
})
