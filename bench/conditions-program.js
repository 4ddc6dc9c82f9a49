// Weights a seed to many conditions at once, settles a scenario of them and asks which levers move a figure, and prints the processor
// time of each.
import { readFile } from 'node:fs/promises'
import { cleanTable } from '../dist/engine/clean.js'
import { weighSeed } from '../dist/engine/estimates/seed-weights.js'
import { assessScenario } from '../dist/engine/generate.js'
import { trainModel } from '../dist/engine/train.js'
import { readTable } from '../dist/formats/read-table.js'

/** @type {{ file: string, targets: string, tempDir: string, rounds: number }} */
const { file, targets, tempDir, rounds } = JSON.parse(process.argv[2] ?? '{}')

const raw = await readTable(file, { tempDir, threads: 2 })
const { table } = cleanTable(raw, { autoClean: true })
const model = await trainModel(table, { threads: 2 })
const { shares, cells, means } = JSON.parse(await readFile(targets, 'utf8'))
const scenario = {
  shares: shares.map((/** @type {any} */ { column, levels }) => ({ column, levels: new Map(levels) })),
  ranges: [],
  cells,
  means,
}
const weighing = await timed(async () => (await weighSeed(model, scenario, 'exact'))?.effectiveRows ?? 0)
const settling = await timed(
  async () => (await assessScenario(model, scenario, model.rowCount, { disclosure: 'exact', threads: 1 })).rows,
)
process.stdout.write(JSON.stringify({ rows: model.rowCount, weighing, settling }))

/**
 * The least processor time of the rounds after the first, which trains an order and warms the code.
 *
 * @param {() => Promise<number>} work
 */
async function timed(work) {
  const took = []
  let found = 0
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage()
    found = await work()
    const { user, system } = process.cpuUsage(before)
    took.push((user + system) / 1e6)
  }
  return { found, seconds: Math.min(...took.slice(1)) }
}
