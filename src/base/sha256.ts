import { createHash, hash } from 'node:crypto'
import { constants, open } from 'node:fs/promises'

/** SHA-256 of the text's UTF-8 bytes, lower-case hexadecimal. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

const PIECE_BYTES = 1024 * 1024

export interface FileHash {
  /** Lower-case hex. */
  readonly sha256: string
  readonly sizeBytes: number
}

/**
 * SHA-256 and size of a regular file, read once as a stream. Rejects with the file system's error, with an `Error` when
 * the path is not a regular file, and with the signal's reason after an abort.
 */
export async function hashFile(
  path: string,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (readBytes: number) => void } = {},
): Promise<FileHash> {
  const { signal, onProgress } = options
  signal?.throwIfAborted()
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
    let sizeBytes = 0
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, sizeBytes)
      if (bytesRead === 0) return { sha256: hash.digest('hex'), sizeBytes }
      hash.update(piece.subarray(0, bytesRead))
      sizeBytes += bytesRead
      onProgress?.(sizeBytes)
      signal?.throwIfAborted()
    }
  } finally {
    await file.close()
  }
}
