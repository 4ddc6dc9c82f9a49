import { manifestColumns, usedColumns } from '../../answers/counts/natural-columns.ts'
import { modelQuality } from '../../answers/manifest/model-quality.ts'
import type { DatasetTrace, ManifestDataset } from '../../records/manifest/datasets.ts'
import type { UploadRecord } from '../../records/state/datasets.ts'
import type { Study } from '../../study/study.ts'
import type { HashedSeedFile } from '../files/seed-files.ts'
import type { DatasetRecord } from '../session/dataset-records.ts'
import { labelsOf } from './result-labels.ts'

/** What is known of a dataset of a study; absent: nothing. */
interface KnownDataset {
  readonly record: DatasetRecord | undefined
  readonly seed: HashedSeedFile | undefined
  readonly fingerprint: string | null
}

/**
 * The manifest's entry for a dataset.
 *
 * @param named the columns that results name.
 */
export function datasetEntry(
  study: Study,
  name: string,
  { record, seed, fingerprint }: KnownDataset,
  named: ReadonlySet<string>,
): ManifestDataset {
  const source = study.datasets.get(name)
  const cleaning = record?.cleaning ?? null
  const labels = labelsOf(record?.schema ?? [], named)
  const columns = manifestColumns(record?.schema ?? [], usedColumns(study, name))
  return {
    fingerprint,
    schema_sha256: record?.schemaSha256 ?? null,
    source: source?.kind === 'file' ? source.file : null,
    sha256: seed?.fileSha256 ?? null,
    ...(seed !== undefined && { bytes: seed.fileBytes }),
    ...(seed !== undefined && seed.remarks !== null && { sent: { bytes: seed.bytes, sha256: seed.sha256 } }),
    cleaning:
      cleaning === null
        ? null
        : {
            input_rows: cleaning.inputRows,
            clean_rows: cleaning.cleanRows,
            input_columns: cleaning.inputColumns,
            clean_columns: cleaning.cleanColumns,
            dropped_columns: cleaning.dropped.map(({ name: column, reason }) => ({ name: column, reason })),
          },
    ...(record?.schema && { cleaned_columns: record.schema.map((column) => column.name) }),
    ...(labels !== undefined && { labels }),
    ...(columns !== undefined && { columns }),
    ...(record?.quality != null && { quality: modelQuality(record.quality) }),
  }
}

/** Where the facts of a dataset come from. */
export function datasetTrace(record: DatasetRecord | undefined): DatasetTrace {
  const upload = record !== undefined && 'key' in record ? (record as UploadRecord) : null
  return {
    dataset_id: record?.datasetId ?? null,
    trained_at: record?.trainedAt ?? null,
    expires_at: record?.expiresAt ?? null,
    idempotency_key: upload?.key ?? null,
    request_ids: record?.requestIds ?? [],
    ...(record?.model != null && { model_id: record.model.id }),
  }
}
