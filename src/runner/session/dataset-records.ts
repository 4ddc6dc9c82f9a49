import { columnKindOf } from '../../base/column-kind.ts'
import type { Dataset, DatasetReceipt, Generation } from '../../client/replies.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { DatasetFacts, ExistingRecord, RecordedCleaning, UploadRecord } from '../../records/state/datasets.ts'
import type { RecordedModel } from '../../records/state/requests.ts'
import { schemaSha256 } from '../../study/hashing/fingerprint.ts'
import type { CleanedSchema } from '../../study/live-schema/cleaned-schema.ts'
import type { FileDataset } from '../../study/study.ts'
import type { RunSoFar } from './plan-run.ts'

/** The facts of a dataset record and its schema that are kept. */
export function datasetFacts(dataset: Dataset, schema: readonly AnySchemaColumn[]): DatasetFacts {
  return {
    trainedAt: dataset.training_summary?.trained_at ?? null,
    schemaSha256: schemaSha256(schema.map((column) => ({ ...column, kind: columnKindOf(column) }))),
    schema: [...schema],
    cleaning: cleaningOf(dataset.cleaning_summary),
    quality: dataset.training_summary?.quality ?? null,
    model: recordedModel(dataset.training_summary),
  }
}

/** The model that a training made, or a generation came from, if the service reports it. */
export function recordedModel(
  source: Pick<Generation, 'model_id' | 'engine_version'> | undefined,
): RecordedModel | null {
  return source?.model_id === undefined ? null : { id: source.model_id, engine: source.engine_version ?? null }
}

function cleaningOf(summary: DatasetReceipt['cleaning_summary']): RecordedCleaning | null {
  if (summary === undefined) return null
  const { sheet } = summary
  return {
    inputRows: summary.input_rows,
    cleanRows: summary.clean_rows,
    inputColumns: summary.input_columns,
    cleanColumns: summary.clean_columns,
    dropped: summary.dropped_columns.map(({ name, reason, detail }) => ({ name, reason, detail: detail ?? null })),
    renamed: (summary.renamed_columns ?? []).map(({ from, to }) => ({ from, to })),
    rareLevels: (summary.dropped_levels ?? []).map(({ column, levels, levels_omitted: omitted = 0 }) => ({
      column,
      count: levels.length + omitted,
    })),
    ...(sheet && { sheet: { name: sheet.name, others: sheet.others, othersOmitted: sheet.others_omitted ?? 0 } }),
  }
}

/** The cleaned schema in the form that conditions are checked against; `label` names its source. */
export function cleanedSchema(facts: DatasetFacts, label: string): CleanedSchema {
  return {
    columns: (facts.schema ?? []).map((column) => ({
      name: column.name,
      kind: columnKindOf(column),
      levels: column.levels,
      levelShares: column.level_shares,
      quantiles: column.quantiles,
      min: column.min,
      max: column.max,
      sourceName: column.source_name,
      missingShare: column.missing_share,
      format: column.format,
      integer: column.integer,
    })),
    dropped: (facts.cleaning?.dropped ?? []).map(({ name, reason, detail }) => ({
      name,
      reason,
      detail: detail ?? undefined,
    })),
    renamed: facts.cleaning?.renamed ?? [],
    rareLevels: facts.cleaning?.rareLevels,
    schemaLabel: label,
  }
}

/** The newest upload of this seed file under this run's scope. */
export function currentUpload(run: RunSoFar, dataset: FileDataset): UploadRecord | null {
  const hash = run.uploadHashes?.get(dataset.id)
  if (hash === undefined) return null
  let newest: UploadRecord | null = null
  for (const record of run.store.state.uploads.values()) {
    if (record.hash !== hash || record.label !== run.options.scope) continue
    if (newest === null || newest.epoch < record.epoch) newest = record
  }
  return newest
}

/** What is recorded of a dataset of the study, whether it was uploaded or named by id. */
export type DatasetRecord = UploadRecord | ExistingRecord

/** Null: nothing is recorded yet. */
export function datasetRecord(run: RunSoFar, name: string): DatasetRecord | null {
  const source = run.study.datasets.get(name)
  if (source === undefined) return null
  return source.kind === 'file' ? currentUpload(run, source) : (run.store.state.existing.get(source.datasetId) ?? null)
}

/** Facts of a dataset with a known schema. */
export function knownFacts(run: RunSoFar, name: string): DatasetFacts | null {
  const record = datasetRecord(run, name)
  return record === null || record.schema === null ? null : record
}
