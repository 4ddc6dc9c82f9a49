import { expect, it } from 'vitest'
import type { JudgedGroups } from '../../../src/answers/backtests/judge-backtest.ts'
import { verdictTexts } from '../../../src/answers/words/backtest-words.ts'
import type { AnySchemaColumn } from '../../../src/contract/datasets.ts'
import type { EstimateRequest } from '../../../src/contract/estimates.ts'
import { type Estimates, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import type { RecordedEstimates } from '../../../src/records/state/estimates.ts'
import {
  type Backtest,
  groupOutcomes,
  groupQuestions,
  marginOutcomes,
  marginQuestions,
} from '../../../src/runner/backtests/group-questions.ts'
import { judgedGroups } from '../../../src/runner/backtests/group-records.ts'
import type { Difference } from '../../../src/runner/estimates/ask-differences.ts'
import { scenario } from '../../engine/scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../../engine/survey-table.ts'

/**
 * Many simulated populations, each of a few groups of 60 to 400 people whose mix of age and plan differs from group to group. What people answer
 * depends on both: often, rarely, and as a skewed amount. With `hidden`, each group also has a mood that no column tells.
 */
const POPULATIONS = 200
const GROUPS = ['g1', 'g2', 'g3', 'g4', 'g5']

interface Person {
  readonly group: string
  readonly age: string
  readonly plan: string
  readonly intent: string
  readonly rare: string
  readonly spend: number
}

function people(random: RandomStream, hidden: number): Person[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.real())) * Math.cos(2 * Math.PI * random.real())
  return GROUPS.flatMap((group) => {
    const [young, gold, mood] = [0.2 + 0.6 * random.real(), 0.2 + 0.5 * random.real(), hidden * normal()]
    return Array.from({ length: 60 + Math.floor(340 * random.real()) }, (): Person => {
      const age = random.real() < young ? 'young' : random.real() < 0.5 ? 'middle' : 'old'
      const plan = random.real() < gold ? 'gold' : 'basic'
      const effect = (age === 'young' ? 0.3 : age === 'middle' ? 0.1 : 0) + (plan === 'gold' ? 0.25 : 0)
      const answer = (chance: number) => (random.real() < chance ? 'yes' : 'no')
      return {
        ...{ group, age, plan },
        intent: answer(0.2 + effect + 0.3 * mood),
        rare: answer(0.04 + 0.15 * effect + 0.1 * mood),
        spend: Math.exp(3 + effect + mood + 0.5 * normal()),
      }
    })
  })
}

const column = (name: string, levels?: string[]): AnySchemaColumn => ({
  name,
  ...(levels && { levels }),
  missing_share: 0,
})
const ASKED: Backtest = {
  by: column('group', GROUPS),
  levels: GROUPS,
  on: [column('age', ['young', 'middle', 'old']), column('plan', ['gold', 'basic'])],
  figures: [
    { column: column('intent', ['no', 'yes']), level: 'yes' },
    { column: column('rare', ['no', 'yes']), level: 'yes' },
    { column: column('spend'), level: null },
  ],
}

/** As a service answers them, from the engine itself. */
async function answers(
  seed: Awaited<ReturnType<typeof encodeTable>>,
  differences: readonly Difference[],
  outcomes: EstimateRequest['outcomes'],
): Promise<RecordedEstimates[]> {
  const found: RecordedEstimates[] = []
  for (const { scenario: one, baseline } of differences)
    found.push(
      recorded(
        await estimateDifferences(seed, {
          scenario: scenario(one.categorical ?? {}),
          baseline: scenario(baseline.categorical ?? {}),
          outcomes: outcomes.map(({ column: name }) => ({ column: name, base: 'all' })),
          maxLevels: 100,
          disclosure: 'exact',
        }),
      ),
    )
  return found
}

function recorded({ scenario: side, baseline, outcomes }: Estimates): RecordedEstimates {
  const figure = (one: {
    readonly scenario: number
    readonly baseline: number
    readonly difference: number
    readonly standardError: number
    readonly degreesOfFreedom: number | null
  }) => ({
    scenario: one.scenario,
    against: one.baseline,
    difference: one.difference,
    standardError: one.standardError,
    degreesOfFreedom: one.degreesOfFreedom,
  })
  return {
    scenario: side,
    against: baseline,
    bases: [],
    shares: outcomes.flatMap((one) =>
      one.kind === 'shares'
        ? [[one.column, one.levels.map((level) => [level.level, figure(level)] as const)] as const]
        : [],
    ),
    means: outcomes.flatMap((one) =>
      one.kind === 'mean' && one.mean !== null ? [[one.column, figure(one.mean)] as const] : [],
    ),
  }
}

async function backtest(persons: readonly Person[], asked: Backtest): Promise<JudgedGroups> {
  const levels = (['group', 'age', 'plan', 'intent', 'rare'] as const).map((name) =>
    categorical(
      name,
      persons.map((one) => one[name]),
    ),
  )
  const spend = numeric(
    'spend',
    persons.map((one) => Number(one.spend.toFixed(2))),
    2,
  )
  const seed = await encodeTable(tableOf([...levels, spend]), { threads: 1 })
  const margins = await answers(seed, marginQuestions(asked), marginOutcomes(asked))
  const questions = groupQuestions(asked, margins)
  const outcomes = groupOutcomes(asked, { study: null, name: 'panel' })
  const [reweighted, asTheyAre] = [
    await answers(
      seed,
      questions.map((one) => one.reweighted),
      outcomes,
    ),
    await answers(
      seed,
      questions.map((one) => one.asTheyAre),
      outcomes,
    ),
  ]
  return judgedGroups(
    asked,
    new Map(
      questions.map(({ level }, i) => [level, { reweighted: reweighted[i]!, asTheyAre: asTheyAre[i]! }] as const),
    ),
  )
}

/** All populations: coverage of each figure, the average error against doing nothing, and how many say that something else differs. */
async function over(hidden: number, asked: Backtest) {
  const random = new RandomStream(17, PURPOSE.value)
  const told = new Map<string, { held: number; of: number }>()
  let [relative, suspicious] = [0, 0]
  for (let i = 0; i < POPULATIONS; i++) {
    const { groups, totals } = await backtest(people(random, hidden), asked)
    for (const { column: name, holds } of groups.flatMap(({ predictions }) => predictions)) {
      if (holds === undefined) continue
      const counts = told.get(name) ?? { held: 0, of: 0 }
      told.set(name, { held: counts.held + Number(holds), of: counts.of + 1 })
    }
    relative += totals.relative_error! / POPULATIONS
    if (verdictTexts(totals).some((text) => text.includes('differ in something that these columns do not tell')))
      suspicious += 1 / POPULATIONS
  }
  const coverage = Object.fromEntries([...told].map(([name, { held, of }]) => [name, held / of]))
  return { coverage, counts: [...told.values()].map(({ of }) => of), relative, suspicious }
}

it('intervals hold the truth in 92 to 98 % where the columns tell all that differs', async () => {
  const { coverage, counts, relative, suspicious } = await over(0, ASKED)
  for (const rate of Object.values(coverage)) {
    expect(rate, JSON.stringify(coverage)).toBeGreaterThan(0.92)
    expect(rate, JSON.stringify(coverage)).toBeLessThan(0.98)
  }
  expect(counts).toEqual([GROUPS.length * POPULATIONS, GROUPS.length * POPULATIONS, GROUPS.length * POPULATIONS])
  expect(relative).toBeLessThan(0.7)
  // One study in twenty says so by chance.
  expect(suspicious).toBeLessThan(0.1)
}, 600_000)

it('says so where something else differs', async () => {
  const { coverage, suspicious } = await over(0.3, ASKED)
  expect(coverage.intent).toBeLessThan(0.8)
  expect(coverage.spend).toBeLessThan(0.5)
  expect(suspicious).toBeGreaterThan(0.95)
}, 600_000)

it('says so where a column that decides is left out', async () => {
  const { coverage, suspicious } = await over(0, { ...ASKED, on: ASKED.on.slice(1) })
  expect(coverage.intent).toBeLessThan(0.85)
  expect(suspicious).toBeGreaterThan(0.3)
}, 600_000)
