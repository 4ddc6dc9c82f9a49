import { describe, expect, it } from 'vitest'
import { roundedCount, roundedEffectiveRows } from '../../../src/engine/disclosure/rounded-counts.ts'
import type { RowKeys } from '../../../src/engine/disclosure/row-keys.ts'
import { type Estimates, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedDifference } from '../../../src/engine/estimates/figures.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { rowKeysOf } from '../row-keys-of.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

/** 500 people and a few more: [rows, town, plan, answer, age]. */
type Group = readonly [rows: number, town: string, plan: string, answer: string | null, age: number]

function seedOf(groups: readonly Group[]): Promise<Seed> {
  const rows = groups.flatMap(([times, ...row]) => Array.from({ length: times }, () => row))
  const table = tableOf([
    categorical(
      'town',
      rows.map(([town]) => town),
    ),
    categorical(
      'plan',
      rows.map(([, plan]) => plan),
    ),
    categorical(
      'answer',
      rows.map(([, , answer]) => answer),
    ),
    numeric(
      'age',
      rows.map(([, , , age]) => age),
    ),
  ])
  return encodeTable(table, { threads: 1 })
}

const MANY: readonly Group[] = [
  [100, 'ash', 'basic', 'yes', 30],
  [100, 'ash', 'basic', 'no', 31],
  [100, 'elm', 'basic', 'yes', 32],
  [100, 'elm', 'plus', 'no', 33],
  [100, 'elm', 'plus', 'maybe', 34],
]

const NOTHING = scenario({})
const estimate = (seed: Seed, of: RequestedConditions, baseline = NOTHING, outcomes = ['answer', 'age']) =>
  estimateDifferences(seed, {
    scenario: of,
    baseline,
    outcomes: outcomes.map((column) => ({ column, base: 'all' })),
    maxLevels: 100,
    disclosure: rowKeysOf(seed),
  })

const NO_BASE = { rows: null, effectiveRows: null }
const NO_BASES = { scenarioBase: NO_BASE, baselineBase: NO_BASE }
const EMPTY = [
  { ...NO_BASES, column: 'answer', kind: 'shares', base: 'all', levels: [] },
  { ...NO_BASES, column: 'age', kind: 'mean', mean: null },
]
const TOO_FEW = { effectiveRows: null, support: null, lowSupport: true }

describe('counts that are released', () => {
  it.each([
    [0, null],
    [9, null],
    [10, 10],
    [99, 99],
    [1234, 1200],
  ])('are rounded: %d rows are %s', (rows, released) => expect(roundedCount(rows)).toBe(released))

  it.each([
    [0.3, 1],
    [9.9, 1],
    [10, 10],
    [19.9, 10],
    [49.9, 20],
    [99, 50],
    [100, 100],
    [119, 110],
    [4987.6, 4900],
  ])('are rounded: %d effective rows are %d', (rows, released) => expect(roundedEffectiveRows(rows)).toBe(released))
})

describe('estimates do not distinguish 0 rows from 9 rows', () => {
  const few: Group = [9, 'oak', 'plus', 'yes', 60]

  it.each([
    ['inside everything that a scenario allows', scenario({ plan: { plus: 1 } }, { age: { min: 60, max: 60 } })],
    [
      'of a level that is to have a share, in the range',
      scenario({ town: { oak: 0.2 } }, { age: { min: 30, max: 60 } }),
    ],
    ['that two shares force together', scenario({ town: { ash: 0.8 }, plan: { plus: 0.8 } })],
  ])('%s', async (_name, of) => {
    const forced: Group = [9, 'ash', 'plus', 'no', 33]
    // The level is one of the schema in both seeds: outside of every range above where it is not inside.
    const known: Group = [20, 'oak', 'basic', 'yes', 80]
    const without = await estimate(await seedOf([...MANY, known]), of)
    const withThem = await estimate(await seedOf([...MANY, known, few, forced]), of)
    expect(without).toEqual({ scenario: TOO_FEW, baseline: without.baseline, outcomes: EMPTY })
    expect(withThem.scenario).toEqual(without.scenario)
    expect(withThem.outcomes).toEqual(without.outcomes)
  })

  it('with one level among the outcomes', async () => {
    const levelsWith = async (rows: number) => {
      const known: Group = [10, 'ash', 'basic', 'never', 90]
      const seed = await seedOf([...MANY, known, [rows, 'elm', 'basic', 'never', 30]])
      const within = scenario({ town: { elm: 0.8 } }, { age: { min: 18, max: 40 } })
      const { outcomes } = await estimate(seed, within, scenario({}, { age: { min: 18, max: 40 } }), ['answer'])
      return outcomes[0]?.kind === 'shares' ? outcomes[0].levels.map(({ level }) => level).sort() : null
    }
    expect(await levelsWith(0)).toEqual(['maybe', 'no', 'yes'])
    expect(await levelsWith(9)).toEqual(['maybe', 'no', 'yes'])
    expect(await levelsWith(40)).toEqual(['maybe', 'never', 'no', 'yes'])
  })
})

describe('estimates', () => {
  it('distinguish the sides: one side may have too few rows', async () => {
    const {
      scenario: one,
      baseline,
      outcomes,
    } = await estimate(await seedOf(MANY), NOTHING, scenario({}, { age: { min: 60, max: 70 } }))
    expect(one).toEqual({ effectiveRows: 500, support: 500, lowSupport: false })
    expect(baseline).toEqual(TOO_FEW)
    expect(outcomes).toEqual(EMPTY)
  })

  it('have no mean where fewer than 10 rows have a value', async () => {
    const seed = await encodeTable(
      tableOf([
        categorical('town', [...Array(200).fill('ash'), ...Array(200).fill('elm')]),
        numeric(
          'spend',
          Array.from({ length: 400 }, (_, i) => (i < 200 ? i % 40 : i < 209 ? 7 : null)),
        ),
      ]),
      { threads: 1 },
    )
    const ofTown = (town: string) => estimate(seed, scenario({ town: { [town]: 1 } }), NOTHING, ['spend'])
    expect((await ofTown('elm')).scenario.effectiveRows).toBeGreaterThan(150)
    expect((await ofTown('elm')).outcomes).toEqual([
      {
        column: 'spend',
        kind: 'mean',
        mean: null,
        scenarioBase: NO_BASE,
        baselineBase: { rows: 210, effectiveRows: expect.any(Number) },
      },
    ])
    expect((await ofTown('ash')).outcomes[0]).not.toMatchObject({ mean: null })
  })

  it('state their effective rows', async () => {
    const seed = await seedOf([...MANY, [30, 'oak', 'basic', 'yes', 50]])
    const { scenario: side } = await estimate(seed, scenario({ town: { oak: 0.9 } }))
    expect(side).toEqual({ effectiveRows: 20, support: 20, lowSupport: true })
  })

  /** Part of the installations in which somebody who knows all other answers guesses one from the share that is told. */
  const guessed = async (baseline: RequestedConditions) => {
    const groups = MANY.map(([rows, ...row]): Group => [rows / 5, ...row])
    const seeds = await Promise.all(['yes', 'no'].map((answer) => seedOf([...groups, [1, 'ash', 'basic', answer, 30]])))
    const shareOf = async (seed: Seed, disclosure: 'exact' | RowKeys) => {
      const outcomes = [{ column: 'answer', base: 'all' as const }]
      const asked = { scenario: scenario({ town: { ash: 0.6 } }), baseline, outcomes, maxLevels: 10 }
      const [found] = (await estimateDifferences(seed, { ...asked, disclosure })).outcomes
      return found?.kind === 'shares' ? (found.levels.find(({ level }) => level === 'yes')?.baseline ?? 0) : 0
    }
    const exactly = await Promise.all(seeds.map((seed) => shareOf(seed, 'exact')))
    const middle = (exactly[0]! + exactly[1]!) / 2
    let right = 0
    for (let i = 0; i < 400; i++) {
      const seed = seeds[i % 2]!
      if ((await shareOf(seed, rowKeysOf(seed, `installation number ${i}`))) > middle === (i % 2 === 0)) right++
    }
    return right / 400
  }

  // Of 100 people, of whom nobody can be left out by the question: as much noise as one row.
  it('of everybody do not say for sure what a single person answered, even of a small seed', async () => {
    const right = await guessed(NOTHING)
    expect(right).toBeGreaterThan(0.5)
    expect(right).toBeLessThan(0.8)
  })

  it('of those in a range that one person may be left out of say next to nothing', async () => {
    expect(await guessed(scenario({}, { age: { min: 18, max: 33 } }))).toBeLessThan(0.6)
  })

  it('cover only the most frequent levels if there are very many', async () => {
    const levels = Array.from({ length: 3000 }, (_, i) => `level ${i % 60}`)
    const seed = await encodeTable(tableOf([categorical('many', levels)]), { threads: 1 })
    const options = {
      scenario: NOTHING,
      baseline: NOTHING,
      outcomes: [{ column: 'many', base: 'all' as const }],
      maxLevels: 5,
      disclosure: rowKeysOf(seed),
    }
    expect((await estimateDifferences(seed, options)).outcomes[0]).toMatchObject({ levels: { length: 5 } })
  })

  it('have no mean of values too large to be squared', async () => {
    const values = Array.from({ length: 400 }, (_, i) => (((i * 7) % 400) - 200) * 1e200)
    const seed = await encodeTable(tableOf([numeric('huge', values)]), { threads: 1 })
    const { outcomes } = await estimate(seed, NOTHING, NOTHING, ['huge'])
    expect(outcomes).toMatchObject([{ column: 'huge', kind: 'mean', mean: null }])
  })

  it('are given for shares of many columns, whose every combination is rare', async () => {
    const random = new RandomStream(1, PURPOSE.value)
    const columns = Array.from({ length: 6 }, (_, c) =>
      categorical(
        `trait ${c}`,
        Array.from({ length: 600 }, () => `level ${Math.floor(6 * random.real())}`),
      ),
    )
    const seed = await encodeTable(tableOf(columns), { threads: 1 })
    const shares = Object.fromEntries(
      columns.map(({ name, levels }) => [name, Object.fromEntries(levels.map((level, i) => [level, (i + 3) / 33]))]),
    )
    const { scenario: side } = await estimate(seed, scenario(shares), NOTHING, ['trait 0'])
    expect(side.effectiveRows).toBeGreaterThanOrEqual(100)
  })
})

describe('figures of a protected seed', () => {
  const random = new RandomStream(3, PURPOSE.value)
  const rows = Array.from({ length: 800 }, () => {
    const town = ['ash', 'elm', 'oak'][random.below(3)]!
    return { town, answer: random.real() < (town === 'ash' ? 0.6 : 0.35) ? 'yes' : 'no', age: 18 + 60 * random.real() }
  })
  const table = tableOf([
    categorical(
      'town',
      rows.map(({ town }) => town),
    ),
    categorical(
      'answer',
      rows.map(({ answer }) => answer),
    ),
    numeric(
      'age',
      rows.map(({ age }) => age),
      9,
    ),
  ])
  const both = async (of: RequestedConditions, rareRows = 0) => {
    const answers = rows.map(({ answer }, row) => (row < rareRows ? 'rare' : answer))
    const seed = await encodeTable(
      { ...table, columns: table.columns.map((one) => (one.name === 'answer' ? categorical('answer', answers) : one)) },
      { threads: 1 },
    )
    const asked = { scenario: of, baseline: NOTHING, maxLevels: 100, by: 'town' }
    const outcomes = ['answer', 'age'].map((column) => ({ column, base: 'all' as const }))
    const [exact, told] = await Promise.all(
      (['exact', rowKeysOf(seed)] as const).map((disclosure) =>
        estimateDifferences(seed, { ...asked, outcomes, disclosure }),
      ),
    )
    return { exact: exact!, told: told! }
  }
  const figuresOf = ({ outcomes }: Estimates) =>
    outcomes.flatMap((outcome): EstimatedDifference[] =>
      outcome.kind === 'shares'
        ? [...outcome.levels]
        : outcome.kind === 'quantiles' || outcome.mean === null
          ? []
          : [outcome.mean],
    )
  const ASH = scenario({ town: { ash: 0.7 } })

  it('differ from the exact ones by noise that their standard error knows', async () => {
    const { exact, told } = await both(ASH)
    const pairs = [exact, ...exact.segments!].flatMap((one, s) =>
      figuresOf(one).map((figure, i) => [figure, figuresOf([told, ...told.segments!][s]!)[i]!] as const),
    )
    expect(pairs).toHaveLength(3 * 4)
    for (const [figure, noisy] of pairs) {
      expect(noisy.scenario).not.toBe(figure.scenario)
      expect(Math.abs(noisy.difference - figure.difference)).toBeLessThan(3 * noisy.standardError)
    }
    const wider = pairs.filter(([figure, noisy]) => noisy.standardError > figure.standardError)
    expect(wider.length).toBeGreaterThan(8)
  })

  it('are scenario less baseline', async () => {
    const { told } = await both(ASH)
    for (const { scenario: of, baseline, difference } of [told, ...told.segments!].flatMap(figuresOf))
      expect(difference).toBeCloseTo(of - baseline, 12)
  })

  it('are the same whenever and wherever they are asked, and in whatever words', async () => {
    const seed = await encodeTable(table, { threads: 1 })
    const ask = (of: RequestedConditions, secret?: string) =>
      estimateDifferences(seed, {
        scenario: of,
        baseline: NOTHING,
        outcomes: ['answer', 'age'].map((column) => ({ column, base: 'all' as const })),
        maxLevels: 100,
        disclosure: rowKeysOf(seed, secret),
      })
    const first = await ask(scenario({ town: { ash: 0.6, elm: 0.4 } }, { age: { min: 30, max: 60 } }))
    expect(await ask(scenario({ town: { elm: 0.4, ash: 0.6 } }, { age: { min: 30, max: 60 } }))).toEqual(first)
    // Nobody's age lies between these ends.
    expect(await ask(scenario({ town: { ash: 0.6, elm: 0.4 } }, { age: { min: 30 - 1e-7, max: 60 } }))).toEqual(first)
    expect(
      await ask(scenario({ town: { ash: 0.6, elm: 0.4 } }, { age: { min: 30, max: 60 } }), 'another secret of one'),
    ).not.toEqual(first)
  })

  it('show the same noise at every share, so that moving one shows nothing new', async () => {
    const { ash, elm } = { ash: 0.2, elm: 0.8 }
    const shares = [ash, 0.5, elm]
    const means = await Promise.all(
      shares.map(async (share) => {
        const { exact, told } = await both(scenario({ town: { ash: share, elm: 1 - share } }))
        return [exact, told].map(({ outcomes }) => (outcomes[1]?.kind === 'mean' ? outcomes[1].mean!.scenario : 0))
      }),
    )
    const noise = means.map(([exact, told]) => told! - exact!)
    expect(noise[1]).toBeCloseTo((noise[0]! + noise[2]!) / 2, 3)
    expect(Math.abs(noise[0]!)).toBeGreaterThan(1e-3)
  })

  it('of the owner are not rounded, and know the rarest levels', async () => {
    const { exact, told } = await both(ASH, 3)
    const levels = ({ outcomes: [answer] }: Estimates) =>
      answer?.kind === 'shares' ? answer.levels.map(({ level }) => level).sort() : []
    expect(levels(exact)).toEqual(['no', 'rare', 'yes'])
    expect(levels(told)).not.toContain('rare')
    const rare =
      exact.outcomes[0]!.kind === 'shares' ? exact.outcomes[0]!.levels.find(({ level }) => level === 'rare') : null
    expect(rare?.baseline).toBeCloseTo(3 / 800, 12)
    expect(exact.scenario.effectiveRows).not.toBe(told.scenario.effectiveRows)
  })

  it('of the owner are given for a single row inside a scenario', async () => {
    const [next = 0, age = 0] = rows
      .map((row) => row.age)
      .sort((a, b) => a - b)
      .slice(-2)
    const { exact, told } = await both(scenario({}, { age: { min: (next + age) / 2, max: age } }))
    expect(exact.scenario).toMatchObject({ effectiveRows: 1, lowSupport: true })
    expect(figuresOf(exact).length).toBeGreaterThan(0)
    expect(told.scenario).toEqual(TOO_FEW)
    expect(figuresOf(told)).toEqual([])
  })

  it('are withheld where one row makes nearly all of their variance', async () => {
    // One of 400 spent a thousand times as much as all others together.
    const spend = Array.from({ length: 400 }, (_, i) => (i === 7 ? 1e6 : i % 2))
    const group = Array.from({ length: 400 }, (_, i) => (i % 3 === 0 ? 'a' : 'b'))
    const seed = await encodeTable(tableOf([categorical('group', group), numeric('spend', spend)]), { threads: 1 })
    const ask = (disclosure: 'exact' | RowKeys, of: Seed = seed) =>
      estimateDifferences(of, {
        scenario: scenario({ group: { a: 0.6 } }),
        baseline: NOTHING,
        outcomes: [{ column: 'spend', base: 'all' }],
        maxLevels: 10,
        disclosure,
      })
    const [exact, told] = [await ask('exact'), await ask(rowKeysOf(seed))]
    expect(exact.outcomes[0]).toMatchObject({ mean: { baseline: (1e6 + 199) / 400 } })
    expect(told.outcomes[0]).toMatchObject({ column: 'spend', kind: 'mean', mean: null })
    const modest = spend.map((one) => Math.min(one, 10))
    const usual = await encodeTable(tableOf([categorical('group', group), numeric('spend', modest)]), { threads: 1 })
    expect(await ask(rowKeysOf(usual), usual)).toMatchObject({
      outcomes: [{ mean: { degreesOfFreedom: expect.any(Number) } }],
    })
  })

  it('state the rows of a base with noise, and rounded', async () => {
    const { exact, told } = await both(scenario({}, { age: { min: 18, max: 45 } }))
    const inside = rows.filter(({ age }) => age <= 45).length
    expect(exact.outcomes[0]!.scenarioBase.rows).toBe(inside)
    const { rows: noisy, effectiveRows } = told.outcomes[0]!.scenarioBase
    expect(noisy).toBe(roundedCount(noisy!))
    expect(Math.abs(noisy! - inside)).toBeLessThanOrEqual(15 + 5)
    expect(effectiveRows).toBe(roundedEffectiveRows(effectiveRows!))
  })
})
