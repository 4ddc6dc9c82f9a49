// Interactions without main effects: does the model show joint effects of two or three columns?
import { trainModel } from '../../dist/engine/train.js'
import { Draws } from './draws.js'
import { mean, spreadOver } from './repetitions.js'
import { simulatedRows, simulatedTable } from './simulated-table.js'

const YES_NO = ['No', 'Yes']
const CONTRAST = 0.4

/**
 * By name: what of the answer's share depends on the three bits, between -1/2 and 1/2 of the contrast.
 *
 * @type {Record<string, (bits: readonly number[]) => number>}
 */
const LAWS = {
  'exclusive or of two': ([a = 0, b = 0]) => (a === b ? -0.5 : 0.5),
  'parity of three': ([a = 0, b = 0, c = 0]) => ((a + b + c) % 2 === 0 ? -0.5 : 0.5),
}

/**
 * @param {{ n: number, law: string, noise: number, seed: number }} options
 * @returns {Promise<number>} The contrast in rows of the model.
 */
async function shownContrast({ n, law, noise, seed }) {
  const effect = LAWS[law]
  if (!effect) throw new Error(`no law is called ${law}`)
  const draws = new Draws(seed)
  /** @type {import('./simulated-table.js').SimulatedColumn[]} */
  const columns = [
    ...['a', 'b', 'c', 'answer'].map((name) => ({ name, levels: YES_NO })),
    ...Array.from({ length: noise }, (_, i) =>
      i % 2 === 0 ? { name: `noise ${i}`, levels: ['x', 'y', 'z'] } : { name: `noise ${i}`, decimals: 1 },
    ),
  ]
  const values = columns.map((column) => ('levels' in column ? new Uint8Array(n) : new Float64Array(n)))
  for (let i = 0; i < n; i++) {
    const bits = [+draws.chance(0.5), +draws.chance(0.5), +draws.chance(0.5)]
    const row = [...bits, +draws.chance(0.5 + CONTRAST * effect(bits))]
    columns.forEach((column, c) => {
      const of = values[c]
      if (of) of[i] = row[c] ?? ('levels' in column ? draws.pick([1, 1, 1]) : Math.round(draws.normal() * 50) / 10)
    })
  }
  const model = await trainModel(simulatedTable(columns, values), { threads: 1 })
  const { values: made } = await simulatedRows(model, columns, {
    rowCount: Math.max(20_000, n),
    seed,
    scenario: { shares: [], ranges: [] },
  })
  const [a = [], b = [], c = [], answer = []] = made
  const sums = { high: 0, highs: 0, low: 0, lows: 0 }
  for (let i = 0; i < answer.length; i++) {
    if (effect([a[i] ?? 0, b[i] ?? 0, c[i] ?? 0]) > 0) {
      sums.high += answer[i] ?? 0
      sums.highs++
    } else {
      sums.low += answer[i] ?? 0
      sums.lows++
    }
  }
  return sums.high / sums.highs - sums.low / sums.lows
}

/** @param {{ sizes: readonly number[], noises: readonly number[], repetitions: number, seed: number }} options */
export async function interactionsSection({ sizes, noises, repetitions, seed }) {
  const lines = []
  for (const law of Object.keys(LAWS)) {
    for (const n of sizes) {
      for (const noise of noises) {
        const shown = []
        for (let r = 0; r < Math.min(repetitions, n > 10_000 ? 5 : repetitions); r++) {
          shown.push(await shownContrast({ n, law, noise, seed: seed + r }))
        }
        lines.push({ law, n, noise, contrast: spreadOver(shown, mean) })
      }
    }
  }
  return lines
}
