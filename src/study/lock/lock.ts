import { createHmac } from 'node:crypto'
import type { ColumnKind } from '../../base/column-kind.ts'
import type { CleanedColumn, CleanedSchema } from '../live-schema/cleaned-schema.ts'

/**
 * The data that a study was written against: the seed files and their cleaned columns (study language, section 7). It
 * holds only facts that change slowly: nothing in it changes unless somebody intends a change.
 */
export interface StudyLock {
  /** 32 hexadecimal digits when levels are stored as digests; null when they are in clear. */
  readonly levelSalt: string | null
  /** By the dataset's id in the study. */
  readonly datasets: ReadonlyMap<string, LockedDataset>
}

export interface LockedDataset {
  /** Null for a dataset that the study names by `dataset_id`: such ids expire within days and are never in a lock. */
  readonly seed: LockedSeed | null
  readonly columns: ReadonlyMap<string, LockedColumn>
  /** Sorted by name. */
  readonly dropped: readonly LockedDrop[]
  readonly schemaSha256: string
}

export interface LockedSeed {
  readonly autoClean: boolean
  /** Of the file as it lies there. See `ownSha256` for locks of 1.0.0. */
  readonly bytes: number
  /** `declarationsDigest`; absent when the study declares nothing about the file. */
  readonly declarations?: string | undefined
  /** `datasetFingerprint` of file, cleaning and declarations. */
  readonly fingerprint: string
  /** Of the file as it lies there. */
  readonly sha256: string
  /** What declarations made of it, which was sent in its place; absent without declarations, and in locks of 1.0.0. */
  readonly sent?: FileDigest | undefined
}

export interface FileDigest {
  readonly bytes: number
  readonly sha256: string
}

/** What was sent of a seed file. */
export const sentOf = ({ bytes, sha256, sent }: LockedSeed): FileDigest => sent ?? { bytes, sha256 }

/** The digest of the file as it lies there; null where a lock of 1.0.0 recorded only what declarations made of it. */
export const ownSha256 = ({ declarations, sha256, sent }: LockedSeed): string | null =>
  declarations !== undefined && sent === undefined ? null : sha256

export interface LockedColumn {
  readonly kind: ColumnKind
  /** Sorted; null when the service reported none. Names, or digests of names in a lock that has a salt. */
  readonly levels: readonly string[] | null
}

export interface LockedDrop {
  readonly name: string
  readonly reason: string
}

export const LOCK_VERSION = 1

/**
 * Salted digest of a level: HMAC-SHA-256, cut to 128 bits. It covers the column, so that equal levels of two columns do
 * not show. It hides names from readers of the file, but a reader can test guesses.
 */
export function levelDigest(salt: string, column: string, level: string): string {
  return createHmac('sha256', salt)
    .update(JSON.stringify([column, level]))
    .digest('hex')
    .slice(0, 32)
}

/**
 * The same lock with level names replaced by digests. A lock that has digests already, or needs none, is returned
 * unchanged.
 */
export function withLevelSalt(lock: StudyLock, levelSalt: string | null): StudyLock {
  if (lock.levelSalt !== null || levelSalt === null) return lock
  const hashed = (columns: LockedDataset['columns']) =>
    lockColumns(
      [...columns].map(([name, { kind, levels }]) => ({ name, kind, levels: levels ?? undefined })),
      levelSalt,
    )
  return {
    levelSalt,
    datasets: new Map([...lock.datasets].map(([name, d]) => [name, { ...d, columns: hashed(d.columns) }])),
  }
}

/** A column of a cleaned schema, as far as a lock records it. */
export interface ObservedColumn {
  readonly name: string
  readonly kind: LockedColumn['kind']
  readonly levels?: readonly string[] | undefined
}

/** Columns as a lock records them: in clear, or with digests for levels when there is a salt. */
export function lockColumns(columns: readonly ObservedColumn[], levelSalt: string | null): Map<string, LockedColumn> {
  return new Map(
    columns.map(({ name, kind, levels }) => {
      const known = kind === 'categorical' && levels !== undefined ? levels : null
      const stored = levelSalt === null ? known : (known?.map((level) => levelDigest(levelSalt, name, level)) ?? null)
      return [name, { kind, levels: stored === null ? null : [...new Set(stored)].sort() }]
    }),
  )
}

/**
 * The lock's file name: the study's name with its last extension replaced, so that studies in one folder have separate
 * locks.
 */
export function lockFileName(studyFileName: string): string {
  return `${studyFileName.replace(/(?<=[^/\\])\.[^./\\]*$/, '')}.lock.json`
}

/** A dataset's entry in the form that conditions are checked against. `fileName` is the lock's name, for messages. */
export function lockedSchema(lock: StudyLock, name: string, dataset: LockedDataset, fileName: string): CleanedSchema {
  return {
    columns: [...dataset.columns].map(([column, facts]) => cleanedColumn(column, facts, lock.levelSalt)),
    dropped: dataset.dropped,
    renamed: [],
    hasNoBounds: true,
    schemaLabel: `${fileName} (${name}, ${dataset.schemaSha256.slice(0, 8)})`,
  }
}

function cleanedColumn(name: string, { kind, levels }: LockedColumn, levelSalt: string | null): CleanedColumn {
  const missingShare = 'unknown' as const
  if (levels === null) return { name, kind, missingShare }
  if (levelSalt === null) return { name, kind, levels, missingShare }
  const digests = new Set(levels)
  const has = (level: string): boolean => digests.has(levelDigest(levelSalt, name, level))
  return { name, kind, hiddenLevels: { count: digests.size, has }, missingShare }
}
