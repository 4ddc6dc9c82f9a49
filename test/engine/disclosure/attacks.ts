/**
 * What a client of a shared service can do to learn one person's answer: it knows who is in the file and how old each of them is, to
 * the day. It asks about a group with the victim's age at its end, and about the same group without that age.
 */
import type { RowKeys } from '../../../src/engine/disclosure/row-keys.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { assessScenario } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

export interface Person {
  readonly age: number
  readonly sex: string
  readonly secret: string
  readonly income: number
}

const SECRETS = Array.from({ length: 6 }, (_, i) => `secret ${i}`)

/** By age. Nobody is as old as another, and neither secret nor income goes with anything. */
export function peopleOf(count: number, seed: number): Person[] {
  const random = new RandomStream(seed, PURPOSE.value)
  const ages = Array.from({ length: count }, (_, i) => Number((18 + (62 * (i + random.real())) / count).toFixed(3)))
  return ages.map((age) => ({
    age,
    sex: random.real() < 0.5 ? 'f' : 'm',
    secret: SECRETS[random.below(SECRETS.length)]!,
    income: Math.round(15_000 + 30_000 * random.real() + 40_000 * random.real() ** 3),
  }))
}

export const trainOn = (people: readonly Person[]): Promise<Model> => {
  const columns = [
    categorical(
      'sex',
      people.map(({ sex }) => sex),
    ),
    categorical(
      'secret',
      people.map(({ secret }) => secret),
    ),
    numeric(
      'income',
      people.map(({ income }) => income),
    ),
  ]
  const ages = people.map(({ age }) => age)
  return trainModel(tableOf([numeric('age', ages, 3), ...columns]), { threads: 1 })
}

export interface Attacked {
  readonly model: Model
  readonly people: readonly Person[]
  readonly disclosure: 'exact' | RowKeys
}

interface Ages {
  readonly min: number
  readonly max: number
}

/** Groups of people from the victim's age on, and the same ones without the victim's age. */
function windowsOf(people: readonly Person[], victim: number, sizes: readonly number[]): [Ages, Ages][] {
  const { age } = people[victim]!
  return sizes.map((size) => {
    const { age: max } = people[victim + size - 1]!
    return [
      { min: age, max },
      { min: age + 0.001, max },
    ]
  })
}

async function outcomeOf({ model, disclosure }: Attacked, of: RequestedConditions, column: string) {
  const outcomes = [{ column, base: 'all' as const }]
  const asked = { scenario: of, baseline: scenario({}), outcomes, maxLevels: 10, disclosure }
  return (await estimateDifferences(model, asked)).outcomes[0]!
}

/** What each guess of the secret scores, by ways of reading the same answers. */
type Scores = Readonly<Record<string, number>>

/** The guess of each way: the secret of the largest score. */
type Guesses = Readonly<Record<string, string>>

async function guessesOf(scoresOf: (secret: string, guess: number) => Promise<Scores>, lot: number): Promise<Guesses> {
  const scores: Scores[] = []
  for (const [guess, secret] of SECRETS.entries()) scores.push(await scoresOf(secret, guess))
  return Object.fromEntries(
    Object.keys(scores[0]!).map((way) => {
      const most = Math.max(...scores.map((of) => of[way]!))
      const best = SECRETS.filter((_, s) => scores[s]![way] === most)
      return [way, best[lot % best.length]!]
    }),
  )
}

/** The window is widened until those with one secret are told; then the victim's age is left out. */
export async function byThreshold(attacked: Attacked, victim: number, sizes: readonly number[]): Promise<Guesses> {
  return await guessesOf(async (secret) => {
    const found = { 'are no longer told': 0, 'are told or not': 0, 'have another answer': 0, 'are fewer': 0 }
    for (const windows of windowsOf(attacked.people, victim, sizes)) {
      const asked = windows.map((age) => outcomeOf(attacked, scenario({ secret: { [secret]: 1 } }, { age }), 'sex'))
      const [one, other] = await Promise.all(asked)
      const [rows, rest] = [one!.scenarioBase.rows ?? 0, other!.scenarioBase.rows ?? 0]
      if (rows > 0 && rest === 0) found['are no longer told']++
      if (rows > 0 !== rest > 0) found['are told or not']++
      if (JSON.stringify(one) !== JSON.stringify(other)) found['have another answer']++
      if (rows > 0 && rest > 0) found['are fewer'] += rows - rest
    }
    return found
  }, victim)
}

/** Shares of the secret in two groups that differ by the victim. */
export async function byShares(attacked: Attacked, victim: number, sizes: readonly number[]): Promise<Guesses> {
  const lost = SECRETS.map(() => 0)
  for (const [i, windows] of windowsOf(attacked.people, victim, sizes).entries()) {
    const asked = windows.map((age) => outcomeOf(attacked, scenario({}, { age }), 'secret'))
    for (const [at, outcome] of (await Promise.all(asked)).entries()) {
      const told = outcome.kind === 'shares' ? outcome.levels : []
      const rows = sizes[i]! - at
      for (const { level, scenario: share } of told) lost[SECRETS.indexOf(level)]! += (at === 0 ? 1 : -1) * rows * share
    }
  }
  return await guessesOf(async (_, guess) => ({ 'lose a row': lost[guess]! }), victim)
}

/** One billed row of those with one secret: whether it can be had, and what its record tells. */
export async function byGenerations(attacked: Attacked, victim: number, sizes: readonly number[]): Promise<Guesses> {
  const { model, people, disclosure } = attacked
  return await guessesOf(async (secret) => {
    const found = { 'are refused': 0, 'are refused or not': 0, 'have less evidence': 0 }
    for (const windows of windowsOf(people, victim, sizes)) {
      const asked = windows.map((age) =>
        assessScenario(model, scenario({ secret: { [secret]: 1 } }, { age }), 1, { disclosure, threads: 1 }),
      )
      const [one, other] = await Promise.all(asked)
      if (one!.rows > other!.rows) found['are refused']++
      if (one!.rows !== other!.rows) found['are refused or not']++
      found['have less evidence'] += one!.effectiveRows - other!.effectiveRows
    }
    return found
  }, victim)
}

/**
 * Rows of which few may have one secret. The more people have it, the further is such a share from theirs, and the fewer effective
 * rows are told: those of the victim's own secret change least when the victim is left out.
 */
export async function byFewOfASecret(attacked: Attacked, victim: number, sizes: readonly number[]): Promise<Guesses> {
  const { model, people, disclosure } = attacked
  return await guessesOf(async (secret) => {
    let lost = 0
    for (const windows of windowsOf(people, victim, sizes)) {
      for (const share of [0.01, 0.03, 0.05]) {
        const asked = windows.map((age) =>
          assessScenario(model, scenario({ secret: { [secret]: share } }, { age }), 100, { disclosure, threads: 1 }),
        )
        const [one, other] = await Promise.all(asked)
        lost += one!.effectiveRows - other!.effectiveRows
      }
    }
    return { 'lose less evidence': -lost }
  }, victim)
}

/** Many shares of another column show the means of both groups as well as the noise allows; the victim's income is the rest. */
export async function incomeByShares(attacked: Attacked, victim: number, size: number): Promise<number> {
  const [windows] = windowsOf(attacked.people, victim, [size])
  const known = attacked.people.slice(victim, victim + size)
  const shares = [0.2, 0.35, 0.5, 0.65, 0.8]
  const sums = windows!.map(async (age, at) => {
    const asked = shares.map((f) => outcomeOf(attacked, scenario({ sex: { f } }, { age }), 'income'))
    const means = (await Promise.all(asked)).map((outcome) =>
      outcome.kind === 'mean' ? (outcome.mean?.scenario ?? Number.NaN) : Number.NaN,
    )
    // They lie on a line, of which the group's own share of women gives its own mean.
    const middle = means.reduce((sum, mean) => sum + mean, 0) / means.length
    const squares = shares.reduce((sum, f) => sum + (f - 0.5) ** 2, 0)
    const slope = shares.reduce((sum, f, i) => sum + (f - 0.5) * (means[i]! - middle), 0) / squares
    const people = known.slice(at)
    const women = people.filter(({ sex }) => sex === 'f').length / people.length
    return people.length * (middle + slope * (women - 0.5))
  })
  const [all, others] = await Promise.all(sums)
  return all! - others!
}

/**
 * How much more often guesses are right of the victims than of others of their groups, of whom they tell as much as figures of
 * groups may: the most frequent secret is a good guess of anybody.
 *
 * @returns By way: parts of 1. For exact figures about 5/6.
 */
export async function gainsOf(
  { people }: Attacked,
  victims: readonly number[],
  guess: (victim: number) => Promise<Guesses>,
): Promise<Readonly<Record<string, number>>> {
  const gains: Record<string, number> = {}
  for (const victim of victims) {
    const others = people.slice(victim + 1, victim + 41)
    for (const [way, secret] of Object.entries(await guess(victim))) {
      const usual = others.filter((other) => other.secret === secret).length / others.length
      gains[way] = (gains[way] ?? 0) + (Number(people[victim]!.secret === secret) - usual) / victims.length
    }
  }
  return gains
}

/** Victims whose groups do not reach the oldest. */
export const victimsOf = (people: readonly Person[], count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor((i * (people.length - 250)) / count))
