import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface ScratchFolder {
  readonly path: string
  /** Path for a new file in it. */
  newPath(): string
  /** Removes it with all that is in it. */
  close(): Promise<void>
}

/**
 * A folder for the scratch files of this process, `root/<pid>.<random>`. Folders of processes that
 * are no more are removed: several may share `root` as long as they run on one machine.
 */
export async function openScratchFolder(root: string): Promise<ScratchFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(root)) {
    if (!isAlive(Number.parseInt(entry, 10))) await rm(join(root, entry), { recursive: true, force: true })
  }
  const path = join(root, `${process.pid}.${randomUUID()}`)
  await mkdir(path, { mode: 0o700 })
  return {
    path,
    newPath: () => join(path, randomUUID()),
    close: async () => await rm(path, { recursive: true, force: true }),
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
