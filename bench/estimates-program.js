// Trains a seed in the embedded service and asks it for estimates, and prints the duration next to a read of the schema
// and a simple pass over as many rows.
import { hashFile } from '../dist/base/sha256.js'
import { openEmbeddedService } from '../dist/local/embedded-service.js'
import { median } from './report-text.js'

const { file, dataDir, outcomes: outcomeCount, rounds, rows } = JSON.parse(process.argv[2] ?? '{}')

const client = await openEmbeddedService({
  dataDir,
  lockTimeoutMs: 1_000,
  signal: new AbortController().signal,
  retentionHours: 24,
})
const { sha256, sizeBytes } = await hashFile(file)
const upload = { path: file, sha256, sizeBytes, extension: '.csv', autoClean: true, displayName: 'Bench' }
const { value: receipt } = await client.createDataset({ ...upload, idempotencyKey: sha256 })
const { dataset_id: datasetId, job_id: jobId } = receipt
if (jobId) await client.waitForJob(jobId)
const { schema } = (await client.getDatasetSchema(datasetId)).value
const outcomes = schema.slice(0, outcomeCount).map(({ name }) => ({ column: name }))
if (outcomes.length < outcomeCount) throw new Error(`cleaning left ${schema.length} columns`)

/** Columns of the kinds that every mixed file has. */
const WITH = { agreement: 'question.1', town: 'question.3', yes: 'question.4', age: 'question.5' }

/** A little other in each round. @type {Record<string, (round: number) => { scenario: object, baseline?: object }>} */
const QUESTIONS = {
  'one share': (round) => ({ scenario: { categorical: { [WITH.yes]: { Yes: 0.6 + round / 1000 } } } }),
  '3 shares and a range': (round) => ({ scenario: mixed(round) }),
  'against a scenario': (round) => ({
    scenario: mixed(round),
    baseline: { categorical: { [WITH.agreement]: { Agree: 0.3 } } },
  }),
}

/** @param {number} round */
function mixed(round) {
  return {
    categorical: {
      [WITH.agreement]: { 'Strongly agree': 0.25, Agree: 0.3 + round / 1000 },
      [WITH.yes]: { Yes: 0.6 },
      [WITH.town]: { 'Region 1': 0.1 },
    },
    numeric: { [WITH.age]: { min: 25, max: 75 } },
  }
}

/** @type {Record<string, Awaited<ReturnType<typeof timed>>>} */
const estimates = {}
for (const [name, question] of Object.entries(QUESTIONS)) {
  estimates[name] = await timed(async (round) => {
    const { value } = await client.estimateDifferences({ datasetId, request: { ...question(round), outcomes } })
    if (value.scenario.status !== 'estimated' || value.outcomes.length !== outcomeCount)
      throw new Error(`${name} is not estimated`)
  })
}
const schemaRead = await timed(async () => {
  await client.getDatasetSchema(datasetId)
})
await client.close()

const codes = Array.from({ length: outcomeCount }, (_, c) =>
  Int32Array.from({ length: rows }, (_, i) => (i * (c + 7)) % 61),
)
const weights = Float64Array.from({ length: rows }, (_, i) => 1 + (i % 5))
const sums = new Float64Array(61)
const pass = await timed(async () => {
  for (const column of codes)
    for (let i = 0; i < rows; i++) sums[/** @type {number} */ (column[i])] += /** @type {number} */ (weights[i])
})
process.stdout.write(JSON.stringify({ estimates, schema: schemaRead, pass }))

/**
 * In seconds; `processor` is that of all threads of client and service, per round.
 *
 * @param {(round: number) => Promise<void>} work
 */
async function timed(work) {
  const took = []
  let begunCpu = process.cpuUsage()
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) begunCpu = process.cpuUsage()
    const begun = performance.now()
    await work(round)
    took.push((performance.now() - begun) / 1000)
  }
  const { user, system } = process.cpuUsage(begunCpu)
  const [first = Number.NaN, ...later] = took
  return { first, least: Math.min(...later), middle: median(later), processor: (user + system) / 1e6 / rounds }
}
