import { createHash } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import type { DatasetUpload } from './service-client.ts'
import { ServiceError } from './service-error.ts'

/** Bytes that are read from the file, and passed to the socket, at a time. */
const PIECE_BYTES = 256 * 1024

/** The body of createDataset: the same bytes each time it is streamed. */
export interface MultipartUpload {
  readonly contentType: string
  readonly contentLength: number
  /** Opens the file again. Rejects before the last byte if the file is not the one that was hashed. */
  stream(): AsyncGenerator<Buffer>
}

/**
 * Parts in a fixed sequence, the file last (study language, section 6.3). Boundary and file name come from the
 * idempotency key, so that a retry is byte-identical and the file's own name is not sent. The boundary contains a hash
 * over the file's hash, so it can occur in the file only on purpose.
 */
export function multipartUpload(upload: DatasetUpload): MultipartUpload {
  const hash = hashOfKey(upload.idempotencyKey)
  const boundary = `----whatif-${hash}`
  const extension = /^\.[A-Za-z0-9]{1,16}$/.test(upload.extension) ? upload.extension : ''
  const head = Buffer.from(
    [
      ...field(boundary, 'auto_clean', String(upload.autoClean)),
      ...field(boundary, 'display_name', upload.displayName),
      ...(upload.weightColumn === undefined ? [] : field(boundary, 'weight_column', upload.weightColumn)),
      ...(upload.design === undefined ? [] : field(boundary, 'design', upload.design)),
      `--${boundary}`,
      `Content-Disposition: form-data; name="seed_file"; filename="${hash}${extension}"`,
      'Content-Type: application/octet-stream',
      '',
      '',
    ].join('\r\n'),
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + upload.sizeBytes + tail.length,
    async *stream() {
      yield head
      // The tail is sent only after the whole file has been read and found to be the hashed one.
      yield* verifiedFile(upload)
      yield tail
    },
  }
}

/**
 * The hash inside one of our keys (`wi1.ds.<32 hex>.<scope>`), which makes both easy to find; for another key, a hash
 * of it.
 */
function hashOfKey(key: string): string {
  const own = /^wi\d+\.[a-z]+\.([0-9a-f]{32})\./.exec(key)?.[1]
  return own ?? createHash('sha256').update(key).digest('hex').slice(0, 32)
}

const field = (boundary: string, name: string, value: string) => [
  `--${boundary}`,
  `Content-Disposition: form-data; name="${name}"`,
  '',
  value,
]

async function* verifiedFile({ path, sizeBytes, sha256, onProgress }: DatasetUpload): AsyncGenerator<Buffer> {
  // If a named pipe replaced the file, opening it must not block the thread.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw fileError('cannot be read', cause)
  })
  try {
    const found = await file.stat()
    if (!found.isFile()) throw fileError('is not a regular file')
    if (found.size !== sizeBytes) throw fileError('changed since it was hashed')
    const hash = createHash('sha256')
    let next = pieceAt(file, 0, sizeBytes)
    for (let sent = 0; sent < sizeBytes; ) {
      const piece = await next
      sent += piece.length
      // The next piece is read while this one is hashed and sent.
      next = pieceAt(file, sent, sizeBytes)
      next.catch(() => {})
      hash.update(piece)
      yield piece
      onProgress?.(sent)
    }
    const after = await file.stat()
    if (after.size !== sizeBytes || hash.digest('hex') !== sha256) throw fileError('changed since it was hashed')
  } finally {
    await file.close()
  }
}

/** The next bytes of the file; none at its end. */
async function pieceAt(file: FileHandle, start: number, sizeBytes: number): Promise<Buffer> {
  if (start === sizeBytes) return Buffer.alloc(0)
  // Each piece has its own memory, because the socket may hold it after it has accepted it.
  const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, sizeBytes - start))
  const { bytesRead } = await file.read(piece, 0, piece.length, start).catch((cause: unknown) => {
    throw fileError('cannot be read', cause)
  })
  if (bytesRead === 0) throw fileError('changed since it was hashed')
  return piece.subarray(0, bytesRead)
}

/** The message does not repeat the path: the caller knows it, and messages travel. */
export function fileError(what: string, cause?: unknown): ServiceError {
  return new ServiceError({
    kind: 'rejected',
    message: `The seed file ${what}; the upload was aborted and created nothing`,
    cause,
    hint: 'Do not change the file during the upload, and run again',
  })
}
