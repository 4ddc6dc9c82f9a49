import { describe, expect, it } from 'vitest'
import { roundedCount, roundedEffectiveRows } from '../../../src/engine/disclosure/rounded-counts.ts'
import { type Estimates, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { EstimatedDifference, EstimatedMean } from '../../../src/engine/estimates/figures.ts'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { encodeTable } from '../../../src/engine/train.ts'
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
    disclosure: 'protected',
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

  it('that make the difference between scenario and baseline', async () => {
    const without = await estimate(await seedOf(MANY), scenario({}, { age: { min: 18, max: 40 } }))
    const withThem = await estimate(await seedOf([...MANY, few]), scenario({}, { age: { min: 18, max: 40 } }))
    expect(without.outcomes).toEqual(EMPTY)
    expect(withThem.outcomes).toEqual(EMPTY)
    const enough = await estimate(
      await seedOf([...MANY, [10, ...few.slice(1)] as unknown as Group]),
      scenario({}, { age: { min: 18, max: 40 } }),
    )
    expect(enough.outcomes).not.toEqual(EMPTY)
  })

  it('with one level among the outcomes, not even by the sum of the others', async () => {
    const levelsWith = async (answer: string | null, rows: number) => {
      const known: Group = [10, 'ash', 'basic', answer, 90]
      const seed = await seedOf([...MANY, known, [rows, 'elm', 'basic', answer, 30]])
      const within = scenario({ town: { elm: 0.8 } }, { age: { min: 18, max: 40 } })
      const { outcomes } = await estimate(seed, within, scenario({}, { age: { min: 18, max: 40 } }), ['answer'])
      return outcomes[0]?.kind === 'shares' ? outcomes[0].levels.map(({ level }) => level) : null
    }
    for (const answer of ['never', null]) {
      const withNone = await levelsWith(answer, 0)
      expect(withNone).toEqual(await levelsWith(answer, 9))
      // The rarest of the others is kept back as well.
      expect(withNone).toEqual(['no', 'yes'])
      expect(await levelsWith(answer, 10)).toHaveLength(answer === null ? 3 : 4)
    }
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
    expect((await ofTown('elm')).scenario.effectiveRows).toBe(200)
    expect((await ofTown('elm')).outcomes).toEqual([
      {
        column: 'spend',
        kind: 'mean',
        mean: null,
        scenarioBase: NO_BASE,
        baselineBase: { rows: 210, effectiveRows: 200 },
      },
    ])
    expect((await ofTown('ash')).outcomes[0]).not.toMatchObject({ mean: null })
  })

  it('state their effective rows', async () => {
    const seed = await seedOf([...MANY, [30, 'oak', 'basic', 'yes', 50]])
    const { scenario: side } = await estimate(seed, scenario({ town: { oak: 0.9 } }))
    expect(side).toEqual({ effectiveRows: 20, support: 20, lowSupport: true })
  })

  // Thresholds and rounding hide single people where they count for less than a tenth of an error: in large seeds.
  const levelsWith = async (groups: readonly Group[], answer: string) => {
    const { outcomes } = await estimate(
      await seedOf([...groups, [1, 'ash', 'basic', answer, 30]]),
      scenario({ town: { ash: 0.6 } }),
      NOTHING,
      ['answer'],
    )
    if (outcomes[0]?.kind !== 'shares') throw new Error('no shares')
    return Object.fromEntries(outcomes[0].levels.map(({ level, baseline }) => [level, baseline]))
  }
  const times = (factor: number) => MANY.map(([rows, ...row]) => [rows * factor, ...row] as unknown as Group)

  it('have the same shares of a large seed whatever a single person answered', async () => {
    expect(await levelsWith(times(20), 'yes')).toEqual(await levelsWith(times(20), 'no'))
  })

  it.fails('have the same shares of a small seed whatever a single person answered', async () => {
    expect(await levelsWith(times(0.2), 'yes')).toEqual(await levelsWith(times(0.2), 'no'))
  })

  it('cover only the most frequent levels if there are very many', async () => {
    const levels = Array.from({ length: 3000 }, (_, i) => `level ${i % 60}`)
    const seed = await encodeTable(tableOf([categorical('many', levels)]), { threads: 1 })
    const options = {
      scenario: NOTHING,
      baseline: NOTHING,
      outcomes: [{ column: 'many', base: 'all' as const }],
      maxLevels: 5,
      disclosure: 'protected' as const,
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
      (['exact', 'protected'] as const).map((disclosure) =>
        estimateDifferences(seed, { ...asked, outcomes, disclosure }),
      ),
    )
    return { exact: exact!, told: told! }
  }
  const figuresOf = ({ outcomes }: Estimates) =>
    outcomes.flatMap((outcome): EstimatedDifference[] =>
      outcome.kind === 'shares' ? [...outcome.levels] : outcome.mean === null ? [] : [outcome.mean],
    )
  const ASH = scenario({ town: { ash: 0.7 } })

  it('differ from the exact ones by a twentieth of their standard error at most', async () => {
    const { exact, told } = await both(ASH)
    const pairs = [exact, ...exact.segments!].flatMap((one, s) =>
      figuresOf(one).map((figure, i) => [figure, figuresOf([told, ...told.segments!][s]!)[i]!] as const),
    )
    expect(pairs).toHaveLength(3 * 4)
    let isRounded = false
    for (const [figure, rounded] of pairs) {
      const [distance, error] = [Math.abs(rounded.difference - figure.difference), figure.standardError]
      // Steps are a tenth of an error at most, so that a figure is half of that away from the nearest.
      expect(distance).toBeLessThanOrEqual(0.05 * error * (1 + 1e-9))
      expect(Math.abs(rounded.standardError - error)).toBeLessThanOrEqual(0.005 * error)
      if (distance > 0) isRounded = true
    }
    expect(isRounded).toBe(true)
  })

  it('have sides that are rounded by their own errors', async () => {
    const { exact, told } = await both(ASH)
    for (const [i, figure] of figuresOf(exact).entries()) {
      const rounded = figuresOf(told)[i]!
      const n = exact.scenario.effectiveRows!
      const scale = 'scenarioSd' in figure ? (figure as EstimatedMean).scenarioSd : 0.5
      expect(Math.abs(rounded.scenario - figure.scenario)).toBeLessThanOrEqual((0.06 * scale) / Math.sqrt(n))
      expect(rounded.scenario).not.toBe(figure.scenario)
    }
  })

  it('of the owner are not rounded, and know the rarest levels', async () => {
    const { exact, told } = await both(ASH, 3)
    const levels = ({ outcomes: [answer] }: Estimates) =>
      answer?.kind === 'shares' ? answer.levels.map(({ level }) => level).sort() : []
    expect(levels(exact)).toEqual(['no', 'rare', 'yes'])
    // With the rarest of the others, from which it could be derived.
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
    const ask = (disclosure: 'exact' | 'protected', of: Seed = seed) =>
      estimateDifferences(of, {
        scenario: scenario({ group: { a: 0.6 } }),
        baseline: NOTHING,
        outcomes: [{ column: 'spend', base: 'all' }],
        maxLevels: 10,
        disclosure,
      })
    const [exact, told] = [await ask('exact'), await ask('protected')]
    expect(exact.outcomes[0]).toMatchObject({ mean: { baseline: (1e6 + 199) / 400 } })
    expect(told.outcomes[0]).toMatchObject({ column: 'spend', kind: 'mean', mean: null })
    const modest = spend.map((one) => Math.min(one, 10))
    const usual = await encodeTable(tableOf([categorical('group', group), numeric('spend', modest)]), { threads: 1 })
    expect(await ask('protected', usual)).toMatchObject({
      outcomes: [{ mean: { degreesOfFreedom: expect.any(Number) } }],
    })
  })

  it('state the rows of a base only from 10 on, rounded', async () => {
    const { exact, told } = await both(scenario({}, { age: { min: 18, max: 45 } }))
    const inside = rows.filter(({ age }) => age <= 45).length
    expect(exact.outcomes[0]!.scenarioBase.rows).toBe(inside)
    expect(told.outcomes[0]!.scenarioBase.rows).toBe(roundedCount(inside))
    expect(told.outcomes[0]!.scenarioBase.effectiveRows).toBe(roundedEffectiveRows(inside))
  })
})
