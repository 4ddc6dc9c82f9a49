import { beforeAll, describe, expect, it } from 'vitest'
import type { Disclosure } from '../../../src/engine/disclosure/rounded-counts.ts'
import { assessScenario, generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { rowsOf, scenario } from './written-scenario.ts'

type Person = readonly [plan: string, region: string, age: number]

const modelOf = (people: readonly Person[]): Promise<Model> =>
  trainModel(
    tableOf([
      categorical(
        'plan',
        people.map(([plan]) => plan),
      ),
      categorical(
        'region',
        people.map(([, region]) => region),
      ),
      numeric(
        'age',
        people.map(([, , age]) => age),
      ),
    ]),
    { threads: 1 },
  )

const times = (count: number, person: (i: number) => Person) => Array.from({ length: count }, (_, i) => person(i))

/** `pro` have the pro plan and 40 live abroad; `both` of them do. 12 are too few for the model to see that plan and region go together. */
const people = (both: number, pro = 12) => [
  ...times(pro - both, (i) => ['pro', 'home', 30 + i]),
  ...times(both, (i) => ['pro', 'abroad', 40 + i]),
  ...times(98 + both, (i) => ['free', 'home', 20 + (i % 60)]),
  ...times(40 - both, (i) => ['free', 'abroad', 20 + (i % 60)]),
]

const ask = (model: Model, of: RequestedConditions, rowCount: number, disclosure: Disclosure) =>
  assessScenario(model, of, rowCount, { threads: 1, disclosure })

/** 0.8 + 0.8 - 1 of the rows have to be both. */
const BOTH = scenario({ plan: { pro: 0.8 }, region: { abroad: 0.8 } })

describe('a combination that nobody has', () => {
  let nobody: Model
  beforeAll(async () => {
    nobody = await modelOf(people(0))
  })

  it('is at most ten times as frequent as the model expects, to the owner of the seed', async () => {
    const found = await ask(nobody, BOTH, 100, 'exact')
    // The model expects both of 12/150 * 40/150: ten times that are 21 of 100 rows, which are 0.6 of 35.
    expect(found).toMatchObject({ rows: 35, lowSupport: true })
    expect(found.shortfall).toEqual({
      detail:
        '0.8 pro (plan) with 0.8 abroad (region) needs at least 0.6 of the rows to be both; 0 of 150 seed rows are. A combination of levels may have at most 10 times its usual share, or 100 generated rows per seed row where that is more.',
      binding: [
        { column: 'plan', level: 'pro', target: 0.8, seedRows: 12 },
        { column: 'region', level: 'abroad', target: 0.8, seedRows: 40 },
      ],
    })
  })

  it.each([10, 100, 1000, 100_000])('is not the larger part of %i rows of a protected seed', async (rowCount) => {
    const found = await ask(nobody, BOTH, rowCount, 'protected')
    expect(found).toMatchObject({ rows: 0, fill: 0 })
    expect(found.shortfall?.detail).toBe(
      '0.8 pro (plan) with 0.8 abroad (region) needs at least 0.6 of the rows to be both; fewer than 10 of 150 seed rows are. A combination of levels that fewer than 10 seed rows have may be at most 0.05 of the rows.',
    )
  })

  it('has a twentieth of the rows of a protected seed where its shares need no more', async () => {
    const share = (both: number) => scenario({ plan: { pro: 0.5 }, region: { abroad: 0.5 + both } })
    const rows = async (both: number) => (await ask(nobody, share(both), 1000, 'protected')).rows
    expect([await rows(0.04), await rows(0.05), await rows(0.06)]).toEqual([1000, 1000, 0])
    const table = await generate(nobody, { rowCount: 1000, seed: 1, scenario: share(0.05), threads: 1 })
    const { plan, region } = await rowsOf(table)
    const both = plan!.filter((level, i) => level === 'pro' && region![i] === 'abroad').length
    expect(both).toBe(50)
  })
})

describe('a protected seed', () => {
  it('answers alike whether none has a combination or nine have it', async () => {
    const answers = await Promise.all(
      [0, 1, 9].map(async (both) => {
        const model = await modelOf(people(both, 40))
        return await Promise.all(
          [BOTH, scenario({ plan: { pro: 0.9 }, region: { abroad: 0.3 } })].map((of) =>
            ask(model, of, 100, 'protected'),
          ),
        )
      }),
    )
    const [none, one, nine] = answers.map((of) =>
      of.map(({ rows, shortfall }) => ({ rows, detail: shortfall?.detail })),
    )
    expect(none![0]!.rows).toBe(0)
    expect(one).toEqual(none)
    expect(nine).toEqual(none)
  })
})

describe('the owner of a seed', () => {
  it('is told exact counts and effective rows', async () => {
    const model = await modelOf(people(3))
    const found = await ask(model, BOTH, 1000, 'exact')
    // Three rows stand behind 300 rows, which are 0.6 of 500.
    expect(found.rows).toBe(500)
    expect(found.shortfall?.detail).toBe(
      '0.8 pro (plan) with 0.8 abroad (region) needs at least 0.6 of the rows to be both; 3 of 150 seed rows are. A seed row may stand behind at most 100 generated rows.',
    )
    const mix = await ask(model, scenario({ plan: { pro: 0.5 } }), 100, 'exact')
    expect(mix.effectiveRows).toBeCloseTo(1 / (0.25 / 12 + 0.25 / 138), 9)
    expect(mix.largestTilt).toBeCloseTo(0.5 / (12 / 150), 9)
    const guarded = await ask(model, scenario({ plan: { pro: 0.5 } }), 100, 'protected')
    expect(guarded).toMatchObject({ effectiveRows: 20, largestTilt: 6.3 })
  })

  it('has rows of a scenario that a single seed row is inside, as far as the cap allows, with low support', async () => {
    const model = await modelOf(people(1))
    const all = scenario({ plan: { pro: 1 }, region: { abroad: 1 } })
    const found = await ask(model, all, 100, 'exact')
    expect(found).toMatchObject({ rows: 100, effectiveRows: 1, lowSupport: true, shortfall: null })
    expect(await ask(model, all, 100, 'protected')).toMatchObject({ rows: 0 })
  })

  it('has no rows of a scenario that no seed row is inside', async () => {
    const found = await ask(
      await modelOf(people(0)),
      scenario({ plan: { pro: 1 }, region: { abroad: 1 } }),
      100,
      'exact',
    )
    expect(found.rows).toBe(0)
    expect(found.shortfall).toEqual({
      detail: 'Every row is to be pro (plan) and abroad (region); 0 of 150 seed rows are. A scenario needs at least 1.',
      binding: [
        { column: 'plan', level: 'pro', target: 1 },
        { column: 'region', level: 'abroad', target: 1 },
      ],
    })
  })
})
