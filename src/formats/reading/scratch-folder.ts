import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Calls `use` with a new folder, which is removed afterwards.
 *
 * @param parent an existing or new folder.
 */
export async function inScratchFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'tables-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
