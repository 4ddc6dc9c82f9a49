import { cutText } from '../../base/text/fit-text.ts'
import type { DatasetReceipt } from '../../client/replies.ts'
import type { Reply } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { scopeAt } from '../../plan/scope-at.ts'
import type { UploadRecord } from '../../plan/study-state.ts'
import { datasetFingerprint } from '../../study/hashing/fingerprint.ts'
import { datasetKeyHash, requestKey } from '../../study/hashing/request-key.ts'
import type { FileDataset } from '../../study/study.ts'
import { timestamp } from '../clock.ts'
import { faultOf, WorkFailed } from '../fault-text.ts'
import { seedExtension } from '../files/seed-files.ts'
import { isNotFound } from '../generations/await-generation.ts'
import { withId } from '../generations/generation-record.ts'
import { isRefusal } from '../generations/submit-generation.ts'
import type { RunContext } from '../run-context.ts'
import { datasetFacts } from './dataset-facts.ts'
import { getDataset } from './look-at-datasets.ts'

/** As for generations: dead replays are answered by new epochs so many times. */
const MOST_BUMPS = 3

/**
 * Uploads a seed file under a key that is on disk before the first byte is sent, waits for the training and reads the
 * cleaned schema. `from` is the epoch of the key, and `resume` says that it was sent before.
 */
export async function uploadAndTrain(
  context: RunContext,
  dataset: FileDataset,
  order: { readonly epoch: number; readonly forced: boolean; readonly resume: boolean },
): Promise<void> {
  const seed = context.seedFiles.get(dataset.id)
  if (seed === undefined) throw new RangeError(`the seed file of dataset ${dataset.id} is not hashed`)
  const identity = { fileSha256: seed.sha256, autoClean: dataset.autoClean, displayName: dataset.displayName }
  const hash = datasetKeyHash(identity)
  const label = context.options.scope
  for (let bump = 0; ; bump++) {
    const epoch = order.epoch + bump
    const key = requestKey('ds', hash, scopeAt(label, epoch))
    const before = context.state.uploads.get(key)
    if (!(order.resume && bump === 0)) {
      const made = { key, hash, label, epoch, madeAt: context.state.serial + 1 }
      const set = newRecord(dataset.id, identity, made, before)
      await context.store.record({ kind: 'upload', id: key, set, forced: order.forced })
    } else if (order.forced) {
      await context.store.record({ kind: 'upload', id: key, set: {}, forced: true })
    }
    if ((await postAndTrain(context, dataset, key)) === 'ready') return
    await context.store.record({ kind: 'upload', id: key, set: { status: 'gone' } })
    if (bump >= MOST_BUMPS) {
      throw new WorkFailed(
        'dead_replay',
        'the service answers this upload again and again with a dataset that is gone; run with --scope <label> to make it new work',
      )
    }
  }
}

async function postAndTrain(context: RunContext, dataset: FileDataset, key: string): Promise<'ready' | 'gone'> {
  const known = upload(context, key)
  let { datasetId, jobId } = known
  let isReady = false
  if (known.status === 'prepared' || datasetId === null) {
    context.uploads += 1
    const reply = await post(context, dataset, known)
    datasetId = reply.value.dataset_id
    jobId = reply.value.job_id ?? null
    await context.store.record({
      kind: 'upload',
      id: key,
      set: {
        status: 'training',
        datasetId,
        jobId,
        submittedAt: known.submittedAt ?? timestamp(context.env.clock),
        expiresAt: reply.value.expires_at ?? null,
        requestIds: withId(known.requestIds, reply.requestId),
        attempts: known.attempts + reply.attempts,
        error: null,
      },
    })
    context.onChange()
    isReady = reply.value.status === 'ready'
    if (isReady) jobId = null
  }
  if (jobId !== null) isReady = await train(context, dataset.id, key, jobId)
  return finish(context, dataset.id, key, { datasetId, isReady })
}

async function post(context: RunContext, dataset: FileDataset, record: UploadRecord): Promise<Reply<DatasetReceipt>> {
  const client = await context.client()
  const seed = context.seedFiles.get(dataset.id)!
  const tell = (sentBytes: number): void =>
    context.emit({ type: 'dataset.uploading', dataset: dataset.id, sentBytes, totalBytes: seed.bytes })
  tell(0)
  try {
    return await client.createDataset(
      {
        path: seed.path,
        sizeBytes: seed.bytes,
        sha256: seed.sha256,
        extension: seedExtension(seed.path),
        autoClean: dataset.autoClean,
        displayName: dataset.displayName,
        idempotencyKey: record.key,
        onProgress: tell,
      },
      context.post(`dataset ${dataset.id}`),
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, detail } = faultOf(error)
    const wasRefused = isRefusal(error) || error.kind === 'rejected' || error.kind === 'too_large'
    await context.store.record({
      kind: 'upload',
      id: record.key,
      set: {
        ...(wasRefused ? { status: 'refused', error: { code, detail } } : {}),
        requestIds: withId(record.requestIds, error.requestId),
        attempts: record.attempts + error.attempts,
      },
    })
    throw error
  }
}

/**
 * Waits for the training job; true when it is known to have made the dataset. A job that the service does not know is left
 * to the dataset to explain.
 */
async function train(context: RunContext, dataset: string, key: string, jobId: string): Promise<boolean> {
  const client = await context.client()
  context.emit({ type: 'dataset.training', dataset, progress: null, stage: null })
  const reply = await client
    .waitForJob(jobId, {
      ...context.call(`dataset ${dataset}`),
      onPoll: (job) => {
        context.statuses.note(`dataset ${dataset}`, job.unknown_status)
        if (job.status === 'completed') return
        context.emit({ type: 'dataset.training', dataset, progress: job.progress ?? null, stage: job.stage ?? null })
      },
    })
    .catch((error: unknown) => {
      if (isNotFound(error)) return null
      throw error
    })
  if (reply === null || reply.value.status === 'completed') return reply !== null
  const { status, error } = reply.value
  const code = error?.code ?? `job_${status}`
  const detail = cutText(error?.detail ?? `the training job ended as ${status}`, 500)
  const requestIds = withId(upload(context, key).requestIds, reply.requestId)
  const completedAt = timestamp(context.env.clock)
  await context.store.record({
    kind: 'upload',
    id: key,
    set: { status: 'failed', requestIds, completedAt, error: { code, detail } },
  })
  throw WorkFailed.told(code, detail)
}

async function finish(
  context: RunContext,
  name: string,
  key: string,
  { datasetId, isReady }: { readonly datasetId: string; readonly isReady: boolean },
): Promise<'ready' | 'gone'> {
  const client = await context.client()
  const askSchema = () => client.getDatasetSchema(datasetId, context.call(`dataset ${name}`))
  // Both at once where both are there; what the schema is refused with counts only if the dataset itself is there.
  const early = isReady ? askSchema() : null
  early?.catch(() => {})
  const found = await getDataset(context, name, datasetId)
  if (found === null) return 'gone'
  const { value } = await (early ?? askSchema())
  const facts = datasetFacts(found, value.schema)
  const expiresAt = found.expires_at ?? upload(context, key).expiresAt
  await context.store.record({
    kind: 'upload',
    id: key,
    set: { status: 'ready', completedAt: timestamp(context.env.clock), expiresAt, error: null, ...facts },
  })
  context.alive.add(datasetId)
  context.schemas.set(name, value.schema)
  context.onChange()
  context.emit({
    type: 'dataset.ready',
    dataset: name,
    datasetId,
    reused: false,
    expiresAt,
    cleanRows: facts.cleaning?.cleanRows ?? null,
    cleanColumns: facts.cleaning?.cleanColumns ?? null,
  })
  return 'ready'
}

function upload(context: RunContext, key: string): UploadRecord {
  const record = context.state.uploads.get(key)
  if (record === undefined) throw new RangeError(`no upload under key ${key}`)
  return record
}

function newRecord(
  dataset: string,
  identity: { readonly fileSha256: string; readonly autoClean: boolean; readonly displayName: string },
  made: Pick<UploadRecord, 'key' | 'hash' | 'label' | 'epoch' | 'madeAt'>,
  before: UploadRecord | undefined,
): UploadRecord {
  return {
    ...made,
    ...identity,
    dataset,
    fingerprint: datasetFingerprint({ fileSha256: identity.fileSha256, autoClean: identity.autoClean }),
    status: 'prepared',
    datasetId: null,
    jobId: null,
    submittedAt: null,
    completedAt: null,
    expiresAt: null,
    trainedAt: null,
    schemaSha256: null,
    schema: null,
    cleaning: null,
    error: null,
    requestIds: before?.requestIds ?? [],
    attempts: before?.attempts ?? 0,
  }
}
