import { createHash } from 'node:crypto'
import type { FileSystem } from '../../base/atomic-file.ts'

/** What lines of a file end with: a carriage return and a line feed, or a line feed alone. */
export type LineEnds = 'CRLF' | 'LF'

/** Bytes that are read at once, unless a caller says otherwise. */
const CHUNK_BYTES = 1 << 20
const [LF, CR] = [0x0a, 0x0d]

/**
 * The line ends of a file whose digest is not `sha256` only because of them; null for every other file. git changes line ends when
 * it checks out (`core.autocrlf`), so that nobody touched a file that is another one.
 */
export async function otherLineEnds(
  fs: Pick<FileSystem, 'open'>,
  path: string,
  sha256: string,
  signal: AbortSignal,
  chunkBytes = CHUNK_BYTES,
): Promise<LineEnds | null> {
  const [asLf, asCrlf] = [createHash('sha256'), createHash('sha256')]
  const buffer = Buffer.alloc(chunkBytes)
  const handle = await fs.open(path, 'r')
  try {
    let isHeld = false
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null)
      if (bytesRead === 0) break
      if (isHeld && buffer[0] !== LF) {
        for (const hash of [asLf, asCrlf]) hash.update('\r')
        isHeld = false
      }
      let from = 0
      const end = bytesRead
      for (let i = buffer.indexOf(LF); i >= 0 && i < end; i = buffer.indexOf(LF, i + 1)) {
        const hasCr = i > 0 ? buffer[i - 1] === CR : isHeld
        asLf.update(buffer.subarray(from, i > 0 && hasCr ? i - 1 : i)).update('\n')
        asCrlf.update(buffer.subarray(from, i > 0 && hasCr ? i - 1 : i)).update('\r\n')
        from = i + 1
      }
      // A return at the end may belong to a line feed that is not read yet.
      isHeld = from < end && buffer[end - 1] === CR
      const rest = buffer.subarray(from, isHeld ? end - 1 : end)
      for (const hash of [asLf, asCrlf]) hash.update(rest)
    }
    if (isHeld) for (const hash of [asLf, asCrlf]) hash.update('\r')
  } finally {
    await handle.close()
  }
  if (asLf.digest('hex') === sha256) return 'CRLF'
  return asCrlf.digest('hex') === sha256 ? 'LF' : null
}

/** The sentence for a reader, and what to do about `file`, a name without folders. */
export function lineEndsText(here: LineEnds, file: string): string {
  const there = here === 'CRLF' ? 'LF' : 'CRLF'
  return `only the line ends differ (${here} here, ${there} before), as git changes them: write "${file} -text" into .gitattributes, delete the file and check it out again`
}
