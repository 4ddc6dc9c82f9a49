// The engine through the service: Adult, a CSV of 500 MB, and a million rows in each format; with the memory of the service and
// of the process that it trains in.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeMixedCsv } from './mixed-csv.js'
import { sharedFile } from './places.js'
import { limitText, megabytes, prose, seconds, table } from './report-text.js'
import { TalkingChild } from './talking-child.js'

const LARGE = { rows: 2_800_000, columns: 20 }
const GENERATED_ROWS = 1_000_000
const LATER_SCENARIOS = 5
const ROUNDS = 3

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function serviceSection(tempDir) {
  const large = join(tempDir, 'large.csv')
  const largeBytes = await writeMixedCsv(large, LARGE)
  /** @type {string[][]} */
  const rows = []
  const adult = sharedFile('data/adult.csv')
  return await inService(join(tempDir, 'service'), async ({ server, client, train }) => {
    const lines = []
    if (adult === null) lines.push(...prose('Adult skipped: ../shared/data/adult.csv is not there.'))
    else {
      addRun(rows, 'Adult, in a new process', await train(adult), null)
      const again = []
      for (let round = 0; round < ROUNDS; round++) again.push(await train(adult))
      addRun(
        rows,
        `Adult, again (fastest of ${ROUNDS})`,
        again.reduce((a, b) => (b.allSeconds < a.allSeconds ? b : a)),
        1,
      )
    }
    const trained = await train(large)
    addRun(rows, `${LARGE.rows.toLocaleString('en')} x ${LARGE.columns}`, trained, 30)
    const peak = server.peakRss()
    const workers = server.peakRssOfChildren()
    lines.push(
      ...prose(
        `From the first byte sent until the client knows that the dataset is ready, 2 threads; "train" is reading, cleaning and training. The large file has ${megabytes(largeBytes)}.`,
      ),
      ...table(['', 'upload', 'train', 'ready', 'limit'], rows),
      ...prose(
        workers === null || peak === null
          ? 'Memory skipped: this platform does not tell that of other processes.'
          : `Peak memory: the process that trains ${megabytes(workers)} (${limitText(workers, 1.5e9, megabytes)}), the service ${megabytes(peak)}.`,
      ),
      '',
    )
    lines.push(...(adult === null ? [] : await scenarioLines(client, (await train(adult)).datasetId)), '')
    const datasetId = adult === null ? trained.datasetId : (await train(adult)).datasetId
    // The first generation on a dataset reads its model, which is not measured here.
    await client.step('generate', { datasetId, rows: 1_000, format: 'csv' })
    /** @type {string[][]} */
    const written = []
    for (const [format, limit] of /** @type {const} */ ([
      ['parquet', 5],
      ['arrow', null],
      ['csv', null],
    ])) {
      const run = await client.step('generate', { datasetId, rows: GENERATED_ROWS, format })
      written.push([
        format,
        seconds(run.seconds),
        limit === null ? '' : limitText(run.seconds, limit, seconds),
        Math.round(GENERATED_ROWS / run.seconds).toLocaleString('en'),
      ])
    }
    lines.push(
      ...prose(
        `${GENERATED_ROWS.toLocaleString('en')} rows of a trained model, from the request until they are there.`,
      ),
      ...table(['', 'ready', 'limit', 'rows / s'], written),
    )
    return lines
  })
}

/**
 * Runs `work` with a service of its own on a new folder, as `whatif serve` would start it, and a client of it.
 *
 * @template T
 * @param {string} dataDir
 * @param {(parts: { server: TalkingChild, client: TalkingChild, train: (path: string) => Promise<TrainingRun>, access: import('../dist/client/create-service-client.js').ServiceClientOptions }) => Promise<T>} work
 */
export async function inService(dataDir, work) {
  const settings = { dataDir, operatorToken: 'bench-operator-token', threads: 2 }
  const server = new TalkingChild('service-program.js')
  const client = new TalkingChild('client-program.js')
  try {
    const addresses = await server.ask(settings)
    const credentials = await client.step('signUp', { ...addresses, operatorToken: settings.operatorToken })
    await client.step('connect', { ...addresses, ...credentials })
    let keys = 0
    /** @param {string} path */
    const train = async (path) => {
      await client.step('prepareUpload', { path, idempotencyKey: `bench-${keys++}` })
      const { seconds: uploadSeconds, value } = await client.step('upload')
      const { seconds: waitSeconds } = await client.step('awaitJob', { jobId: value.job_id })
      const { trainSeconds } = await client.step('dataset', { datasetId: value.dataset_id })
      return { datasetId: value.dataset_id, uploadSeconds, trainSeconds, allSeconds: uploadSeconds + waitSeconds }
    }
    const result = await work({ server, client, train, access: { ...addresses, ...credentials } })
    await client.end({ step: 'close' })
    await server.end('close')
    return result
  } finally {
    await Promise.all([server.kill(), client.kill()])
  }
}

/** @typedef {{ datasetId: string, uploadSeconds: number, trainSeconds: number, allSeconds: number }} TrainingRun */

/** @param {string[][]} rows @param {string} name @param {TrainingRun} run @param {number | null} limit */
function addRun(rows, name, run, limit) {
  rows.push([
    name,
    seconds(run.uploadSeconds),
    seconds(run.trainSeconds),
    seconds(run.allSeconds),
    limit === null ? '' : limitText(run.allSeconds, limit, seconds),
  ])
}

/**
 * Scenarios on Adult, each on columns of its own: the first trains their order, later ones have it.
 *
 * @param {TalkingChild} client
 * @param {string} datasetId
 */
async function scenarioLines(client, datasetId) {
  const path = sharedFile('bench/scenarios/adult.json')
  if (path === null) return prose('Scenarios skipped: ../shared/bench/scenarios/adult.json is not there.')
  /** @type {Record<string, import('./scenario-counts.js').BenchScenario>} */
  const scenarios = JSON.parse(await readFile(path, 'utf8')).scenarios
  const rows = []
  for (const [name, { row_count: rowCount, conditions }] of Object.entries(scenarios)) {
    const times = []
    for (let seed = 0; seed <= LATER_SCENARIOS; seed++) {
      times.push((await client.step('generate', { datasetId, rows: rowCount, conditions, seed })).seconds)
    }
    const [first = Number.NaN, ...later] = times
    const slowest = Math.max(...later)
    rows.push([name, seconds(first), limitText(first, 1, seconds), seconds(slowest), limitText(slowest, 0.3, seconds)])
  }
  return [
    ...prose(
      `Scenarios on Adult, from the request until their rows are there: the first on its columns, and the slowest of ${LATER_SCENARIOS} later ones.`,
    ),
    ...table(['', 'first', 'limit', 'later', 'limit'], rows),
  ]
}
