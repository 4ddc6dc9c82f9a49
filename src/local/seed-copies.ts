import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { removeIfThere, syncFolder } from '../base/atomic-file.ts'
import { hashFile } from '../base/sha256.ts'
import { DiskError } from '../runner/interface/disk-error.ts'
import { RunRefusalError } from '../runner/interface/exit-code.ts'
import { makeStateFolder } from './project-root.ts'

const DAY_MS = 86_400_000
/** As long as a trained dataset lives at most. */
const KEPT_MS = 7 * DAY_MS
const KEPT_BYTES = 2e9

const FOLDER = '.whatif/seeds'
const PART = /\.part$/

/**
 * Copies of objects in `.whatif/seeds`, private like all there, each under its digest and checked whenever it is used. A copy that
 * nobody used for a week is removed, and of more than 2 GB the one that was not used for longest, unless it was within the last day.
 */
export class SeedCopies {
  readonly #projectRoot: string

  constructor(projectRoot: string) {
    this.#projectRoot = projectRoot
  }

  /** The copy with these bytes, counted as used now; null: there is none. One with other bytes is removed. */
  async find(name: string, sha256: string, signal: AbortSignal): Promise<{ path: string; bytes: number } | null> {
    const path = join(await this.#folder(), name)
    const stats = await fs.lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (stats === null) return null
    if (!stats.isFile()) throw notOurs(`${FOLDER}/${name} is not a regular file`)
    const found = await hashFile(path, { signal })
    if (found.sha256 !== sha256) {
      await removeIfThere(fs, path)
      return null
    }
    const now = new Date()
    await fs.utimes(path, now, now).catch(() => {})
    return { path, bytes: found.sizeBytes }
  }

  /**
   * Writes a copy; under its name only when all of it is there and is what it should be. `accept` gets the digest of what was read, and
   * throws for another one.
   */
  async add(
    name: string,
    pieces: AsyncIterable<Uint8Array>,
    accept: (sha256: string) => void,
  ): Promise<{ path: string; bytes: number }> {
    const folder = await this.#folder()
    const path = join(folder, name)
    const draft = `${path}.${randomBytes(6).toString('hex')}.part`
    const hash = createHash('sha256')
    let bytes = 0
    try {
      const file = await fs.open(draft, 'wx', 0o600)
      try {
        for await (const piece of pieces) {
          hash.update(piece)
          bytes += piece.length
          await file.writeFile(piece)
        }
        accept(hash.digest('hex'))
        await file.sync()
      } finally {
        await file.close()
      }
      await fs.rename(draft, path)
    } catch (error) {
      await removeIfThere(fs, draft).catch(() => {})
      throw error
    }
    await syncFolder(fs, folder)
    await this.#sweep(folder, name)
    return { path, bytes }
  }

  async #folder(): Promise<string> {
    const folder = join(makeStateFolder(this.#projectRoot), 'seeds')
    await fs.mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    // A link that was checked in would have copies written and removed elsewhere.
    if (!(await fs.lstat(folder)).isDirectory()) throw notOurs(`${FOLDER} is not a folder`)
    return folder
  }

  /** Removes what is kept no longer, and what killed commands left. What cannot be removed stays. */
  async #sweep(folder: string, newest: string): Promise<void> {
    const names = await fs.readdir(folder)
    const found = await Promise.all(
      names.map(async (name) => ({ name, stats: await fs.lstat(join(folder, name)).catch(() => null) })),
    )
    const now = Date.now()
    let bytes = 0
    for (const { name, stats } of found.sort((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0))) {
      if (stats === null || !stats.isFile() || name === newest) continue
      const unusedMs = now - stats.mtimeMs
      bytes += stats.size
      const isOver = PART.test(name) || bytes > KEPT_BYTES
      if (unusedMs > KEPT_MS || (isOver && unusedMs > DAY_MS))
        await removeIfThere(fs, join(folder, name)).catch(() => {})
    }
  }
}

function notOurs(what: string): RunRefusalError {
  return new RunRefusalError('usage', 'seed_file_unreadable', `${what}; remove it, and run again`)
}

/** The refusal for a fault of the disk that holds the copies; null: another fault. */
export function copyFault(error: unknown): RunRefusalError | null {
  const { syscall, code } = error as NodeJS.ErrnoException
  if (!(error instanceof DiskError) && syscall === undefined) return null
  const message = `its copy in ${FOLDER} of the project cannot be kept (${code}); make room or change the rights there`
  return new RunRefusalError('usage', 'seed_file_unreadable', message, { cause: error })
}
