// Reads, cleans, trains and samples as the service does, and prints how long it took.
import { join } from 'node:path'
import { cleanTable } from '../dist/engine/clean.js'
import { generate } from '../dist/engine/generate.js'
import { trainModel } from '../dist/engine/train.js'
import { readTable } from '../dist/formats/read-table.js'
import { peakRssBytes } from './peak-rss.js'
import { countConditions, engineScenario } from './scenario-counts.js'
import { stopwatch } from './stopwatch.js'

const SEED = 20260101

/** @type {{ file: string, rows: number, threads: number, tempDir: string, scenarios: Record<string, import('./scenario-counts.js').BenchScenario> }} */
const request = JSON.parse(process.argv[2] ?? '{}')
const { threads } = request

const clock = stopwatch()
let cpuBefore = process.cpuUsage()
const raw = await readTable(request.file, { tempDir: join(request.tempDir, 'reading'), threads })
const readSeconds = clock()
const { table } = cleanTable(raw, { autoClean: true })
const model = await trainModel(table, { threads })
const trainSeconds = clock()
const fitCpuSeconds = cpuSeconds()
await sample(request.rows, { shares: [], ranges: [] })
const sampleSeconds = clock()
const sampleCpuSeconds = cpuSeconds()
const peak = peakRssBytes()

/** @type {Record<string, unknown>} */
const scenarios = {}
for (const [name, wanted] of Object.entries(request.scenarios)) {
  const scenario = engineScenario(wanted.conditions, model.columns)
  clock()
  const generated = await sample(wanted.row_count, scenario)
  const firstSeconds = clock()
  // Again: the model now has the order of the columns.
  await sample(wanted.row_count, scenario)
  const laterSeconds = clock()
  scenarios[name] = { firstSeconds, laterSeconds, ...countConditions(generated, scenario) }
}
process.stdout.write(
  JSON.stringify({
    rows: table.rowCount,
    readSeconds,
    trainSeconds,
    fitCpuSeconds,
    sampleSeconds,
    sampleCpuSeconds,
    peakRssBytes: peak,
    scenarios,
  }),
)

/**
 * @param {number} rowCount
 * @param {import('../dist/engine/scenario/scenario.js').Scenario} scenario
 */
async function sample(rowCount, scenario) {
  const { columns, blocks } = await generate(model, { rowCount, seed: SEED, scenario, threads })
  const kept = []
  for await (const block of blocks) kept.push(block)
  return { columns, blocks: kept }
}

/** Seconds of all threads since the last call. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage(cpuBefore)
  cpuBefore = process.cpuUsage()
  return (user + system) / 1e6
}
