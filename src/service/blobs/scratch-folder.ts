import { randomBytes, randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** How often a running process renews the time of its files. */
const RENEW_MS = 60_000
/** How often to search for files that other processes left. */
const CHECK_MS = 10 * 60_000
/** A file that has not been renewed for this long belongs to no running process: an hour. */
const ABANDONED_MS = 60 * 60_000
/** The same for files of versions that renew nothing: far longer than any upload or job. */
const ABANDONED_BEFORE_MS = 24 * 60 * 60_000

/** The name of a file that its process renews. */
const RENEWED_NAME = /^[0-9a-f]{12}_/

export interface ScratchOptions {
  /**
   * True if other processes may use the folder: only scratch files that no running process renews are then removed.
   * Otherwise all of them were left by an earlier process.
   */
  readonly isShared?: boolean
}

/** A folder for scratch files, which several processes may share. */
export class ScratchFolder {
  readonly path: string
  readonly #token = randomBytes(6).toString('hex')
  readonly #timers: NodeJS.Timeout[] = []
  /** Times of other processes' files at the last check. */
  #seen: ReadonlyMap<string, number> = new Map()

  private constructor(path: string) {
    this.path = path
  }

  /**
   * Creates the folder if it is missing, and removes files that earlier processes left; in a shared folder, repeatedly.
   */
  static async open(path: string, { isShared = false }: ScratchOptions = {}): Promise<ScratchFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const folder = new ScratchFolder(path)
    if (!isShared) {
      for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true })
      return folder
    }
    await folder.look()
    folder.#every(RENEW_MS, async () => await folder.renew())
    folder.#every(CHECK_MS, async () => await folder.look())
    return folder
  }

  /** Path for a new file or folder. */
  newPath(): string {
    return join(this.path, `${this.#token}_${randomUUID()}`)
  }

  /** Renews all files of this process. */
  async renew(): Promise<void> {
    const now = new Date()
    for (const name of await readdir(this.path)) {
      if (name.startsWith(this.#token)) await utimes(join(this.path, name), now, now).catch(() => undefined)
    }
  }

  /**
   * Removes abandoned files: too old, and not renewed since the last check either. By age alone, a process with a wrong
   * clock would remove everything of the others.
   */
  async look(): Promise<void> {
    const seen = new Map<string, number>()
    for (const name of await readdir(this.path)) {
      if (name.startsWith(this.#token)) continue
      const path = join(this.path, name)
      // Its process may remove it at the same moment.
      const time = (await lstat(path).catch(() => null))?.mtimeMs
      if (time === undefined) continue
      const limitMs = RENEWED_NAME.test(name) ? ABANDONED_MS : ABANDONED_BEFORE_MS
      if (Date.now() - time > limitMs && this.#seen.get(name) === time) await rm(path, { recursive: true, force: true })
      else seen.set(name, time)
    }
    this.#seen = seen
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** The health check reports a folder that cannot be read. */
  #every(ms: number, act: () => Promise<void>): void {
    const timer = setInterval(() => void act().catch(() => undefined), ms)
    timer.unref()
    this.#timers.push(timer)
  }
}
