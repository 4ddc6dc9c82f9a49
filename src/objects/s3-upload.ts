import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { S3Connection } from './s3-connection.ts'
import { StorageError } from './storage-error.ts'

/** Distinguishes the object of one upload from an earlier object, if an answer was lost. */
const UPLOAD_HEADER = 'x-amz-meta-upload'

interface Part {
  readonly partNumber: number
  readonly etag: string
}

/**
 * Uploads a file as an object while the file is still growing: one request for a small file, concurrent parts of 8 MiB
 * for a larger one. The object is complete when `finish` has resolved. After `abort` nothing of it remains.
 */
export class S3Upload {
  readonly #connection: S3Connection
  readonly #buffers: PartBuffers
  readonly #key: string
  readonly #file: FileHandle
  readonly #abort = new AbortController()
  readonly #mark = randomUUID()
  readonly #parts: Promise<Part>[] = []
  #uploadId: Promise<string> | null = null
  #failure: { readonly error: unknown } | null = null

  /** `signal` aborts the current requests; `abort` must be called as well. */
  constructor(connection: S3Connection, buffers: PartBuffers, key: string, file: FileHandle, signal?: AbortSignal) {
    this.#connection = connection
    this.#buffers = buffers
    this.#key = key
    this.#file = file
    if (signal?.aborted) this.#abort.abort(signal.reason)
    signal?.addEventListener('abort', () => this.#abort.abort(signal.reason), { signal: this.#abort.signal })
  }

  /** Reports that the file holds its first `bytes` bytes. Throws the error of a failed part. */
  grow(bytes: number): void {
    if (this.#failure !== null) throw this.#failure.error
    const { partBytes } = this.#buffers
    if (bytes <= partBytes) return
    while ((this.#parts.length + 1) * partBytes <= bytes) this.#startPart((this.#parts.length + 1) * partBytes)
  }

  /** Reports that the file is complete with `bytes` bytes. */
  async finish(bytes: number): Promise<void> {
    if (bytes <= this.#buffers.partBytes) {
      await this.#putAtOnce(bytes)
      return
    }
    this.grow(bytes)
    if (this.#parts.length * this.#buffers.partBytes < bytes) this.#startPart(bytes)
    await this.#complete(await Promise.all(this.#parts))
  }

  /** Aborts current requests and the multipart upload with its stored parts. */
  async abort(): Promise<void> {
    this.#abort.abort(new Error('The upload was aborted.'))
    // A part that arrives after the upload was aborted would remain.
    await Promise.allSettled(this.#parts)
    const uploadId = await this.#uploadId?.catch(() => undefined)
    if (uploadId === undefined) return
    const request = `the end of an upload of ${this.#key}`
    await this.#connection
      .run({ request }, async (s3) => await s3.abortMultipartUpload(this.#key, uploadId))
      // Removing the orphaned blob aborts its uploads too.
      .catch(() => undefined)
  }

  async #putAtOnce(bytes: number): Promise<void> {
    await this.#buffers.lend(async (buffer) => {
      const data = await this.#read(buffer, 0, bytes)
      const call = { request: `PUT ${this.#key}`, signal: this.#abort.signal }
      await this.#connection.run(call, async (s3) => await s3.putObject(this.#key, data))
    })
  }

  #startPart(end: number): void {
    // Not aborted with the rest: the id of a started upload is needed to abort it.
    this.#uploadId ??= this.#connection.run({ request: `the beginning of an upload of ${this.#key}` }, async (s3) => {
      const type = 'application/octet-stream'
      return await s3.getMultipartUploadId(this.#key, type, undefined, { [UPLOAD_HEADER]: this.#mark })
    })
    const uploading = this.#uploadPart(this.#uploadId, this.#parts.length + 1, end)
    this.#parts.push(uploading)
    uploading.catch((error: unknown) => {
      this.#failure ??= { error }
      this.#abort.abort(error)
    })
  }

  async #uploadPart(uploading: Promise<string>, partNumber: number, end: number): Promise<Part> {
    const { signal } = this.#abort
    return await this.#buffers.lend(async (buffer) => {
      const uploadId = await uploading
      signal.throwIfAborted()
      const data = await this.#read(buffer, (partNumber - 1) * this.#buffers.partBytes, end)
      const call = { request: `PUT of part ${partNumber} of ${this.#key}`, signal }
      return await this.#connection.run(call, async (s3) => await s3.uploadPart(this.#key, uploadId, data, partNumber))
    })
  }

  async #complete(parts: readonly Part[]): Promise<void> {
    const uploadId = (await this.#uploadId) as string
    const { signal } = this.#abort
    const request = `the completion of the upload of ${this.#key}`
    try {
      await this.#connection.run({ request, signal }, async (s3) => {
        const { etag } = await s3.completeMultipartUpload(this.#key, uploadId, [...parts])
        // A completion may start with 200 and end in an error record.
        if (typeof etag !== 'string' || etag === '') {
          const details = { status: 200, code: 'incomplete', isTransient: true }
          throw new StorageError(`The object storage did not finish ${request}.`, details)
        }
      })
    } catch (error) {
      // The answer to an earlier try was lost: the upload no longer exists because it is complete.
      if (error instanceof StorageError && error.code === 'NoSuchUpload' && (await this.#isStored())) return
      throw error
    }
  }

  async #isStored(): Promise<boolean> {
    let mark: string | null = null
    const call = {
      request: `HEAD ${this.#key}`,
      onReply: (_status: number, headers: Headers) => {
        mark = headers.get(UPLOAD_HEADER)
      },
    }
    await this.#connection.run(call, async (s3) => await s3.objectExists(this.#key))
    return mark === this.#mark
  }

  async #read(buffer: Uint8Array, start: number, end: number): Promise<Uint8Array> {
    for (let at = start; at < end; ) {
      const { bytesRead } = await this.#file.read(buffer, at - start, end - at, at)
      if (bytesRead === 0) throw new Error('A scratch file is shorter than the bytes written to it.')
      at += bytesRead
    }
    return buffer.subarray(0, end - start)
  }
}

/** Size of one part of a multipart upload: storages want at least 5 MiB, and accept 10,000 parts. */
const PART_BYTES = 8 << 20
/** Most concurrent parts in this process, whatever the number of uploads: 32 MiB of memory. */
const PARTS_AT_ONCE = 4

/**
 * The memory of all uploads of a process: a few buffers, each lent for one request. A slow client holds none: bytes
 * wait on disk until a part is complete.
 */
export class PartBuffers {
  readonly partBytes = PART_BYTES
  readonly #limit = pLimit(PARTS_AT_ONCE)
  readonly #idle: Uint8Array[] = []

  /** Calls `use` with a buffer of `partBytes` as soon as one is free. */
  async lend<T>(use: (buffer: Uint8Array) => Promise<T>): Promise<T> {
    return await this.#limit(async () => {
      const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES)
      const result = await use(buffer)
      // Only after success: a failed request may still be sending from it.
      this.#idle.push(buffer)
      return result
    })
  }
}
