import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import type { S3Connection } from '../../objects/s3-connection.ts'
import { StorageError } from '../../objects/storage-error.ts'
import type { Removal } from './blob-store.ts'

/** Concurrent requests if the storage removes objects only one by one. */
const SIDE_BY_SIDE = 16

/** A multipart upload that was neither completed nor aborted. */
interface OpenUpload {
  readonly object: string
  readonly uploadId: string
}

/** Removes objects, and the parts of uploads that a dead process left behind: nobody else would ever remove those. */
export class S3Removal {
  readonly #connection: S3Connection
  readonly #prefix: string
  /** Set after the first refusal: the storage has no request for many objects. */
  #hasNoBatches = false

  constructor(connection: S3Connection, prefix: string) {
    this.#connection = connection
    this.#prefix = prefix
  }

  async removeOne(object: string, signal?: AbortSignal): Promise<void> {
    for (const upload of await this.#openUploads(object, signal)) {
      if (upload.object === object) await this.#giveUp(upload, signal)
    }
    await this.#delete(object, signal)
  }

  /** Removes up to 1,000 objects, in two requests if none of them has an open upload. Never rejects. */
  async removeAll(objects: readonly string[], signal: AbortSignal): Promise<Removal> {
    try {
      const wanted = new Set(objects)
      const uploads = (await this.#openUploads(this.#prefix, signal)).filter(({ object }) => wanted.has(object))
      for (const upload of uploads) await this.#giveUp(upload, signal)
      const removed = await this.#deleteAll(objects, signal)
      const left = objects.length - removed.length
      return { removed, error: left === 0 || signal.aborted ? null : notRemoved(left) }
    } catch (error) {
      return { removed: [], error: signal.aborted ? null : (error as Error) }
    }
  }

  async #deleteAll(objects: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    if (!this.#hasNoBatches) {
      try {
        const request = `the removal of ${objects.length} objects`
        const call = { request, signal, isDigested: true }
        const done = await this.#connection.run(call, async (s3) => await s3.deleteObjects([...objects]))
        return objects.filter((_object, i) => done[i])
      } catch (error) {
        if (!isUnknownOperation(error)) throw error
        this.#hasNoBatches = true
      }
    }
    // Each request adds a listener.
    setMaxListeners(0, signal)
    const limit = pLimit(SIDE_BY_SIDE)
    const ends = await Promise.allSettled(
      objects.map((object) => limit(async () => await this.#delete(object, signal))),
    )
    return objects.filter((_object, i) => ends[i]?.status === 'fulfilled')
  }

  async #delete(object: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await this.#connection
      .run({ request: `DELETE ${object}`, signal }, async (s3) => await s3.deleteObject(object))
      .catch((error: unknown) => {
        if (!isMissing(error, 'NoSuchKey')) throw error
      })
  }

  /** All open uploads whose objects begin with `prefix`, page by page. */
  async #openUploads(prefix: string, signal?: AbortSignal): Promise<readonly OpenUpload[]> {
    const found: OpenUpload[] = []
    for (let after: Readonly<Record<string, string>> | null = {}; after !== null; ) {
      const page: Readonly<Record<string, string>> = { prefix, ...after }
      const request = `the list of uploads of ${prefix}`
      let listed: unknown
      try {
        listed = await this.#connection.run({ request, signal }, async (s3) => {
          return await s3.listMultipartUploads('/', '', 'GET', page)
        })
      } catch (error) {
        // Some storages have no such list and expire uploads themselves.
        if (isUnknownOperation(error)) return []
        throw error
      }
      const { uploads, next } = readUploads(listed)
      found.push(...uploads)
      // If a storage returns the same page again, there are no more.
      after = next !== null && next['upload-id-marker'] === page['upload-id-marker'] ? null : next
    }
    return found
  }

  async #giveUp({ object, uploadId }: OpenUpload, signal?: AbortSignal): Promise<void> {
    const request = `the end of an upload of ${object}`
    await this.#connection
      .run({ request, signal }, async (s3) => await s3.abortMultipartUpload(object, uploadId))
      .catch((error: unknown) => {
        if (!isMissing(error, 'NoSuchUpload')) throw error
      })
  }
}

/** The entries of a parsed ListMultipartUploadsResult, and the start of the next page. */
function readUploads(listed: unknown): { uploads: OpenUpload[]; next: Readonly<Record<string, string>> | null } {
  const { ListMultipartUploadsResult: result } = listed as {
    ListMultipartUploadsResult?: Readonly<Record<string, unknown>>
  }
  const uploads = [result?.Upload ?? []].flat().flatMap((upload) => {
    const { Key: object, UploadId: uploadId } = upload as { Key?: unknown; UploadId?: unknown }
    return typeof object === 'string' && typeof uploadId === 'string' ? [{ object, uploadId }] : []
  })
  const { NextKeyMarker: key, NextUploadIdMarker: upload } = result ?? {}
  const goesOn = String(result?.IsTruncated) === 'true' && typeof key === 'string' && typeof upload === 'string'
  return { uploads, next: goesOn ? { 'key-marker': key, 'upload-id-marker': upload } : null }
}

/** The storage's log has the reasons: the answer has a code per object, and there are many objects. */
function notRemoved(count: number): StorageError {
  const details = { status: 200, code: 'incomplete', isTransient: true }
  return new StorageError(`The object storage did not remove ${count} of the requested objects.`, details)
}

function isMissing(error: unknown, code: string): boolean {
  return error instanceof StorageError && error.status === 404 && error.code === code
}

function isUnknownOperation(error: unknown): boolean {
  return error instanceof StorageError && (error.status === 501 || error.status === 405)
}
