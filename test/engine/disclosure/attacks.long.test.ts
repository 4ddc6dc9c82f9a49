/** 400 victims of each attack, among two populations; the quick version is attacks.test.ts. */
import { beforeAll, expect, it } from 'vitest'
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

const POPULATIONS = [7, 8]
const VICTIMS = 200

/** Of a gain among so many victims: one of six is guessed by chance. */
const STANDARD_ERROR = Math.sqrt((1 / 6) * (5 / 6) * (1 / (POPULATIONS.length * VICTIMS)))

let clients: readonly Attacked[]
beforeAll(async () => {
  clients = await Promise.all(
    POPULATIONS.map(async (seed) => {
      const people = peopleOf(1000, seed)
      const model = await trainOn(people)
      return { model, people, disclosure: rowKeysOf(model, `installation number ${seed}`) }
    }),
  )
})

/** Windows that are widened until there is a figure, and on. */
const WIDENED = [110, 150, 190]
const ATTACKS = {
  'the threshold': (client: Attacked, victim: number) => byThreshold(client, victim, WIDENED),
  'one difference': (client: Attacked, victim: number) => byShares(client, victim, [200]),
  'the differences of twelve windows': (client: Attacked, victim: number) =>
    byShares(
      client,
      victim,
      Array.from({ length: 12 }, (_, i) => 80 + 13 * i),
    ),
  'generations of one row': (client: Attacked, victim: number) => byGenerations(client, victim, WIDENED),
  'shares of few rows': (client: Attacked, victim: number) => byFewOfASecret(client, victim, [200]),
}

it.each(Object.entries(ATTACKS))(
  'an attack by %s guesses at most 3 points better than by chance',
  async (_, attack) => {
    const found: number[][] = []
    for (const client of clients) {
      const victims = victimsOf(client.people, VICTIMS)
      found.push(Object.values(await gainsOf(client, victims, (victim) => attack(client, victim))))
    }
    const gains = found[0]!.map((_, way) => found.reduce((sum, of) => sum + of[way]!, 0) / found.length)
    expect(gains.reduce((sum, gain) => sum + gain, 0) / gains.length).toBeLessThan(0.03)
    for (const gain of gains) expect(gain).toBeLessThan(0.03 + 2 * STANDARD_ERROR)
  },
)

it('incomes by moved shares are at most 3 points more often on the right side of the middle than by chance', async () => {
  const client = clients[0]!
  const victims = victimsOf(client.people, VICTIMS)
  const incomes = victims.map((victim) => client.people[victim]!.income)
  const middle = [...incomes].sort((a, b) => a - b)[VICTIMS / 2]!
  let right = 0
  for (const [i, victim] of victims.entries()) {
    const found = await incomeByShares(client, victim, 200)
    if (found > middle === incomes[i]! > middle) right++
  }
  expect(right / VICTIMS).toBeLessThan(0.5 + 0.03 + 2 * Math.sqrt(0.25 / VICTIMS))
})
