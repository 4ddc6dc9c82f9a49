/** 200 people are attacked. With more of them, and by more questions: attacks.long.test.ts. */
import { beforeAll, describe, expect, it } from 'vitest'
import { rowKeysOf } from '../row-keys-of.ts'
import {
  type Attacked,
  byFewOfASecret,
  byGenerations,
  byShares,
  byThreshold,
  gainsOf,
  incomeByShares,
  peopleOf,
  trainOn,
  victimsOf,
} from './attacks.ts'

let owner: Attacked
let client: Attacked
beforeAll(async () => {
  const people = peopleOf(1000, 2)
  const model = await trainOn(people)
  owner = { model, people, disclosure: 'exact' }
  client = { model, people, disclosure: rowKeysOf(model) }
})

describe('what one person more or less changes', () => {
  it('tells the owner of the seed that person’s secret and income', async () => {
    const some = victimsOf(owner.people, 6)
    const gains = {
      ...(await gainsOf(owner, some, (victim) => byThreshold(owner, victim, [150]))),
      ...(await gainsOf(owner, some, (victim) => byShares(owner, victim, [150]))),
      ...(await gainsOf(owner, some, (victim) => byGenerations(owner, victim, [150]))),
      ...(await gainsOf(owner, some, (victim) => byFewOfASecret(owner, victim, [150]))),
    }
    for (const way of ['have another answer', 'are fewer', 'lose a row', 'have less evidence', 'lose less evidence'])
      expect(gains[way]).toBeGreaterThan(0.75)
    for (const victim of some)
      expect(await incomeByShares(owner, victim, 100)).toBeCloseTo(owner.people[victim]!.income, 0)
  })

  it('tells a client of a shared service no secret more often than chance does', async () => {
    const attacks: [victims: number, (victim: number) => Promise<Readonly<Record<string, string>>>][] = [
      [30, (victim) => byThreshold(client, victim, [120, 170])],
      [90, (victim) => byShares(client, victim, [150, 200])],
      [30, (victim) => byGenerations(client, victim, [120, 170])],
    ]
    let [right, all] = [0, 0]
    for (const [victims, guess] of attacks) {
      const gains = Object.values(await gainsOf(client, victimsOf(client.people, victims), guess))
      right += (victims * gains.reduce((sum, gain) => sum + gain, 0)) / gains.length
      all += victims
    }
    // One of six is guessed by chance: so many victims have a standard error of 3 points.
    expect(right / all).toBeLessThan(0.03 + 0.03)
  })

  it('tells a client no income, however often a share is moved', async () => {
    const victims = victimsOf(client.people, 50)
    const found = await Promise.all(victims.map((victim) => incomeByShares(client, victim, 200)))
    const incomes = victims.map((victim) => client.people[victim]!.income)
    const isNear = (guess: number, income: number): boolean => Math.abs(guess / income - 1) < 0.03
    const right = found.filter((guess, i) => isNear(guess, incomes[i]!)).length / victims.length
    // To say what somebody earned is right of so many.
    const chance =
      Math.max(...incomes.map((guess) => incomes.filter((income) => isNear(guess, income)).length)) / victims.length
    expect(right).toBeLessThanOrEqual(chance)
    expect(found.filter(Number.isFinite).length).toBeGreaterThan(47)
  })
})
