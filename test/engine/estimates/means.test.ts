import { describe, expect, it } from 'vitest'
import { calibrationOf } from '../../../src/engine/estimates/calibration.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { people } from './people.ts'

const ROWS = people(2_000, 5).map((person, i) => ({
  ...person,
  rating: ['1', '2', '3', '4', '5'][(i * 7 + Math.floor(i / 9)) % 5]!,
}))
const WEIGHTS = ROWS.map((_, i) => [0.4, 1, 1.6][i % 3]!)

async function seedOf(weights?: readonly number[]) {
  const column = <K extends keyof (typeof ROWS)[number]>(name: K) => ROWS.map((row) => row[name])
  const mean = (weights ?? [1]).reduce((sum, each) => sum + each, 0) / (weights ?? [1]).length
  const table = tableOf([
    categorical('region', column('region')),
    numeric('age', column('age')),
    categorical('member', column('member')),
    numeric('spend', column('spend')),
    categorical('rating', column('rating')),
  ])
  return await encodeTable(
    { ...table, ...(weights && { weights: Float64Array.from(weights, (a) => a / mean) }) },
    { threads: 1 },
  )
}

const SEED = seedOf()
const WEIGHTED = seedOf(WEIGHTS)
const open = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
const asked = (means: RequestedConditions['means'], rest: Partial<RequestedConditions> = {}): RequestedConditions => ({
  ...{ shares: [], ranges: [], ...rest },
  ...(means && { means }),
})
const MEMBERS = { shares: [{ column: 'member', levels: new Map([['yes', 0.7]]) }] }

const meanOf = (weights: Float64Array, value: (row: (typeof ROWS)[number]) => number | null): number => {
  let [total, sum] = [0, 0]
  ROWS.forEach((row, i) => {
    const y = value(row)
    if (y === null) return
    total += weights[i]!
    sum += weights[i]! * y
  })
  return sum / total
}
const shareOf = (weights: Float64Array, has: (row: (typeof ROWS)[number]) => boolean): number =>
  meanOf(weights, (row) => Number(has(row)))

describe('weights of seed rows for a scenario that states means', () => {
  it.each([
    ['without case weights', SEED],
    ['with case weights', WEIGHTED],
  ])('have the means, shares and ranges together, %s', async (_name, seed) => {
    const exactly = [
      { column: 'spend', min: 60, max: 60 },
      { column: 'age', min: 33, max: 33 },
    ]
    const scenario = asked(exactly, { ...MEMBERS, ranges: [{ column: 'age', min: 20, max: 50 }] })
    const { weights } = (await weighSeed(await seed, scenario, 'exact'))!
    expect(meanOf(weights, ({ spend }) => spend)).toBeCloseTo(60, 8)
    expect(meanOf(weights, ({ age }) => age)).toBeCloseTo(33, 8)
    expect(shareOf(weights, ({ member }) => member === 'yes')).toBeCloseTo(0.7, 10)
    expect(shareOf(weights, ({ age }) => age >= 20 && age <= 50)).toBeCloseTo(1, 12)
  })

  it('change least: their logarithms are linear in the column', async () => {
    const { weights } = (await weighSeed(await SEED, asked([{ column: 'age', min: 50, max: 50 }]), 'exact'))!
    const ofAge = new Map(ROWS.map(({ age }, i) => [age, Math.log(weights[i]!)]))
    const slope = (ofAge.get(60)! - ofAge.get(20)!) / 40
    for (const [age, log] of ofAge) expect(log).toBeCloseTo(ofAge.get(20)! + slope * (age - 20), 9)
  })

  it('treat all rows without a value alike', async () => {
    const { weights } = (await weighSeed(await SEED, asked([{ column: 'spend', min: 80, max: 80 }]), 'exact'))!
    const silent = ROWS.flatMap(({ spend }, i) => (spend === null ? [weights[i]!] : []))
    expect(Math.max(...silent) / Math.min(...silent)).toBeCloseTo(1, 9)
  })

  it('take the codes of a column whose levels are numbers', async () => {
    const { weights } = (await weighSeed(await SEED, asked([{ column: 'rating', min: 4, max: 4 }]), 'exact'))!
    expect(meanOf(weights, ({ rating }) => Number(rating))).toBeCloseTo(4, 9)
  })
})

describe('a bound of a mean', () => {
  const spendOf = async (means: RequestedConditions['means']) =>
    meanOf((await weighSeed(await SEED, asked(means, MEMBERS), 'exact'))!.weights, ({ spend }) => spend)

  it('that the mix meets without it changes nothing', async () => {
    const free = await weighSeed(await SEED, asked(undefined, MEMBERS), 'exact')
    const bound = [{ ...open, column: 'spend', min: 20, max: 90 }]
    expect((await weighSeed(await SEED, asked(bound, MEMBERS), 'exact'))!.weights).toEqual(free!.weights)
  })

  it.each([
    ['a least value', { min: 75 }, 75],
    ['a greatest value', { max: 40 }, 40],
  ])('that the mix does not meet holds with equality: %s', async (_name, ends, target) => {
    expect(await spendOf([{ ...open, ...ends, column: 'spend' }])).toBeCloseTo(target, 8)
  })

  it('that another one makes true needs no weight of its own', async () => {
    const spend = { column: 'spend', min: 75, max: 75 }
    const alone = await weighSeed(await SEED, asked([spend], MEMBERS), 'exact')
    const age = meanOf(alone!.weights, (row) => row.age)
    const both = await weighSeed(
      await SEED,
      asked([{ ...open, column: 'age', min: age - 0.5 }, spend], MEMBERS),
      'exact',
    )
    expect(meanOf(both!.weights, (row) => row.age)).toBeCloseTo(age, 7)
  })
})

describe('bounds of two means that go together', () => {
  it('hold both where only one of them pulls, and where both at once could not hold with equality', async () => {
    const one = Array.from({ length: 400 }, (_, i) => ((i * 37) % 101) / 100)
    const other = one.map((z, i) => 100 + 10 * z + ((i * 53) % 97) / 50)
    const seed = await encodeTable(tableOf([numeric('one', one, 2), numeric('other', other, 2)]), { threads: 1 })
    const least = (column: string, min: number) => ({ column, min, max: Number.POSITIVE_INFINITY })
    const weighed = async (means: RequestedConditions['means']) =>
      (await weighSeed(seed, asked(means), 'exact'))!.weights
    const far = least('other', other.reduce((sum, y) => sum + y, 0) / 400 + 2)
    const mean = (weights: Float64Array) => one.reduce((sum, y, row) => sum + weights[row]! * y, 0)
    const alone = await weighed([far])
    // Relative to its values `one` is further from its bound at first; with `other` at its bound it is beyond its own.
    expect(mean(alone)).toBeGreaterThan(0.6)
    const both = await weighed([least('one', 0.6), far])
    expect(mean(both)).toBeCloseTo(mean(alone), 9)
  })
})

describe('the calibration on means', () => {
  it('has leverages that sum to the totals that it fixes', async () => {
    const means = [
      { column: 'spend', min: 60, max: 60 },
      { column: 'age', min: 40, max: 40 },
    ]
    const { weights, corrected } = calibrationOf((await weighSeed(await WEIGHTED, asked(means, MEMBERS), 'exact'))!)
    const leverages = weights.map((w, row) => (w === 0 ? 0 : 1 - w / corrected[row]!))
    // 1, the share and both means.
    expect(leverages.reduce((sum, h) => sum + h, 0)).toBeCloseTo(4, 9)
  })
})

describe('an answer about a scenario that states a mean', () => {
  it('has no error in that mean, and less in what goes with it', async () => {
    const seed = await SEED
    const told = async (scenario: RequestedConditions) => {
      const outcomes = [{ column: 'spend', base: 'all' as const }]
      const options = {
        baseline: asked([{ column: 'spend', min: 55, max: 55 }]),
        maxLevels: 9,
        disclosure: 'exact' as const,
      }
      const { outcomes: found } = await estimateDifferences(seed, { ...options, scenario, outcomes })
      return found[0]!.kind === 'mean' ? found[0]!.mean! : null
    }
    const found = await told(asked([{ column: 'spend', min: 70, max: 70 }]))
    expect(found!.difference).toBeCloseTo(15, 8)
    expect(found!.standardError).toBe(0)
  })
})

describe('a mean that no weights have', () => {
  it.each([
    ['beyond all values', asked([{ column: 'age', min: 200, max: 200 }])],
    [
      'beyond the range of the same column',
      asked([{ column: 'age', min: 60, max: 60 }], { ranges: [{ column: 'age', min: 20, max: 50 }] }),
    ],
    [
      'that contradicts another one',
      asked([
        { column: 'age', min: 18, max: 18.01 },
        { column: 'spend', min: 150, max: 150 },
      ]),
    ],
  ])('has none: %s', async (_name, scenario) => {
    expect(await weighSeed(await SEED, scenario, 'exact')).toBeNull()
  })

  it.each([
    ['an unknown column', asked([{ column: 'wage', min: 1, max: 1 }]), 'there is no column wage'],
    ['levels that are words', asked([{ column: 'region', min: 1, max: 1 }]), 'which is no number, and takes no mean'],
    [
      'ends in the wrong sequence',
      asked([{ column: 'age', min: 40, max: 30 }]),
      'the mean of age from 40 to 30 is empty',
    ],
    ['no bound', asked([{ ...open, column: 'age' }]), 'the mean of age has no bound'],
    ['no number', asked([{ column: 'age', min: Number.NaN, max: 30 }]), 'the mean of age from NaN to 30 is empty'],
    [
      'shares and a mean of one column',
      asked([{ column: 'rating', min: 3, max: 3 }], { shares: [{ column: 'rating', levels: new Map([['1', 0.5]]) }] }),
      'column rating is conditioned twice',
    ],
  ])('is an error: %s', async (_name, scenario, message) => {
    await expect(weighSeed(await SEED, scenario, 'exact')).rejects.toThrow(message)
  })

  it('is an error for a protected seed, which would tell its largest value', async () => {
    await expect(weighSeed(await SEED, asked([{ column: 'age', min: 40, max: 40 }]))).rejects.toThrow(
      'a protected seed takes no means',
    )
  })
})
