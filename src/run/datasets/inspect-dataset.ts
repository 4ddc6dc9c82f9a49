import { CallLedger } from '../../client/call-ledger.ts'
import type { Dataset } from '../../client/replies.ts'
import type { ServiceClient } from '../../client/service-client.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { datasetKeyHash, requestKey } from '../../study/hashing/request-key.ts'
import { type HashedSeedFile, seedExtension } from '../files/seed-files.ts'
import { isGone } from '../generations/await-generation.ts'
import { isDeadline, RunRefusalError } from '../interface/exit-code.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { explainedDeadline } from '../interface/stop-causes.ts'
import { UnknownStatuses } from '../session/unknown-statuses.ts'
import { type DatasetAccess, getDataset } from './dataset-requests.ts'

/** What to look at: a dataset that the service has, or a seed file that it is to have. */
export type InspectedSource =
  | { readonly kind: 'existing'; readonly name: string; readonly datasetId: string }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly seed: HashedSeedFile
      readonly autoClean: boolean
      readonly displayName: string
      /** A dataset that an earlier run made of it; null when none is known. */
      readonly knownId: string | null
      /** Epoch of the key that it was made under, else 0. */
      readonly epoch: number
    }

export interface InspectedDataset {
  readonly dataset: Dataset
  readonly schema: readonly AnySchemaColumn[]
}

/** As in a run: so many keys are tried whose work is gone. */
const MOST_EPOCHS = 4

/**
 * What a service knows of a dataset. A seed file is uploaded under the very key that a run of a study would use, so that neither
 * trains what the other has: nothing is trained twice and no rows are billed.
 */
export async function inspectDataset(
  source: InspectedSource,
  env: Pick<RunEnvironment, 'client' | 'clock' | 'random' | 'signal' | 'onEvent'>,
): Promise<InspectedDataset> {
  let opened: Promise<ServiceClient> | null = null
  const ledger = new CallLedger()
  const access: DatasetAccess = {
    client: () => {
      opened ??= env.client()
      return opened
    },
    signal: env.signal,
    env,
    emit: env.onEvent,
    deadlineAt: null,
    statuses: new UnknownStatuses(() => env.clock.now(), env.onEvent),
    call: (subject) => ({
      signal: env.signal,
      ledger,
      onRetry: (retry) => env.onEvent({ type: 'retry', subject, ...retry }),
    }),
  }
  try {
    const dataset = source.kind === 'existing' ? await lookUp(access, source) : await uploadOrFind(access, source)
    const client = await access.client()
    const { value } = await client.getDatasetSchema(dataset.dataset_id, access.call(subjectOf(source)))
    return { dataset, schema: value.schema }
  } catch (error) {
    const reason: unknown = env.signal.aborted ? env.signal.reason : null
    throw isDeadline(reason) ? explainedDeadline(reason, ledger) : error
  } finally {
    const client = await (opened as Promise<ServiceClient> | null)?.catch(() => null)
    await client?.close()
  }
}

async function lookUp(access: DatasetAccess, source: { name: string; datasetId: string }): Promise<Dataset> {
  const found = await getDataset(access, source.name, source.datasetId)
  if (found !== null) return found
  throw new RunRefusalError(
    'does_not_fit_data',
    'dataset_gone',
    `the service has no dataset ${source.datasetId}: trained datasets live 24 hours by default and 7 days at most`,
  )
}

async function uploadOrFind(
  access: DatasetAccess,
  source: Extract<InspectedSource, { kind: 'file' }>,
): Promise<Dataset> {
  if (source.knownId !== null) {
    const known = await getDataset(access, source.name, source.knownId)
    if (known !== null) return known
  }
  for (let i = 0; i < MOST_EPOCHS; i++) {
    const datasetId = await upload(access, source, source.epoch + i)
    const found = await getDataset(access, source.name, datasetId)
    if (found !== null) return found
  }
  throw new WorkFailedError(
    'dead_replay',
    'the service answers this upload again and again with a dataset that is gone',
  )
}

/** The id of the dataset, trained. */
async function upload(
  access: DatasetAccess,
  source: Extract<InspectedSource, { kind: 'file' }>,
  epoch: number,
): Promise<string> {
  const { seed, autoClean, displayName, name } = source
  const client = await access.client()
  const hash = datasetKeyHash({ fileSha256: seed.sha256, autoClean, displayName })
  const tell = (sentBytes: number): void =>
    access.emit({ type: 'dataset.uploading', dataset: name, sentBytes, totalBytes: seed.bytes })
  tell(0)
  const { value } = await client.createDataset(
    {
      path: seed.path,
      sizeBytes: seed.bytes,
      sha256: seed.sha256,
      extension: seedExtension(seed.path),
      autoClean,
      displayName,
      idempotencyKey: requestKey('ds', hash, { kind: 'epoch', epoch }),
      onProgress: tell,
    },
    access.call(subjectOf(source)),
  )
  if (value.status !== 'ready' && value.job_id !== undefined) await train(access, client, source, value.job_id)
  return value.dataset_id
}

async function train(
  access: DatasetAccess,
  client: ServiceClient,
  source: InspectedSource,
  jobId: string,
): Promise<void> {
  access.emit({ type: 'dataset.training', dataset: source.name, progress: null, stage: null })
  const reply = await client
    .waitForJob(jobId, {
      ...access.call(subjectOf(source)),
      onPoll: ({ status, unknown_status, progress = null, stage = null }) => {
        access.statuses.note(subjectOf(source), unknown_status)
        if (status !== 'completed') {
          access.emit({ type: 'dataset.training', dataset: source.name, progress, stage })
        }
      },
    })
    .catch((error: unknown) => {
      // A job that the service does not know is left to the dataset to explain.
      if (isGone(error)) return null
      throw error
    })
  if (reply === null || reply.value.status === 'completed') return
  const { status, error } = reply.value
  throw WorkFailedError.fromService(
    error?.code ?? `job_${status}`,
    error?.detail ?? `the training job ended as ${status}`,
  )
}

function subjectOf(source: InspectedSource): string {
  return `dataset ${source.name}`
}
