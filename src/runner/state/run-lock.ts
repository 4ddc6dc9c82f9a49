import { basename, dirname, join } from 'node:path'
import { type FileSystem, removeIfThere, writeAtomically } from '../../base/atomic-file.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { type PlaceOptions, PRIVATE_FILE, type RunPlaces, requireOwnState, runPlaces } from '../files/project-paths.ts'
import type { LockHolder } from '../interface/run-event.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { heldLock, type LockWish, type RunLock, waitForTurn } from './held-lock.ts'

/**
 * The run lock of a study's state folder: which run is active. A study lock (`files/study-lock-file.ts`) is something
 * else.
 */
export const runLockPath = ({ stateFolder }: Pick<RunPlaces, 'stateFolder'>): string => join(stateFolder, 'lock')

/** A holder without a heartbeat for this long counts as gone (study language, section 11). */
const SILENCE_MS = 2 * 60_000
const RETRY_MS = 250
/**
 * A lock that was ours this recently is still ours: others take it only after minutes of silence. The clock shows
 * whether the machine slept meanwhile.
 */
const FRESH_MS = 100

export interface LockRequest extends LockWish {
  readonly fs: FileSystem
  /** The lock file; its folder exists. */
  readonly path: string
}

/**
 * Takes the lock, waiting for its holder up to `timeoutMs`. Rejects with `RunRefusalError` (`lock_held`), also when the
 * run's own deadline passes meanwhile, because the holder is more informative than the deadline. Rejects with the
 * signal's reason otherwise.
 */
export function acquireRunLock(request: LockRequest): Promise<RunLock> {
  const startedAt = timestamp(request.clock)
  return waitForTurn(request, RETRY_MS, async () => {
    if (await create(request, startedAt)) {
      await sweep(request)
      return hold(request, startedAt)
    }
    const found = await readHolder(request.fs, request.path)
    if (found === 'absent') return 'again'
    const stale = staleness(found, request)
    if (stale === null) return found.holder
    if (await removeStale(request, found.holder)) request.onTakeover(found.holder, stale)
    return 'again'
  })
}

export function lockText(request: Pick<LockWish, 'process' | 'runId' | 'clock'>, startedAt: string): string {
  const { pid, host, place } = request.process
  const holder = { pid, host, place, run_id: request.runId, started_at: startedAt }
  return `${JSON.stringify({ ...holder, heartbeat_at: timestamp(request.clock) })}\n`
}

/**
 * Links a complete file into place: a reader sees a complete lock or none, never an empty one, and `link` fails when
 * the name is taken.
 */
async function create(request: LockRequest, startedAt: string): Promise<boolean> {
  const { fs, path } = request
  const own = `${path}.${request.runId}`
  await removeIfThere(fs, own)
  const file = await fs.open(own, 'wx', PRIVATE_FILE)
  try {
    await file.writeFile(lockText(request, startedAt), 'utf8')
    await file.close()
    await fs.link(own, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Taken, or removed by the run that took it, between writing and linking.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  } finally {
    await file.close().catch(() => {})
    await removeIfThere(fs, own)
  }
}

/** Removes files of runs that were killed while they were taking the lock. */
async function sweep({ fs, path }: LockRequest): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await fs.readdir(dirname(path))) {
    if (name.startsWith(prefix)) await removeIfThere(fs, join(dirname(path), name))
  }
}

/** `place`: as in `ThisProcess`; null in locks of versions before it. */
interface FoundHolder {
  readonly holder: LockHolder
  readonly place: string | null
}

/** An unreadable lock counts as a lock whose holder was never seen. */
async function readHolder(fs: FileSystem, path: string): Promise<FoundHolder | 'absent'> {
  let text: string
  try {
    text = await fs.readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent'
    throw error
  }
  return parseHolder(text)
}

export function parseHolder(text: string): FoundHolder {
  let json: Record<string, unknown> = {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) json = parsed as Record<string, unknown>
  } catch {
    // Falls through to the empty record.
  }
  const word = (value: unknown): string => (typeof value === 'string' ? value : 'unknown')
  const holder = {
    pid: Number.isSafeInteger(json.pid) ? (json.pid as number) : 0,
    host: word(json.host),
    runId: word(json.run_id),
    startedAt: word(json.started_at),
    heartbeatAt: word(json.heartbeat_at),
  }
  return { holder, place: typeof json.place === 'string' ? json.place : null }
}

/** Why a holder counts as gone; null: it is alive. */
export type Staleness = 'process_gone' | 'heartbeat_old' | null

/** The holder of the lock, without changing it; null: nobody. */
export async function readRunLock(
  request: Pick<LockRequest, 'fs' | 'path' | 'clock' | 'process'>,
): Promise<{ readonly holder: LockHolder; readonly stale: Staleness } | null> {
  const found = await readHolder(request.fs, request.path)
  return found === 'absent' ? null : { holder: found.holder, stale: staleness(found, request) }
}

/** `silentMs`: since the last heartbeat, where that is known better than by comparing clocks. */
export function staleness(
  { holder, place }: FoundHolder,
  { clock, process }: Pick<LockWish, 'clock' | 'process'>,
  silentMs: number = clock.now() - Date.parse(holder.heartbeatAt),
): Staleness {
  const isHere = place === null ? holder.host === process.host : place === process.place
  if (isHere && holder.pid > 0 && !process.exists(holder.pid)) return 'process_gone'
  return Number.isNaN(silentMs) || silentMs > SILENCE_MS ? 'heartbeat_old' : null
}

/**
 * Moves the stale lock aside and reads the moved file: two runs may both have found it stale, and the slower one must
 * not remove the new lock of the faster one. True when the lock of `stale` is gone.
 */
async function removeStale(request: Pick<LockRequest, 'fs' | 'path' | 'runId'>, stale: LockHolder): Promise<boolean> {
  const { fs, path } = request
  const aside = `${path}.${request.runId}.stale`
  try {
    await fs.rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  const moved = await readHolder(fs, aside)
  const same =
    moved !== 'absent' && moved.holder.runId === stale.runId && moved.holder.heartbeatAt === stale.heartbeatAt
  // Restore a live lock; if a third run was quicker, the lock's owner will notice at the next check.
  if (!same) await fs.link(aside, path).catch(() => {})
  await removeIfThere(fs, aside)
  return same
}

/** Changes when a file is replaced or written to; null when there is none. */
async function identityOf(fs: FileSystem, path: string): Promise<string | null> {
  try {
    const { ino, mtimeNs, ctimeNs } = await fs.lstat(path, { bigint: true })
    return `${ino} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function hold(request: LockRequest, startedAt: string): RunLock {
  const { fs, path, runId } = request
  /** The identity of the file when its content was last ours: while it is the same, the file need not be read. */
  let seen: string | null = null
  const isOurs = async (): Promise<boolean> => {
    const now = await identityOf(fs, path)
    if (now !== null && now === seen) return true
    const found = await readHolder(fs, path)
    const ours = found !== 'absent' && found.holder.runId === runId
    // Taken before the content: a file that was replaced in between is read again next time.
    seen = ours ? now : null
    return ours
  }
  return heldLock(request.clock, FRESH_MS, {
    look: isOurs,
    async beat() {
      const ours = await isOurs()
      if (ours) await writeAtomically(fs, path, lockText(request, startedAt), { mode: PRIVATE_FILE })
      return ours
    },
    async giveBack() {
      if (await isOurs()) await removeIfThere(fs, path)
    },
  })
}

/** `held`: its holder is alive, and the lock was left alone. `changed`: another run took it in the meantime. */
export type Unlocking =
  | { readonly kind: 'not_locked' }
  | { readonly kind: 'held'; readonly holder: LockHolder }
  | { readonly kind: 'removed'; readonly holder: LockHolder; readonly stale: Staleness }
  | { readonly kind: 'changed'; readonly holder: LockHolder }

/**
 * Removes the lock of a study whose holder is gone. With `force` it also removes the lock of a live run, which then
 * stops at its next request: its work continues at the service, and the next run collects it. Rejects with
 * `RunRefusalError` when the state folder is outside the project.
 */
export async function unlockStudy(
  place: PlaceOptions,
  env: { readonly fs: FileSystem; readonly clock: Clock; readonly process: RunEnvironment['process'] },
  options: { readonly force: boolean },
): Promise<Unlocking> {
  const { fs, clock } = env
  const places = runPlaces(place)
  await requireOwnState(fs, places)
  const path = runLockPath(places)
  const found = await readRunLock({ fs, path, clock, process: env.process })
  if (found === null) return { kind: 'not_locked' }
  const { holder, stale } = found
  if (stale === null && !options.force) return { kind: 'held', holder }
  const isRemoved = await removeStale({ fs, path, runId: `unlock-${env.process.pid}` }, holder)
  return isRemoved ? { kind: 'removed', holder, stale } : { kind: 'changed', holder }
}
