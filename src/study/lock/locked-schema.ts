import type { CleanedColumn, CleanedSchema } from '../live-schema/cleaned-schema.ts'
import { type LockedColumn, type LockedDataset, levelDigest, type StudyLock } from './lock.ts'

/** A dataset's entry as conditions are checked against it; `fileName` is the lock's, for messages. */
export function lockedSchema(lock: StudyLock, name: string, dataset: LockedDataset, fileName: string): CleanedSchema {
  return {
    columns: [...dataset.columns].map(([column, facts]) => cleanedColumn(column, facts, lock.levelSalt)),
    dropped: dataset.dropped,
    renamed: [],
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
