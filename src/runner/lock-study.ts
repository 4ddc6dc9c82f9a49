import type { Diagnostic } from '../study/diagnostics/diagnostic.ts'
import { type StudyLock, withLevelSalt } from '../study/lock/lock.ts'
import { type LockChange, lockChanges } from '../study/lock/lock-changes.ts'
import { lockDigest } from '../study/lock/render-lock.ts'
import { readyDatasets, unreadyDataset, withStudyData } from './check-study.ts'
import { enforceStudyLock, expectedLock, knownData } from './datasets/study-lock.ts'
import { type StudyLockFile, writeStudyLock } from './files/study-lock-file.ts'
import { EXIT_CODES, type ExitReason, RunRefusalError } from './interface/exit-code.ts'
import type { RunEnvironment, RunRequest } from './interface/run-options.ts'
import type { OpenRun } from './session/open-run.ts'
import { type ReadRun, readStudyFiles } from './session/plan-run.ts'
import { claimName, requireOwnName } from './state/study-name.ts'

/** How `lockStudy` ended, and what it changed. */
export interface StudyLocking {
  readonly exitCode: number
  readonly reason: ExitReason
  readonly message: string | null
  /** The same with the address of the service, for a terminal. */
  readonly located: string | null
  readonly diagnostics: readonly Diagnostic[]
  /** Name of the lock file; null when the state could not be opened. */
  readonly lockFile: string | null
  /** The changes in it, or with `check` the changes that would be made. */
  readonly changes: readonly LockChange[]
  readonly written: boolean
  /** Why the file was made again as if there were none; null: it was not. */
  readonly replaced: string | null
  /** The digest of the current lock; null when there is none. */
  readonly digest: string | null
}

export interface LockOptions {
  /** Only report the changes. */
  readonly check: boolean
  /** Use digests instead of level names. A lock that has them keeps them, and its salt, until it is deleted. */
  readonly hashLevels: boolean
  /** 32 unpredictable hexadecimal digits. */
  readonly newSalt: () => string
}

/**
 * Writes the facts about a study's data into its lock file. Seed files that were never trained are uploaded and
 * trained, which bills no rows. With `check` this happens only if the files alone do not already show that the lock
 * would change.
 */
export async function lockStudy(request: RunRequest, env: RunEnvironment, options: LockOptions): Promise<StudyLocking> {
  const nothing = { lockFile: null, changes: [], written: false, replaced: null, digest: null }
  return { ...nothing, ...(await withStudyData(request, env, (run) => lockWith(run, options))) }
}

async function lockWith(opened: OpenRun, options: LockOptions): Promise<StudyLocking> {
  requireOwnDatasets(opened)
  const { env, request, places, store, lock } = opened
  await requireOwnName(env.fs, request, places.anchor, store.state)
  // A lock is made from the study and its data, so nothing is lost with both sides of a conflict.
  const read = await readStudyFiles(opened, !options.check)
  enforceStudyLock(read)
  await claimName(store, request, places.anchor)
  const file = read.lockFile
  const ended = {
    ...{ lockFile: file.name, changes: [], written: false, digest: lockDigest(file.lock), diagnostics: [] },
    replaced: file.replaced ?? null,
  }
  const levelSalt = file.lock?.levelSalt ?? (options.hashLevels ? options.newSalt() : null)
  if (options.check) {
    const { changes } = changesOf(read, levelSalt)
    if (changes.length > 0) return { ...ended, ...wouldChange(file), changes }
  }
  const unready = unreadyDataset(await readyDatasets(read))
  if (unready !== null) return { ...ended, ...unready }
  const { after, changes } = changesOf(read, levelSalt)
  if (options.check) return { ...ended, ...(changes.length > 0 ? wouldChange(file) : DONE), changes }
  await lock.assertHeld()
  const written = await writeStudyLock(env.fs, file, after)
  return { ...ended, ...DONE, changes, written, digest: lockDigest(after) }
}

const DONE = { exitCode: EXIT_CODES.ok, reason: 'ok', message: null, located: null } as const

function wouldChange({ name, lock }: StudyLockFile) {
  const message =
    lock === null
      ? `there is no ${name} next to the study; run whatif lock and commit it`
      : `${name} would change; run whatif lock, review the difference and commit it`
  return { exitCode: EXIT_CODES.does_not_fit_data, reason: 'does_not_fit_data', message, located: message } as const
}

function changesOf(run: ReadRun, levelSalt: string | null): { after: StudyLock; changes: readonly LockChange[] } {
  const before = run.lockFile.lock
  const base = withLevelSalt(before ?? { levelSalt: null, datasets: new Map() }, levelSalt)
  const after = expectedLock(run.request.study, base, knownData(run))
  return { after, changes: lockChanges(before, after) }
}

/** The lock describes the study as it is written, so a trained dataset cannot replace a seed file here. */
function requireOwnDatasets(run: OpenRun): void {
  for (const name of run.options.datasetIds.keys()) {
    if (run.request.study.datasets.get(name)?.kind !== 'file') continue
    throw new RunRefusalError(
      'usage',
      'dataset_of_file',
      `the lock describes the seed file of dataset "${name}"; run whatif lock without --dataset ${name}=…`,
    )
  }
}
