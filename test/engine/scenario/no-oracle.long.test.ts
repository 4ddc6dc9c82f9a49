/**
 * Counts as an oracle: whoever knows a person's group (sex, age and income within 3 %) asks one scenario for each value of a
 * secret and takes the one that most seed rows are told to stand behind. Exact counts named the secret of 97 % of members
 * among 1,000; six values by chance are 17 %.
 */
import { describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { assessScenario } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/random.ts'
import type { Scenario } from '../../../src/engine/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

interface Person {
  readonly sex: string
  readonly age: number
  readonly income: number
  readonly secret: string
}

const SECRETS = Array.from({ length: 6 }, (_, i) => `secret ${i}`)
const CHANCE = 1 / SECRETS.length
const POPULATIONS = [1, 2, 3]
const TARGETS = 150

function peopleOf(count: number, seed: number): Person[] {
  const random = new RandomStream(seed, PURPOSE.value)
  return Array.from({ length: count }, () => {
    const age = 18 + Math.floor(62 * random.real() ** 1.4)
    return {
      sex: random.real() < 0.5 ? 'f' : 'm',
      age,
      income: Math.round(15_000 + 400 * age * random.real() + 30_000 * random.real() ** 3),
      secret: SECRETS[Math.floor(6 * random.real())]!,
    }
  })
}

const train = (people: readonly Person[]): Promise<Model> =>
  trainModel(
    tableOf([
      categorical(
        'sex',
        people.map(({ sex }) => sex),
      ),
      numeric(
        'age',
        people.map(({ age }) => age),
      ),
      numeric(
        'income',
        people.map(({ income }) => income),
      ),
      categorical(
        'secret',
        people.map(({ secret }) => secret),
      ),
    ]),
    { threads: 1 },
  )

const near = (value: number) => ({ min: value * 0.97, max: value * 1.03 })

/** What a question tells of how much stands behind it; 0 for no answer. */
type Channel = (model: Model, of: Scenario, secret: string) => Promise<number>

const CHANNELS: Record<string, { share: number; namesSecret: boolean; ask: Channel }> = {
  'evidence of a generation': {
    share: 1,
    namesSecret: true,
    ask: async (model, of) => {
      const { rows, effectiveRows } = await assessScenario(model, of, 100, { threads: 1 })
      return rows * 1e6 + effectiveRows
    },
  },
  'evidence of a generation that asks for most and not for all': {
    share: 0.9,
    namesSecret: true,
    ask: async (model, of) => {
      const { rows, effectiveRows, largestTilt } = await assessScenario(model, of, 1000, { threads: 1 })
      return rows * 1e6 + effectiveRows - largestTilt / 1e6
    },
  },
  'effective rows of estimates': {
    share: 0.9,
    namesSecret: true,
    ask: async (model, of) => {
      const options = { scenario: of, baseline: scenario({}), outcomes: ['secret'], maxLevels: 10 }
      return (await estimateDifferences(model, options)).scenario.effectiveRows ?? 0
    },
  },
  'shares that estimates tell of the group': {
    share: 1,
    namesSecret: false,
    ask: async (model, of, secret) => {
      const options = { scenario: of, baseline: scenario({}), outcomes: ['secret'], maxLevels: 10 }
      const [outcome] = (await estimateDifferences(model, options)).outcomes
      const levels = outcome?.kind === 'shares' ? outcome.levels : []
      return levels.find(({ level }) => level === secret)?.scenario ?? 0
    },
  },
}

/** Secrets recovered, ties by lot, and people for whom anything was answered, as parts of all. */
async function attack(model: Model, people: readonly Person[], { share, namesSecret, ask }: (typeof CHANNELS)[string]) {
  let recovered = 0
  let answered = 0
  for (const { sex, age, income, secret } of people) {
    const told = await Promise.all(
      SECRETS.map(async (guess) => {
        const shares = { sex: { [sex]: share }, ...(namesSecret && { secret: { [guess]: share } }) }
        return await ask(model, scenario(shares, { age: near(age), income: near(income) }), guess)
      }),
    )
    const most = Math.max(...told)
    const guesses = SECRETS.filter((_, i) => told[i] === most)
    if (guesses.includes(secret)) recovered += 1 / guesses.length
    if (most > 0) answered++
  }
  return { recovered: recovered / people.length, answered: answered / people.length }
}

/** 1,000 is where exact counts named nearly everybody; among 5,000, groups are large enough to be answered. */
describe.each([1000, 5000])('among %d members', (members) => {
  it.each(Object.keys(CHANNELS))('the %s recovers no secret, and does not tell who is a member', async (name) => {
    const channel = CHANNELS[name]!
    const found = { recovered: 0, members: 0, others: 0 }
    for (const seed of POPULATIONS) {
      const people = peopleOf(members, seed)
      const model = await train(people)
      const inside = await attack(model, people.slice(0, TARGETS), channel)
      const outside = await attack(model, peopleOf(TARGETS, 100 + seed), channel)
      found.recovered += inside.recovered / POPULATIONS.length
      found.members += inside.answered / POPULATIONS.length
      found.others += outside.answered / POPULATIONS.length
    }
    // 450 people: at chance the standard error is 1.8 points.
    expect(found.recovered).toBeLessThan(CHANCE + 0.05)
    // Where about half are answered, the standard error of the difference is 3.3 points.
    expect(Math.abs(found.members - found.others)).toBeLessThan(0.1)
  })
})
