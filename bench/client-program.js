// A client of the service in a process of its own: carries out the bench's instructions, one step after another.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { hashFile } from '../dist/base/sha256.js'
import { claimCredentials, getSignupStatus, signUp } from '../dist/client/access.js'
import { createServiceClient } from '../dist/client/create-service-client.js'
import { approveSignup } from '../dist/client/operator.js'

const PIECE_BYTES = 1024 * 1024

/** @type {import('../dist/client/service-client.js').ServiceClient | null} */
let client = null
/** @type {import('../dist/client/service-client.js').DatasetUpload | null} */
let prepared = null

/** @type {Record<string, (request: any) => Promise<unknown>>} */
const STEPS = {
  /** A tenant as the embedded service makes it. */
  async signUp({ baseUrl, operatorToken }) {
    const contactEmail = 'bench@localhost.localdomain'
    const { request_id: requestId } = (await signUp({ baseUrl }, { companyName: 'Bench', contactEmail })).value
    await approveSignup({ baseUrl, operatorToken }, requestId)
    const { credential_claim_token: token } = (await getSignupStatus({ baseUrl }, requestId)).value
    const { value } = await claimCredentials({ baseUrl }, token ?? '')
    return { clientId: value.client_id, clientSecret: value.client_secret }
  },
  async connect(options) {
    client = createServiceClient(options)
    return null
  },
  /** Hashes the file, as the runner does when it plans, and sends a small request so that token and connection are ready. */
  async prepareUpload({ path, idempotencyKey }) {
    await service()
      .getJob('job_none')
      .catch(() => null)
    const { sha256, sizeBytes } = await hashFile(path)
    prepared = {
      path,
      sha256,
      sizeBytes,
      extension: '.csv',
      autoClean: true,
      displayName: 'Bench',
      idempotencyKey: idempotencyKey ?? sha256,
    }
    return null
  },
  async upload() {
    if (prepared === null) throw new Error('nothing is prepared')
    const upload = prepared
    return await timed(async () => (await service().createDataset(upload)).value)
  },
  async awaitJob({ jobId }) {
    return await timed(async () => {
      const job = (await service().waitForJob(jobId)).value
      if (job.status !== 'completed') throw new Error(`job ${jobId} ended as ${job.status}`)
    })
  },
  /** Seconds of reading, cleaning and training as the service reports them. */
  async dataset({ datasetId }) {
    const { training_summary: summary } = (await service().getDataset(datasetId)).value
    return { trainSeconds: (summary?.duration_ms ?? Number.NaN) / 1000 }
  },
  /** `conditions` under the names of the seed file. */
  async generate({ datasetId, rows, format = 'csv', conditions = null, seed = 1 }) {
    const conditioned = conditions === null ? null : await cleanedConditions(datasetId, conditions)
    const body = JSON.stringify({
      output_format: format,
      row_count: rows,
      seed,
      ...(conditioned && { conditions: conditioned }),
    })
    const { seconds, value } = await timed(async () => {
      const idempotencyKey = `bench-${createHash('sha256').update(`${datasetId} ${body}`).digest('hex')}`
      const { value } = await service().createGeneration({ datasetId, body, idempotencyKey })
      if (value.job_id) await STEPS.awaitJob?.({ jobId: value.job_id })
      return value
    })
    return { generationId: value.generation_id, seconds }
  },
  async artifactUrl({ generationId }) {
    return { url: (await service().getGeneration(generationId)).value.artifact_url }
  },
  async download({ url, path }) {
    return await timed(() => service().downloadArtifact({ url, path }))
  },
  /** Copies and hashes in one pass and forces the copy to disk: the reference for a transfer. */
  async copy({ from, to }) {
    return await timed(async () => {
      const hash = createHash('sha256')
      const source = await open(from)
      const target = await open(to, 'wx')
      const piece = new Uint8Array(PIECE_BYTES)
      let bytes = 0
      for (;;) {
        const { bytesRead } = await source.read(piece, 0, PIECE_BYTES)
        if (bytesRead === 0) break
        hash.update(piece.subarray(0, bytesRead))
        await target.write(piece, 0, bytesRead)
        bytes += bytesRead
      }
      await target.sync()
      await target.close()
      await source.close()
      return { bytes, sha256: hash.digest('hex') }
    })
  },
  async close() {
    await client?.close()
    process.disconnect()
    return null
  },
}

process.on('message', async (/** @type {{ step: string, request: unknown }} */ { step, request }) => {
  try {
    const reply = await STEPS[step]?.(request)
    if (process.connected) process.send?.({ reply })
  } catch (error) {
    process.send?.({ failure: String(error) })
  }
})

/**
 * @param {string} datasetId
 * @param {import('./scenario-counts.js').Conditions} conditions
 */
async function cleanedConditions(datasetId, { categorical, numeric }) {
  const { schema } = (await service().getDatasetSchema(datasetId)).value
  /** @param {Record<string, unknown>} of */
  const renamed = (of) =>
    Object.fromEntries(
      Object.entries(of).map(([name, condition]) => [
        schema.find(({ source_name: source }) => source === name)?.name ?? name,
        condition,
      ]),
    )
  return { categorical: renamed(categorical), numeric: renamed(numeric) }
}

function service() {
  if (client === null) throw new Error('not connected')
  return client
}

/**
 * @template T
 * @param {() => Promise<T>} work
 */
async function timed(work) {
  const begun = performance.now()
  const value = await work()
  return { seconds: (performance.now() - begun) / 1000, value }
}
