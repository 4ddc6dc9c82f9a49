import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileSystem, writeAtomically } from '../../base/atomic-file.ts'
import { hashFile } from '../../base/sha256.ts'
import { hasCode } from '../../base/whatif-error.ts'
import { PRIVATE_FILE } from '../files/project-paths.ts'
import type { SharedStore } from '../interface/shared-store.ts'
import type { StudyState } from '../plan/study-state.ts'
import type { RunLock } from '../state/held-lock.ts'
import type { StateMirror } from '../state/state-mirror.ts'
import { readScope } from './read-shared.ts'
import { acquireSharedLock, type SharedLockRequest } from './shared-lock.ts'
import {
  artifactKey,
  MAIN_SCOPE,
  requireScopes,
  resultsFolder,
  type SharedPlace,
  sharedFolder,
} from './shared-places.ts'
import { openSharedState } from './shared-state.ts'

/** The state of a study in a shared store, for as long as a run holds its lock. */
export interface SharedRun {
  readonly lock: RunLock
  readonly mirror: StateMirror
  /** Nothing was there: what is known on this machine is the beginning. */
  readonly isNew: boolean
  /** What the trusted scopes know. */
  readonly trusted: readonly StudyState[]
  /** Keeps a file under its SHA-256. */
  readonly upload: (sha256: string, path: string) => Promise<void>
  /** Writes a kept file to a new path, unless no scope has it, or only with other bytes than its name says. */
  readonly download: (sha256: string, path: string) => Promise<'whole' | 'absent' | 'damaged'>
  /** Keeps what a run wrote beside its results, under the name that it has there; it replaces that of the run before. */
  readonly publish: (name: string, text: string) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Takes the lock of a study in the store, and brings the state to `folder` on this disk. Nothing outside the run's own scope is written:
 * every key of a write is made here, below that scope.
 */
export async function openShared(
  request: Omit<SharedLockRequest, 'key'> & { readonly fs: FileSystem; readonly folder: string },
  place: SharedPlace,
): Promise<SharedRun> {
  const { store, fs, folder } = request
  requireScopes(place)
  const scope = place.scope ?? MAIN_SCOPE
  const own = sharedFolder(place, scope)
  await store.requireConditions(own)
  const lock = await acquireSharedLock({ ...request, key: `${own}lock` })
  try {
    const { files, mirror } = await openSharedState(store, own)
    const isNew = files.snapshot === null && files.journal === ''
    const write = (name: string, text: string) => writeAtomically(fs, join(folder, name), text, { mode: PRIVATE_FILE })
    // What lies here may be a copy of another scope, whose work must not become this one's.
    const origin = join(folder, 'shared-scope')
    const before = await fs.readFile(origin, 'utf8').catch(() => null)
    const isOther = before !== null && before !== `${own}\n`
    if (!isNew || isOther) {
      // Without the journal first: entries of another history must not meet the new snapshot.
      await write('journal.ndjson', '')
      if (files.snapshot === null) await fs.rm(join(folder, 'state.json'), { force: true })
      else await write('state.json', files.snapshot)
      await write('journal.ndjson', files.journal)
    }
    if (before === null || isOther) await write('shared-scope', `${own}\n`)
    const trusted = await Promise.all(place.reads.map((read) => readScope(store, place, read)))
    const lost = new AbortController()
    const scopes = [scope, ...place.reads]
    return {
      lock: { ...lock, lost: AbortSignal.any([lock.lost, lost.signal]) },
      mirror: guarded(mirror, lost),
      isNew,
      trusted,
      upload: (sha256, path) => store.upload(artifactKey(scope, sha256), path),
      download: (sha256, path) => downloadWhole(store, scopes, sha256, path),
      publish: (name, text) => store.write(`${resultsFolder(own)}${name}`, text),
      close: () => lock.release(),
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** A write that meets that of another run means that the lock is lost. */
function guarded(mirror: StateMirror, lost: AbortController): StateMirror {
  const watch = async (write: Promise<void>) => {
    try {
      await write
    } catch (error) {
      if (!hasCode(error, 'lock_held')) throw error
      lost.abort(error)
      throw lost.signal.reason
    }
  }
  return {
    append: (lines) => watch(mirror.append(lines)),
    snapshot: (text) => watch(mirror.snapshot(text)),
    isLong: mirror.isLong,
  }
}

async function downloadWhole(
  store: SharedStore,
  scopes: readonly string[],
  sha256: string,
  path: string,
): Promise<'whole' | 'absent' | 'damaged'> {
  let isDamaged = false
  for (const [i, scope] of scopes.entries()) {
    const key = artifactKey(scope, sha256)
    await rm(path, { force: true })
    if (!(await store.download(key, path))) continue
    if ((await hashFile(path)).sha256 === sha256) return 'whole'
    isDamaged = true
    // Of the run's own scope, which is the first: the file is stored again once it is made again.
    if (i === 0) await store.remove(key)
  }
  await rm(path, { force: true })
  return isDamaged ? 'damaged' : 'absent'
}
