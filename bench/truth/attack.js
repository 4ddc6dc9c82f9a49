// The attack on counts: how often does it name a member's secret, compared with chance, and does an answer reveal who
// is a member?
import { RowKeys } from '../../dist/engine/disclosure/row-keys.js'
import { estimateDifferences } from '../../dist/engine/estimates/estimate-differences.js'
import { assessScenario } from '../../dist/engine/generate.js'
import { PURPOSE, RandomStream } from '../../dist/engine/sampling/random.js'
import { trainModel } from '../../dist/engine/train.js'
import { mean, spreadOver } from './repetitions.js'
import { attack, CHANNELS, drawPeople, SECRETS } from './secret-attack.js'
import { simulatedTable } from './simulated-table.js'

/** Members who are attacked of each population, and as many people outside it. */
const TARGETS = 150

const SEXES = ['f', 'm']
const COLUMNS = [
  { name: 'sex', levels: SEXES },
  { name: 'age', decimals: 0 },
  { name: 'income', decimals: 0 },
  { name: 'secret', levels: SECRETS },
]

/** People of the two sides never share a seed. */
const OUTSIDE = 1_000_000

/**
 * @param {number} count
 * @param {number} seed
 */
function peopleOf(count, seed) {
  return drawPeople(count, new RandomStream(seed, PURPOSE.value))
}

/** @param {readonly import('./secret-attack.js').Person[]} people */
function train(people) {
  const values = [
    people.map(({ sex }) => SEXES.indexOf(sex)),
    people.map(({ age }) => age),
    people.map(({ income }) => income),
    people.map(({ secret }) => SECRETS.indexOf(secret)),
  ]
  return trainModel(simulatedTable(COLUMNS, values), { threads: 1 })
}

/** @param {{ sizes: readonly number[], repetitions: number, seed: number }} options */
export async function attackSection({ sizes, repetitions, seed }) {
  const lines = []
  for (const n of sizes) {
    /** @type {Map<string, { recovered: number, members: number, others: number }[]>} */
    const found = new Map(Object.keys(CHANNELS).map((name) => [name, []]))
    for (let r = 0; r < repetitions; r++) {
      const people = peopleOf(n, seed + r)
      const others = peopleOf(TARGETS, OUTSIDE + seed + r)
      const model = await train(people)
      for (const [name, channel] of Object.entries(CHANNELS)) {
        const engine = { assessScenario, estimateDifferences, RowKeys }
        const inside = await attack(engine, model, people.slice(0, TARGETS), channel)
        const outside = await attack(engine, model, others, channel)
        found.get(name)?.push({ recovered: inside.recovered, members: inside.answered, others: outside.answered })
      }
    }
    for (const [channel, runs] of found) {
      lines.push({
        n,
        channel,
        recovered: spreadOver(runs, (of) => mean(of.map(({ recovered }) => recovered))),
        members: mean(runs.map(({ members }) => members)),
        others: mean(runs.map(({ others }) => others)),
        apart: spreadOver(runs, (of) => mean(of.map(({ members, others }) => members - others))),
      })
    }
  }
  return lines
}
