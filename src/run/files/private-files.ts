import { dirname, join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'

/*
 * What runs remember is for whoever runs them: columns and levels of the data, and the keys under which work was bought.
 * Results are not, and have the modes that the user's umask gives.
 */

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/**
 * Takes the rights of others from the folders between `from` and `to`, both included, and from `files` of the last one. They
 * may be there from an earlier version, or unpacked from a cache. What is another user's stays as it is, and so does
 * everything on a disk that knows no rights.
 */
export async function makePrivate(
  fs: FileSystem,
  { from, to, files }: { readonly from: string; readonly to: string; readonly files: readonly string[] },
): Promise<void> {
  const folders = [to]
  while (folders[0] !== from && dirname(folders[0]!) !== folders[0]) folders.unshift(dirname(folders[0]!))
  for (const folder of folders) await tighten(fs, folder, PRIVATE_FOLDER)
  for (const file of files) await tighten(fs, join(to, file), PRIVATE_FILE)
}

async function tighten(fs: FileSystem, path: string, mode: number): Promise<void> {
  try {
    const stats = await fs.lstat(path)
    // The rights of a link are those of what it leads to, which may be anything.
    if (!stats.isSymbolicLink() && (Number(stats.mode) & 0o077) !== 0) await fs.chmod(path, mode)
  } catch {
    // Not there, not ours, or no such thing on this disk: the run itself tells of what it cannot read or write.
  }
}
