/** A survey that interviews some people more often than others, and weights them for it. */

import type { Table } from '../../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { caseWeights } from '../../../src/engine/weighting/case-weights.ts'
import { type Person, people, tableOfPeople } from '../estimates/people.ts'

export interface WeightedSurvey {
  readonly rows: readonly Person[]
  /** One over the chance to be asked. */
  readonly weights: Float64Array
  readonly table: Table
}

/** Western regions and buyers are asked more often, and members less: chances of 1 to 12. */
function chanceOf({ region, member, intent }: Person): number {
  return (region === 'west' ? 4 : 1) * (intent === 'buy' ? 3 : 1.5) * (member === 'yes' ? 0.5 : 1)
}

/** n people of a population, each asked with a chance in proportion to `chanceOf`. */
export function weightedSurvey(population: readonly Person[], n: number, seed: number): WeightedSurvey {
  const random = new RandomStream(seed, PURPOSE.heldOut)
  const rows: Person[] = []
  while (rows.length < n) {
    const person = population[Math.floor(random.real() * population.length)]!
    if (random.real() < chanceOf(person) / 12) rows.push(person)
  }
  const weights = Float64Array.from(rows, (row) => 1 / chanceOf(row))
  return { rows, weights, table: { ...tableOfPeople(rows), weights: caseWeights(weights) } }
}

export const POPULATION = people(200_000, 1)

/** Weighted share of the rows for which something holds. */
export function shareOf<T>(rows: readonly T[], weights: ArrayLike<number>, holds: (row: T) => boolean): number {
  let [sum, all] = [0, 0]
  for (const [i, row] of rows.entries()) {
    all += weights[i]!
    if (holds(row)) sum += weights[i]!
  }
  return sum / all
}
