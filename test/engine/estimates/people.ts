/** A population with known laws, and samples of it as seed tables. */

import type { Table } from '../../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

export interface Person {
  readonly region: 'north' | 'south' | 'west'
  readonly age: number
  readonly member: 'yes' | 'no' | null
  readonly intent: 'buy' | 'maybe' | 'never'
  /** Null for those who do not know. */
  readonly spend: number | null
}

/** Membership depends on region and age, intent on both and on membership, spending on all of them with a spike at 0. */
export function people(count: number, seed: number): Person[] {
  const random = new RandomStream(seed, PURPOSE.value)
  const draw = <T>(weights: readonly (readonly [T, number])[]): T => {
    let left = random.real() * weights.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of weights) {
      left -= weight
      if (left < 0) return value
    }
    return weights.at(-1)![0]
  }
  return Array.from({ length: count }, (): Person => {
    const region = draw([
      ['north', 0.3],
      ['south', 0.5],
      ['west', 0.2],
    ] as const)
    const age = Math.floor(18 + 62 * random.real() ** 1.4)
    const joins = (region === 'north' ? 0.55 : 0.35) + (age < 35 ? 0.15 : 0)
    const member = random.real() < 0.03 ? null : random.real() < joins ? ('yes' as const) : ('no' as const)
    const wants = (member === 'yes' ? 3 : 1) * (age < 40 ? 1.5 : 1)
    const intent = draw([
      ['buy', wants],
      ['maybe', 2],
      ['never', region === 'west' ? 3 : 1.5],
    ] as const)
    const isZero = random.real() < 0.3
    const amount = Math.round(20 + 60 * random.real() * (intent === 'buy' ? 2 : 1) + 0.4 * age)
    return { region, age, member, intent, spend: random.real() < 0.05 ? null : isZero ? 0 : amount }
  })
}

export function tableOfPeople(rows: readonly Person[]): Table {
  return tableOf([
    categorical(
      'region',
      rows.map(({ region }) => region),
    ),
    numeric(
      'age',
      rows.map(({ age }) => age),
    ),
    categorical(
      'member',
      rows.map(({ member }) => member),
    ),
    categorical(
      'intent',
      rows.map(({ intent }) => intent),
    ),
    numeric(
      'spend',
      rows.map(({ spend }) => spend),
    ),
  ])
}

export function sampleOf(population: readonly Person[], count: number, seed: number): Person[] {
  const random = new RandomStream(seed, PURPOSE.heldOut)
  return Array.from({ length: count }, () => population[Math.floor(random.real() * population.length)]!)
}
