import { basename } from 'node:path'
import { cutText } from '../../base/text/fit-text.ts'
import type { DatasetFacts } from '../../records/state/datasets.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { declarationsDigest } from '../../study/hashing/declarations-value.ts'
import { datasetFingerprint } from '../../study/hashing/fingerprint.ts'
import {
  type LockedDataset,
  type LockedDrop,
  type LockedSeed,
  lockColumns,
  type StudyLock,
  sentOf,
} from '../../study/lock/lock.ts'
import { lockChanges, lockChangeText } from '../../study/lock/lock-changes.ts'
import type { DatasetSource, FileDataset, Study } from '../../study/study.ts'
import { lineEndsText } from '../files/line-ends.ts'
import type { HashedSeedFile } from '../files/seed-files.ts'
import type { StudyLockFile } from '../files/study-lock-file.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { cleanedSchema, knownFacts } from '../session/dataset-records.ts'
import type { ReadRun } from '../session/plan-run.ts'

/** Changes that are listed; further ones are only counted. */
const LISTED_CHANGES = 10

const ADVICE =
  'whatif validate without --locked says what this means for the study; whatif lock accepts it, for review and commit'

/**
 * `--locked`: runs only against the data that the lock describes. Refuses when there is no lock, or when the facts
 * known by now would change it. Called before an upload and again before a generation.
 */
export function enforceStudyLock(run: ReadRun): void {
  if (!run.options.locked) return
  const [fault] = lockedFindings(run.request.study, run.lockFile, knownData(run))
  if (fault !== undefined)
    throw new RunRefusalError('does_not_fit_data', 'locked', fault.summary, { diagnostics: [fault] })
}

/** The findings that keep a study from running with `--locked`: none, or one error. */
export function lockedFindings(study: Study, file: StudyLockFile, known: KnownData): readonly Diagnostic[] {
  if (file.lock === null) {
    const summary = `there is no ${file.name} next to the study, and --locked requires one`
    return [diagnose('S2302', { summary })]
  }
  const changes = lockChanges(file.lock, expectedLock(study, file.lock, known))
  if (changes.length === 0) return []
  const more = changes.length - LISTED_CHANGES
  const lines = changes.slice(0, LISTED_CHANGES).map(lockChangeText)
  const ends = lineEndLines(study, file.lock, known)
  const advice = ends.length > 0 ? ends : [ADVICE]
  const detail = [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...advice].join('\n')
  return [diagnose('S2303', { summary: `${file.name} would change, and --locked forbids that`, detail })]
}

/** Nobody touched such a file, so the digests alone would puzzle. */
function lineEndLines(study: Study, lock: StudyLock, { seeds }: KnownData): string[] {
  return [...seeds].flatMap(([name, file]) => {
    const { lineEnds } = file
    const source = study.datasets.get(name)
    const locked = lock.datasets.get(name)?.seed ?? null
    if (lineEnds === undefined || source?.kind !== 'file' || (locked && isSameButLineEnds(file, locked))) return []
    return [`${name}: ${lineEndsText(lineEnds, basename(source.file))}`]
  })
}

/** Hashed seed files and fetched schemas, from this run or an earlier one. */
export function knownData(run: ReadRun): KnownData {
  const facts = new Map<string, DatasetFacts>()
  for (const name of run.study.datasets.keys()) {
    const found = knownFacts(run, name)
    if (found !== null) facts.set(name, found)
  }
  return { seeds: run.seedFiles, facts }
}

/** The known facts about a study's data, by dataset. */
export interface KnownData {
  readonly seeds: ReadonlyMap<string, HashedSeedFile>
  readonly facts: ReadonlyMap<string, DatasetFacts>
}

/** The service's reason for dropping a column is cut to this many characters. */
const MOST_REASON = 200

/**
 * The lock that describes the study and its data as far as they are known. Unknown facts are copied from `lock`, so
 * that comparing the two shows exactly the known differences. `study` is as its author wrote it. A dataset that neither
 * the lock nor the service knows is left out.
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

/** A placeholder for a dataset that is new to the lock and otherwise unknown; never written. */
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
  { autoClean, declarations }: FileDataset,
  file: HashedSeedFile | undefined,
  before: LockedSeed | null,
): LockedSeed {
  const digest = declarationsDigest(declarations)
  const { bytes, sha256, sent } = file === undefined ? (before ?? { bytes: 0, sha256: '' }) : asLocked(file, before)
  const seed = {
    autoClean,
    bytes,
    ...(digest !== null && { declarations: digest, ...(sent !== undefined && { sent }) }),
    sha256,
  }
  const fileSha256 = sentOf({ ...seed, fingerprint: '' }).sha256
  return { ...seed, fingerprint: datasetFingerprint({ fileSha256, autoClean, declarations }) }
}

function asLocked(file: HashedSeedFile, before: LockedSeed | null): Pick<LockedSeed, 'bytes' | 'sha256' | 'sent'> {
  if (before !== null && isSameButLineEnds(file, before)) return before
  return {
    bytes: file.fileBytes,
    sha256: file.fileSha256,
    ...(file.remarks !== null && { sent: { bytes: file.bytes, sha256: file.sha256 } }),
  }
}

/** Declarations make the same file of it, so nothing that anybody gets has changed. */
export const isSameButLineEnds = (file: HashedSeedFile, { sent }: LockedSeed): boolean =>
  file.lineEnds !== undefined && sent?.sha256 === file.sha256

/** Whether the lock has the dataset in the form in which the study names it. */
export function isLockedAs(source: DatasetSource, entry: LockedDataset | undefined): entry is LockedDataset {
  return entry !== undefined && (entry.seed !== null) === (source.kind === 'file')
}
