import { expect, it } from 'vitest'
import { studentQuantile } from '../../../src/answers/arithmetic/student-t.ts'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

/**
 * Samples of a population whose quantiles are known, counted over all of its people. Spending is skewed and goes strongly with
 * membership, which the scenario changes; a third spend nothing. Minutes are normal, and age is whole years.
 */
const POPULATION = 100_000
const SAMPLES = 300
const SHARES = [0.25, 0.5, 0.9]

interface Buyer {
  readonly member: 'yes' | 'no'
  readonly region: 'north' | 'south'
  readonly spend: number
  readonly minutes: number
  readonly age: number
}

function buyers(count: number): Buyer[] {
  const random = new RandomStream(11, PURPOSE.value)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.real())) * Math.cos(2 * Math.PI * random.real())
  return Array.from({ length: count }, (): Buyer => {
    const region = random.real() < 0.4 ? 'north' : 'south'
    const age = Math.round(18 + 60 * random.real() ** 1.3)
    const member = random.real() < (region === 'north' ? 0.5 : 0.3) ? 'yes' : 'no'
    const amount = Math.exp((member === 'yes' ? 4 : 3) + 0.8 * normal())
    const spend = random.real() < 0.2 ? 0 : Number(amount.toFixed(2))
    return { member, region, spend, minutes: Number((30 + (member === 'yes' ? 8 : 0) + 10 * normal()).toFixed(1)), age }
  })
}

const NUMBERS = ['spend', 'minutes', 'age'] as const

const tableOfBuyers = (rows: readonly Buyer[]): Table =>
  tableOf([
    categorical(
      'member',
      rows.map(({ member }) => member),
    ),
    categorical(
      'region',
      rows.map(({ region }) => region),
    ),
    ...NUMBERS.map((name) =>
      numeric(
        name,
        rows.map((row) => row[name]),
      ),
    ),
  ])

/** The quantile of a population whose members have a share. */
function truth(rows: readonly Buyer[], name: (typeof NUMBERS)[number], share: number, members: number | null): number {
  const natural = rows.filter(({ member }) => member === 'yes').length / rows.length
  const weightOf = ({ member }: Buyer): number =>
    members === null ? 1 : member === 'yes' ? members / natural : (1 - members) / (1 - natural)
  const sorted = [...rows].sort((a, b) => a[name] - b[name])
  const total = sorted.reduce((sum, row) => sum + weightOf(row), 0)
  let sum = 0
  for (const row of sorted) {
    sum += weightOf(row)
    if (sum >= share * total) return row[name]
  }
  throw new Error('no rows')
}

it.each([
  [300, 0.7],
  [1_000, 0.7],
  [1_000, 0.45],
])(
  '95 % intervals of differences of quantiles cover the truth: %d rows, %d members',
  async (n, members) => {
    const population = buyers(POPULATION)
    const random = new RandomStream(n, PURPOSE.value)
    const known = new Map<string, number>(
      NUMBERS.flatMap((name) =>
        SHARES.map((share) => {
          const difference = truth(population, name, share, members) - truth(population, name, share, null)
          return [`${name} ${share}`, difference] as const
        }),
      ),
    )
    const covered = new Map<string, number>()
    for (let sample = 0; sample < SAMPLES; sample++) {
      const rows = Array.from({ length: n }, () => population[Math.floor(random.real() * POPULATION)]!)
      const seed = await encodeTable(tableOfBuyers(rows), { threads: 1 })
      const { outcomes } = await estimateDifferences(seed, {
        scenario: scenario({ member: { yes: members } }),
        baseline: scenario({}),
        outcomes: NUMBERS.map((column) => ({ column, base: 'all', quantiles: SHARES })),
        maxLevels: 10,
        disclosure: 'exact',
      })
      for (const outcome of outcomes) {
        if (outcome.kind !== 'quantiles') throw new Error('no quantiles')
        for (const { share, difference, standardError, degreesOfFreedom } of outcome.quantiles) {
          const key = `${outcome.column} ${share}`
          const reach = studentQuantile(0.975, degreesOfFreedom ?? 1e6) * standardError
          if (Math.abs(difference - known.get(key)!) <= reach + 1e-9) covered.set(key, (covered.get(key) ?? 0) + 1)
        }
      }
    }
    const rates = [...known.keys()].map((key) => [key, (covered.get(key) ?? 0) / SAMPLES] as const)
    const average = rates.reduce((sum, [, rate]) => sum + rate, 0) / rates.length
    expect({ n, members, low: rates.filter(([, rate]) => rate < 0.91) }).toEqual({ n, members, low: [] })
    // Of whole years, intervals are a little too wide: the quantile steps by one.
    expect(rates.filter(([key, rate]) => rate > (key.startsWith('age') ? 0.995 : 0.985))).toEqual([])
    expect(average).toBeGreaterThanOrEqual(0.93)
    expect(average).toBeLessThanOrEqual(0.98)
  },
  600_000,
)
