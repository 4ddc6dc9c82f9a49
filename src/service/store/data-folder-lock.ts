import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startOfProcess, thisProcess } from '../../base/this-process.ts'
import { UnusableError } from '../settings/unusable-error.ts'

const LOCK_FILE = 'lock'
/**
 * Exists while a stale lock is removed. Otherwise two processes could both remove one, and the second would remove a
 * fresh lock.
 */
const BREAKER_FOLDER = 'lock.breaking'

const RETRY_MS = 100
const HEARTBEAT_MS = 5_000
/**
 * A holder that cannot be looked up (another machine or container) counts as dead after this time without a heartbeat.
 */
const SILENCE_MS = 30_000
/** Removing a stale lock takes milliseconds; a killed process left a breaker of this age. */
const BREAKER_MS = 10_000

interface Holder {
  readonly token: string
  readonly pid: number
  /** Scope of `pid`: host, boot and process namespace. */
  readonly place: string
  /** Distinguishes the process from a later one with the same id; null if the system does not say. */
  readonly started: string | null
  readonly since: string
}

/**
 * Restricts a data folder to one process. PGlite itself does not, and two processes on one folder lose rows silently.
 * The lock is a file made by exclusive create. A lock of a dead process is removed. A holder elsewhere (network folder,
 * other container) counts as dead after 30 s without a heartbeat.
 *
 * It shares no code with a run lock (`runner/state/held-lock.ts`), which is renewed by new content, can be lost and is
 * asked before each write. This one is renewed by its time of change, knows a process by its start as well, and is never
 * taken from a living one.
 */
export class DataFolderLock {
  readonly #path: string
  readonly #token: string
  readonly #heartbeat: NodeJS.Timeout

  private constructor(path: string, token: string) {
    this.#path = path
    this.#token = token
    this.#heartbeat = setInterval(() => {
      const now = new Date()
      utimes(path, now, now).catch(() => undefined)
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** Waits up to `timeoutMs` for the lock. @throws UnusableError `data_folder_in_use` */
  static async acquire(dataDir: string, timeoutMs: number): Promise<DataFolderLock> {
    const path = join(dataDir, LOCK_FILE)
    const token = randomUUID()
    const deadline = Date.now() + timeoutMs
    for (;;) {
      if (await createLock(path, token)) return new DataFolderLock(path, token)
      if (await isStale(path)) {
        await breakStale(dataDir, path)
        continue
      }
      if (Date.now() >= deadline) throw inUse(dataDir, describe(await readHolder(path)))
      await delay(RETRY_MS)
    }
  }

  /** Releases the folder. May be called more than once. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat)
    const holder = await readHolder(this.#path)
    if (holder !== null && holder !== 'unreadable' && holder.token === this.#token)
      await rm(this.#path, { force: true })
  }
}

function inUse(dataDir: string, holder: string): UnusableError {
  return new UnusableError(
    'data_folder_in_use',
    `The data folder ${dataDir} is in use by ${holder}. Stop that process, or use another data folder.`,
  )
}

async function createLock(path: string, token: string): Promise<boolean> {
  const holder: Holder = {
    token,
    pid: process.pid,
    place: thisProcess().place,
    started: startOfProcess(process.pid),
    since: new Date().toISOString(),
  }
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(holder)}\n`)
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readHolder(path: string): Promise<Holder | 'unreadable' | null> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder> | null
    if (typeof holder?.token !== 'string' || !Number.isInteger(holder.pid)) return 'unreadable'
    return holder as Holder
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unreadable'
  }
}

async function isStale(path: string): Promise<boolean> {
  const holder = await readHolder(path)
  if (holder === null) return false
  const { place, exists } = thisProcess()
  if (holder !== 'unreadable' && holder.place === place) {
    if (!exists(holder.pid)) return true
    return holder.started !== null && holder.started !== startOfProcess(holder.pid)
  }
  // Unreadable: being written at this moment, or cut short when its process was killed.
  const file = await stat(path).catch(() => null)
  return file !== null && Date.now() - file.mtimeMs > (holder === 'unreadable' ? 2 * HEARTBEAT_MS : SILENCE_MS)
}

async function breakStale(dataDir: string, path: string): Promise<void> {
  const breaker = join(dataDir, BREAKER_FOLDER)
  try {
    await mkdir(breaker)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const folder = await stat(breaker).catch(() => null)
    if (folder !== null && Date.now() - folder.mtimeMs > BREAKER_MS) await rmdir(breaker).catch(() => undefined)
    await delay(RETRY_MS)
    return
  }
  try {
    // Checked again: during the wait for the breaker, a live lock may have replaced the stale one.
    if (await isStale(path)) await rm(path, { force: true })
  } finally {
    await rmdir(breaker).catch(() => undefined)
  }
}

function describe(holder: Holder | 'unreadable' | null): string {
  if (holder === null || holder === 'unreadable') return 'another process'
  const host = holder.place.split('|')[0]
  return `process ${holder.pid} on ${host}, which has had it since ${holder.since}`
}
