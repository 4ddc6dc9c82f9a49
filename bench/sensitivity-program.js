// Trains a seed in the embedded service and asks which levers move a share, as `whatif sensitivity` does.
import { hashFile } from '../dist/base/sha256.js'
import { openEmbeddedService } from '../dist/local/embedded-service.js'
import { sensitivityOf } from '../dist/runner/estimates/sensitivity.js'

const { file, dataDir, rounds } = JSON.parse(process.argv[2] ?? '{}')

const signal = new AbortController().signal
const client = await openEmbeddedService({ dataDir, lockTimeoutMs: 1_000, signal, retentionHours: 24 })
const { sha256, sizeBytes } = await hashFile(file)
const upload = { path: file, sha256, sizeBytes, extension: '.csv', autoClean: true, displayName: 'Bench' }
const { value: receipt } = await client.createDataset({ ...upload, idempotencyKey: sha256 })
const { dataset_id: datasetId, job_id: jobId } = receipt
if (jobId) await client.waitForJob(jobId)
const { schema } = (await client.getDatasetSchema(datasetId)).value
const column = schema.find(({ levels }) => levels?.includes('Yes'))
if (column === undefined) throw new Error('no column has the level Yes')
const took = []
let levers = 0
let begunCpu = process.cpuUsage()
for (let round = 0; round <= rounds; round++) {
  if (round === 1) begunCpu = process.cpuUsage()
  const begun = performance.now()
  const call = { signal, deadlineMs: Date.now() + 60_000 }
  const asked = { study: null, name: 'bench', datasetId, schema, client, call }
  const found = await sensitivityOf(/** @type {any} */ (asked), { column, level: 'Yes' })
  if (typeof found === 'string') throw new Error(found)
  levers = found.levers.length
  took.push((performance.now() - begun) / 1000)
}
const { user, system } = process.cpuUsage(begunCpu)
await client.close()
const least = Math.min(...took.slice(1))
process.stdout.write(
  JSON.stringify({ columns: schema.length, levers, least, processor: (user + system) / 1e6 / rounds }),
)
