import { basename, dirname, join } from 'node:path'
import { type FileSystem, writeAtomically } from '../../base/atomic-file.ts'
import { readBoundedText } from '../../base/bounded-file.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import { lockFileName, type StudyLock } from '../../study/lock/lock.ts'
import { conflictIn, MAX_LOCK_BYTES, parseLock, saltIn } from '../../study/lock/parse-lock.ts'
import { renderLock } from '../../study/lock/render-lock.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { outsideProject, requireInside } from './project-paths.ts'

/**
 * The study lock: the file next to a study that describes its data. A run lock (`state/run-lock.ts`) is something else.
 */
export interface StudyLockFile {
  /** Absolute. */
  readonly path: string
  /** Without folders: its name in messages. */
  readonly name: string
  /** Null when there is no such file. */
  readonly lock: StudyLock | null
  /** Why nothing of the file but its salt was read, so that it is made again; absent: it was read. */
  readonly replaced?: string
}

export interface StudyLockPlace {
  /** Absolute. */
  readonly studyFile: string
  readonly projectRoot: string
  readonly allowOutside: boolean
  /** A lock with an unresolved merge conflict is made again, and not refused. */
  readonly replacesConflict?: boolean
}

/** Reads the lock of a study. Refuses an unusable lock: to continue would ignore the agreement that it records. */
export async function readStudyLock(fs: FileSystem, place: StudyLockPlace): Promise<StudyLockFile> {
  const name = lockFileName(basename(place.studyFile))
  const path = join(dirname(place.studyFile), name)
  const unusable = (why: string, cause?: unknown) => lockUnusable(`${name}: ${why}`, `delete it and ${AGAIN}`, cause)
  try {
    // The file comes from a repository: it may be a link to something private, a pipe, or of any size.
    await fs.lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { path, name, lock: null }
    throw unusable(`it cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
  if (!place.allowOutside)
    await requireInside(fs, place.projectRoot, path, () =>
      outsideProject(null, `the lock file "${name}" is a link out of the project`),
    )
  try {
    const text = await readBoundedText(fs, path, MAX_LOCK_BYTES)
    const conflict = conflictIn(text)
    if (conflict === null) return { path, name, lock: parseLock(text) }
    if (place.replacesConflict !== true) throw lockUnusable(`${name}: it ${conflict}`, AGAIN)
    return { path, name, lock: { levelSalt: saltIn(text), datasets: new Map() }, replaced: `it ${conflict}` }
  } catch (error) {
    if (error instanceof WhatifError && !(error instanceof RunRefusalError)) throw unusable(error.message, error)
    throw error
  }
}

/** Writes the lock unless the file already has this content. True when it was written. */
export async function writeStudyLock(fs: FileSystem, file: StudyLockFile, lock: StudyLock): Promise<boolean> {
  const text = renderLock(lock)
  if (file.lock !== null && (await fs.readFile(file.path, 'utf8')) === text) return false
  try {
    await writeAtomically(fs, file.path, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new RunRefusalError('usage', 'lock_unwritable', `${file.name} cannot be written (${code})`, { cause: error })
  }
  return true
}

/** What is done about a lock that cannot be used. */
const AGAIN = 'run whatif lock, which makes it again from the study and its data'

function lockUnusable(summary: string, detail: string, cause?: unknown): RunRefusalError {
  const diagnostics = [diagnose('S2301', { summary, detail })]
  return new RunRefusalError('does_not_fit_data', 'lock_unusable', summary, { cause, diagnostics })
}
