import { basename, dirname, join } from 'node:path'
import { type FileSystem, removeIfThere, writeAtomically } from '../../base/atomic-file.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import { sharedWork } from '../../base/shared-work.ts'
import type { ThisProcess } from '../../base/this-process.ts'
import { type PlaceOptions, PRIVATE_FILE, type RunPlaces, requireOwnState, runPlaces } from '../files/project-paths.ts'
import { isDeadline, RunRefusalError } from '../interface/exit-code.ts'
import type { LockHolder } from '../interface/run-event.ts'
import type { RunEnvironment } from '../interface/run-options.ts'

/**
 * The run lock of a study's state folder: which run is active. A study lock (`files/study-lock-file.ts`) is something
 * else.
 */
export const runLockPath = ({ stateFolder }: Pick<RunPlaces, 'stateFolder'>): string => join(stateFolder, 'lock')

export const HEARTBEAT_MS = 15_000
/** A holder without a heartbeat for this long counts as gone (study language, section 11). */
const SILENCE_MS = 2 * 60_000
const RETRY_MS = 250
/**
 * A lock that was ours this recently is still ours: others take it only after minutes of silence. The clock shows
 * whether the machine slept meanwhile.
 */
const FRESH_MS = 100

export interface LockRequest {
  readonly fs: FileSystem
  /** The lock file; its folder exists. */
  readonly path: string
  readonly clock: Clock
  readonly process: ThisProcess
  readonly runId: string
  /** How long to wait for another holder; 0 = not at all. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onWait: (holder: LockHolder) => void
  readonly onTakeover: (holder: LockHolder, because: 'process_gone' | 'heartbeat_old') => void
}

export interface RunLock {
  /** Aborted with a `RunRefusalError` when a heartbeat finds that another run took the lock. */
  readonly lost: AbortSignal
  /**
   * Rejects with the reason of `lost` unless this run still holds the lock; called before every request that makes work
   * and before state or manifest are written. Calls within a tenth of a second share one check.
   */
  assertHeld(): Promise<void>
  /** Stops the heartbeat and removes the lock if this run still holds it. */
  release(): Promise<void>
}

/**
 * Takes the lock, waiting for its holder up to `timeoutMs`. Rejects with `RunRefusalError` (`lock_held`), also when the
 * run's own deadline passes meanwhile, because the holder is more informative than the deadline. Rejects with the
 * signal's reason otherwise.
 */
export async function acquireRunLock(request: LockRequest): Promise<RunLock> {
  const { fs, path, clock } = request
  const startedAt = timestamp(clock)
  const giveUpAt = clock.now() + request.timeoutMs
  let waitingFor: LockHolder | null = null
  try {
    for (;;) {
      request.signal.throwIfAborted()
      if (await create(request, startedAt)) {
        await sweep(request)
        return hold(request, startedAt)
      }
      const found = await readHolder(fs, path)
      if (found === 'absent') continue
      const { holder } = found
      const stale = staleness(found, request)
      if (stale !== null) {
        if (await removeStale(request, holder)) request.onTakeover(holder, stale)
        continue
      }
      if (clock.now() >= giveUpAt) throw lockHeld(holder)
      if (waitingFor === null) request.onWait(holder)
      waitingFor = holder
      await clock.sleep(Math.min(RETRY_MS, Math.max(1, giveUpAt - clock.now())), request.signal)
    }
  } catch (error) {
    throw waitingFor !== null && isDeadline(error) ? lockHeld(waitingFor) : error
  }
}

export function lockHeld({ runId, pid, host, startedAt, heartbeatAt }: LockHolder): RunRefusalError {
  return new RunRefusalError(
    'lock_held',
    'lock_held',
    `another run of this study (${runId}) holds the lock: process ${pid} on ${host}, started ${startedAt}, last seen ${heartbeatAt}. Wait for it (--lock-timeout 10m), or remove it with: whatif unlock`,
  )
}

export function lockText(request: Pick<LockRequest, 'process' | 'runId' | 'clock'>, startedAt: string): string {
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
  { clock, process }: Pick<LockRequest, 'clock' | 'process'>,
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
  const { fs, path, clock, runId } = request
  const lost = new AbortController()
  let beating: Promise<void> = Promise.resolve()
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
  const lose = (): unknown => {
    const message = 'another run has taken over the lock of this study; this one stops'
    lost.abort(new RunRefusalError('lock_held', 'lock_held', message))
    return lost.signal.reason
  }
  let checkedAt = Number.NEGATIVE_INFINITY
  const check = sharedWork(async () => {
    const now = clock.now()
    if (lost.signal.aborted || !(await isOurs())) throw lose()
    checkedAt = now
  })
  const beat = async (): Promise<void> => {
    if (lost.signal.aborted) return
    if (!(await isOurs())) lose()
    else await writeAtomically(fs, path, lockText(request, startedAt), { mode: PRIVATE_FILE })
  }
  const stop = clock.every(HEARTBEAT_MS, () => {
    // The others see a failed heartbeat as silence, and this run finds it at the next check.
    beating = beating.then(beat).catch(() => {})
  })
  return {
    lost: lost.signal,
    async assertHeld() {
      const age = clock.now() - checkedAt
      if (age >= 0 && age < FRESH_MS && !lost.signal.aborted) return
      await check()
    },
    async release() {
      stop()
      await beating
      if (!lost.signal.aborted && (await isOurs())) await removeIfThere(fs, path)
    },
  }
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
