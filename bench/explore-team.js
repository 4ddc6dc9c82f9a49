// Ten people who move levers on the page of one `whatif serve`, which protects its seeds: the requests that their pages send, each as
// soon as the answer before it is there.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createServiceClient } from '../dist/client/create-service-client.js'
import { writeMixedCsv } from './mixed-csv.js'
import { inService } from './service-section.js'

const PEOPLE = 10
const MOVES = 20
const OUTCOMES = 12
const LIMIT_MS = 1_000

/**
 * One line of what they waited for.
 *
 * @param {string} folder
 * @param {number} rows Of the table.
 * @returns {Promise<string>}
 */
export async function teamLine(folder, rows) {
  const file = join(folder, 'team.csv')
  await writeMixedCsv(file, { rows, columns: 30 })
  return await inService(join(folder, 'service'), async ({ train, access }) => {
    const { datasetId } = await train(file)
    const waits = (await Promise.all(Array.from({ length: PEOPLE }, (_, i) => person(i, access, datasetId)))).flat()
    const most = Math.max(...waits)
    const sorted = waits.sort((a, b) => a - b)
    const median = /** @type {number} */ (sorted[Math.floor(sorted.length / 2)])
    const mark = most > LIMIT_MS ? '  MISSED' : ''
    return `${PEOPLE} people on one service, ${rows.toLocaleString('en')} rows: median ${median.toFixed(0)} ms, longest ${most.toFixed(0)} ms (limit ${LIMIT_MS})${mark}`
  })
}

/**
 * @param {number} i
 * @param {import('../dist/client/create-service-client.js').ServiceClientOptions} access
 * @param {string} datasetId
 * @returns {Promise<number[]>} Milliseconds of each move.
 */
async function person(i, access, datasetId) {
  const client = createServiceClient(access)
  const { schema } = (await client.getDatasetSchema(datasetId)).value
  const outcomes = schema.slice(-OUTCOMES).map(({ name }) => ({ column: name }))
  // Nobody begins at the same moment.
  await wait(37 * i)
  const waits = []
  for (let move = 0; move < MOVES; move++) {
    const scenario = { categorical: { 'question.4': { Yes: 0.3 + ((7 * move + i) % 40) / 100 } } }
    const began = performance.now()
    await client.estimateDifferences({ datasetId, request: { scenario, outcomes, rows: 1_000 } })
    waits.push(performance.now() - began)
  }
  await client.close()
  return waits
}
