import type { ConditionExtension } from '../contract/conditions.ts'
import type { EstimateRequest } from '../contract/estimates.ts'
import type { CallLedger } from './call-ledger.ts'
import type { Estimates } from './estimate-replies.ts'
import type {
  Dataset,
  DatasetPage,
  DatasetReceipt,
  DatasetSchema,
  Generation,
  GenerationReceipt,
  JobReply,
} from './replies.ts'

/**
 * What the runner needs from any service. Every method rejects with a `ServiceError` (`service-error.ts`), with the
 * signal's reason after an abort, or with the rejection of `beforeTry`, and with nothing else.
 */
export interface ServiceClient {
  /** Origin of the service, for messages; never written into results. */
  readonly origin: string
  createDataset(upload: DatasetUpload, call?: CallOptions): Promise<Reply<DatasetReceipt>>
  /** A page of trained datasets, newest first; `cursor` comes from the previous page. */
  listDatasets(cursor: string | null, call?: CallOptions): Promise<Reply<DatasetPage>>
  getDataset(datasetId: string, call?: CallOptions): Promise<Reply<Dataset>>
  getDatasetSchema(datasetId: string, call?: CallOptions): Promise<Reply<DatasetSchema>>
  /** `body` is sent byte for byte: the key was derived from this canonical form. */
  createGeneration(request: GenerationPost, call?: CallOptions): Promise<Reply<GenerationReceipt>>
  getGeneration(generationId: string, call?: CallOptions): Promise<Reply<Generation>>
  /**
   * What the seed, reweighted to two scenarios, says about their difference. The call creates nothing and bills
   * nothing. The operation is an extension: a service without it answers 404, `not_found`.
   */
  estimateDifferences(post: EstimatePost, call?: CallOptions): Promise<Reply<Estimates>>
  /**
   * The extensions of conditions that the service's OpenAPI document has. A service that does not know such a field may ignore it and
   * bill other rows.
   */
  offeredConditions(call?: CallOptions): Promise<ReadonlySet<ConditionExtension>>
  getJob(jobId: string, call?: CallOptions): Promise<Reply<JobReply>>
  /**
   * Polls a job until a terminal status: first after about 250 ms, × 1.6, at most 15 s apart, jittered; never two polls
   * of one job at once. Unknown statuses count as in progress.
   */
  waitForJob(jobId: string, call?: CallOptions & { onPoll?: (job: JobReply) => void }): Promise<Reply<JobReply>>
  /**
   * Streams an artifact into `path` (which must not exist; removed on failure), forces it to disk and returns its size
   * and SHA-256. A small one is returned instead of written (`ArtifactDownload.heldBytes`).
   */
  downloadArtifact(download: ArtifactDownload, call?: CallOptions): Promise<DownloadedArtifact>
  close(): Promise<void>
}

export interface CallOptions {
  /** Aborts the call, its retries and its waits. */
  readonly signal?: AbortSignal
  /** Absolute time (ms since 1970) after which no try or wait starts. It also aborts a running try. */
  readonly deadlineMs?: number
  /** Awaited before each try. Its rejection ends the call, and nothing more is sent. */
  readonly beforeTry?: () => Promise<void>
  /** Called before each wait between tries. */
  readonly onRetry?: (retry: CallRetry) => void
  /** Records the call, so that a deadline that ends it can be explained. */
  readonly ledger?: CallLedger
}

/** A failed try that is repeated. */
export interface CallRetry {
  readonly attempt: number
  readonly delayMs: number
  readonly reason: string
  readonly requestId: string | null
  /** The request, without a host. */
  readonly operation: string
  /** Origin of the request; for terminals only. */
  readonly origin: string
}

/** A parsed reply with the data that support needs to find it. */
export interface Reply<T> {
  readonly value: T
  readonly status: number
  readonly requestId: string | null
  /** True if the service said that this answer replays an earlier request with the same key. */
  readonly replayed: boolean
  /** Tries made, at least 1. */
  readonly attempts: number
}

export interface DatasetUpload {
  readonly path: string
  readonly sizeBytes: number
  /** Hashed before the upload; the last byte is withheld when the bytes read now do not have this hash. */
  readonly sha256: string
  /** File extension with its dot, used in the part's file name. The original name is not sent. */
  readonly extension: string
  readonly autoClean: boolean
  readonly displayName: string
  /** Column of the file with the weight of each row; absent: rows count alike. */
  readonly weightColumn?: string | undefined
  /** How the rows were drawn, as JSON of the contract's `SurveyDesign`; absent: one by one. */
  readonly design?: string | undefined
  readonly idempotencyKey: string
  readonly onProgress?: (sentBytes: number) => void
}

export interface GenerationPost {
  readonly datasetId: string
  readonly body: string
  readonly idempotencyKey: string
}

export interface EstimatePost {
  readonly datasetId: string
  readonly request: EstimateRequest
}

export interface DownloadedArtifact {
  readonly bytes: number
  readonly sha256: string
  readonly requestId: string | null
  /** The bytes of a small artifact, for which no file was created. */
  readonly content?: Buffer
}

export interface ArtifactDownload {
  /** `artifact_url` as the service gave it. */
  readonly url: string
  readonly path: string
  /** Larger artifacts are refused; default 8 GiB. */
  readonly maxBytes?: number
  /** An artifact whose announced size is at most this is held in memory and not written; default: none. */
  readonly heldBytes?: number
  readonly onProgress?: (receivedBytes: number) => void
}
