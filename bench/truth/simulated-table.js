// Simulated rows as the engine takes and gives them.
import { generate } from '../../dist/engine/generate.js'

/**
 * Columns of a simulation: levels by index, or numbers.
 *
 * @typedef {{ name: string, levels: readonly string[], integer?: boolean }} LevelColumn
 * @typedef {{ name: string, decimals: number }} NumberColumn
 * @typedef {LevelColumn | NumberColumn} SimulatedColumn
 */

/**
 * @param {readonly SimulatedColumn[]} columns
 * @param {readonly ArrayLike<number>[]} values By column: indices of levels, or numbers.
 * @returns {import('../../dist/engine/cleaning/table.js').Table}
 */
export function simulatedTable(columns, values) {
  const rowCount = values[0]?.length ?? 0
  return {
    rowCount,
    seedRows: rowCount,
    columns: columns.map((column, c) => {
      const source = values[c] ?? []
      const base = { name: column.name, sourceName: column.name, missingShare: 0 }
      if (!('levels' in column)) {
        const numbers = Float64Array.from(source)
        const range = { min: numbers.reduce((a, b) => Math.min(a, b)), max: numbers.reduce((a, b) => Math.max(a, b)) }
        const form = { format: null, integer: column.decimals === 0, decimals: column.decimals }
        return { ...base, ...form, ...range, kind: 'numeric', values: numbers, valid: new Uint8Array(rowCount).fill(1) }
      }
      // As cleaning has them: the most frequent level first.
      const counts = new Array(column.levels.length).fill(0)
      for (let i = 0; i < rowCount; i++) counts[source[i] ?? 0]++
      const order = column.levels.map((_, l) => l).filter((l) => counts[l] > 0)
      order.sort((a, b) => counts[b] - counts[a] || a - b)
      const codeOf = new Int32Array(column.levels.length)
      order.forEach((level, code) => {
        codeOf[level] = code
      })
      return {
        ...base,
        kind: 'categorical',
        levels: order.map((l) => column.levels[l] ?? ''),
        codes: Int32Array.from(source, (l) => codeOf[l] ?? 0),
        integer: column.integer ?? false,
      }
    }),
  }
}

/**
 * Rows of a model under a scenario, as columns of the simulation again.
 *
 * @param {import('../../dist/engine/model/model.js').Model} model
 * @param {readonly SimulatedColumn[]} columns
 * @param {{ rowCount: number, seed: number, scenario: import('../../dist/engine/scenario/scenario.js').Scenario, orders?: import('../../dist/engine/scenario/order-cache.js').OrderStore }} options
 */
export async function simulatedRows(model, columns, options) {
  const { blocks, feasibility, columns: made } = await generate(model, { ...options, threads: 1 })
  const values = columns.map((column) =>
    'levels' in column ? new Uint8Array(feasibility.rows) : new Float64Array(feasibility.rows),
  )
  const indexOf = columns.map((column) => made.findIndex(({ name }) => name === column.name))
  const levelOf = columns.map((column, c) => {
    const output = made[indexOf[c] ?? -1]
    return 'levels' in column && output?.kind === 'categorical'
      ? output.levels.map((level) => column.levels.indexOf(level))
      : []
  })
  let at = 0
  for await (const block of blocks) {
    for (let c = 0; c < columns.length; c++) {
      const from = block.columns[indexOf[c] ?? -1]
      const to = values[c]
      if (from === undefined || to === undefined) throw new Error('the model lacks a column of the simulation')
      const levels = levelOf[c] ?? []
      if ('codes' in from) for (let i = 0; i < block.rowCount; i++) to[at + i] = levels[from.codes[i] ?? -1] ?? 255
      else for (let i = 0; i < block.rowCount; i++) to[at + i] = from.values[i] ?? Number.NaN
    }
    at += block.rowCount
  }
  return { values, feasibility }
}
