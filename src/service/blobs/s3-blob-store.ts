import { createHash, randomUUID } from 'node:crypto'
import { access, constants, type FileHandle, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ObjectStorage } from '../../objects/object-storage.ts'
import { type ByteRange, readObject } from '../../objects/read-object.ts'
import { type ConnectionOptions, S3Connection } from '../../objects/s3-connection.ts'
import { PartBuffers, S3Upload } from '../../objects/s3-upload.ts'
import { StorageError } from '../../objects/storage-error.ts'
import { CHECK_BYTES, FILES_RESERVE_BYTES, requireFreeSpace } from '../disk/disk-space.ts'
import { AddressCache, KEPT_SECONDS } from './address-cache.ts'
import {
  type BlobStore,
  checkBlobKey,
  type DownloadOptions,
  isBlobKey,
  type ListedBlob,
  type Removal,
  type StoredBlob,
} from './blob-store.ts'
import { LocalCopies } from './local-copies.ts'
import { S3Removal } from './s3-removal.ts'
import { ScratchFolder, type ScratchOptions } from './scratch-folder.ts'
import { checkObjectStorage, unusableBucket } from './unusable-bucket.ts'
import { writeHashed } from './write-hashed.ts'

/** S3's own limit. */
const LISTED_AT_ONCE = 1000
const READ_BYTES = 1 << 20
/** Longest wait of a health check, in milliseconds. */
const CHECK_MS = 5_000

/**
 * Blobs as objects of a bucket. Arriving bytes are also written to a file in the folder `scratch`: this bounds memory,
 * and the file is the local copy that training reads. Opening it writes, reads and deletes a small object, so that a
 * service with unusable storage does not start.
 *
 * @throws UnusableError that says what is wrong with the settings or the bucket, without the secret.
 */
export async function openS3BlobStore(
  storage: ObjectStorage,
  scratch: string,
  options: ConnectionOptions & ScratchOptions = {},
): Promise<BlobStore> {
  checkObjectStorage(storage)
  const store = new S3BlobStore(storage, await ScratchFolder.open(scratch, options), new S3Connection(storage, options))
  try {
    await store.probe()
    return store
  } catch (error) {
    await store.close()
    if (!(error instanceof StorageError)) throw error
    throw unusableBucket(storage, error)
  }
}

class S3BlobStore implements BlobStore {
  readonly #prefix: string
  readonly #scratch: ScratchFolder
  readonly #connection: S3Connection
  readonly #buffers = new PartBuffers()
  readonly #copies = new LocalCopies()
  readonly #addresses = new AddressCache()
  readonly #removal: S3Removal

  constructor(storage: ObjectStorage, scratch: ScratchFolder, connection: S3Connection) {
    this.#prefix = storage.prefix
    this.#scratch = scratch
    this.#connection = connection
    this.#removal = new S3Removal(connection, storage.prefix)
  }

  async put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<StoredBlob> {
    const object = this.#objectOf(key)
    const draft = this.scratchPath()
    const file = await open(draft, 'wx+', 0o600)
    try {
      const stored = await this.#upload(object, file, signal, async (onWritten) => {
        return await writeHashed(file, source, { folder: this.#scratch.path, signal, onWritten })
      })
      await this.#copies.add(key, draft, stored.bytes)
      return stored
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    } finally {
      await file.close()
    }
  }

  scratchPath(): string {
    return this.#scratch.newPath()
  }

  async adopt(key: string, scratchPath: string): Promise<StoredBlob> {
    const object = this.#objectOf(key)
    const file = await open(scratchPath, 'r')
    try {
      const stored = await this.#upload(object, file, undefined, async (onWritten) => await hashAll(file, onWritten))
      await this.#copies.drop(key)
      await rm(scratchPath)
      return stored
    } finally {
      await file.close()
    }
  }

  async size(key: string): Promise<number | null> {
    const object = this.#objectOf(key)
    let bytes = 0
    const call = {
      request: `HEAD ${object}`,
      onReply: (_status: number, headers: Headers) => {
        bytes = Number(headers.get('content-length'))
      },
    }
    try {
      await this.#connection.run(call, async (s3) => await s3.objectExists(object))
      return bytes
    } catch (error) {
      if (!(error instanceof StorageError) || error.status !== 404) throw error
      // Without a body, the answer does not distinguish a missing object from a missing bucket.
      await this.#headBucket()
      return null
    }
  }

  async *list(): AsyncGenerator<readonly ListedBlob[], void, undefined> {
    const request = 'the listing of the bucket'
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = await this.#connection.run({ request }, async (s3) => {
        return await s3.listObjectsPaged('/', this.#prefix, LISTED_AT_ONCE, token)
      })
      token = page?.nextContinuationToken
      const objects = (page?.objects ?? []).map(({ Key, Size }) => ({
        key: String(Key).slice(this.#prefix.length),
        bytes: Number(Size),
      }))
      yield objects.filter(({ key }) => isBlobKey(key))
    }
  }

  read(key: string, range?: ByteRange): Readable {
    const object = this.#objectOf(key)
    if (range !== undefined && range.end <= range.start) throw new RangeError('a range of a blob holds at least a byte')
    const abort = new AbortController()
    const pieces = readObject(this.#connection, object, range ?? null, abort.signal)
    return new Readable({
      highWaterMark: READ_BYTES,
      read() {
        pieces.next().then(
          ({ done, value }) => this.push(done ? null : value),
          (error: Error) => this.destroy(error),
        )
      },
      destroy(error, callback) {
        abort.abort(error ?? new Error('Reading was aborted.'))
        pieces.return(undefined).then(
          () => callback(error),
          () => callback(error),
        )
      },
    })
  }

  async withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    const object = this.#objectOf(key)
    const download = async (path: string): Promise<number> => await this.#download(object, path)
    return await this.#copies.use(key, this.scratchPath(), download, use)
  }

  async delete(key: string): Promise<void> {
    const object = this.#objectOf(key)
    await this.#copies.drop(key)
    await this.#removal.removeOne(object)
  }

  async remove(keys: readonly string[], signal: AbortSignal): Promise<Removal> {
    const keyOf = new Map(keys.map((key) => [this.#objectOf(key), key]))
    for (const key of keys) await this.#copies.drop(key)
    const { removed, error } = await this.#removal.removeAll([...keyOf.keys()], signal)
    return { removed: removed.map((object) => keyOf.get(object) as string), error }
  }

  async downloadAddress(key: string, options: DownloadOptions): Promise<string> {
    const { expiresInSeconds, contentType, fileName } = options
    return await this.#addresses.get(JSON.stringify([key, options]), async () => {
      return await this.#connection.presign(this.#objectOf(key), expiresInSeconds + KEPT_SECONDS, {
        'response-content-type': contentType,
        'response-content-disposition': `attachment; filename="${fileName}"`,
      })
    })
  }

  async check(): Promise<void> {
    await access(this.#scratch.path, constants.W_OK)
    requireFreeSpace(this.#scratch.path, FILES_RESERVE_BYTES)
    await this.#headBucket(AbortSignal.timeout(CHECK_MS))
  }

  async close(): Promise<void> {
    this.#scratch.close()
    await this.#copies.close()
    await this.#connection.close()
  }

  /** Tries the operations that the service will need: writing, reading, aborting uploads, deleting. */
  async probe(): Promise<void> {
    const key = `checks/${randomUUID()}`
    await this.put(key, Readable.from([Buffer.from('whatif')]))
    await this.size(key)
    await this.delete(key)
  }

  #objectOf(key: string): string {
    checkBlobKey(key)
    return `${this.#prefix}${key}`
  }

  /** Stores `file` while `fill` fills it, or reads it if it is already full; reports how many bytes it holds so far. */
  async #upload(
    object: string,
    file: FileHandle,
    signal: AbortSignal | undefined,
    fill: (onWritten: (bytes: number) => void) => Promise<StoredBlob>,
  ): Promise<StoredBlob> {
    signal?.throwIfAborted()
    const upload = new S3Upload(this.#connection, this.#buffers, object, file, signal)
    try {
      const stored = await fill((bytes) => upload.grow(bytes))
      signal?.throwIfAborted()
      await upload.finish(stored.bytes)
      return stored
    } catch (error) {
      await upload.abort()
      throw error
    }
  }

  /** Appends to a temporary file; rejects with `DISK_FULL` before the disk is full. */
  #writerOf(file: FileHandle): (chunk: Uint8Array) => Promise<void> {
    let bytes = 0
    let lookAt = 0
    return async (chunk) => {
      if (bytes >= lookAt) {
        requireFreeSpace(this.#scratch.path, FILES_RESERVE_BYTES)
        lookAt = bytes + CHECK_BYTES
      }
      for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten
      bytes += chunk.length
    }
  }

  async #download(object: string, path: string): Promise<number> {
    const file = await open(path, 'wx', 0o600)
    try {
      const write = this.#writerOf(file)
      let bytes = 0
      for await (const piece of readObject(this.#connection, object, null)) {
        await write(piece)
        bytes += piece.length
      }
      return bytes
    } finally {
      await file.close()
    }
  }

  async #headBucket(signal?: AbortSignal): Promise<void> {
    await this.#connection.run(
      { request: 'HEAD of the bucket', tries: 1, signal },
      async (s3) => await s3.bucketExists(),
    )
  }
}

/** Hashes a file from its beginning; reports how far it is. */
async function hashAll(file: FileHandle, onRead: (bytes: number) => void): Promise<StoredBlob> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(READ_BYTES)
  for (let bytes = 0; ; onRead(bytes)) {
    const { bytesRead } = await file.read(piece, 0, piece.length, bytes)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    hash.update(piece.subarray(0, bytesRead))
    bytes += bytesRead
  }
}
