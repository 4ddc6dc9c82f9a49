import { opendir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isInside } from '../../base/paths.ts'
import { hashFile } from '../../base/sha256.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import type { FileDigest } from '../../records/run-record.ts'

/** A file that a record names, as it is now. */
export type FoundFile =
  | { readonly kind: 'same'; readonly path: string }
  | { readonly kind: 'other'; readonly detail: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly detail: string }

/**
 * Compares a file with its digest. The name comes from a record, which may come from anywhere: only a regular file inside `folder` is
 * read, wherever links lead.
 *
 * @param folder absolute.
 */
export async function findNamedFile(folder: string, name: string, digest: FileDigest): Promise<FoundFile> {
  if (isAbsolute(name) || name.includes('\0') || !isInside(folder, resolve(folder, name)))
    return { kind: 'refused', detail: 'its path leads out of the folder, so it is not read' }
  let path: string
  try {
    const [within, found] = [await realpath(folder), await realpath(resolve(folder, name))]
    if (!isInside(within, found))
      return { kind: 'refused', detail: 'a link leads out of the folder, so it is not read' }
    path = found
    const stats = await stat(path)
    if (!stats.isFile()) return { kind: 'other', detail: 'it is not a regular file' }
    if (stats.size !== digest.bytes)
      return { kind: 'other', detail: `other bytes: ${stats.size} of them, and ${digest.bytes} are recorded` }
    const { sha256 } = await hashFile(path)
    if (sha256 !== digest.sha256)
      return { kind: 'other', detail: `other bytes: sha256 ${brief(sha256)}, and ${brief(digest.sha256)} is recorded` }
    return { kind: 'same', path }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'missing' }
    return { kind: 'other', detail: fileFaultText(error) }
  }
}

/** Files of a folder that are looked at for one that was renamed; somebody's download folder may hold any number. */
const MOST_LOOKED_AT = 20_000

/** The name of a file in `folder` with these bytes, relative to it; null: none. */
export async function fileWithBytes(folder: string, digest: FileDigest): Promise<string | null> {
  let left = MOST_LOOKED_AT
  try {
    for await (const entry of await opendir(folder)) {
      if (left-- === 0) return null
      const path = join(folder, entry.name)
      // A link may lead anywhere.
      if (!entry.isFile() || (await stat(path)).size !== digest.bytes) continue
      if ((await hashFile(path)).sha256 === digest.sha256) return relative(folder, path).split(sep).join('/')
    }
  } catch {
    // The folder is not there, or changes while it is read: the file is missing in any case.
  }
  return null
}

/** The first digits of a digest, which tell two apart for a reader. */
export const brief = (sha256: string): string => `${sha256.slice(0, 12)}…`
