import type { ExistingRecord, UploadRecord } from '../../records/state/datasets.ts'
import type { DatasetInputs } from '../../records/state/generations.ts'
import { declarationsDigest } from '../../study/hashing/declarations-value.ts'
import { datasetFingerprint } from '../../study/hashing/fingerprint.ts'
import { requestKey, scopeAt, uploadHash } from '../../study/hashing/request-key.ts'
import type { DatasetSource, FileDataset, Study } from '../../study/study.ts'
import { DATASET_GONE, type DatasetAction, type DatasetPlan, type PlannedError, type UploadReason } from './plan.ts'
import type { PlanInput, SeedFile } from './plan-input.ts'
import type { StateIndex } from './state-index.ts'
import type { StudyState } from './study-state.ts'

/** What is known about a dataset before the plan decides whether a scenario needs it. */
export interface DatasetStanding {
  readonly source: DatasetSource
  readonly fingerprint: string | null
  readonly inputs: DatasetInputs | null
  /** Trained and, as far as is known, still at the service. */
  readonly datasetId: string | null
  /** Forced in this run and not yet uploaded for it: all its scenarios are generated again. */
  readonly forcedNow: boolean
  /** Forced by this run or an unfinished one: only work on `datasetId` counts as done. */
  readonly pinned: boolean
  /** Why nothing can be generated from it. */
  readonly failed: PlannedError | null
  readonly record: UploadRecord | ExistingRecord | null
  /** The action if a scenario needs it. */
  readonly whenNeeded: DatasetAction
}

/** The standing of every dataset of the study that has a hashed seed file or an id. */
export function datasetStandings(study: Study, input: PlanInput, index: StateIndex): Map<string, DatasetStanding> {
  const standings = new Map<string, DatasetStanding>()
  for (const [name, source] of study.datasets) {
    const standing = source.kind === 'file' ? fileStanding(source, input, index) : existingStanding(source, input)
    if (standing !== null) standings.set(name, standing)
  }
  return standings
}

function fileStanding(
  source: Extract<DatasetSource, { kind: 'file' }>,
  input: PlanInput,
  index: StateIndex,
): DatasetStanding | null {
  const seed = input.seedFiles.get(source.id)
  if (seed === undefined) return null
  const { scope, forceDatasets, retryFailed } = input.options
  const hash = uploadHash(source, seed.sha256)
  const record = index.upload(hash) ?? null
  const isForced = forceDatasets.has(source.id)
  const forcedBefore = isForced && record !== null && input.state.forced.has(record.key)
  const upload = (reason: UploadReason, epoch: number, certain = true): DatasetAction => ({
    kind: 'upload',
    key: requestKey('ds', hash, scopeAt(scope, epoch)),
    epoch,
    reason,
    certain,
  })
  const base = {
    source,
    fingerprint: datasetFingerprint({
      fileSha256: seed.sha256,
      autoClean: source.autoClean,
      declarations: source.declarations,
    }),
    inputs: fileInputs(source, seed),
    datasetId: null,
    forcedNow: false,
    pinned: isForced,
    failed: null,
    record,
  }
  if (record === null) {
    return { ...base, forcedNow: isForced, whenNeeded: upload(index.uploadNamed(source.id) ? 'changed' : 'new', 0) }
  }
  if (record.status === 'prepared' || record.status === 'training') {
    return { ...base, whenNeeded: { kind: 'resume', key: record.key } }
  }
  if (isForced && !forcedBefore) return { ...base, forcedNow: true, whenNeeded: upload('forced', record.epoch + 1) }
  switch (record.status) {
    case 'ready': {
      if (outlived(record.expiresAt, record.datasetId, input)) {
        return { ...base, whenNeeded: upload('expired', record.epoch + 1, false) }
      }
      return { ...base, datasetId: record.datasetId, whenNeeded: { kind: 'use' } }
    }
    case 'gone':
      return { ...base, whenNeeded: upload('expired', record.epoch + 1) }
    case 'refused':
      return { ...base, whenNeeded: upload('refused_before', record.epoch) }
    case 'failed': {
      if (retryFailed) return { ...base, whenNeeded: upload('retry', record.epoch + 1) }
      const error = record.error ?? { code: 'failed', detail: 'the dataset could not be trained in an earlier run' }
      return { ...base, failed: error, whenNeeded: { kind: 'failed', error } }
    }
  }
}

/** The parts of the fingerprint of a seed file. */
export function fileInputs(
  source: FileDataset,
  { sha256, fileSha256: seedSha256 }: Pick<SeedFile, 'sha256' | 'fileSha256'>,
): Extract<DatasetInputs, { kind: 'file' }> {
  const declarations = declarationsDigest(source.declarations)
  return {
    kind: 'file',
    fileSha256: sha256,
    autoClean: source.autoClean,
    ...(declarations !== null && { declarations, ...(seedSha256 !== undefined && { seedSha256 }) }),
  }
}

function existingStanding(source: Extract<DatasetSource, { kind: 'existing' }>, input: PlanInput): DatasetStanding {
  const record = input.state.existing.get(source.datasetId) ?? null
  const schemaSha256 = record?.schemaSha256 ?? null
  const gone = record?.status === 'gone'
  const remedy = `pass a current one with --dataset ${source.id}=<dataset_id>, or name a seed file in the study`
  const failed = gone
    ? { code: DATASET_GONE, detail: `${source.datasetId} no longer exists at the service; ${remedy}` }
    : null
  return {
    source,
    fingerprint: schemaSha256 === null ? null : datasetFingerprint({ datasetId: source.datasetId, schemaSha256 }),
    inputs: schemaSha256 === null ? null : { kind: 'existing', datasetId: source.datasetId, schemaSha256 },
    datasetId: schemaSha256 === null || gone ? null : source.datasetId,
    forcedNow: false,
    pinned: false,
    failed,
    record,
    whenNeeded: schemaSha256 === null || gone ? { kind: 'inspect' } : { kind: 'use' },
  }
}

/** Expired by the clock; the service was not asked. */
function outlived(expiresAt: string | null, datasetId: string | null, input: PlanInput): boolean {
  if (expiresAt === null || (datasetId !== null && input.alive?.has(datasetId))) return false
  return Date.parse(expiresAt) <= input.now
}

export function datasetPlan(
  name: string,
  standing: DatasetStanding,
  { needed, state }: { readonly needed: boolean; readonly state: StudyState },
): DatasetPlan {
  const { source, record } = standing
  return {
    id: name,
    source: source.kind === 'file' ? source.file : null,
    fingerprint: standing.fingerprint,
    schemaSha256: record?.schemaSha256 ?? null,
    datasetId: source.kind === 'existing' ? source.datasetId : standing.datasetId,
    trainedAt: record?.trainedAt ?? null,
    expiresAt: record?.expiresAt ?? null,
    seedRows: seedRowsOf(standing, state),
    action: needed ? standing.whenNeeded : { kind: 'none' },
  }
}

/**
 * When no end of the training was seen, an earlier training of the same file and cleaning has the number, in any scope.
 */
function seedRowsOf({ record, fingerprint }: DatasetStanding, state: StudyState): number | null {
  const own = record?.cleaning?.cleanRows
  if (own !== undefined) return own
  const alike = [...state.uploads.values()].filter((upload) => upload.fingerprint === fingerprint)
  return alike.findLast(({ cleaning }) => cleaning !== null)?.cleaning?.cleanRows ?? null
}
