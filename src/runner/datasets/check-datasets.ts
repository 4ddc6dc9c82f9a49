import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { DatasetFacts } from '../../records/state/datasets.ts'
import type { FileDataset } from '../../study/study.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { currentUpload, datasetFacts } from '../session/dataset-records.ts'
import type { PlannedRun } from '../session/plan-run.ts'
import { getDataset, requireConfirmed } from './dataset-requests.ts'

/**
 * Asks the service about the trained datasets that the plan wants to use, before any decision. This is free, and only
 * an answer of 404 or 410 marks a dataset as gone. A missing dataset that the study names by id ends the run, because
 * only the author can name another.
 */
export async function checkDatasets(run: PlannedRun): Promise<void> {
  await Promise.all(
    run.plan.datasets.map(async ({ id, action }) => {
      const source = run.study.datasets.get(id)
      if (source?.kind === 'existing') {
        if (action.kind === 'use' || action.kind === 'inspect') await checkExisting(run, id, source.datasetId)
      } else if (action.kind === 'use' || (action.kind === 'upload' && !action.certain)) {
        if (source?.kind === 'file') await checkUploaded(run, source)
      }
    }),
  )
}

async function checkUploaded(run: PlannedRun, dataset: FileDataset): Promise<void> {
  const name = dataset.id
  const record = currentUpload(run, dataset)
  if (record?.status !== 'ready' || record.datasetId === null || run.known.alive.has(record.datasetId)) return
  const found = await getDataset(run, name, record.datasetId)
  if (found === null) {
    await run.store.record({ kind: 'upload', id: record.key, set: { status: 'gone' } })
    run.emit({ type: 'dataset.expired', dataset: name, datasetId: record.datasetId })
    return
  }
  requireConfirmed(name, dataset.declarations, found)
  const expiresAt = found.expires_at ?? record.expiresAt
  if (expiresAt !== record.expiresAt) {
    await run.store.record({ kind: 'upload', id: record.key, set: { expiresAt } })
  }
  announceReady(run, { name, datasetId: record.datasetId, expiresAt, reused: true }, record)
}

async function checkExisting(run: PlannedRun, name: string, datasetId: string): Promise<void> {
  if (run.known.alive.has(datasetId)) return
  const client = await run.service.client()
  const found = await getDataset(run, name, datasetId)
  const known = run.store.state.existing.get(datasetId)
  if (found === null) {
    // Its facts stay: results that were made from it remain valid.
    const unknown = { datasetId, requestIds: [], trainedAt: null, schemaSha256: null, schema: null, cleaning: null }
    const set = { ...(known ?? unknown), status: 'gone', expiresAt: null } as const
    await run.store.record({ kind: 'existing', id: datasetId, set })
    throw new RunRefusalError(
      'does_not_fit_data',
      'dataset_gone',
      `dataset "${name}": ${datasetId} no longer exists at the service. Trained datasets live 24 hours by default and 7 days at most: pass a current one with --dataset ${name}=<dataset_id>, or name a seed file in the study`,
    )
  }
  const { value } = await client.getDatasetSchema(datasetId, run.service.call(`dataset ${name}`))
  const facts = datasetFacts(found, value.schema)
  const expiresAt = found.expires_at ?? null
  if (known?.status !== 'ready' || known.schemaSha256 !== facts.schemaSha256 || known.expiresAt !== expiresAt) {
    const set = { datasetId, status: 'ready', expiresAt, requestIds: [], ...facts } as const
    await run.store.record({ kind: 'existing', id: datasetId, set })
  }
  announceReady(run, { name, datasetId, expiresAt, reused: true }, { ...facts, schema: value.schema })
}

/** Announces that a dataset is ready: plans may use it from now on. */
export function announceReady(
  { known, emit }: PlannedRun,
  dataset: {
    readonly name: string
    readonly datasetId: string
    readonly expiresAt: string | null
    readonly reused: boolean
  },
  { schema, cleaning }: Pick<DatasetFacts, 'cleaning'> & { readonly schema: readonly AnySchemaColumn[] | null },
): void {
  const { name, ...rest } = dataset
  known.alive.add(dataset.datasetId)
  if (schema !== null) known.schemas.set(name, schema)
  const cleanRows = cleaning?.cleanRows ?? null
  const cleanColumns = cleaning?.cleanColumns ?? null
  emit({ type: 'dataset.ready', dataset: name, ...rest, cleanRows, cleanColumns })
}
