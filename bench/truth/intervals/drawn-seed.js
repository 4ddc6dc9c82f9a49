// Samples of a population of levers as seeds: encoded by the engine, without trees, which estimates do not need.
import { encodeColumn } from '../../../dist/engine/encoding/encode.js'
import { simulatedTable } from '../simulated-table.js'

/**
 * @typedef {import('./levers.js').Lever} Lever
 * @typedef {import('./levers.js').Outcome} Outcome
 * @typedef {import('./levers.js').Person} Person
 * @typedef {import('../draws.js').Draws} Draws
 */

/**
 * A sample: its people with their answers (by outcome), and the weight of each; null: all count alike.
 *
 * @typedef {{ people: readonly Person[], answers: readonly (readonly number[])[], weights: Float64Array | null }} Sample
 */

/**
 * @param {readonly Lever[]} levers
 * @param {Draws} draws
 * @param {Record<string, number>} [known] Levers that are drawn already.
 * @returns {Person}
 */
export function drawPerson(levers, draws, known = {}) {
  const person = { ...known }
  for (const lever of levers) if (!(lever.name in person)) person[lever.name] = draws.pick(lever.shares(person))
  return person
}

/**
 * Everybody is as likely to be asked.
 *
 * @param {readonly Lever[]} levers
 * @param {readonly Outcome[]} outcomes
 * @param {number} n
 * @param {Draws} draws
 * @returns {Sample}
 */
export function simpleSample(levers, outcomes, n, draws) {
  const people = Array.from({ length: n }, () => drawPerson(levers, draws))
  const answers = people.map((person) => outcomes.map((outcome) => outcome.draw(person, draws)))
  return { people, answers, weights: null }
}

/**
 * Columns of a sample, and their values.
 *
 * @param {readonly Lever[]} levers
 * @param {readonly Outcome[]} outcomes
 * @param {Sample} sample
 */
export function columnsOf(levers, outcomes, { people, answers }) {
  const shown = levers.filter(({ isHidden }) => isHidden !== true)
  /** @type {import('../simulated-table.js').SimulatedColumn[]} */
  const columns = [
    ...shown.map(({ name, levels }) => (levels ? { name, levels } : { name, decimals: 0 })),
    ...outcomes.map(({ name, level }) => (level ? { name, levels: ['No', level] } : { name, decimals: 2 })),
  ]
  const values = [
    ...shown.map(({ name, first = 0 }) => Float64Array.from(people, (person) => first + (person[name] ?? 0))),
    ...outcomes.map((_, o) => Float64Array.from(answers, (of) => of[o] ?? 0)),
  ]
  return { columns, values }
}

/**
 * @param {readonly Lever[]} levers
 * @param {readonly Outcome[]} outcomes
 * @param {Sample} sample
 * @returns {import('../../../dist/engine/estimates/seed-patterns.js').Seed}
 */
export function seedOf(levers, outcomes, sample) {
  const { columns, values } = columnsOf(levers, outcomes, sample)
  const table = simulatedTable(columns, values)
  const encoded = table.columns.map(encodeColumn)
  const { seedRows, rowCount } = table
  return {
    seedRows,
    rowCount,
    columns: encoded.map(({ column }) => column),
    codes: encoded.map(({ codes }) => codes),
    positions: encoded.map(({ positions }) => positions),
    ...(sample.weights && { weights: scaledToOne(sample.weights) }),
  }
}

/**
 * Weights with the mean 1, as cleaning gives them.
 *
 * @param {Float64Array} weights
 */
function scaledToOne(weights) {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return weights.map((weight) => weight / mean)
}
