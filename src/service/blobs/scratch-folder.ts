import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Far longer than any upload or job: what has not been written to for so long has no process any more. */
const SHARED_SCRATCH_MS = 24 * 60 * 60_000

export interface ScratchOptions {
  /**
   * True when other processes may be at work in the folder: of the scratch files only those are removed that have not
   * been written to for a day. Else an earlier process left them all.
   */
  readonly isShared?: boolean
}

/** Makes a folder for scratch files unless it is there, and removes what earlier processes left in it. */
export async function openScratchFolder(path: string, { isShared = false }: ScratchOptions = {}): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const before = Date.now() - SHARED_SCRATCH_MS
  for (const name of await readdir(path)) {
    const leftover = join(path, name)
    // Another process may remove it at the same moment.
    const isLeftover = !isShared || ((await lstat(leftover).catch(() => null))?.mtimeMs ?? Infinity) < before
    if (isLeftover) await rm(leftover, { recursive: true, force: true })
  }
}
