import { beforeAll, describe, expect, it } from 'vitest'
import { assessScenario } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { findBottleneck } from '../../../src/engine/scenario/bottleneck.ts'
import { cellMargins, marginsOf } from '../../../src/engine/scenario/margins.ts'
import { project } from '../../../src/engine/scenario/project.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

/** Rows of a table, repeated: [plan, region, age, joined day]. */
type Row = readonly [plan: string | null, region: string, age: number | null, day: number]

const DAY_MS = 86_400_000

function modelOf(counts: readonly (readonly [times: number, row: Row])[]): Promise<Model> {
  const rows = counts.flatMap(([times, row]) => Array.from({ length: times }, () => row))
  const joined = numeric(
    'joined',
    rows.map(([, , , day]) => day * DAY_MS),
  )
  const table = tableOf([
    categorical(
      'plan',
      rows.map(([plan]) => plan),
    ),
    categorical(
      'region',
      rows.map(([, region]) => region),
    ),
    numeric(
      'age',
      rows.map(([, , age]) => age),
    ),
    { ...joined, format: 'date' },
  ])
  return trainModel({ ...table, seedRows: table.rowCount * 2 }, { threads: 1 })
}

let model: Model

beforeAll(async () => {
  model = await modelOf([
    [300, ['basic', 'north', 30, 19_000]],
    [300, ['basic', 'south', 40, 19_100]],
    [191, ['plus', 'south', 50, 19_200]],
    [100, ['plus', 'east', 60, 19_300]],
    [12, ['plus', 'north', 20, 19_400]],
    [50, ['trial', 'south', null, 19_000]],
    [47, [null, 'north', 30, 19_000]],
  ])
})

const assess = (of: RequestedConditions, rowCount: number) => assessScenario(model, of, rowCount, { threads: 1 })

describe('feasibility of a scenario', () => {
  it('is full without conditions', async () => {
    expect(await assess(scenario({}), 500)).toEqual({
      rows: 500,
      fill: 1,
      effectiveRows: 2000,
      largestTilt: 1,
      evidenceCap: { naturalShareFactor: 10, rowsPerSeedRow: 100 },
      exact: false,
      inRangeShare: 1,
      sampledShare: 0,
      lowSupport: false,
      converged: true,
      shortfall: null,
    })
  })

  it('counts effective rows and the largest tilt of the mix', async () => {
    // The sample stands for 2,000 seed rows: region north 718, south 1,082, east 200.
    const found = await assess(scenario({ region: { north: 0.5, south: 0.25, east: 0.25 } }), 1000)
    // Two digits of 1 / (0.5² / 718 + 0.25² / 1082 + 0.25² / 200) = 1391.
    expect(found.effectiveRows).toBe(1300)
    expect(found.largestTilt).toBe(2.5)
    expect(found).toMatchObject({ rows: 1000, lowSupport: false })
  })

  it('flags a mix that rests on few seed rows', async () => {
    const found = await assess(
      scenario({ plan: { trial: 1 }, region: { south: 1 } }, { joined: { min: 0, max: 1e15 } }),
      10,
    )
    expect(found).toMatchObject({ rows: 10, lowSupport: false })
    const { effectiveRows, lowSupport } = await assess(scenario({ plan: { plus: 1 }, region: { north: 1 } }), 10)
    expect(effectiveRows).toBe(20)
    expect(lowSupport).toBe(true)
  })

  it('measures the share of the model inside the ranges', async () => {
    const { inRangeShare } = await assess(scenario({}, { age: { min: 35, max: 65 } }), 10)
    expect(inRangeShare).toBe(0.59)
  })

  it('names two levels that must meet, with the number of seed rows that have both', async () => {
    const found = await assess(scenario({ plan: { plus: 0.7 }, region: { north: 0.8 } }), 10_000)
    // 24 seed rows (12 in the sample) may support 2,400 rows, which are half of the mix.
    expect(found.rows).toBe(4800)
    expect(found.shortfall).toEqual({
      detail:
        '0.7 plus (plan) with 0.8 north (region) needs at least 0.5 of the rows to be both; 24 of 2,000 seed rows are. A seed row may stand behind at most 100 generated rows.',
      binding: [
        { column: 'plan', level: 'plus', target: 0.7, seedRows: 610 },
        { column: 'region', level: 'north', target: 0.8, seedRows: 720 },
      ],
    })
  })

  it('multiplies evidence up to the configured limit, and reports the limit', async () => {
    const evidenceCap = { naturalShareFactor: 2, rowsPerSeedRow: 15 }
    const of = scenario({ plan: { plus: 0.7 }, region: { north: 0.8 } })
    const found = await assessScenario(model, of, 10_000, { threads: 1, evidenceCap })
    // The 24 seed rows may support 360 rows; their natural share is 120 of 10,000. They are half of the mix.
    expect(found).toMatchObject({ rows: 720, evidenceCap })
    expect(found.shortfall?.detail).toMatch(/ A seed row may stand behind at most 15 generated rows\.$/)
    const natural = { naturalShareFactor: 50, rowsPerSeedRow: 15 }
    expect(await assessScenario(model, of, 10_000, { threads: 1, evidenceCap: natural })).toMatchObject({
      rows: 10_000,
    })
  })

  it('names a level that must occur without another level', async () => {
    const found = await assess(scenario({ plan: { trial: 0.6 }, region: { south: 0.2 } }), 100)
    expect(found).toMatchObject({ rows: 0, fill: 0, lowSupport: true })
    expect(found.shortfall).toEqual({
      detail:
        '0.6 trial (plan) with 0.8 other than south (region) needs at least 0.4 of the rows to be both; fewer than 20 of 2,000 seed rows are. A combination of levels that fewer than 20 seed rows have may be at most 0.05 of the rows.',
      binding: [
        { column: 'plan', level: 'trial', target: 0.6, seedRows: 100 },
        { column: 'region', level: 'south', target: 0.2, seedRows: 1100 },
      ],
    })
  })

  it('names a level that is rare inside a range', async () => {
    const short = await assess(scenario({ plan: { basic: 0.9 } }, { age: { min: 15, max: 25 } }), 10)
    expect(short.shortfall).toEqual({
      detail:
        '0.9 of the rows are to be basic (plan); fewer than 20 of 2,000 seed rows are, with age from 15 to 25. A combination of levels that fewer than 20 seed rows have may be at most 0.05 of the rows.',
      binding: [
        { column: 'plan', level: 'basic', target: 0.9 },
        { column: 'age', seedRows: 24 },
      ],
    })
  })

  it('counts only seed rows that meet the conditions on all rows', async () => {
    // 606 seed rows are plus and 718 north, and 24 both: 2,400 rows, half of the mix.
    const found = await assess(scenario({ region: { north: 1 }, plan: { plus: 0.5 } }), 5_000)
    expect(found.rows).toBe(4800)
    expect(found.shortfall).toEqual({
      detail:
        'Every row is to be north (region). 0.5 of the rows are to be plus (plan); 24 of 2,000 seed rows are all of this. A seed row may stand behind at most 100 generated rows.',
      binding: [
        { column: 'plan', level: 'plus', target: 0.5, seedRows: 610 },
        { column: 'region', level: 'north', target: 1, seedRows: 720 },
      ],
    })
  })

  it('counts no seed rows of levels whose share is 0', async () => {
    const found = await assess(scenario({ region: { south: 0, east: 0 }, plan: { plus: 0.5 } }), 5_000)
    expect(found.rows).toBe(4800)
    expect(found.shortfall?.detail).toBe(
      'Every row is to be other than south, east (region). 0.5 of the rows are to be plus (plan); 24 of 2,000 seed rows are all of this. A seed row may stand behind at most 100 generated rows.',
    )
  })

  it('names the limit by natural share if it admits more rows than the limit by seed rows', async () => {
    // 24 of 2,000 seed rows: ten times that are 120,000 of 1,000,000 rows, 5,000 for each of them.
    const found = await assess(scenario({ region: { north: 1 }, plan: { plus: 0.5 } }), 1_000_000)
    expect(found.rows).toBe(240_000)
    expect(found.shortfall?.detail).toBe(
      'Every row is to be north (region). 0.5 of the rows are to be plus (plan); 24 of 2,000 seed rows are all of this. A combination of levels may have at most 10 times its usual share, or 100 generated rows per seed row where that is more.',
    )
  })

  it('multiplies a level of all rows no more than a level of most rows', async () => {
    const plus = (share: number) => scenario({ region: { north: 1 }, plan: { plus: share } })
    const all = await assess(plus(1), 10_000)
    expect(all).toMatchObject({ rows: 2400, lowSupport: true })
    expect(all.largestTilt).toBe(83)
    expect((await assess(plus(0.99), 10_000)).rows).toBe(Math.floor(2400 / 0.99))
    // Within a range the usual share is that among the rows inside, and these 24 are all there are.
    const young = scenario({ region: { north: 1 }, plan: { plus: 1 } }, { age: { min: 15, max: 25 } })
    expect(await assess(young, 10_000)).toMatchObject({ rows: 10_000 })
  })

  it('names the share left to unlisted levels when a range has no such rows', async () => {
    const found = await assess(scenario({ region: { north: 0.9 } }, { age: { min: 15, max: 25 } }), 10)
    expect(found.shortfall).toEqual({
      detail:
        '0.1 of the rows are to be other than north (region); fewer than 20 of 2,000 seed rows are, with age from 15 to 25. A combination of levels that fewer than 20 seed rows have may be at most 0.05 of the rows.',
      binding: [
        { column: 'region', level: 'north', target: 0.9, seedRows: 24 },
        { column: 'age', seedRows: 24 },
      ],
    })
  })

  it('names levels that must meet in every row and never do', async () => {
    const found = await assess(scenario({ plan: { trial: 1 }, region: { north: 0.5, east: 0.5 } }), 10)
    expect(found).toMatchObject({ rows: 0, inRangeShare: 0 })
    expect(found.shortfall).toEqual({
      detail:
        'Every row is to be trial (plan) and north or east (region); fewer than 20 of 2,000 seed rows are. A scenario needs at least 20.',
      binding: [
        { column: 'plan', level: 'trial', target: 1 },
        { column: 'region', level: 'north', target: 0.5 },
        { column: 'region', level: 'east', target: 0.5 },
      ],
    })
  })

  it('names a range outside the seed, with dates as dates', async () => {
    const found = await assess(scenario({}, { joined: { min: 1000 * DAY_MS, max: 1001 * DAY_MS } }), 10)
    expect(found).toMatchObject({ rows: 0, inRangeShare: 0 })
    expect(found.shortfall).toEqual({
      detail: 'joined from 1972-09-27 to 1972-09-28 is outside its values, 2022-01-08 to 2023-02-12.',
      binding: [{ column: 'joined' }],
    })
  })

  it('names a range between two possible values', async () => {
    const found = await assess(scenario({}, { age: { min: 30.2, max: 30.8 } }), 10)
    expect(found.rows).toBe(0)
    expect(found.shortfall?.detail).toMatch(
      /^age from 30\.2 to 30\.8 contains none of its values, whole numbers from \d+ to \d+\.$/,
    )
  })

  it('names ranges that no row meets together', async () => {
    const both = { age: { min: 55, max: 65 }, joined: { min: 18_990 * DAY_MS, max: 19_010 * DAY_MS } }
    const found = await assess(scenario({}, both), 10)
    expect(found.rows).toBe(0)
    expect(found.shortfall?.detail).toBe(
      'Every row is to have age from 55 to 65 and joined from 2021-12-29 to 2022-01-18; fewer than 20 of 2,000 seed rows are. A scenario needs at least 20.',
    )
  })

  it('needs only one of the unlisted levels inside a range', async () => {
    // Inside the narrow range all are plus; inside the wide one nothing is missing and there is no trial.
    const found = await assess(scenario({ plan: { plus: 0.5 } }, { age: { min: 45, max: 65 } }), 10)
    expect(found.rows).toBe(0)
    const wider = await assess(scenario({ plan: { plus: 0.5 } }, { age: { min: 35, max: 65 } }), 10)
    expect(wider).toMatchObject({ rows: 10, fill: 1, converged: true })
  })

  it.each([
    ['an unknown column', scenario({ plann: { plus: 1 } }), 'there is no column plann'],
    ['an unknown level', scenario({ plan: { gold: 1 } }), 'column plan has no level gold'],
    ['shares of a number', scenario({ age: { 30: 1 } }), 'column age is numeric and takes no shares'],
    ['a range of levels', scenario({}, { plan: { min: 0, max: 1 } }), 'column plan is categorical and takes no range'],
    ['a range upside down', scenario({}, { age: { min: 3, max: 2 } }), 'the range of age from 3 to 2 is empty'],
    [
      'a range to nowhere',
      scenario({}, { age: { min: 3, max: Number.NaN } }),
      'the range of age from 3 to NaN is empty',
    ],
    ['shares above 1', scenario({ plan: { plus: 0.9, trial: 0.2 } }), 'shares sum to 1.1, more than 1'],
    [
      'a remainder without levels',
      scenario({ region: { north: 0.2, south: 0.2, east: 0.2 } }),
      'no other level to take the remainder',
    ],
    [
      'a column conditioned twice',
      { shares: [...scenario({ plan: { plus: 1 } }).shares, ...scenario({ plan: { trial: 1 } }).shares], ranges: [] },
      'column plan is conditioned twice',
    ],
  ])('refuses %s', async (_, wrong, message) => {
    await expect(assess(wrong, 10)).rejects.toThrow(message)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses %s rows', async (rowCount) => {
    await expect(assess(scenario({}), rowCount)).rejects.toThrow('rowCount must be a whole number of at least 1')
  })
})

describe('the bottleneck of a table', () => {
  it('is found from the prices if three columns have to meet', async () => {
    // Every pair of first levels is common, all three together do not occur.
    const codes: number[] = []
    const natural: number[] = []
    for (let cell = 0; cell < 8; cell++) {
      codes.push(cell >> 2, (cell >> 1) & 1, cell & 1)
      natural.push(cell === 0 ? 0 : 1 / 7)
    }
    const column = { codeCount: 2, listed: new Map([[0, 0.8]]) }
    const margins = marginsOf([column, column, column])
    const cells = cellMargins(Int32Array.from(codes), margins)
    const cap = new Float64Array(8).fill(1)
    const { fill, rows, proof } = await project({
      natural: Float64Array.from(natural),
      cap: cap.fill(0, 0, 1),
      cellMargins: cells,
      margins,
      rowCount: 100,
    })
    expect({ fill, rows }).toEqual({ fill: expect.closeTo(0, 9), rows: 0 })
    const { sets, need } = findBottleneck({ margins, cellMargins: cells, cap, fill, prices: proof!.prices })
    expect(sets).toEqual([0, 1, 2].map((d) => ({ column: d, margins: [margins.ofCode[d]![0]] })))
    expect(need).toBeCloseTo(0.4, 6)
  })
})
