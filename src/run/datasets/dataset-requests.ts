import type { Dataset } from '../../client/replies.ts'
import type { DatasetPlan } from '../../plan/plan.ts'
import type { FileDataset } from '../../study/study.ts'
import { isGone } from '../generations/await-generation.ts'
import { RunInterruptedError, RunRefusalError } from '../interface/exit-code.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { datasetFacts } from '../session/dataset-records.ts'
import type { RunContext } from '../session/run-context.ts'
import { currentUpload } from './current-upload.ts'

/**
 * Asks the service about the trained datasets that a plan wants to use, before anything is decided: free, and only an
 * answer of 404 or 410 makes a dataset gone. An existing dataset that is gone ends the run, because only its author can
 * name another.
 */
export async function lookAtDatasets(context: RunContext, datasets: readonly DatasetPlan[]): Promise<void> {
  await Promise.all(
    datasets.map(async (plan) => {
      const { action } = plan
      const source = context.study.datasets.get(plan.id)
      if (source?.kind === 'existing') {
        if (action.kind === 'use' || action.kind === 'inspect') await lookAtExisting(context, plan.id, source.datasetId)
      } else if (action.kind === 'use' || (action.kind === 'upload' && !action.certain)) {
        if (source?.kind === 'file') await lookAtUploaded(context, source)
      }
    }),
  )
}

async function lookAtUploaded(context: RunContext, dataset: FileDataset): Promise<void> {
  const name = dataset.id
  const record = currentUpload(context, dataset)
  if (record?.status !== 'ready' || record.datasetId === null || context.alive.has(record.datasetId)) return
  const found = await getDataset(context, name, record.datasetId)
  if (found === null) {
    await context.store.record({ kind: 'upload', id: record.key, set: { status: 'gone' } })
    context.emit({ type: 'dataset.expired', dataset: name, datasetId: record.datasetId })
    return
  }
  context.alive.add(record.datasetId)
  const expiresAt = found.expires_at ?? record.expiresAt
  if (expiresAt !== record.expiresAt) {
    await context.store.record({ kind: 'upload', id: record.key, set: { expiresAt } })
  }
  if (record.schema !== null) context.schemas.set(name, record.schema)
  context.emit({
    type: 'dataset.ready',
    dataset: name,
    datasetId: record.datasetId,
    reused: true,
    expiresAt,
    cleanRows: record.cleaning?.cleanRows ?? null,
    cleanColumns: record.cleaning?.cleanColumns ?? null,
  })
}

async function lookAtExisting(context: RunContext, name: string, datasetId: string): Promise<void> {
  if (context.alive.has(datasetId)) return
  const client = await context.client()
  const found = await getDataset(context, name, datasetId)
  if (found === null) {
    // What it was stays known: results that were made from it are as good as ever.
    const facts = context.state.existing.get(datasetId) ?? emptyFacts(datasetId)
    await context.store.record({ kind: 'existing', id: datasetId, set: { ...facts, status: 'gone', expiresAt: null } })
    throw new RunRefusalError(
      'does_not_fit_data',
      'dataset_gone',
      `dataset "${name}": ${datasetId} no longer exists at the service. Trained datasets live 24 hours by default and 7 days at most: pass a current one with --dataset ${name}=<dataset_id>, or name a seed file in the study`,
    )
  }
  const { value } = await client.getDatasetSchema(datasetId, context.call(`dataset ${name}`))
  const facts = datasetFacts(found, value.schema)
  const known = context.state.existing.get(datasetId)
  const expiresAt = found.expires_at ?? null
  if (known?.status !== 'ready' || known.schemaSha256 !== facts.schemaSha256 || known.expiresAt !== expiresAt) {
    await context.store.record({
      kind: 'existing',
      id: datasetId,
      set: { datasetId, status: 'ready', expiresAt, requestIds: [], ...facts },
    })
  }
  context.alive.add(datasetId)
  context.schemas.set(name, value.schema)
  context.emit({
    type: 'dataset.ready',
    dataset: name,
    datasetId,
    reused: true,
    expiresAt,
    cleanRows: facts.cleaning?.cleanRows ?? null,
    cleanColumns: facts.cleaning?.cleanColumns ?? null,
  })
}

function emptyFacts(datasetId: string) {
  return {
    datasetId,
    expiresAt: null,
    requestIds: [],
    trainedAt: null,
    schemaSha256: null,
    schema: null,
    cleaning: null,
  }
}

/** What asking about a dataset needs of a run. */
export interface DatasetAccess
  extends Pick<RunContext, 'client' | 'call' | 'emit' | 'signal' | 'deadlineAt' | 'statuses'> {
  readonly env: Pick<RunEnvironment, 'clock' | 'random'>
}

/** Where no deadline of a run ends the wait: as long as the client waits for a job. */
const LONGEST_WAIT_MS = 3_600_000

/** Waits while the dataset is still in training somewhere else. Null when there is none. */
export async function getDataset(context: DatasetAccess, name: string, datasetId: string): Promise<Dataset | null> {
  const client = await context.client()
  const { clock } = context.env
  const subject = `dataset ${name}`
  const giveUpAt = context.deadlineAt === null ? clock.now() + LONGEST_WAIT_MS : Number.POSITIVE_INFINITY
  for (let delayMs = 250; ; delayMs = Math.min(15_000, delayMs * 1.6)) {
    try {
      const { value } = await client.getDataset(datasetId, context.call(subject))
      context.statuses.note(subject, value.unknown_status)
      if (value.status === 'ready') return value
    } catch (error) {
      if (isGone(error)) return null
      throw error
    }
    if (clock.now() >= giveUpAt) {
      const why = context.statuses.describe() ?? 'it is still in training'
      throw new RunInterruptedError('deadline', `dataset ${name} was not ready within an hour: ${why}`)
    }
    context.emit({ type: 'dataset.training', dataset: name, progress: null, stage: null })
    await clock.sleep(delayMs * (0.5 + context.env.random() / 2), context.signal)
  }
}
