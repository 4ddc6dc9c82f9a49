import { createHash } from 'node:crypto'
import type { ErrorCode } from '../../contract/errors.ts'
import { sniffFormat } from '../../formats/reading/sniff-format.ts'
import { UnreadableFileError } from '../../formats/reading/unreadable-file-error.ts'
import type { StoredBlob } from '../blobs/blob-store.ts'
import type { ServiceContext } from '../context/context.ts'
import { isInCatalogue, ProblemError } from '../http/problem-error.ts'
import { nothingLeft, requireRoomInQueue } from '../jobs/admission.ts'
import { awaitJob } from '../jobs/await-job.ts'
import { trainingWorkMs } from '../jobs/expected-work.ts'
import { type DatasetRow, insertDataset, readDataset } from '../records/dataset-records.ts'
import { insertJob, type JobRow } from '../records/job-records.ts'
import { keepBlob, markPending, orphanPending } from '../records/orphaned-blobs.ts'
import { type LeftToStore, readLeftToStore, readTenantLimits } from '../records/tenant-limits.ts'
import type { Queryable } from '../store/database.ts'
import { newIdentifier } from '../store/identifiers.ts'
import { HeldUploadKey, stillInFlight, usedOtherwise } from './held-upload-key.ts'
import type { Upload, UploadReceiver } from './receive-upload.ts'
import type { UploadFields } from './upload-fields.ts'

const HOUR_MS = 60 * 60_000

export interface DatasetRequest {
  readonly tenantId: string
  readonly requestId: string
  /** The trace of the request, which the attempts at its job go on with; null if there is none. */
  readonly traceParent: string | null
  /** `Idempotency-Key`, checked; null if there is none. */
  readonly headerKey: string | null
  /** Reads the file and the fields, from a form or from parts that were sent before. */
  readonly receive: (receiver: UploadReceiver<StoredBlob>) => Promise<Upload<StoredBlob>>
  /** Done in the transaction that records the dataset. */
  readonly record?: (tx: Queryable, datasetId: string, nowMs: number) => Promise<void>
  /** Ends the wait: the client has disconnected, or the service is closing. */
  readonly signal: AbortSignal
}

export interface DatasetOutcome {
  readonly dataset: DatasetRow
  readonly isReplay: boolean
}

/**
 * Receives a seed file, records the dataset and its training job in one transaction, and waits for the requested time.
 * An upload that is refused, aborted or interrupted by a crash leaves no blob, row or key behind.
 */
export async function createDataset(context: ServiceContext, request: DatasetRequest): Promise<DatasetOutcome> {
  const received = await receiveDataset(context, request)
  const { tenantId } = request
  const job = await awaitJob(context, received.jobId, received.waitSeconds * 1000, request.signal)
  const dataset = await readDataset(context.db, tenantId, received.datasetId, context.now())
  if (dataset !== null) return { dataset, isReplay: received.isReplay }
  throw trainingProblem(job)
}

interface Received {
  readonly datasetId: string
  readonly jobId: string
  readonly waitSeconds: number
  readonly isReplay: boolean
}

async function receiveDataset(context: ServiceContext, request: DatasetRequest): Promise<Received> {
  const datasetId = newIdentifier('ds')
  const seedBlob = `seeds/${datasetId}`
  const key = new HeldUploadKey(context, request.tenantId)
  let isStored = false
  let isRecorded = false
  try {
    if (request.headerKey !== null) await key.take(request.headerKey)
    const receiver: UploadReceiver<StoredBlob> = {
      isReplay: () => key.used !== null,
      onKey: async (formKey) => {
        if (request.headerKey === null) await key.take(formKey)
      },
      onFile: async (bytes, signal) => {
        if (key.used !== null) return await hashOnly(bytes)
        const { stored: left } = await readLeftToStore(context.db, request.tenantId, context.settings)
        if (left !== null && left.leftBytes <= 0) throw nothingLeft(left)
        await requireRoomInQueue(context.db, request.tenantId, context.settings)
        isStored = true
        context.queue.expect('training')
        await markPending(context.db, seedBlob, context.now())
        return await context.blobs.put(seedBlob, left === null ? bytes : upTo(left, bytes), { signal })
      },
    }
    const { fields, stored } = await request.receive(receiver)
    context.events?.emit({ type: 'upload.received', sizeBytes: stored.bytes })
    const formKeyCameLast = request.headerKey === null && fields.idempotencyKey !== null && !key.isTaken
    if (formKeyCameLast) await key.take(fields.idempotencyKey as string)
    const fingerprint = fingerprintOf(stored.sha256, fields)
    if (key.used !== null) return await replay(context, request.tenantId, key.used, fingerprint, fields)

    await context.blobs.withLocalFile(seedBlob, refuseWhatIsNoTable)
    const jobId = newIdentifier('job')
    const { tenantId, requestId, traceParent } = request
    await context.db.transaction(async (tx) => {
      const nowMs = context.now()
      const limits = await readTenantLimits(tx, tenantId)
      // Other uploads of the tenant may have been stored since this one began.
      const left = (await readLeftToStore(tx, tenantId, context.settings, { lock: true })).stored
      if (left !== null && stored.bytes > left.leftBytes) throw nothingLeft(left, stored.bytes)
      const retentionHours = context.settings.retentionHours ?? limits.retentionHours
      await insertDataset(tx, {
        datasetId,
        tenantId,
        jobId,
        displayName: fields.displayName,
        autoClean: fields.autoClean,
        weightColumn: fields.weightColumn,
        design: fields.design === null ? null : JSON.stringify(fields.design),
        requestId,
        seedBlob,
        seedBytes: stored.bytes,
        seedSha256: stored.sha256,
        nowMs,
        expiresMs: nowMs + retentionHours * HOUR_MS,
      })
      await insertJob(tx, { jobId, tenantId, kind: 'training', datasetId, generationId: null, nowMs, traceParent })
      await requireRoomInQueue(tx, tenantId, context.settings)
      const workMs = trainingWorkMs(stored.bytes)
      await context.queue.enqueue(tx, { queue: 'training', jobId, tenantId, workMs })
      await key.use(tx, datasetId, fingerprint)
      await keepBlob(tx, seedBlob)
      await request.record?.(tx, datasetId, nowMs)
    })
    isRecorded = true
    return { datasetId, jobId, waitSeconds: fields.waitSeconds, isReplay: false }
  } finally {
    // What cannot be cleaned up now expires by itself: the key's lease, and the entry of a blob that was not recorded.
    await key.release().catch(() => undefined)
    if (isStored && !isRecorded) await giveUpSeed(context, seedBlob).catch(() => undefined)
  }
}

/** Ends the upload as soon as it exceeds its tenant's remaining storage. */
async function* upTo(left: LeftToStore, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.length
    if (count > left.leftBytes) throw nothingLeft(left, left.leftBytes)
    yield chunk
  }
}

/** The seed stays if it was recorded after all, as when the connection breaks during the commit. */
async function giveUpSeed({ db, remover, now }: ServiceContext, seedBlob: string): Promise<void> {
  await orphanPending(db, seedBlob, now())
  remover?.soon()
}

async function replay(
  context: ServiceContext,
  tenantId: string,
  used: { readonly resourceId: string; readonly fingerprint: string },
  fingerprint: string,
  fields: UploadFields,
): Promise<Received> {
  if (used.fingerprint !== fingerprint) throw usedOtherwise()
  const dataset = await readDataset(context.db, tenantId, used.resourceId, context.now())
  // Deleted while this request was being received: a repeat will find the key free.
  if (dataset === null) throw stillInFlight()
  return {
    datasetId: dataset.dataset_id,
    jobId: dataset.job_id,
    waitSeconds: fields.waitSeconds,
    isReplay: true,
  }
}

/**
 * Content, display name, cleaning, and the column of weights and the survey design if they are sent. The file's name, the
 * sequence and spelling of the parts, and the wait do not count.
 */
function fingerprintOf(sha256: string, fields: UploadFields): string {
  const { displayName, autoClean, weightColumn, design } = fields
  // Null for the weights only where a design follows: requests without one keep the fingerprint that they have always had.
  const drawn = design !== null ? [weightColumn, design] : weightColumn !== null ? [weightColumn] : []
  const canonical = JSON.stringify([sha256, displayName, autoClean, ...drawn])
  return createHash('sha256').update(canonical).digest('hex')
}

async function hashOnly(bytes: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let count = 0
  for await (const chunk of bytes) {
    hash.update(chunk)
    count += chunk.length
  }
  return { bytes: count, sha256: hash.digest('hex') }
}

/** Obvious non-tables are refused at once; the job reports faults that only reading shows. */
async function refuseWhatIsNoTable(path: string): Promise<void> {
  try {
    await sniffFormat(path)
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    throw new ProblemError('svc_unreadable_file', error.detail, {
      errors: [{ field: 'seed_file', message: error.detail }],
      cause: error,
    })
  }
}

/** The reply to an upload whose awaited training did not succeed. */
function trainingProblem(job: JobRow | null): ProblemError {
  if (job?.status === 'failed' && job.error_code !== null) {
    const code: ErrorCode = isInCatalogue(job.error_code) ? job.error_code : 'svc_internal'
    return new ProblemError(code, job.error_detail ?? '')
  }
  if (job?.status === 'expired') {
    return new ProblemError('svc_unavailable', `Training was not finished in time (job ${job.job_id}).`, {
      headers: { 'retry-after': '60' },
    })
  }
  return new ProblemError(
    'svc_not_found',
    'The training was cancelled: the dataset was deleted, or the operator ended it.',
  )
}
