import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** The contents of a packed folder in their order; a folder has no size. Paths are relative, with `/`. */
type Entry = readonly [path: string, bytes: number | null]

/** Packs a folder into bytes that `unpackFolder` reads: gzip of one line of JSON that lists the entries, then the files. */
export function packFolder(folder: string): Buffer {
  const entries: Entry[] = []
  const files: Buffer[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const content = entry.isDirectory() ? null : readFileSync(path)
    entries.push([path.slice(folder.length + 1).replaceAll('\\', '/'), content?.length ?? null])
    if (content !== null) files.push(content)
  }
  return gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...files]), { level: 9 })
}

/** Unpacks a file of `packFolder` into a new folder that only its owner can read. */
export function unpackFolder(file: string, folder: string): void {
  const bytes = gunzipSync(readFileSync(file))
  let start = bytes.indexOf('\n') + 1
  mkdirSync(folder, { mode: 0o700 })
  for (const [path, size] of JSON.parse(bytes.toString('utf8', 0, start)) as Entry[]) {
    if (size === null) {
      mkdirSync(join(folder, path), { mode: 0o700 })
      continue
    }
    writeFileSync(join(folder, path), bytes.subarray(start, start + size), { mode: 0o600 })
    start += size
  }
}
