import { z } from 'zod'
import { IDEMPOTENCY_KEY_PATTERN } from '../contract/ids.ts'
import { TERMINAL_JOB_STATUSES } from '../contract/jobs.ts'
import { addressUnder, checkedAddress, isLoopback, pathSegment, refusedAddress } from './address-rules.ts'
import { type CallScope, inScope } from './call-scope.ts'
import { callForJson } from './call-service.ts'
import { downloadArtifact } from './download-artifact.ts'
import { Estimates } from './estimate-replies.ts'
import { GatheredGenerations } from './gathered-generations.ts'
import { InFlight } from './in-flight.ts'
import { offeredConditions, offersBatches, offersUploads } from './offered-conditions.ts'
import {
  Dataset,
  DatasetPage,
  DatasetSchema,
  Generation,
  GenerationBatchReply,
  GenerationReceipt,
  JobReply,
} from './replies.ts'
import type { Repetition } from './retry-timing.ts'
import type { CallOptions, Reply, ServiceClient } from './service-client.ts'
import { ServiceError, type ServiceErrorKind } from './service-error.ts'
import { TokenSource } from './token-source.ts'
import { type AddressRefusal, createTransport, type TransportOptions } from './transport.ts'
import { uploadDataset } from './upload-dataset.ts'
import { pollUntil } from './wait-for-job.ts'

/** The addresses, credentials and limits of `createServiceClient`. */
export interface ServiceClientOptions extends TransportOptions {
  /** The service; https, or http on loopback. */
  readonly baseUrl: string
  /** Base address of the identity provider, to which `/oauth/token` is added; or `tokenUrl`. */
  readonly authUrl?: string
  /** The token operation itself, as a credential claim names it. It takes precedence over `authUrl`. */
  readonly tokenUrl?: string
  /** Audience to request; default: `baseUrl` without a trailing slash. */
  readonly audience?: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * Whether artifacts may be fetched from private, link-local and loopback addresses wherever the service is. Default:
   * false.
   */
  readonly allowPrivateAddresses?: boolean
  /** Whether large seed files are never sent in parts: the service is in this process. Default: false. */
  readonly sendsWhole?: boolean
}

interface AskOptions {
  /** JSON. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How long the service is asked to delay its answer. */
  readonly heldMs?: number
  readonly repetition?: Repetition
}

/** The client of one service with one set of credentials. Throws a `ServiceError` when an address is not allowed. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const base = checkedAddress(options.baseUrl, 'address of the service')
  const tokenUrl = tokenAddress(options)
  const transport = createTransport(options)
  const { timeouts, now, closing } = transport
  const bearer = new TokenSource(transport, {
    tokenUrl,
    audience: options.audience ?? options.baseUrl.replace(/\/+$/, ''),
    clientId: options.clientId,
    clientSecret: options.clientSecret,
  })
  const secrets = [options.clientSecret]
  const refusal: AddressRefusal | null = options.allowPrivateAddresses
    ? null
    : (host, address) =>
        refusedAddress(isLoopback(base) ? 'loopback' : (transport.reachedAt(base.origin) ?? 'public'), host, address)
  const target = { party: 'the service', origin: base.origin } as const
  const polls = new InFlight<Reply<JobReply>>()

  const scoped = <T>(call: CallOptions | undefined, limitMs: number, work: (scope: CallScope) => Promise<T>) =>
    inScope({ call, limitMs, closing, now }, work)

  const ask = <S extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    schema: S,
    call: CallOptions | undefined,
    { body, headers = {}, heldMs = 0, repetition = 'free' }: AskOptions = {},
  ): Promise<Reply<z.infer<S>>> =>
    scoped(call, timeouts.callMs, (scope) =>
      callForJson(transport, scope, {
        asked: `${method} ${path.split('?')[0]}`,
        target,
        heldMs,
        repetition,
        bearer,
        secrets,
        schema,
        request: () => ({
          method,
          url: addressUnder(base, path),
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body }),
        }),
      }),
    )
  const get = <S extends z.ZodType>(path: string, schema: S, call?: CallOptions, options?: AskOptions) =>
    ask('GET', path, schema, call, options)

  const document = (call?: CallOptions) => get('/openapi.json', z.record(z.string(), z.unknown()), call)

  // A service that does not support the preference ignores it (RFC 7240, 2).
  const getJob = async (jobId: string, call?: CallOptions, waitSeconds = 0) =>
    get(
      `/v1/jobs/${pathSegment(jobId)}`,
      of(JobReply, 'job_id', jobId),
      call,
      waitSeconds === 0 ? {} : { headers: { prefer: `wait=${waitSeconds}` }, heldMs: waitSeconds * 1000 },
    )

  const generations = new GatheredGenerations({
    single: ({ datasetId, body, idempotencyKey }, call) =>
      ask('POST', `/v1/datasets/${pathSegment(datasetId)}/generations`, GenerationReceipt, call, {
        body,
        headers: { 'idempotency-key': idempotencyKey },
        repetition: 'keyed',
      }),
    batch: (datasetId, body, call) =>
      ask('POST', `/v1/datasets/${pathSegment(datasetId)}/generations/batch`, GenerationBatchReply, call, {
        body,
        repetition: 'keyed',
      }),
    isOffered: async (call) => offersBatches((await document(call)).value),
  })

  return {
    origin: base.origin,

    async createDataset(upload, call) {
      checkKey(upload.idempotencyKey)
      const addressOf = (path: string) => addressUnder(base, path)
      const takesParts = async () =>
        options.sendsWhole !== true &&
        (await document(call).then(
          ({ value }) => offersUploads(value),
          () => false,
        ))
      const to = { addressOf, takesParts, target, bearer, secrets }
      return scoped(call, timeouts.transferMs, (scope) => uploadDataset(transport, scope, to, upload))
    },

    listDatasets: async (cursor, call) =>
      get(`/v1/datasets?limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, DatasetPage, call),

    getDataset: async (datasetId, call) =>
      get(`/v1/datasets/${pathSegment(datasetId)}`, of(Dataset, 'dataset_id', datasetId), call),

    getDatasetSchema: async (datasetId, call) =>
      get(`/v1/datasets/${pathSegment(datasetId)}/schema`, of(DatasetSchema, 'dataset_id', datasetId), call),

    async createGeneration(post, call) {
      checkKey(post.idempotencyKey)
      return generations.send(post, call)
    },

    getGeneration: async (generationId, call) =>
      get(`/v1/generations/${pathSegment(generationId)}`, of(Generation, 'generation_id', generationId), call),

    async estimateDifferences({ datasetId, request }, call) {
      const asked = of(Estimates, 'dataset_id', datasetId).refine(
        ({ outcomes }) => areAsked(outcomes, request.outcomes),
        { path: ['outcomes'], message: 'are not those that were asked for' },
      )
      const body = JSON.stringify(request)
      return ask('POST', `/v1/datasets/${pathSegment(datasetId)}/estimates`, asked, call, { body })
    },

    async offeredConditions(call) {
      try {
        return offeredConditions((await document(call)).value)
      } catch (error) {
        if (error instanceof ServiceError && !MAY_PASS.has(error.kind)) return new Set()
        throw error
      }
    },

    getJob: async (jobId, call) => getJob(jobId, call),

    async waitForJob(jobId, call) {
      const segment = pathSegment(jobId)
      const isDone = (reply: Reply<JobReply>) => TERMINAL_JOB_STATUSES.some((status) => status === reply.value.status)
      return scoped(call, timeouts.transferMs, (scope) =>
        pollUntil(transport, scope, {
          asked: `The wait for job ${segment}`,
          poll: (waitSeconds) =>
            polls.join(jobId, scope.signal, (signal) =>
              getJob(jobId, { signal, onRetry: scope.onRetry, ledger: scope.ledger }, waitSeconds),
            ),
          isDone,
          describe: ({ value }) => `its status was ${value.unknown_status ?? value.status}`,
          onPoll: (reply) => call?.onPoll?.(reply.value),
        }),
      )
    },

    downloadArtifact: async (download, call) =>
      scoped(call, timeouts.transferMs, (scope) =>
        downloadArtifact(transport, scope, { base, bearer, secrets, refusal }, download),
      ),

    close: () => transport.close(),
  }
}

/** Faults that say nothing about what the service knows. */
const MAY_PASS: ReadonlySet<ServiceErrorKind> = new Set(['server', 'network', 'deadline', 'auth'])

/**
 * Checks that the record is the requested one. A cache that mixes up its answers would pass another scenario's rows for
 * this one's. A record without its own id is accepted if the schema allows that.
 */
const of = <S extends z.ZodType>(schema: S, field: string, id: string) =>
  schema.refine((record) => ((record as Readonly<Record<string, unknown>>)[field] ?? id) === id, {
    path: [field],
    message: 'names another than was asked for',
  })

/**
 * Checks that there is one estimate for each outcome, in the same sequence. Otherwise one column's figures could pass
 * for another's.
 */
function areAsked(
  answered: readonly { readonly column: string }[],
  asked: readonly { readonly column: string }[],
): boolean {
  return answered.length === asked.length && answered.every(({ column }, i) => column === asked[i]?.column)
}

function tokenAddress({ tokenUrl, authUrl }: ServiceClientOptions): URL {
  if (tokenUrl !== undefined) return checkedAddress(tokenUrl, 'address of the token operation')
  if (authUrl !== undefined)
    return addressUnder(checkedAddress(authUrl, 'address of the identity provider'), '/oauth/token')
  throw new ServiceError({
    kind: 'forbidden',
    message: 'No address of an identity provider is known, and a secret is never sent to a guessed address',
    hint: 'Give the address of the identity provider, or credentials that carry a token_url',
  })
}

function checkKey(key: string): void {
  if (IDEMPOTENCY_KEY_PATTERN.test(key)) return
  throw new ServiceError({
    kind: 'rejected',
    message: `The idempotency key does not match ${IDEMPOTENCY_KEY_PATTERN.source}; nothing was sent`,
  })
}
