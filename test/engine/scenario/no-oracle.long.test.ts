/**
 * An attacker who knows a person's group asks one scenario for each value of a secret (see the simulation, which `npm run bench:truth`
 * runs on more populations).
 */
import { describe, expect, it } from 'vitest'
import { attack, CHANNELS, drawPeople, MOST_RECOVERED, type Person } from '../../../bench/truth/secret-attack.js'
import { RowKeys } from '../../../src/engine/disclosure/row-keys.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { assessScenario } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const POPULATIONS = [1]
const ENGINE = { assessScenario, estimateDifferences, RowKeys }

const peopleOf = (count: number, seed: number) => drawPeople(count, new RandomStream(seed, PURPOSE.value))

const train = (people: readonly Person[]) =>
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

const trained = new Map<string, Promise<Model>>()

/** The model of a population: all channels ask the same. */
function modelOf(members: number, seed: number): Promise<Model> {
  const key = `${members} ${seed}`
  const model = trained.get(key) ?? train(peopleOf(members, seed))
  trained.set(key, model)
  return model
}

/**
 * 1,000 is where exact counts named nearly everybody. Among 5,000 groups are larger, and each question takes five times as long,
 * so fewer people are attacked.
 */
describe.each([
  { members: 1000, targets: 200 },
  { members: 5000, targets: 50 },
])('an attack on $members members', ({ members, targets }) => {
  it.each(Object.keys(CHANNELS))('by %s recovers no secret and identifies no member', async (name) => {
    const channel = CHANNELS[name]!
    const found = { recovered: 0, members: 0, others: 0 }
    for (const seed of POPULATIONS) {
      const people = peopleOf(members, seed)
      const model = await modelOf(members, seed)
      const inside = await attack(ENGINE, model, people.slice(0, targets), channel)
      const outside = await attack(ENGINE, model, peopleOf(targets, 100 + seed), channel)
      found.recovered += inside.recovered / POPULATIONS.length
      found.members += inside.answered / POPULATIONS.length
      found.others += outside.answered / POPULATIONS.length
    }
    // Of 200 people: at chance the standard error is 2.6 points. Of 50 it is 5.3, and the people are the same in every run.
    expect(found.recovered).toBeLessThan(MOST_RECOVERED)
    // Where about half of 200 are answered, the standard error of the difference is 5 points.
    expect(Math.abs(found.members - found.others)).toBeLessThan(0.1)
  })
})
