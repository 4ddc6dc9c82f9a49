import { timestamp } from '../../base/clock.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { DatasetReceipt } from '../../client/replies.ts'
import type { Reply } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import { datasetFingerprint } from '../../study/hashing/fingerprint.ts'
import { requestKey, scopeAt, uploadHash } from '../../study/hashing/request-key.ts'
import type { FileDataset } from '../../study/study.ts'
import { declarationsOf } from '../files/seed-files.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { faultOf } from '../interface/fault-text.ts'
import type { DatasetPlan } from '../plan/plan.ts'
import { currentUpload, datasetFacts } from '../session/dataset-records.ts'
import { endWithError } from '../session/end-scenario.ts'
import { generates, type PlannedRun } from '../session/plan-run.ts'
import { isRefusal } from '../session/service-calls.ts'
import { withRequestId } from '../state/study-store.ts'
import { announceReady } from './check-datasets.ts'
import { awaitTraining, getDataset, requireConfirmed, sendSeedFile, underLivingKey } from './dataset-requests.ts'
import { seedAsUsed } from './seed-as-used.ts'
import { otherTypes } from './types-as-used.ts'

/**
 * Uploads the datasets of the plan. One whose columns of answer codes the study uses as another kind than the service does is
 * trained again, with their types. A dataset that cannot be made ends the scenarios that need it.
 */
export async function makeDatasets(run: PlannedRun): Promise<void> {
  const { plan } = run
  let spare = mostUploads(run) - run.sent.uploads - plan.totals.upload
  const mayUpload = () => spare-- > 0
  const needed = plan.datasets.filter(({ action }) => action.kind !== 'none' && action.kind !== 'failed')
  await Promise.all(
    needed.map(async (dataset) => {
      const source = run.study.datasets.get(dataset.id)
      if (source?.kind !== 'file') return
      try {
        const isMade = await makeDataset(run, source, dataset)
        const isRetyped = await trainAsUsed(run, source, mayUpload)
        if (isMade || isRetyped) announceMade(run, source)
      } catch (error) {
        if (error instanceof RunRefusalError) throw error
        const needing = plan.scenarios.filter(
          (s) => s.dataset === dataset.id && generates(s) && !run.progress.ends.has(s.id),
        )
        // The first scenario throws an error that concerns the run and not the dataset.
        if (needing.length === 0) throw error
        for (const { id } of needing) endWithError(run, id, error)
      }
    }),
  )
}

/** False where the plan uses a dataset that is there. */
async function makeDataset(run: PlannedRun, source: FileDataset, { action }: DatasetPlan): Promise<boolean> {
  const forced = run.options.forceDatasets.has(source.id)
  // What an expired dataset was asked for counts for the one that replaces it.
  const { types } = currentUpload(run, source) ?? {}
  if (action.kind === 'resume') {
    const epoch = run.store.state.uploads.get(action.key)?.epoch ?? 0
    await uploadAndTrain(run, source, { epoch, forced, resume: true, types })
  } else if (action.kind === 'upload') {
    await uploadAndTrain(run, source, { epoch: action.epoch, forced, resume: false, types })
  } else return false
  return true
}

/** Where no further upload is allowed, the finding about the column stays, and names the declaration. */
async function trainAsUsed(run: PlannedRun, source: FileDataset, mayUpload: () => boolean): Promise<boolean> {
  const other = otherTypes(run, source)
  if (other === null || !mayUpload()) return false
  const { trained, types } = other
  run.emit({ type: 'dataset.retyped', dataset: source.id, types })
  await uploadAndTrain(run, source, { epoch: trained.epoch + 1, forced: false, resume: false, types })
  return true
}

const mostUploads = ({ study, options }: PlannedRun): number =>
  Math.min(study.budget.newDatasetsPerRun ?? Infinity, options.savedPlan?.uploads ?? Infinity)

function announceMade(run: PlannedRun, source: FileDataset): void {
  const record = currentUpload(run, source)
  if (record?.datasetId == null) throw new RangeError(`dataset ${source.id} was made and has no id`)
  const { datasetId, expiresAt } = record
  announceReady(run, { name: source.id, datasetId, expiresAt, reused: false }, record)
}

interface Upload {
  /** The key's epoch. */
  readonly epoch: number
  readonly forced: boolean
  /** The upload was sent before. */
  readonly resume: boolean
  readonly types: UploadRecord['types']
}

/**
 * Uploads a seed file under a key that is on disk before the first byte is sent, waits for the training and reads the
 * cleaned schema.
 */
async function uploadAndTrain(
  run: PlannedRun,
  dataset: FileDataset,
  { epoch: first, forced, resume, types }: Upload,
): Promise<void> {
  const seed = run.seedFiles.get(dataset.id)
  if (seed === undefined) throw new RangeError(`the seed file of dataset ${dataset.id} is not hashed`)
  const { store } = run
  const identity = { fileSha256: seed.sha256, autoClean: dataset.autoClean, displayName: dataset.displayName }
  const hash = uploadHash(dataset, seed.sha256)
  const label = run.options.scope
  const upload = async (epoch: number): Promise<'ready' | 'gone'> => {
    const key = requestKey('ds', hash, scopeAt(label, epoch))
    if (!resume || epoch !== first) {
      const made = { key, hash, label, epoch, madeAt: store.state.serial + 1, ...(types && { types }) }
      const set = newRecord(dataset, identity, made, store.state.uploads.get(key))
      await store.record({ kind: 'upload', id: key, set, forced })
    } else if (forced) {
      await store.record({ kind: 'upload', id: key, set: {}, forced: true })
    }
    const ended = await postAndTrain(run, dataset, key)
    if (ended === 'gone') await store.record({ kind: 'upload', id: key, set: { status: 'gone' } })
    return ended
  }
  await underLivingKey(first, upload, '; run with --scope <label> to make it new work')
}

async function postAndTrain(run: PlannedRun, dataset: FileDataset, key: string): Promise<'ready' | 'gone'> {
  const known = run.store.upload(key)
  let { datasetId, jobId } = known
  let isReady = false
  if (known.status === 'prepared' || datasetId === null) {
    run.sent.uploads += 1
    const { value, requestId, attempts } = await post(run, dataset, known)
    datasetId = value.dataset_id
    isReady = value.status === 'ready'
    await run.store.record({
      kind: 'upload',
      id: key,
      set: {
        status: 'training',
        datasetId,
        jobId: value.job_id ?? null,
        submittedAt: known.submittedAt ?? timestamp(run.env.clock),
        expiresAt: value.expires_at ?? null,
        requestIds: withRequestId(known.requestIds, requestId),
        attempts: known.attempts + attempts,
        error: null,
      },
    })
    run.progress.onChange()
    jobId = isReady ? null : (value.job_id ?? null)
  }
  if (jobId !== null) isReady = await train(run, dataset.id, key, jobId)
  return finish(run, dataset, key, { datasetId, isReady })
}

async function post(run: PlannedRun, dataset: FileDataset, record: UploadRecord): Promise<Reply<DatasetReceipt>> {
  const { id: name, autoClean, displayName } = dataset
  try {
    const seed = run.seedFiles.get(name)!
    const { types } = record
    const sent =
      types === undefined
        ? { seed, declarations: declarationsOf(dataset) }
        : await seedAsUsed(dataset, types, seed, run.signal)
    return await sendSeedFile(run, { name, autoClean, displayName, ...sent }, record.key)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, detail } = faultOf(error)
    const wasRefused = isRefusal(error) || error.kind === 'rejected' || error.kind === 'too_large'
    await run.store.record({
      kind: 'upload',
      id: record.key,
      set: {
        ...(wasRefused ? { status: 'refused', error: { code, detail } } : {}),
        requestIds: withRequestId(record.requestIds, error.requestId),
        attempts: record.attempts + error.attempts,
      },
    })
    throw error
  }
}

/** Waits for the training; true when it is known to have made the dataset. */
async function train(run: PlannedRun, dataset: string, key: string, jobId: string): Promise<boolean> {
  const training = await awaitTraining(run, dataset, jobId)
  if (training.kind !== 'failed') return training.kind === 'completed'
  const { code, message } = training.error
  await run.store.record({
    kind: 'upload',
    id: key,
    set: {
      status: 'failed',
      requestIds: withRequestId(run.store.upload(key).requestIds, training.requestId),
      completedAt: timestamp(run.env.clock),
      error: { code, detail: cutText(message, 500) },
    },
  })
  throw training.error
}

async function finish(
  run: PlannedRun,
  { id: name, declarations }: FileDataset,
  key: string,
  { datasetId, isReady }: { readonly datasetId: string; readonly isReady: boolean },
): Promise<'ready' | 'gone'> {
  const client = await run.service.client()
  const askSchema = () => client.getDatasetSchema(datasetId, run.service.call(`dataset ${name}`))
  // Fetches both at once if the dataset is ready. A failure to fetch the schema counts only if the dataset itself
  // exists.
  const early = isReady ? askSchema() : null
  early?.catch(() => {})
  const found = await getDataset(run, name, datasetId)
  if (found === null) return 'gone'
  // It is not recorded as ready, so that no later run mistakes it for the dataset of the study.
  requireConfirmed(name, declarations, found)
  const { value } = await (early ?? askSchema())
  const facts = datasetFacts(found, value.schema)
  const expiresAt = found.expires_at ?? run.store.upload(key).expiresAt
  await run.store.record({
    kind: 'upload',
    id: key,
    set: { status: 'ready', completedAt: timestamp(run.env.clock), expiresAt, error: null, ...facts },
  })
  run.progress.onChange()
  return 'ready'
}

function newRecord(
  { id: dataset, declarations }: FileDataset,
  identity: { readonly fileSha256: string; readonly autoClean: boolean; readonly displayName: string },
  made: Pick<UploadRecord, 'key' | 'hash' | 'label' | 'epoch' | 'madeAt' | 'types'>,
  before: UploadRecord | undefined,
): UploadRecord {
  return {
    ...made,
    ...identity,
    dataset,
    fingerprint: datasetFingerprint({
      fileSha256: identity.fileSha256,
      autoClean: identity.autoClean,
      declarations,
    }),
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
