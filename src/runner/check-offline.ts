import { basename, dirname } from 'node:path'
import { MERGE_MARKS } from '../base/stand-in-file.ts'
import { diagnose } from '../study/diagnostics/diagnose.ts'
import { type Diagnostic, hasErrors } from '../study/diagnostics/diagnostic.ts'
import { declarationsDigest } from '../study/hashing/declarations-value.ts'
import { checkConditions } from '../study/live-schema/check-conditions.ts'
import { type LockedSeed, lockedSchema, ownSha256, sentOf } from '../study/lock/lock.ts'
import type { DatasetSource, FileDataset, Study } from '../study/study.ts'
import { isLockedAs, isSameButLineEnds, lockedFindings } from './datasets/study-lock.ts'
import { lineEndsText } from './files/line-ends.ts'
import {
  declarationsOf,
  findSeedFile,
  type HashedSeedFile,
  hashSeedFile,
  type SeedFileOptions,
  withLineEnds,
} from './files/seed-files.ts'
import { readStudyLock, type StudyLockFile } from './files/study-lock-file.ts'
import { type ExitReason, RunRefusalError, verdict } from './interface/exit-code.ts'
import type { RunEnvironment } from './interface/run-options.ts'
import { withDatasetIds } from './session/with-dataset-ids.ts'

export interface OfflineCheck {
  readonly lockFile: StudyLockFile
  /** Findings against the lock; findings of the study file itself are not included. */
  readonly diagnostics: readonly Diagnostic[]
  readonly reason: ExitReason
}

/**
 * Checks a study against its lock: seed files against their digests, conditions against the recorded columns and
 * levels. Needs no service, no credentials and no state, and writes nothing. Rejects with `RunRefusalError` for an
 * unusable lock.
 */
export async function checkOffline(
  request: {
    readonly study: Study
    readonly studyFile: string
    readonly projectRoot: string
    readonly allowOutside: boolean
    readonly allowHidden: boolean
    readonly locked: boolean
    readonly datasetIds: ReadonlyMap<string, string>
  },
  env: Pick<RunEnvironment, 'fs' | 'signal'>,
): Promise<OfflineCheck> {
  const lockFile = await readStudyLock(env.fs, request)
  const { lock, name: fileName } = lockFile
  const study = withDatasetIds(request.study, request.datasetIds)
  const seeds = new Map<string, HashedSeedFile>()
  const found: Diagnostic[] = []
  const causes = new Set<ExitReason>()
  const checked = (): OfflineCheck => {
    if (hasErrors(found)) causes.add('does_not_fit_data')
    return { lockFile, diagnostics: found, reason: verdict(causes).reason }
  }
  const used = new Set(study.scenarios.map((s) => s.dataset))
  const place = { ...request, studyFolder: dirname(request.studyFile) }
  // With or without a lock: the paths that a study would read can be checked without the data.
  const refusals = await misplacedSeeds(study, used, place, env)
  for (const { diagnostics, reason } of refusals.values()) {
    found.push(...diagnostics)
    causes.add(reason)
  }
  if (lock === null) {
    if (request.locked) found.push(...lockedFindings(request.study, lockFile, { seeds, facts: new Map() }))
    return checked()
  }
  for (const name of used) {
    const source = study.datasets.get(name)!
    const entry = lock.datasets.get(name)
    if (!isLockedAs(request.study.datasets.get(name)!, entry)) {
      if (!request.locked) found.push(notLocked(name, source, fileName))
      continue
    }
    if (source.kind === 'file' && !refusals.has(name)) {
      const seed = await seedOf(source, entry.seed, place, env)
      if (seed instanceof RunRefusalError) {
        found.push(...seed.diagnostics)
        causes.add(seed.reason)
      } else if ('finding' in seed) found.push(seed.finding)
      else seeds.set(name, seed)
      if (!request.locked) found.push(...differences(source, entry.seed, 'sha256' in seed ? seed : null, fileName))
    }
    found.push(...checkConditions(study, name, lockedSchema(lock, name, entry, fileName)))
  }
  if (request.locked) found.push(...lockedFindings(request.study, lockFile, { seeds, facts: new Map() }))
  return checked()
}

type SeedPlace = Omit<SeedFileOptions, 'env' | 'signal'>

/** Refusals of the seed files that the study may not name, by dataset. */
async function misplacedSeeds(
  study: Study,
  used: ReadonlySet<string>,
  place: SeedPlace,
  env: Pick<RunEnvironment, 'fs'>,
): Promise<Map<string, RunRefusalError>> {
  const refusals = new Map<string, RunRefusalError>()
  for (const name of used) {
    const source = study.datasets.get(name)!
    if (source.kind !== 'file' || source.object !== undefined) continue
    await findSeedFile(source, { ...place, env }).catch((error: unknown) => {
      // Reading the file reports its fault.
      if (error instanceof RunRefusalError) refusals.set(name, error)
    })
  }
  return refusals
}

/**
 * The hashed file, its refusal, or the finding that it is missing: a study can be checked against its lock without the
 * data.
 */
async function seedOf(
  source: FileDataset,
  locked: LockedSeed | null,
  place: SeedPlace,
  env: Pick<RunEnvironment, 'fs' | 'signal'>,
): Promise<HashedSeedFile | RunRefusalError | { readonly finding: Diagnostic }> {
  if (source.object !== undefined) return pinnedSeed(source, locked)
  const quiet = { ...env, onEvent: () => {} }
  try {
    const options = { ...place, env: quiet, signal: env.signal }
    return await withLineEnds(await hashSeedFile(source, options), locked, options)
  } catch (error) {
    if (!(error instanceof RunRefusalError)) throw error
    if (error.reason !== 'usage') return error
    const detail = error.code === 'seed_file_not_data' ? (error.diagnostics[0]?.detail ?? '') : ''
    if (detail.includes(MERGE_MARKS)) return error
    const why = detail === '' ? 'is not here' : 'is not the data'
    const summary = `the seed file of dataset "${source.id}" ${why}, so it was not compared with the lock`
    return { finding: diagnose('N2306', { summary, range: source.fileRange, detail }) }
  }
}

/**
 * An object in a bucket, by the digest that the study means: nothing is read. Of another object than the lock's, only that is known,
 * and the rest is what the lock has.
 */
function pinnedSeed(source: FileDataset, locked: LockedSeed | null): HashedSeedFile | { readonly finding: Diagnostic } {
  const own = locked === null ? null : ownSha256(locked)
  if (locked === null || own === null) {
    const summary = `the seed file of dataset "${source.id}" is in a bucket, so it was not compared with the lock`
    return { finding: diagnose('N2306', { summary, range: source.fileRange, detail: '' }) }
  }
  const pin = source.sha256 as string
  const { sha256, bytes } = pin === own ? sentOf(locked) : { sha256: pin, bytes: locked.bytes }
  const remarks = declarationsOf(source) === null ? null : []
  return { path: '', fileSha256: pin, fileBytes: locked.bytes, sha256, bytes, remarks }
}

/** One warning about what differs from the lock: the declarations, or else the file, or else its cleaning. */
function differences(
  source: FileDataset,
  seed: LockedSeed | null,
  file: HashedSeedFile | null,
  fileName: string,
): Diagnostic[] {
  const { id, fileRange: range, autoClean, declarations } = source
  const detail = 'conditions are checked against the columns and levels of the lock; whatif lock brings it up to date'
  if ((declarationsDigest(declarations) ?? undefined) !== seed?.declarations) {
    const summary = `the declarations of dataset "${id}" changed since ${fileName}`
    return [diagnose('W2304', { summary, range, detail })]
  }
  // Of a lock of 1.0.0 with declarations only what was sent is known.
  const own = seed === null ? null : ownSha256(seed)
  const isOtherFile =
    file !== null &&
    !(seed !== null && isSameButLineEnds(file, seed)) &&
    (own === null ? seed === null || sentOf(seed).sha256 !== file.sha256 : own !== file.fileSha256)
  if (!isOtherFile && autoClean === seed?.autoClean) return []
  if (file?.lineEnds !== undefined) {
    const summary = `the seed file of dataset "${id}" differs from the one in ${fileName} in its line ends`
    return [diagnose('W2304', { summary, range, detail: lineEndsText(file.lineEnds, basename(source.file)) })]
  }
  const what = isOtherFile ? 'the seed file' : '`auto_clean`'
  return [diagnose('W2304', { summary: `${what} of dataset "${id}" is not the one in ${fileName}`, range, detail })]
}

function notLocked(name: string, source: DatasetSource, fileName: string): Diagnostic {
  const range = source.kind === 'file' ? source.fileRange : source.datasetIdRange
  const summary = `${fileName} does not describe dataset "${name}" as the study defines it`
  const detail = 'its conditions are not checked; whatif lock brings the lock up to date'
  return diagnose('W2305', { summary, range, detail })
}
