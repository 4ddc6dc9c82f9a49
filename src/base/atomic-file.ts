import { randomBytes } from 'node:crypto'
import type * as NodeFs from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * The parts of a file system that writing results and state needs; `node:fs/promises` and its in-memory replacements
 * have them.
 */
export type FileSystem = Pick<
  typeof NodeFs,
  | 'chmod'
  | 'copyFile'
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readFile'
  | 'readdir'
  | 'realpath'
  | 'rename'
  | 'rm'
  | 'stat'
  | 'unlink'
  | 'link'
>

/** How a file is replaced. */
export interface AtomicWriteOptions {
  /** Rights of the new file. Default: 0o644, less the umask. */
  readonly mode?: number
  /**
   * Several writers may replace the file at once, so each needs a temporary file with a unique name. Default: false.
   * The name is fixed, so that a killed writer leaves no litter, and the caller holds a lock that makes it the only
   * writer.
   */
  readonly concurrent?: boolean
}

/**
 * Replaces a file so that a reader, or a machine that loses power, sees the old content or the new content: write a
 * temporary file, force it to disk, rename it, force the folder's entry to disk.
 */
export async function writeAtomically(
  fs: FileSystem,
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, concurrent = false }: AtomicWriteOptions = {},
): Promise<void> {
  const temporary = concurrent ? `${path}.${randomBytes(6).toString('hex')}.tmp` : `${path}.tmp`
  try {
    await writeNew(fs, temporary, content, mode)
    await fs.rename(temporary, path)
  } catch (error) {
    await removeIfThere(fs, temporary).catch(() => {})
    throw about(error, path)
  }
  await syncFolder(fs, dirname(path))
}

/** Writes a file under a name that only this writer uses and forces it to disk. An existing file or link is removed. */
export async function writeNew(
  fs: FileSystem,
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  // Exclusive creation never writes through a link that somebody put there.
  const file = await fs.open(path, 'wx', mode).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    await removeIfThere(fs, path)
    return fs.open(path, 'wx', mode)
  })
  try {
    await file.writeFile(content)
    await file.sync()
  } catch (error) {
    throw about(error, path)
  } finally {
    await file.close()
  }
}

/** Writes a file where none is, whole or not at all. @throws the file system's `EEXIST` where something is there, even a dangling link. */
export async function writeOnce(fs: FileSystem, path: string, text: string): Promise<void> {
  const file = await fs.open(path, 'wx', 0o644)
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    await removeIfThere(fs, path).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
  await syncFolder(fs, dirname(path))
}

/** Errors of an open file do not name the file. */
export function about(error: unknown, path: string): unknown {
  if (error instanceof Error && !('path' in error)) Object.assign(error, { path })
  return error
}

/**
 * Forces a folder's entries to disk where the platform supports it; Windows cannot open folders, and journals them
 * itself.
 */
export async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  try {
    const folder = await fs.open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'EISDIR' && code !== 'EPERM' && code !== 'EACCES' && code !== 'EINVAL' && code !== 'ENOTSUP')
      throw error
  }
}

export async function removeIfThere(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
