import type { Diagnostic } from '../study/diagnostics/diagnostic.ts'
import { type StudyLock, withLevelSalt } from '../study/lock/lock.ts'
import { type LockChange, lockChanges } from '../study/lock/lock-changes.ts'
import { lockDigest } from '../study/lock/lock-digest.ts'
import { readStudyDisk, readyDatasets } from './carry-out.ts'
import { expectedLock } from './datasets/expected-lock.ts'
import { knownData } from './datasets/study-lock.ts'
import { type LockFile, writeLockFile } from './files/study-lock-file.ts'
import { EXIT_CODES, type ExitReason, RunRefusalError } from './interface/exit-code.ts'
import type { RunEnvironment, RunRequest } from './interface/run-options.ts'
import type { RunContext } from './session/run-context.ts'
import { unreadyDataset, withStudyData } from './with-study-data.ts'

export interface StudyLocking {
  readonly exitCode: number
  readonly reason: ExitReason
  readonly message: string | null
  /** The same with the address of the service, for a terminal. */
  readonly located: string | null
  readonly diagnostics: readonly Diagnostic[]
  /** Name of the lock file; null when the state could not be opened. */
  readonly lockFile: string | null
  /** What changed in it, or with `check` would change. */
  readonly changes: readonly LockChange[]
  readonly written: boolean
  /** Of the lock as it is now; null when there is none. */
  readonly digest: string | null
}

export interface LockOptions {
  /** Only tells what would change. */
  readonly check: boolean
  /** Digests in place of level names. A lock that has them keeps them, and its salt, until it is deleted. */
  readonly hashLevels: boolean
  /** 32 hexadecimal digits that nobody can guess. */
  readonly newSalt: () => string
}

/**
 * Writes what a study's data are into its lock file. Seed files that were never trained are uploaded and trained for it,
 * which bills no rows; with `check` only when the files themselves do not show already that the lock would change.
 */
export async function lockStudy(request: RunRequest, env: RunEnvironment, options: LockOptions): Promise<StudyLocking> {
  const nothing = { lockFile: null, changes: [], written: false, digest: null }
  return { ...nothing, ...(await withStudyData(request, env, (context) => lockWith(context, options))) }
}

async function lockWith(context: RunContext, options: LockOptions): Promise<StudyLocking> {
  requireOwnDatasets(context)
  await readStudyDisk(context)
  const file = context.lockFile!
  const ended = { lockFile: file.name, changes: [], written: false, digest: lockDigest(file.lock), diagnostics: [] }
  const levelSalt = file.lock?.levelSalt ?? (options.hashLevels ? options.newSalt() : null)
  if (options.check) {
    const changes = changesOf(context, levelSalt).changes
    if (changes.length > 0) return { ...ended, ...wouldChange(file), changes }
  }
  await readyDatasets(context)
  const unready = unreadyDataset(context)
  if (unready !== null) return { ...ended, ...unready }
  const { after, changes } = changesOf(context, levelSalt)
  if (options.check) return { ...ended, ...(changes.length > 0 ? wouldChange(file) : DONE), changes }
  await context.lock.assertHeld()
  const written = await writeLockFile(context.env.fs, file, after)
  return { ...ended, ...DONE, changes, written, digest: lockDigest(after) }
}

const DONE = { exitCode: EXIT_CODES.ok, reason: 'ok', message: null, located: null } as const

function wouldChange({ name, lock }: LockFile) {
  const message =
    lock === null
      ? `there is no ${name} beside the study; run whatif lock and commit it`
      : `${name} would change; run whatif lock, look at the difference and commit it`
  return { exitCode: EXIT_CODES.does_not_fit_data, reason: 'does_not_fit_data', message, located: message } as const
}

function changesOf(
  context: RunContext,
  levelSalt: string | null,
): { after: StudyLock; changes: readonly LockChange[] } {
  const before = context.lockFile!.lock
  const base = withLevelSalt(before ?? { levelSalt: null, datasets: new Map() }, levelSalt)
  const after = expectedLock(context.request.study, base, knownData(context))
  return { after, changes: lockChanges(before, after) }
}

/** The lock describes the study as it is written, so a trained dataset cannot stand in for a seed file here. */
function requireOwnDatasets(context: RunContext): void {
  for (const name of context.options.datasetIds.keys()) {
    if (context.request.study.datasets.get(name)?.kind !== 'file') continue
    throw new RunRefusalError(
      'usage',
      'dataset_of_file',
      `the lock describes the seed file of dataset "${name}"; run whatif lock without --dataset ${name}=…`,
    )
  }
}
