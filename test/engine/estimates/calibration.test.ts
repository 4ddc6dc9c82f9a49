import { describe, expect, it } from 'vitest'
import { calibrationOf } from '../../../src/engine/estimates/calibration.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, tableOf } from '../survey-table.ts'
import { type Respondent, randomSurvey } from './random-survey.ts'

const { rows, table } = randomSurvey(200, 4, false)

type Shares = Parameters<typeof scenario>[0]

async function calibrated(shares: Shares) {
  const weighted = await weighSeed(await encodeTable(table, { threads: 1 }), scenario(shares), 'exact')
  if (weighted === null) throw new Error('no weights')
  return calibrationOf(weighted)
}

/** The fitted part of a value of the rows. */
function fitOf(
  { weights, ofRow, predict, patternCount }: Awaited<ReturnType<typeof calibrated>>,
  u: readonly number[],
) {
  const sums = new Float64Array(patternCount)
  for (const [row, w] of weights.entries()) if (w > 0) sums[ofRow[row]!]! += w * u[row]!
  const fitted = new Float64Array(patternCount)
  predict(sums, fitted)
  return u.map((_, row) => fitted[ofRow[row]!]!)
}

const TIED: Shares = { member: { yes: 0.6 }, card: { gold: 0.6 }, region: { north: 0.5, south: 0.2, west: 0.3 } }

describe.each([
  ['one share', { member: { yes: 0.6 } }, 2],
  [
    'two columns, one with all of its levels',
    { member: { yes: 0.6, no: 0.3 }, region: { north: 0.5, south: 0.2, west: 0.3 } },
    5,
  ],
  ['columns that say the same', TIED, 4],
  ['a column that another one determines', { region: { north: 0.5 }, district: { 'north 0': 0.2, 'north 1': 0.3 } }, 3],
] as const)('the regression on the margins of %s', (_name, shares: Shares, rank) => {
  it('leaves nothing of what the margins determine', async () => {
    const side = await calibrated(shares)
    const columns = Object.keys(shares) as (keyof Respondent)[]
    const determined = rows.map((row) =>
      columns.reduce((sum, name, c) => sum + (Object.keys(shares[name]!)[0] === row[name] ? c + 1.5 : -0.25), 0),
    )
    for (const [row, fitted] of fitOf(side, determined).entries()) expect(fitted).toBeCloseTo(determined[row]!, 9)
  })

  it('leaves residuals that go with no margin', async () => {
    const side = await calibrated(shares)
    const u = rows.map(({ age, spend }) => age / 10 + (spend ?? 0) / 50)
    const residual = fitOf(side, u).map((fitted, row) => u[row]! - fitted)
    const total = (has: (row: Respondent) => boolean): number =>
      residual.reduce((sum, r, row) => sum + (has(rows[row]!) ? side.weights[row]! * r : 0), 0)
    expect(total(() => true)).toBeCloseTo(0, 10)
    for (const [name, levels] of Object.entries(shares)) {
      for (const level of Object.keys(levels))
        expect(total((row) => row[name as keyof Respondent] === level)).toBeCloseTo(0, 10)
    }
  })

  it('has leverages that add up to its rank', async () => {
    const { weights, corrected } = await calibrated(shares)
    const leverages = weights.map((w, row) => 1 - w / corrected[row]!)
    expect(leverages.reduce((sum, h) => sum + h, 0)).toBeCloseTo(rank, 9)
  })
})

it('a row that has a margin to itself has the most leverage that counts', async () => {
  const levels = ['alone', ...Array(30).fill('many')]
  const seed = await encodeTable(tableOf([categorical('group', levels)]), { threads: 1 })
  const weighted = await weighSeed(seed, scenario({ group: { alone: 0.2 } }), 'exact')
  const { weights, corrected } = calibrationOf(weighted!)
  expect(corrected[0]! / weights[0]!).toBeCloseTo(1000, 6)
  // The others share their margin: each has the leverage 1/30.
  expect(corrected[1]! / weights[1]!).toBeCloseTo(30 / 29, 9)
})

it('rows outside have no weight and no influence', async () => {
  const { weights, corrected } = await calibrated({ region: { west: 0 }, member: { yes: 0.6 } })
  for (const [row, { region }] of rows.entries()) {
    if (region === 'west') expect([weights[row], corrected[row]]).toEqual([0, 0])
    else expect(corrected[row]).toBeGreaterThan(weights[row]!)
  }
})
