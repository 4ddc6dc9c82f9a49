import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { type Condition, makeRows, readSeed, type Seed } from './double-rows.ts'

/**
 * A small service that keeps real state behind a real socket: tokens, datasets with training jobs, generations with
 * jobs, idempotency and artifacts as CSV. Written from the service specification alone; where that is silent it does the
 * least, so that nothing of the runner can lean on our own service's manners.
 */
export interface ServiceDouble {
  readonly url: string
  /** Every request, in order of arrival, with the status of its answer. */
  readonly log: readonly LoggedRequest[]
  readonly datasets: ReadonlyMap<string, DoubleDataset>
  readonly generations: ReadonlyMap<string, DoubleGeneration>
  /**
   * Answers in place of the double when it returns something. `drop` closes the socket before anything is done; `half`
   * does the requested work, sends half of the answer and is called then. A promise holds the request back until it resolves.
   */
  intercept: (request: DoubleRequest) => Interception | undefined | Promise<Interception | undefined>
  /** Changes the double's own answers before they are sent; by default not at all. */
  revise: (json: Record<string, unknown>, request: DoubleRequest) => object
  /** How it reads an upload; by default as a CSV file without quotes. */
  readUpload: (file: Buffer) => Seed
  /** Rows that the model can fill of a request; default: all. 0 = the generation fails. */
  feasible: (body: GenerationBody) => number
  /** Its report of the evidence behind rows; null: nothing, as the specification allows. */
  evidence: Record<string, unknown> | null
  /** Its report of the training of datasets; null: nothing. */
  training: Record<string, unknown> | null
  /** Its estimates from the seed; null: it does not have the operation, which is an extension. */
  estimates: ((request: EstimateRequest) => object) | null
  /** Polls that a job needs before it has ended. */
  pollsPerJob: number
  /** Ends retention. The idempotency keys stay, as on a service that remembers them longer. */
  forget(what: 'datasets' | 'generations'): void
  /** Requests that create work and were taken on, by path ending: `datasets`, `generations`. */
  made(kind: 'datasets' | 'generations'): number
  close(): Promise<void>
}

export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly status: number
}

export interface DoubleRequest {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly body: Buffer
}

export type Interception =
  | 'drop'
  | { readonly half: () => void }
  | { readonly status: number; readonly json?: object; readonly headers?: Record<string, string> }

export interface GenerationBody {
  readonly row_count: number
  readonly seed: number
  readonly output_format: string
  readonly conditions?: Condition
}

interface DoubleDataset {
  readonly id: string
  readonly seed: Seed
  /** The bytes of its file, and the parts before the file. */
  readonly file: Buffer
  readonly fields: string
  readonly job: string
}

interface DoubleGeneration {
  readonly id: string
  readonly dataset: string
  readonly job: string
  readonly body: GenerationBody
  readonly csv: Buffer
  readonly rows: number
}

interface DoubleJob {
  polls: number
  readonly dataset?: string
  readonly generation?: string
  readonly failed?: string
}

export const TOKEN_CANARY = 'canary-token-9c1e.aaaa.bbbb'
export const SECRET_CANARY = 'canary-secret-51f0'
const LINK_CANARY = 'canary-signature-77aa'

export async function startServiceDouble(): Promise<ServiceDouble> {
  const log: LoggedRequest[] = []
  const datasets = new Map<string, DoubleDataset>()
  const generations = new Map<string, DoubleGeneration>()
  const jobs = new Map<string, DoubleJob>()
  const keys = new Map<string, { fingerprint: string; reply: () => object }>()
  const taken = { datasets: 0, generations: 0 }
  let serial = 0
  const id = (prefix: string): string => `${prefix}_${String(++serial).padStart(6, '0')}`

  const double: ServiceDouble = {
    url: '',
    log,
    datasets,
    generations,
    intercept: () => undefined,
    revise: (json) => json,
    readUpload: (file) => readSeed(file.toString('utf8')),
    feasible: (body) => body.row_count,
    evidence: null,
    training: null,
    estimates: null,
    pollsPerJob: 1,
    forget: (what) => (what === 'datasets' ? datasets : generations).clear(),
    made: (kind) => taken[kind],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  const isDone = (job: string): boolean => (jobs.get(job)?.polls ?? 0) >= double.pollsPerJob

  /** Runs `make` for a new key; answers a known one with the current state; refuses a known one with another body. */
  function once(key: string | null, fingerprint: string, make: () => () => object): Answer {
    const known = key === null ? undefined : keys.get(key)
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) return problem(409, 'svc_idempotency_conflict', 'another body')
      return { status: 202, json: known.reply(), headers: { 'idempotent-replayed': 'true' } }
    }
    const reply = make()
    if (key !== null) keys.set(key, { fingerprint, reply })
    return { status: 202, json: reply() }
  }

  function createDataset(request: DoubleRequest): Answer {
    const parts = request.body.toString('latin1')
    const file = /filename="[^"]*"\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*)\r\n--[^\r\n]+--\r\n$/.exec(parts)?.[1]
    if (file === undefined) return problem(400, 'svc_invalid_field', 'no seed_file')
    const fields = parts.slice(0, parts.indexOf('name="seed_file"'))
    return once(request.key, sha(fields + sha(file)), () => {
      taken.datasets++
      const bytes = Buffer.from(file, 'latin1')
      const made = { id: id('ds'), seed: double.readUpload(bytes), file: bytes, fields, job: id('job') }
      datasets.set(made.id, made)
      jobs.set(made.job, { polls: 0, dataset: made.id })
      return () => ({ dataset_id: made.id, status: isDone(made.job) ? 'ready' : 'processing', job_id: made.job })
    })
  }

  function createGeneration(request: DoubleRequest, datasetId: string): Answer {
    const body = JSON.parse(request.body.toString('utf8')) as GenerationBody
    const known = request.key !== null && keys.has(request.key)
    const dataset = datasets.get(datasetId)
    if (!known && dataset === undefined) return problem(404, 'svc_not_found', 'no such dataset')
    return once(request.key, sha(`${datasetId} ${request.body.toString('utf8')}`), () => {
      taken.generations++
      const rows = Math.min(body.row_count, double.feasible(body))
      const csv = Buffer.from(makeRows(dataset!.seed, body, rows))
      const made: DoubleGeneration = { id: id('gen'), dataset: datasetId, job: id('job'), body, csv, rows }
      generations.set(made.id, made)
      const detail = 'the targets cannot hold together'
      jobs.set(made.job, rows === 0 ? { polls: 0, failed: detail } : { polls: 0, generation: made.id })
      return () => ({ generation_id: made.id, status: 'processing', job_id: made.job })
    })
  }

  function getGeneration(generationId: string): Answer {
    const found = generations.get(generationId)
    if (found === undefined) return problem(404, 'svc_not_found', 'no such generation')
    const job = jobs.get(found.job)!
    // Work continues, whether or not a client reads it.
    if (!isDone(found.job)) job.polls++
    if (!isDone(found.job)) return { status: 200, json: { generation_id: found.id, status: 'processing' } }
    if (found.rows === 0) return { status: 200, json: { generation_id: found.id, status: 'failed' } }
    const isPartial = found.rows < found.body.row_count
    return {
      status: 200,
      json: {
        generation_id: found.id,
        status: isPartial ? 'partial' : 'ready',
        artifact_url: `/v1/artifacts/${found.id}?sig=${LINK_CANARY}`,
        rows_generated: found.rows,
        ...(double.evidence === null ? {} : { evidence: double.evidence }),
        ...(isPartial
          ? {
              shortfall: {
                detail: 'few rows',
                binding: [{ column: 'region', level: 'North', target: 1, seed_rows: 3 }],
              },
            }
          : {}),
      },
    }
  }

  function getJob(jobId: string): Answer {
    const job = jobs.get(jobId)
    if (job === undefined) return problem(404, 'svc_not_found', 'no such job')
    job.polls++
    if (job.polls < double.pollsPerJob) {
      return { status: 200, json: { job_id: jobId, status: 'running', progress: 0.5, stage: 'training' } }
    }
    if (job.failed !== undefined) {
      const error = { code: 'svc_infeasible_scenario', detail: job.failed }
      return { status: 200, json: { job_id: jobId, status: 'failed', error } }
    }
    const { dataset, generation } = job
    return { status: 200, json: { job_id: jobId, status: 'completed', dataset_id: dataset, generation_id: generation } }
  }

  function answer(request: DoubleRequest, authorized: boolean): Answer {
    const { method, path } = request
    if (path === '/oauth/token') {
      const { client_secret } = JSON.parse(request.body.toString('utf8')) as { client_secret: string }
      if (client_secret !== SECRET_CANARY) return problem(401, null, 'Invalid credentials.')
      return { status: 200, json: { access_token: TOKEN_CANARY, token_type: 'Bearer', expires_in: 86400 } }
    }
    if (!authorized) return problem(401, null, 'Invalid credentials.')
    const [, , resource, resourceId, below] = path.split('?')[0]!.split('/')
    if (method === 'POST' && resource === 'datasets' && resourceId === undefined) return createDataset(request)
    if (method === 'POST' && below === 'generations') return createGeneration(request, resourceId!)
    if (resource === 'jobs') return getJob(resourceId!)
    if (resource === 'generations') return getGeneration(resourceId!)
    if (resource === 'artifacts') {
      const found = generations.get(resourceId!)
      return found === undefined ? problem(404, 'svc_not_found', 'gone') : { status: 200, bytes: found.csv }
    }
    const dataset = datasets.get(resourceId ?? '')
    if (dataset === undefined) return problem(404, 'svc_not_found', 'no such dataset')
    if (below === 'schema') return { status: 200, json: { schema: dataset.seed.schema } }
    if (below === 'estimates' && double.estimates !== null)
      return {
        status: 200,
        json: { dataset_id: dataset.id, ...double.estimates(JSON.parse(request.body.toString('utf8'))) },
      }
    if (below !== undefined) return problem(404, 'svc_not_found', 'no such operation')
    const { header, rows } = dataset.seed
    const cleaning_summary = {
      input_rows: rows.length,
      clean_rows: rows.length,
      input_columns: header.length,
      clean_columns: header.length,
      dropped_columns: [],
    }
    const training = double.training === null ? {} : { training_summary: double.training }
    return { status: 200, json: { dataset_id: dataset.id, status: 'ready', cleaning_summary, ...training } }
  }

  function revised(reply: Answer, request: DoubleRequest): Answer {
    return reply.json === undefined ? reply : { ...reply, json: double.revise({ ...reply.json }, request) }
  }

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await readAll(incoming)
      const key = incoming.headers['idempotency-key']
      const request: DoubleRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        key: typeof key === 'string' ? key : null,
        body,
      }
      const authorized = incoming.headers.authorization === `Bearer ${TOKEN_CANARY}`
      const intercepted = double.intercept(request)
      // Nothing happens between an immediate decision and the answer.
      const forced = intercepted instanceof Promise ? await intercepted : intercepted
      const cut = forced !== undefined && forced !== 'drop' && 'half' in forced ? forced.half : null
      const reply =
        forced === undefined || cut !== null
          ? revised(answer(request, authorized), request)
          : (forced as Answer | 'drop')
      const status = reply === 'drop' ? 0 : reply.status
      log.push({ method: request.method, path: request.path, key: request.key, status })
      if (reply === 'drop') incoming.socket.destroy()
      else send(outgoing, reply, cut)
    })().catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  Object.assign(double, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  return double
}

interface Answer {
  readonly status: number
  readonly json?: object
  readonly bytes?: Buffer
  readonly headers?: Record<string, string>
}

export function problem(status: number, code: string | null, detail: string): Answer {
  return { status, json: { type: 'about:blank', title: 'Problem', status, detail, ...(code === null ? {} : { code }) } }
}

let requests = 0

function send(outgoing: ServerResponse, reply: Answer, cut: (() => void) | null): void {
  const bytes = reply.bytes ?? Buffer.from(JSON.stringify(reply.json ?? {}))
  outgoing.writeHead(reply.status, {
    'content-type': reply.bytes === undefined ? 'application/json' : 'text/csv',
    'content-length': bytes.length,
    'x-request-id': `req_${++requests}`,
    ...reply.headers,
  })
  if (cut === null) outgoing.end(bytes)
  else outgoing.write(bytes.subarray(0, bytes.length / 2), cut)
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
