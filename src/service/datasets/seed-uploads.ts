import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import {
  MAX_OPEN_UPLOADS,
  UPLOAD_LIFETIME_HOURS,
  UPLOAD_PART_BYTES,
  type UploadRequest,
} from '../../contract/uploads.ts'
import type { StoredBlob } from '../blobs/blob-store.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError, transportProblem } from '../http/problem-error.ts'
import { invalidFields } from '../http/request-shape.ts'
import { nothingLeft } from '../jobs/admission.ts'
import { markPendingUntil, orphanPending } from '../records/orphaned-blobs.ts'
import { readLeftToStore } from '../records/tenant-limits.ts'
import {
  insertUpload,
  openUploads,
  readParts,
  readUpload,
  recordPart,
  removeUploads,
  type UploadRow,
} from '../records/upload-records.ts'
import { newIdentifier } from '../store/identifiers.ts'
import type { Upload, UploadReceiver } from './receive-upload.ts'
import { UploadFieldCollector } from './upload-fields.ts'

const HOUR_MS = 60 * 60_000

/** 404 for an unknown identifier, another tenant's upload, and an expired or used one alike. */
export function noSuchUpload(): ProblemError {
  return new ProblemError('svc_not_found', 'There is no such upload.')
}

/** The open upload of a file, or a new one. Beyond the most that a tenant may have, the oldest ends. */
export async function openUpload(
  { db, settings, now, remover }: ServiceContext,
  tenantId: string,
  { sha256, bytes }: z.output<typeof UploadRequest>,
): Promise<{ readonly upload: UploadRow; readonly received: readonly number[] }> {
  return await db.transaction(async (tx) => {
    const { stored: left } = await readLeftToStore(tx, tenantId, settings, { lock: true })
    const nowMs = now()
    const open = await openUploads(tx, tenantId)
    const isAlive = ({ expires_at }: UploadRow) => Date.parse(expires_at) > nowMs
    const known = open.find((one) => one.sha256 === sha256 && one.bytes === bytes && isAlive(one))
    if (known !== undefined) return { upload: known, received: [...(await readParts(tx, known.upload_id)).keys()] }
    const kept = open.filter(isAlive).slice(0, MAX_OPEN_UPLOADS - 1)
    // What is on its way counts, too: it may all be stored.
    const openBytes = kept.reduce((sum, one) => sum + one.bytes, 0)
    if (left !== null && openBytes + bytes > left.leftBytes) throw nothingLeft(left, bytes)
    const ended = open.filter((one) => !kept.includes(one)).map(({ upload_id }) => upload_id)
    await removeUploads(tx, ended, nowMs)
    if (ended.length > 0) remover?.soon()
    const upload = await insertUpload(tx, {
      upload_id: newIdentifier('upl'),
      tenant_id: tenantId,
      sha256,
      bytes,
      part_bytes: UPLOAD_PART_BYTES,
      nowMs,
      expiresMs: nowMs + UPLOAD_LIFETIME_HOURS * HOUR_MS,
    })
    return { upload, received: [] }
  })
}

export interface PartRequest {
  /** From 1. */
  readonly number: number
  /** `Content-Digest`. */
  readonly digest: string | undefined
  readonly body: IncomingMessage
  /** Ends the part because the client has gone, or the service is closing. */
  readonly signal: AbortSignal
}

/** Stores one part, once its bytes are found to have the digest that the client announced. */
export async function receivePart(context: ServiceContext, upload: UploadRow, part: PartRequest): Promise<void> {
  const { db, blobs, now, remover } = context
  const { number, body, signal } = part
  const sha256 = announcedDigest(part.digest)
  const wantedBytes = bytesOfPart(upload, number)
  const blob = `parts/${upload.upload_id}.${number}.${randomUUID()}`
  // Removed by itself when nobody goes on with the upload.
  await markPendingUntil(db, blob, Date.parse(upload.expires_at) + HOUR_MS)
  let isRecorded = false
  try {
    const stored = await blobs.put(blob, exactly(wantedBytes, body), { signal })
    if (stored.sha256 !== sha256)
      throw invalidFields([{ field: 'Content-Digest', message: 'is not that of the bytes that arrived' }])
    isRecorded = await db.transaction(
      async (tx) => await recordPart(tx, { uploadId: upload.upload_id, number, blob, nowMs: now() }),
    )
    if (!isRecorded) throw noSuchUpload()
  } finally {
    if (!isRecorded) {
      await orphanPending(db, blob, now()).catch(() => undefined)
      remover?.soon()
    }
  }
}

/** The whole file and the fields of its dataset, as `receiveUpload` reads them from a form. */
export async function receiveParts(
  { db, blobs, now }: ServiceContext,
  upload: UploadRow,
  fields: Readonly<Record<string, unknown>>,
  receiver: UploadReceiver<StoredBlob>,
  signal: AbortSignal,
): Promise<Upload<StoredBlob>> {
  const collector = new UploadFieldCollector()
  for (const [name, value] of Object.entries(fields)) collector.addText(name, String(value), false)
  collector.addFile()
  const read = collector.finish()
  if (collector.faults.length > 0) throw invalidFields(collector.faults)
  const { sha256, bytes } = upload
  // Its parts may be gone since the first request with this key, and nothing is read.
  if (receiver.isReplay()) return { fields: read, stored: { sha256, bytes } }
  if (upload.dataset_id !== null) throw noSuchUpload()
  const parts = await readParts(db, upload.upload_id)
  const count = Math.ceil(bytes / upload.part_bytes)
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((number) => !parts.has(number))
  if (missing.length > 0)
    throw invalidFields([
      { field: 'upload_id', message: `lacks ${missing.length} of ${count} parts, such as ${missing[0]}` },
    ])
  const end = () => db.transaction(async (tx) => await removeUploads(tx, [upload.upload_id], now()))
  const bytesOf = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (const key of parts.values()) yield* blobs.read(key) as AsyncIterable<Uint8Array>
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // The records came from a backup, and the part did not. The client sends the file anew.
      await end()
      throw noSuchUpload()
    }
  }
  const stored = await receiver.onFile(bytesOf(), signal)
  if (stored.sha256 === sha256) return { fields: read, stored }
  await end()
  throw invalidFields([{ field: 'upload_id', message: 'has parts that do not make the announced file; begin again' }])
}

/** @throws ProblemError for a digest of another form, in hexadecimal otherwise */
function announcedDigest(header: string | undefined): string {
  const base64 = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(header ?? '')?.[1]
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex')
  const message = header === undefined ? 'is required' : 'must be sha-256=:<base64>:'
  throw invalidFields([{ field: 'Content-Digest', message }])
}

function bytesOfPart({ bytes, part_bytes: size }: UploadRow, number: number): number {
  const count = Math.ceil(bytes / size)
  if (number > count) throw invalidFields([{ field: 'number', message: `must be at most ${count}` }])
  return number < count ? size : bytes - size * (count - 1)
}

/** @throws ProblemError as soon as there are more bytes, and at the end when there were fewer */
async function* exactly(wanted: number, body: IncomingMessage): AsyncGenerator<Uint8Array> {
  let count = 0
  const other = () => invalidFields([{ field: 'body', message: `must have ${wanted} bytes` }])
  try {
    // Left open when reading stops early: its connection carries the refusal.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      count += chunk.length
      if (count > wanted) throw other()
      yield chunk
    }
  } catch (error) {
    throw error instanceof ProblemError ? error : transportProblem(400, 'The request body ended early.')
  } finally {
    // What is left is discarded, so that the peer can finish sending and read the reply.
    body.on('error', () => undefined).resume()
  }
  if (count < wanted) throw other()
}

/** @throws ProblemError `svc_not_found` */
export async function requireUpload({ db, now }: ServiceContext, tenantId: string, id: string): Promise<UploadRow> {
  const upload = await readUpload(db, tenantId, id, now())
  if (upload === null) throw noSuchUpload()
  return upload
}
