import { describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedOutcome } from '../../../src/engine/estimates/outcome-estimates.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { rowKeysOf } from '../row-keys-of.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { people, tableOfPeople } from './people.ts'

const NOTHING = scenario({})
const NO_BASE = { rows: null, effectiveRows: null }
const NO_BASES = { scenarioBase: NO_BASE, baselineBase: NO_BASE }

async function segmentsOf(seed: Seed, of: RequestedConditions, baseline = NOTHING, by = 'region') {
  const outcomes = ['intent', 'spend'].map((column) => ({ column, base: 'all' as const }))
  const asked = { scenario: of, baseline, outcomes, by, maxLevels: 100, disclosure: rowKeysOf(seed) }
  return (await estimateDifferences(seed, asked)).segments ?? []
}

function levelOf(outcome: EstimatedOutcome | undefined, level: string) {
  if (outcome?.kind !== 'shares') throw new Error('no shares')
  const found = outcome.levels.find((candidate) => candidate.level === level)
  if (found === undefined) throw new Error(`no level ${level}`)
  return found
}

// That figures inside segments equal those of the definition: estimate-differences.test.ts.
describe('estimates inside segments', () => {
  const rows = people(4000, 2)

  it('are nearly 0 where only the shares of the segments change, and absent where a share is 0', async () => {
    const seed = await encodeTable(tableOfPeople(rows), { threads: 1 })
    const segments = await segmentsOf(seed, scenario({ region: { west: 0.5, north: 0 } }))
    const byLevel = new Map(segments.map((segment) => [segment.level, segment]))
    expect(byLevel.get('north')).toMatchObject({
      status: 'excluded',
      scenario: { effectiveRows: null },
      outcomes: [{ levels: [] }, { mean: null }],
    })
    for (const level of ['west', 'south']) {
      const { status, outcomes } = byLevel.get(level)!
      expect(status).toBe('estimated')
      const { difference, standardError } = levelOf(outcomes[0], 'buy')
      // The scenario leaves out the north, which gives its groups noise of their own.
      expect(Math.abs(difference)).toBeLessThan(3 * standardError)
      expect(standardError).toBeLessThan(0.02)
    }
  })

  it('are refused for a column that is missing or numeric', async () => {
    const seed = await encodeTable(tableOfPeople(rows), { threads: 1 })
    await expect(segmentsOf(seed, NOTHING, NOTHING, 'height')).rejects.toThrow(/no column height/)
    await expect(segmentsOf(seed, NOTHING, NOTHING, 'age')).rejects.toThrow(/numeric and has no segments/)
  })
})

/** [rows, region, member, intent] */
type Group = readonly [rows: number, region: string | null, member: string, intent: string]

const MANY: readonly Group[] = [
  [100, 'north', 'yes', 'buy'],
  [100, 'north', 'no', 'never'],
  [100, 'south', 'yes', 'buy'],
  [100, 'south', 'no', 'never'],
  [30, 'west', 'yes', 'never'],
  [30, 'west', 'no', 'buy'],
]

function seedOf(groups: readonly Group[]): Promise<Seed> {
  const rows = groups.flatMap(([times, ...row]) => Array.from({ length: times }, () => row))
  const table = tableOf([
    categorical(
      'region',
      rows.map(([region]) => region),
    ),
    categorical(
      'member',
      rows.map(([, member]) => member),
    ),
    categorical(
      'intent',
      rows.map(([, , intent]) => intent),
    ),
    numeric(
      'spend',
      rows.map((_, i) => i % 50),
    ),
  ])
  return encodeTable(table, { threads: 1 })
}

describe('segments of few people', () => {
  const MEMBERS = scenario({ member: { yes: 0.8 } })
  const byLevel = async (groups: readonly Group[], of = MEMBERS) =>
    new Map((await segmentsOf(await seedOf(groups), of)).map((segment) => [segment.level, segment]))
  const statuses = async (groups: readonly Group[], of = MEMBERS) =>
    Object.fromEntries([...(await byLevel(groups, of))].map(([level, { status }]) => [level, status]))

  it('are answered alike for 0 rows and 9 rows', async () => {
    // Either 0 or 9 of the 20 people of the east are in the range of the scenario.
    const ofEast = async (inside: number) => {
      const rows = [
        ...MANY.flatMap(([n, ...row]) => Array.from({ length: n }, () => [...row, 30] as const)),
        ...Array.from({ length: 20 }, (_, i) => ['east', i % 2 ? 'yes' : 'no', 'buy', i < inside ? 30 : 80] as const),
      ]
      const table = tableOf([
        categorical(
          'region',
          rows.map(([region]) => region),
        ),
        categorical(
          'member',
          rows.map(([, member]) => member),
        ),
        categorical(
          'intent',
          rows.map(([, , intent]) => intent),
        ),
        numeric(
          'spend',
          rows.map(([, , , age]) => age),
        ),
      ])
      const seed = await encodeTable(table, { threads: 1 })
      const range = { spend: { min: 0, max: 40 } }
      return segmentsOf(seed, scenario({ member: { yes: 0.8 } }, range), scenario({}, range))
    }
    const [none, nine] = [await ofEast(0), await ofEast(9)]
    for (const segments of [none, nine]) {
      const found = Object.fromEntries(segments.map(({ level, status }) => [level, status]))
      expect(found).toEqual({ north: 'estimated', south: 'estimated', west: 'estimated', east: 'too_few_rows' })
    }
    const east = (segments: typeof none) => segments.find(({ level }) => level === 'east')
    expect(east(none)).toEqual(east(nine))
    expect(east(none)?.outcomes).toEqual([
      { column: 'intent', kind: 'shares', base: 'all', levels: [], ...NO_BASES },
      { column: 'spend', kind: 'mean', mean: null, ...NO_BASES },
    ])
  })

  it('have figures from 10 rows on, and surely from 30 on', async () => {
    const ofEast = async (rows: number) => (await statuses([...MANY, [rows, 'east', 'yes', 'buy']])).east
    expect([await ofEast(9), await ofEast(31)]).toEqual(['too_few_rows', 'estimated'])
  })

  it('are excluded where a side excludes the level', async () => {
    expect(await statuses(MANY, scenario({ region: { west: 0 }, member: { yes: 0.8 } }))).toEqual({
      north: 'estimated',
      south: 'estimated',
      west: 'excluded',
    })
  })

  it('have no figures if the whole comparison has too few rows', async () => {
    const nobody = scenario({ region: { west: 1 }, member: { yes: 1 } }, { spend: { min: 49, max: 49 } })
    expect(new Set(Object.values(await statuses(MANY, nobody)))).toEqual(new Set(['too_few_rows']))
  })
})
