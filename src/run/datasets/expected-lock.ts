import { cutText } from '../../base/text/fit-text.ts'
import type { DatasetFacts } from '../../plan/study-state.ts'
import { datasetFingerprint } from '../../study/hashing/fingerprint.ts'
import {
  type LockedDataset,
  type LockedDrop,
  type LockedSeed,
  lockColumns,
  type StudyLock,
} from '../../study/lock/lock.ts'
import type { DatasetSource, FileDataset, Study } from '../../study/study.ts'
import { cleanedSchema } from './dataset-facts.ts'

/** What is known of a study's data at the moment, by dataset. */
export interface KnownData {
  readonly seeds: ReadonlyMap<string, { readonly sha256: string; readonly bytes: number }>
  readonly facts: ReadonlyMap<string, DatasetFacts>
}

/** A service's word for why a column was dropped is cut to so many characters. */
const MOST_REASON = 200

/**
 * The lock that describes the study and its data as far as they are known; what is not known is taken over from `lock`,
 * so that comparing the two shows exactly what is known to be different. `study` is as its author wrote it. A dataset
 * that neither the lock nor the service knows anything of is left out.
 */
export function expectedLock(study: Study, lock: StudyLock | null, known: KnownData): StudyLock {
  const levelSalt = lock?.levelSalt ?? null
  const datasets = new Map<string, LockedDataset>()
  for (const name of new Set(study.scenarios.map((s) => s.dataset))) {
    const source = study.datasets.get(name)
    if (source === undefined) continue
    const before = lock?.datasets.get(name) ?? null
    const schema = schemaOf(known.facts.get(name), levelSalt) ?? before ?? UNKNOWN_SCHEMA
    const seed = source.kind === 'file' ? seedOf(source, known.seeds.get(name), before?.seed ?? null) : null
    const { columns, dropped, schemaSha256 } = schema
    datasets.set(name, { seed, columns, dropped, schemaSha256 })
  }
  return { levelSalt, datasets }
}

type LockedSchema = Pick<LockedDataset, 'columns' | 'dropped' | 'schemaSha256'>

/** Stands where a dataset is new to the lock and nothing else is known; never written. */
const UNKNOWN_SCHEMA: LockedSchema = { columns: new Map(), dropped: [], schemaSha256: '' }

function schemaOf(facts: DatasetFacts | undefined, levelSalt: string | null): LockedSchema | null {
  if (facts === undefined || facts.schemaSha256 === null) return null
  const { columns, dropped } = cleanedSchema(facts, '')
  return { columns: lockColumns(columns, levelSalt), dropped: sortedDrops(dropped), schemaSha256: facts.schemaSha256 }
}

function sortedDrops(dropped: readonly LockedDrop[]): LockedDrop[] {
  return dropped
    .map(({ name, reason }) => ({ name, reason: cutText(reason, MOST_REASON) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function seedOf(
  { autoClean }: FileDataset,
  file: { readonly sha256: string; readonly bytes: number } | undefined,
  before: LockedSeed | null,
): LockedSeed {
  const { sha256, bytes } = file ?? before ?? { sha256: '', bytes: 0 }
  return { autoClean, bytes, fingerprint: datasetFingerprint({ fileSha256: sha256, autoClean }), sha256 }
}

/** Whether the lock has the dataset in the form in which the study names it. */
export function isLockedAs(source: DatasetSource, entry: LockedDataset | undefined): entry is LockedDataset {
  return entry !== undefined && (entry.seed !== null) === (source.kind === 'file')
}
