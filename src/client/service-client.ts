import type { EstimateRequest } from '../contract/estimates.ts'
import type { CallLedger } from './call-ledger.ts'
import type {
  Dataset,
  DatasetPage,
  DatasetReceipt,
  DatasetSchema,
  Estimates,
  Generation,
  GenerationReceipt,
  JobReply,
} from './replies.ts'

/**
 * What the runner needs of a service, whatever stands behind it. Every method rejects with a `ServiceError`
 * (`service-error.ts`) and with nothing else, apart from the signal's reason after an abort and what `beforeTry` rejects
 * with.
 */
export interface ServiceClient {
  /** Origin of the service, for messages; never written into results. */
  readonly origin: string
  createDataset(upload: DatasetUpload, call?: CallOptions): Promise<Reply<DatasetReceipt>>
  /** A page of trained datasets, newest first; `cursor` is that of the page before. */
  listDatasets(cursor: string | null, call?: CallOptions): Promise<Reply<DatasetPage>>
  getDataset(datasetId: string, call?: CallOptions): Promise<Reply<Dataset>>
  getDatasetSchema(datasetId: string, call?: CallOptions): Promise<Reply<DatasetSchema>>
  /** `body` is sent byte for byte: it is the canonical form that the key was derived from. */
  createGeneration(request: GenerationPost, call?: CallOptions): Promise<Reply<GenerationReceipt>>
  getGeneration(generationId: string, call?: CallOptions): Promise<Reply<Generation>>
  /**
   * What the seed, reweighted to two scenarios, says about their difference. Nothing is made or billed. The operation is
   * an extension: a service that does not have it answers 404, `not_found`.
   */
  estimateDifferences(post: EstimatePost, call?: CallOptions): Promise<Reply<Estimates>>
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
  /** Absolute time (ms since 1970) after which no further try or wait is begun, and a running try is broken off. */
  readonly deadlineMs?: number
  /** Awaited before each try; what it rejects with ends the call, and nothing more is sent. */
  readonly beforeTry?: () => Promise<void>
  /** Called before each wait between tries. */
  readonly onRetry?: (retry: CallRetry) => void
  /** Keeps account of the call, so that a deadline that ends it can be explained. */
  readonly ledger?: CallLedger
}

/** A try that failed and is made again. */
export interface CallRetry {
  readonly attempt: number
  readonly delayMs: number
  readonly reason: string
  readonly requestId: string | null
  /** What was asked, without a host. */
  readonly operation: string
  /** Origin that it was asked of; for terminals only. */
  readonly origin: string
}

/** A parsed reply with what support needs to find it. */
export interface Reply<T> {
  readonly value: T
  readonly status: number
  readonly requestId: string | null
  /** True when the service said that this answer replays an earlier request with the same key. */
  readonly replayed: boolean
  /** Tries made, at least 1. */
  readonly attempts: number
}

export interface DatasetUpload {
  readonly path: string
  readonly sizeBytes: number
  /** Hashed before the upload; the last byte is withheld when the bytes read now do not have this hash. */
  readonly sha256: string
  /** File extension with its dot, kept in the part's file name; the original name is not sent. */
  readonly extension: string
  readonly autoClean: boolean
  readonly displayName: string
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
  /** The artifact itself, where it was small: then no file was made. */
  readonly content?: Buffer
}

export interface ArtifactDownload {
  /** `artifact_url` as the service gave it. */
  readonly url: string
  readonly path: string
  /** Refused beyond this; default 8 GiB. */
  readonly maxBytes?: number
  /** An artifact that is announced with at most so many bytes is held in memory and not written; default: none. */
  readonly heldBytes?: number
  readonly onProgress?: (receivedBytes: number) => void
}
