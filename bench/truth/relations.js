// Relations between columns: in how many generated rows do the seed's relations hold?
import { trainModel } from '../../dist/engine/train.js'
import { Draws } from './draws.js'
import { drawOthers, OTHER_COLUMNS, RELATED_SEEDS } from './related-seeds.js'
import { mean, share, spreadOver } from './repetitions.js'
import { simulatedRows, simulatedTable } from './simulated-table.js'

const GENERATED_ROWS = 2_000

/** @typedef {{ seed: number, base: number, conditioned: number | null }} Held Shares of rows; null: the scenario is refused. */

/**
 * One seed file of a kind, and two files from its model.
 *
 * @param {import('./related-seeds.js').RelatedSeed} kind
 * @param {{ n: number, seed: number }} options
 * @returns {Promise<Record<string, Held>>} By relation.
 */
async function heldRelations(kind, { n, seed }) {
  const columns = [...kind.columns, ...OTHER_COLUMNS]
  const draws = new Draws(seed)
  const drawn = Array.from({ length: n }, () => [...kind.draw(draws), ...drawOthers(draws)])
  const values = columns.map((_, c) => Float64Array.from(drawn, (row) => row[c] ?? 0))
  const extremes = values.map((of) => ({
    min: of.reduce((a, b) => Math.min(a, b)),
    max: of.reduce((a, b) => Math.max(a, b)),
  }))
  const model = await trainModel(simulatedTable(columns, values), { threads: 1 })
  /** @param {import('../../dist/engine/scenario/scenario.js').Scenario} scenario */
  const rowsUnder = async (scenario) => {
    const made = await simulatedRows(model, columns, { rowCount: GENERATED_ROWS, seed, scenario })
    return Array.from({ length: made.feasibility.rows }, (_, i) => made.values.map((of) => of[i] ?? Number.NaN))
  }
  const base = await rowsUnder({ shares: [], ranges: [] })
  const conditioned = await rowsUnder(kind.scenario)
  return Object.fromEntries(
    Object.entries(kind.relations).map(([relation, holds]) => {
      const held = (/** @type {number[][]} */ rows) =>
        share(rows.filter(kind.among ?? (() => true)), (row) => holds(row, extremes))
      return [
        relation,
        { seed: held(drawn), base: held(base), conditioned: conditioned.length === 0 ? null : held(conditioned) },
      ]
    }),
  )
}

/**
 * @param {{ sizes: readonly number[], repetitions: number, seed: number }} options
 */
export async function relationsSection({ sizes, repetitions, seed }) {
  const lines = []
  for (const kind of RELATED_SEEDS) {
    for (const n of sizes) {
      const runs = []
      for (let r = 0; r < repetitions; r++) runs.push(await heldRelations(kind, { n, seed: seed + r }))
      for (const relation of Object.keys(kind.relations)) {
        const found = runs.flatMap((run) => run[relation] ?? [])
        const conditioned = found.flatMap((one) => one.conditioned ?? [])
        lines.push({
          relation,
          n,
          // Null: all rows have it.
          seedShare: kind.among === undefined ? null : mean(found.map((one) => one.seed)),
          base: spreadOver(
            found.map((one) => one.base),
            mean,
          ),
          conditioned: conditioned.length > 1 ? spreadOver(conditioned, mean) : null,
          refused: found.length - conditioned.length,
        })
      }
    }
  }
  return lines
}
