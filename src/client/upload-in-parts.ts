import { createHash } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import type { z } from 'zod'
import type { CallScope } from './call-scope.ts'
import { type Bearer, callForJson, type ServiceCall } from './call-service.ts'
import { fileError } from './multipart-upload.ts'
import { DatasetReceipt, SeedUploadReply, UploadPartReply } from './replies.ts'
import type { DatasetUpload, Reply } from './service-client.ts'
import { ServiceError } from './service-error.ts'
import type { Transport } from './transport.ts'

/** Smaller files are sent whole: a cut connection costs little, and parts take more requests. */
export const PARTS_FROM_BYTES = 64 * 2 ** 20
/** Smaller parts would take too many requests, larger ones too much memory. */
const PART_BYTES = { least: 64 * 1024, most: 64 * 2 ** 20 }

/** Where uploads go. */
export interface UploadTarget extends Pick<ServiceCall<unknown>, 'target' | 'secrets'> {
  readonly bearer: Bearer
  readonly addressOf: (path: string) => URL
  /** Whether the service has the operations for parts, which are an extension. */
  readonly takesParts: () => Promise<boolean>
}

/**
 * createDataset with the file in parts. What arrived of an earlier try stays at the service under the digest of the file, so only the
 * parts that are missing are sent, also by a process that knows nothing of the first. Null: the service does not have the operations
 * after all, or ended the upload twice, and the file has to be sent whole.
 */
export async function uploadInParts(
  transport: Transport,
  scope: CallScope,
  to: UploadTarget,
  upload: DatasetUpload,
): Promise<Reply<DatasetReceipt> | null> {
  for (let tries = 0; tries < 2; tries++) {
    try {
      return await sendParts(transport, scope, to, upload)
    } catch (error) {
      // It expired, another upload of the tenant ended it, or a process of an earlier version answered.
      if (!(error instanceof ServiceError) || error.status !== 404) throw error
    }
  }
  return null
}

async function sendParts(
  transport: Transport,
  scope: CallScope,
  to: UploadTarget,
  upload: DatasetUpload,
): Promise<Reply<DatasetReceipt>> {
  const { sizeBytes, sha256, onProgress } = upload
  const post = async <S extends z.ZodType>(
    path: string,
    schema: S,
    body: string | Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply<z.infer<S>>> =>
    await callForJson(transport, scope, {
      asked: `POST ${path.split('?')[0]}`,
      target: to.target,
      repetition: 'keyed',
      bearer: to.bearer,
      secrets: to.secrets ?? [],
      schema,
      request: (context) => ({
        method: 'POST',
        url: to.addressOf(path),
        headers: {
          'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
          ...(typeof body !== 'string' && { 'content-length': String(body.length) }),
          ...headers,
        },
        body: typeof body === 'string' ? body : pieces(body, context.progress),
        headersMs: transport.timeouts.uploadHeadersMs,
      }),
    })
  const asked = JSON.stringify({ sha256, bytes: sizeBytes })
  const { value: begun } = await post('/v1/uploads', SeedUploadReply, asked, {})
  const { upload_id: id, part_bytes: partBytes, received_parts } = begun
  if (partBytes < PART_BYTES.least || partBytes > PART_BYTES.most) throw unusable(`has parts of ${partBytes} bytes`)
  const path = `/v1/uploads/${encodeURIComponent(id)}`
  const received = new Set(received_parts)
  const count = Math.ceil(sizeBytes / partBytes)
  const bytesOf = (number: number) => Math.min(partBytes, sizeBytes - (number - 1) * partBytes)
  let sentBytes = 0
  for (let number = 1; number <= count; number++) if (received.has(number)) sentBytes += bytesOf(number)
  onProgress?.(sentBytes)
  const file = await open(upload.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw fileError('cannot be read', cause)
  })
  try {
    const found = await file.stat()
    if (!found.isFile()) throw fileError('is not a regular file')
    if (found.size !== sizeBytes) throw fileError('changed since it was hashed')
    for (let number = 1; number <= count; number++) {
      if (received.has(number)) continue
      const part = await partOf(file, (number - 1) * partBytes, bytesOf(number))
      const digest = createHash('sha256').update(part).digest('base64')
      await post(`${path}/parts?number=${number}`, UploadPartReply, part, { 'content-digest': `sha-256=:${digest}:` })
      sentBytes += part.length
      onProgress?.(sentBytes)
    }
  } finally {
    await file.close()
  }
  // The service compares the digest of the whole with the one that was announced: the file of the study, or none.
  const fields = JSON.stringify({
    auto_clean: upload.autoClean,
    display_name: upload.displayName,
    ...(upload.weightColumn !== undefined && { weight_column: upload.weightColumn }),
    ...(upload.design !== undefined && { design: upload.design }),
  })
  return await post(`${path}/dataset`, DatasetReceipt, fields, { 'idempotency-key': upload.idempotencyKey })
}

/** Pieces that the socket takes one after another, so that a slow connection shows that it lives. */
async function* pieces(part: Buffer, progress: () => void): AsyncGenerator<Buffer> {
  for (let at = 0; at < part.length; at += PIECE_BYTES) {
    yield part.subarray(at, at + PIECE_BYTES)
    progress()
  }
}

const PIECE_BYTES = 256 * 1024

async function partOf(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafeSlow(length)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(part, at, length - at, start + at).catch((cause: unknown) => {
      throw fileError('cannot be read', cause)
    })
    if (bytesRead === 0) throw fileError('changed since it was hashed')
    at += bytesRead
  }
  return part
}

function unusable(what: string): ServiceError {
  return new ServiceError({ kind: 'rejected', message: `POST /v1/uploads ${what}, which this client does not send` })
}
