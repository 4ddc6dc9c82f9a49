import { canonicalFigures } from '../../base/canonical-json.ts'
import type { Clock } from '../../base/clock.ts'
import type { Rule } from '../../base/rules/rule.ts'
import type { Dataset, DatasetReceipt } from '../../client/replies.ts'
import type { Reply } from '../../client/service-client.ts'
import type { SurveyDesign } from '../../contract/survey-design.ts'
import { declaredSeed } from '../../data/declare/declared-seed.ts'
import type { LeftOutRows } from '../../data/declare/leave-out-rows.ts'
import type { Declarations } from '../../study/declarations.ts'
import { sentDeclarations } from '../../study/hashing/declarations-value.ts'
import { seedExtension } from '../files/seed-files.ts'
import { RunInterruptedError, RunRefusalError } from '../interface/exit-code.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { RunEvent } from '../interface/run-event.ts'
import { isGone, isNotFound, type ServiceCalls } from '../session/service-calls.ts'

/** The access that requests about a dataset need, with or without a run. */
export interface DatasetAccess {
  readonly service: ServiceCalls
  readonly emit: (event: RunEvent) => void
  readonly signal: AbortSignal
  /** ms since 1970; null = none. */
  readonly deadlineAt: number | null
  readonly env: { readonly clock: Clock; readonly random: () => number }
}

/** A seed file to upload, and its training. `name` is the dataset's name in events. */
export interface SeedUpload {
  readonly name: string
  /** The seed file, and the digest and size of the bytes that are sent. */
  readonly seed: { readonly path: string; readonly sha256: string; readonly bytes: number }
  readonly autoClean: boolean
  readonly displayName: string
  /** Null: the file is sent as it is. */
  readonly declarations: Declarations | null
  /** Rows that are not sent, of a file with declarations; absent: all are. */
  readonly leftOut?: LeftOutRows
}

/** New epochs to try for an upload whose dataset is gone; after that a person has to decide. */
const MOST_BUMPS = 3

/** Tries the upload under the key of `epoch`, and under the following epochs if the dataset of a key is gone. */
export async function underLivingKey<T>(
  epoch: number,
  upload: (epoch: number) => Promise<T | 'gone'>,
  advice = '',
): Promise<T> {
  for (let bump = 0; bump <= MOST_BUMPS; bump++) {
    const made = await upload(epoch + bump)
    if (made !== 'gone') return made
  }
  throw new WorkFailedError(
    'dead_replay',
    `the service repeatedly answers this upload with a dataset that is gone${advice}`,
  )
}

/**
 * Uploads a seed file, or what its declarations make of it. The reply names the dataset and the job that trains it. The
 * file that was made for the upload is removed however it ends.
 */
export async function sendSeedFile(
  access: DatasetAccess,
  upload: SeedUpload,
  idempotencyKey: string,
): Promise<Reply<DatasetReceipt>> {
  const { declarations, seed, leftOut } = upload
  if (declarations === null) {
    return await sendFile(access, upload, { path: seed.path, extension: seedExtension(seed.path) }, idempotencyKey)
  }
  const made = await declaredSeed(seed.path, declarations, { signal: access.signal, leftOut })
  // The file was hashed with the same declarations: it has changed since.
  if (made.file === null) throw new WorkFailedError('failed', `the seed file of dataset ${upload.name} has changed`)
  try {
    return await sendFile(access, upload, { path: made.file.path, extension: '.parquet' }, idempotencyKey)
  } finally {
    await made.file.remove()
  }
}

async function sendFile(
  { service, emit }: DatasetAccess,
  { name, seed, autoClean, displayName, declarations }: SeedUpload,
  { path, extension }: { readonly path: string; readonly extension: string },
  idempotencyKey: string,
): Promise<Reply<DatasetReceipt>> {
  const client = await service.client()
  const onProgress = (sentBytes: number): void =>
    emit({ type: 'dataset.uploading', dataset: name, sentBytes, totalBytes: seed.bytes })
  onProgress(0)
  const file = { path, sizeBytes: seed.bytes, sha256: seed.sha256, extension, ...sentDeclarations(declarations) }
  return client.createDataset(
    { ...file, autoClean, displayName, idempotencyKey, onProgress },
    service.post(`dataset ${name}`),
  )
}

/**
 * A service that ignores the weights of a survey would answer for its respondents and not for the population. One that
 * ignores how they were drawn would tell standard errors that are too small. One that ignores rules would make rows that break them.
 *
 * @throws {RunRefusalError} unless the dataset's training summary confirms weight, design and rules.
 */
export function requireConfirmed(
  name: string,
  declarations: Declarations | null | undefined,
  { training_summary: trained }: Dataset,
): void {
  const { weightColumn: weight, design } = sentDeclarations(declarations)
  if (weight !== undefined && trained?.weight_column !== weight) {
    throw new RunRefusalError(
      'does_not_fit_data',
      'unconfirmed_weight',
      `dataset "${name}": the study weights its rows by "${weight}", and the service does not confirm that it does; nothing was generated. Use a service that weights rows, or take \`weight\` out of the study`,
    )
  }
  requireRules(name, declarations?.rules ?? [], trained)
  if (design === undefined || isConfirmed(design, trained?.design)) return
  throw new RunRefusalError(
    'does_not_fit_data',
    'unconfirmed_design',
    `dataset "${name}": the study says how its rows were drawn, and the service does not confirm that its standard errors use it; nothing was generated. Use a service that knows survey designs, or take \`design\` out of the study`,
  )
}

function requireRules(name: string, rules: readonly Rule[], trained: Dataset['training_summary']): void {
  const kept = new Set(trained?.rules?.map(({ rule }) => rule))
  const missing = rules.find(({ text }) => !kept.has(text))
  if (missing === undefined) return
  throw new RunRefusalError(
    'does_not_fit_data',
    'unconfirmed_rules',
    `dataset "${name}": the study has the rule "${missing.text}", and the service does not confirm that its rows keep it; nothing was generated. Use a service that keeps rules, or take \`rules\` out of the study`,
  )
}

/** The service repeats the design as it was sent, with its keys in any sequence. Its texts may be hostile. */
function isConfirmed(design: string, repeated: SurveyDesign | undefined): boolean {
  return repeated !== undefined && canonicalFigures(repeated) === design
}

/** How a training ended; `unknown`: the service does not know the job, so only the dataset can show the result. */
export type Training =
  | { readonly kind: 'completed' | 'unknown' }
  | { readonly kind: 'failed'; readonly error: WorkFailedError; readonly requestId: string | null }

/** Waits for the job that trains a dataset. */
export async function awaitTraining({ service, emit }: DatasetAccess, name: string, jobId: string): Promise<Training> {
  const client = await service.client()
  const subject = `dataset ${name}`
  emit({ type: 'dataset.training', dataset: name, progress: null, stage: null })
  const reply = await client
    .waitForJob(jobId, {
      ...service.call(subject),
      onPoll: ({ status, unknown_status, progress = null, stage = null }) => {
        service.statuses.note(subject, unknown_status)
        if (status !== 'completed') emit({ type: 'dataset.training', dataset: name, progress, stage })
      },
    })
    .catch((error: unknown) => {
      if (isNotFound(error)) return null
      throw error
    })
  if (reply === null) return { kind: 'unknown' }
  const { status, error } = reply.value
  if (status === 'completed') return { kind: 'completed' }
  const detail = error?.detail ?? `the training job ended as ${status}`
  const failure = WorkFailedError.fromService(error?.code ?? `job_${status}`, detail)
  return { kind: 'failed', error: failure, requestId: reply.requestId }
}

/** The wait without a run deadline: as long as the client waits for a job. */
const LONGEST_WAIT_MS = 3_600_000

/** Waits while another client's training of the dataset continues. Null when there is no such dataset. */
export async function getDataset(access: DatasetAccess, name: string, datasetId: string): Promise<Dataset | null> {
  const { service, signal, deadlineAt, emit } = access
  const { clock, random } = access.env
  const client = await service.client()
  const subject = `dataset ${name}`
  const giveUpAt = deadlineAt === null ? clock.now() + LONGEST_WAIT_MS : Number.POSITIVE_INFINITY
  for (let delayMs = 250; ; delayMs = Math.min(15_000, delayMs * 1.6)) {
    try {
      const { value } = await client.getDataset(datasetId, service.call(subject))
      service.statuses.note(subject, value.unknown_status)
      if (value.status === 'ready') return value
    } catch (error) {
      if (isGone(error)) return null
      throw error
    }
    if (clock.now() >= giveUpAt) {
      const why = service.statuses.describe() ?? 'it is still in training'
      throw new RunInterruptedError('deadline', `dataset ${name} was not ready within an hour: ${why}`)
    }
    emit({ type: 'dataset.training', dataset: name, progress: null, stage: null })
    await clock.sleep(delayMs * (0.5 + random() / 2), signal)
  }
}
