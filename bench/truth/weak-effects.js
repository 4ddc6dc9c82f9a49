// Weak effects: how much of an effect of z standard errors of the seed the model shows, and how often exactly nothing.
import { trainModel } from '../../dist/engine/train.js'
import { Draws } from './draws.js'
import { share, slopeOf, spreadOver } from './repetitions.js'
import { simulatedRows, simulatedTable } from './simulated-table.js'

const YES_NO = ['No', 'Yes']
const BASE_SHARE = 0.4

/**
 * A condition that half of all people meet, an answer that it moves, and columns that say nothing.
 *
 * @param {{ n: number, effect: number, noise: number, seed: number }} options
 */
function drawWeak({ n, effect, noise, seed }) {
  const draws = new Draws(seed)
  /** @type {import('./simulated-table.js').SimulatedColumn[]} */
  const columns = [
    { name: 'condition', levels: YES_NO },
    { name: 'answer', levels: YES_NO },
    ...Array.from({ length: noise }, (_, i) =>
      i % 2 === 0 ? { name: `noise ${i}`, levels: ['a', 'b', 'c'] } : { name: `noise ${i}`, decimals: 1 },
    ),
  ]
  const values = columns.map((column) => ('levels' in column ? new Uint8Array(n) : new Float64Array(n)))
  for (let i = 0; i < n; i++) {
    const condition = +draws.chance(0.5)
    const answer = +draws.chance(BASE_SHARE + (condition - 0.5) * effect)
    columns.forEach((column, c) => {
      const of = values[c]
      if (!of) return
      of[i] =
        c === 0
          ? condition
          : c === 1
            ? answer
            : 'levels' in column
              ? draws.pick([2, 1, 1])
              : Math.round(draws.normal() * 50) / 10
    })
  }
  return { columns, values }
}

/**
 * @param {{ n: number, effect: number, noise: number, seed: number }} options
 * @returns {Promise<number>} Of the answer's share, the condition from 50 % to 80 %.
 */
async function shownDifference(options) {
  const { columns, values } = drawWeak(options)
  const model = await trainModel(simulatedTable(columns, values), { threads: 1 })
  /** @param {import('../../dist/engine/scenario/scenario.js').ShareTarget[]} shares */
  const shareOf = async (shares) => {
    const rowCount = 10 * options.n
    const { values: made } = await simulatedRows(model, columns, {
      rowCount,
      seed: options.seed,
      scenario: { shares, ranges: [] },
    })
    return share(Array.from(made[1] ?? []), (answer) => answer === 1)
  }
  const target = (/** @type {number} */ yes) => [{ column: 'condition', levels: new Map([['Yes', yes]]) }]
  return (await shareOf(target(0.8))) - (await shareOf(target(0.5)))
}

/**
 * @param {{ n: number, strengths: readonly number[], noises: readonly number[], repetitions: number, seed: number }} options
 *   `strengths`: z, the effect over its standard error in the seed.
 */
export async function weakEffectsSection({ n, strengths, noises, repetitions, seed }) {
  const lines = []
  for (const noise of noises) {
    for (const z of strengths) {
      const error = Math.sqrt((4 * BASE_SHARE * (1 - BASE_SHARE)) / n)
      const effect = z * error
      const shown = []
      for (let r = 0; r < repetitions; r++) shown.push(await shownDifference({ n, effect, noise, seed: seed + r }))
      const kept = (/** @type {number[]} */ of) => slopeOf(of.map((y) => ({ x: 0.3 * effect, y, error: 1 })))
      lines.push({
        n,
        noise,
        z,
        kept: z === 0 ? null : spreadOver(shown, kept),
        zeros: share(shown, (difference) => Math.abs(difference) < 1e-4),
      })
    }
  }
  return lines
}
