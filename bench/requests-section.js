// Authenticated GETs, compared with a bare fastify route.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limitText, milliseconds, prose, table, times } from './report-text.js'
import { TalkingChild } from './talking-child.js'

const ROWS = 2_000
/** Of a bare route's requests, where nothing is read from the database. */
const LEAST_PART = 0.3
/** Requests per second, where the record is read from the database. */
const LEAST_FROM_DATABASE = 3_000
const MOST_P99_SECONDS = 0.02

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function requestsSection(tempDir) {
  const seedFile = join(tempDir, 'seed.csv')
  const lines = Array.from(
    { length: ROWS },
    (_, i) => `${['north', 'south', 'west'][i % 3]},${(i * 7919) % 101},${i % 2}`,
  )
  await writeFile(seedFile, `region,age,member\n${lines.join('\n')}\n`)
  const settings = { dataDir: join(tempDir, 'service'), operatorToken: 'bench-operator-token', threads: 1 }
  const server = new TalkingChild('memory-record-program.js')
  const client = new TalkingChild('client-program.js')
  const bare = new TalkingChild('bare-route-program.js')
  const asking = new TalkingChild('requests-program.js')
  try {
    const addresses = await server.ask(settings)
    const { baseUrl } = addresses
    const credentials = await client.step('signUp', { ...addresses, operatorToken: settings.operatorToken })
    await client.step('connect', { ...addresses, ...credentials })
    await client.step('prepareUpload', { path: seedFile })
    const { dataset_id: datasetId, job_id: jobId } = (await client.step('upload')).value
    await client.step('awaitJob', { jobId })
    const { generationId } = await client.step('generate', { datasetId, rows: 100 })
    await client.end({ step: 'close' })
    const headers = { authorization: `Bearer ${await mint(addresses, credentials)}` }

    /** @param {string} url @param {number} status */
    const measure = async (url, status = 200) => {
      const { failure, ...measured } = await asking.ask({ url, headers, status })
      if (failure !== null) throw new Error(failure)
      return measured
    }
    const least = await measure(`${(await bare.ask({})).baseUrl}/job`)
    const fromMemory = await measure(`${baseUrl}/v1/bare-record`)
    const refused = await measure(`${baseUrl}/v1/datasets?limit=0`, 400)
    /** @type {[string, any][]} */
    const read = []
    for (const [name, path] of [
      ['a job', `/v1/jobs/${jobId}`],
      ['a dataset', `/v1/datasets/${datasetId}`],
      ['a schema', `/v1/datasets/${datasetId}/schema`],
      ['a generation', `/v1/generations/${generationId}`],
    ]) {
      read.push([name ?? '', await measure(`${baseUrl}${path}`)])
    }
    const count = (/** @type {number} */ value) => Math.round(value).toLocaleString('en')
    const row = (/** @type {string} */ name, /** @type {any} */ { perSecond, p99Seconds }, limit = '') => [
      name,
      count(perSecond),
      limit,
      milliseconds(p99Seconds),
      limitText(p99Seconds, MOST_P99_SECONDS, milliseconds),
    ]
    const leastPart = (/** @type {any} */ { perSecond }) =>
      limitText(perSecond, LEAST_PART * least.perSecond, count, 'min')
    return [
      ...prose(
        '20 connections, one request at a time on each, all on this machine, which also does the asking. "From memory" is the record of the bare route, authenticated and behind all that the service does with every request; "refused" is an authenticated request with a fault, answered without the database.',
      ),
      ...table(
        ['', '/ s', 'limit', 'p99', 'limit'],
        [
          row('bare fastify', least),
          row('from memory', fromMemory, leastPart(fromMemory)),
          row('refused', refused, leastPart(refused)),
          ...read.map(([name, one]) => row(name, one, limitText(one.perSecond, LEAST_FROM_DATABASE, count, 'min'))),
        ],
      ),
      ...prose(
        `Over bare: from memory ${times(fromMemory.perSecond / least.perSecond)}, refused ${times(refused.perSecond / least.perSecond)}.`,
      ),
    ]
  } finally {
    await Promise.all([server, client, bare, asking].map((child) => child.kill()))
  }
}

/**
 * @param {{ baseUrl: string, authUrl: string }} addresses
 * @param {{ clientId: string, clientSecret: string }} credentials
 * @returns {Promise<string>}
 */
async function mint({ baseUrl, authUrl }, { clientId, clientSecret }) {
  const reply = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      audience: baseUrl,
      grant_type: 'client_credentials',
    }),
  })
  if (!reply.ok) throw new Error(`the token was answered with ${reply.status}`)
  return /** @type {any} */ (await reply.json()).access_token
}
