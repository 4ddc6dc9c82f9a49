import { beforeAll, describe, expect, it } from 'vitest'
import { type EstimateOptions, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedOutcome } from '../../../src/engine/estimates/outcome-estimates.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { rowKeysOf } from '../row-keys-of.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { type Person, people, tableOfPeople } from './people.ts'

const ROWS = people(2000, 9)
let seed: Seed
beforeAll(async () => {
  seed = await encodeTable(tableOfPeople(ROWS), { threads: 1 })
})

async function quantilesOf(of: Seed, column: string, shares: readonly number[], change: Partial<EstimateOptions> = {}) {
  const { outcomes, segments } = await estimateDifferences(of, {
    scenario: scenario({ member: { yes: 0.7 } }),
    baseline: scenario({}),
    outcomes: [{ column, base: 'all', quantiles: shares }],
    maxLevels: 10,
    disclosure: 'exact',
    ...change,
  })
  return { found: read(outcomes[0]), outcomes, segments }
}

function read(outcome: EstimatedOutcome | undefined) {
  if (outcome?.kind !== 'quantiles') throw new Error('no quantiles')
  return outcome.quantiles
}

/** By definition: the least value with that share of the weights up to it. */
function byDefinition(rows: readonly (readonly [value: number, weight: number])[], share: number): number {
  const sorted = [...rows].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0)
  let sum = 0
  for (const [value, weight] of sorted) {
    sum += weight
    if (sum >= share * total - 1e-9) return value
  }
  throw new Error('no rows')
}

const weightOf = ({ member }: Person): number => {
  const yes = ROWS.filter((row) => row.member === 'yes').length / ROWS.length
  return member === 'yes' ? 0.7 / yes : 0.3 / (1 - yes)
}

describe('quantiles of the reweighted seed', () => {
  it.each([0.1, 0.5, 0.9])('are those of the definition, of the rows with a value: %d', async (share) => {
    const known = ROWS.filter(({ spend }) => spend !== null)
    const { found, outcomes } = await quantilesOf(seed, 'spend', [share])
    const expected = {
      scenario: byDefinition(
        known.map((row) => [row.spend!, weightOf(row)] as const),
        share,
      ),
      baseline: byDefinition(
        known.map((row) => [row.spend!, 1] as const),
        share,
      ),
    }
    expect(found[0]).toMatchObject({ share, ...expected, difference: expected.scenario - expected.baseline })
    expect(outcomes[0]!.baselineBase.rows).toBe(known.length)
  })

  it('are the middle of two values where the share is met between them', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => i)
    const even = await encodeTable(
      tableOf([
        categorical(
          'member',
          rows.map((i) => (i % 2 === 0 ? 'yes' : 'no')),
        ),
        numeric('spend', rows),
      ]),
      { threads: 1 },
    )
    const { found } = await quantilesOf(even, 'spend', [0.5], { scenario: scenario({}) })
    expect(found[0]).toMatchObject({ baseline: 49.5, scenario: 49.5, difference: 0, standardError: 0 })
  })

  it('have the error of Woodruff for a sample without conditions on the other side', async () => {
    // Of the two halves of a sample the quantiles are independent: each has the error of its own interval.
    const young = { ...scenario({}), ranges: [{ column: 'age', min: 18, max: 39 }] }
    const old = { ...scenario({}), ranges: [{ column: 'age', min: 40, max: 90 }] }
    const { found } = await quantilesOf(seed, 'spend', [0.75], { scenario: young, baseline: old })
    const errorOf = (rows: readonly Person[]): number => {
      const values = rows.flatMap(({ spend }) => spend ?? []).sort((a, b) => a - b)
      const reach = 1.96 * Math.sqrt((0.75 * 0.25) / values.length)
      const at = (share: number) => values[Math.ceil(share * values.length) - 1]!
      return (at(0.75 + reach) - at(0.75 - reach)) / (2 * 1.96)
    }
    const [one, other] = [ROWS.filter(({ age }) => age < 40), ROWS.filter(({ age }) => age >= 40)]
    const expected = Math.hypot(errorOf(one), errorOf(other))
    expect(found[0]!.standardError / expected).toBeGreaterThan(0.9)
    expect(found[0]!.standardError / expected).toBeLessThan(1.15)
  })

  it('are the same inside segments and under where, and left out where an interval would leave the data', async () => {
    const { segments = [] } = await quantilesOf(seed, 'spend', [0.5], { by: 'region' })
    const west = segments.find(({ level }) => level === 'west')!
    const { found } = await quantilesOf(seed, 'spend', [0.5], { where: scenario({ region: { west: 1 } }) })
    expect(found[0]).toMatchObject({ difference: read(west.outcomes[0])[0]!.difference })
    const few = { ...scenario({}), ranges: [{ column: 'age', min: 70, max: 72 }] }
    const extreme = await quantilesOf(seed, 'spend', [0.5, 0.99], { where: few })
    expect(extreme.found.map(({ share }) => share)).toEqual([0.5])
  })

  it('are not told of a protected seed', async () => {
    expect((await quantilesOf(seed, 'spend', [0.5], { disclosure: rowKeysOf(seed) })).found).toEqual([])
  })
})
