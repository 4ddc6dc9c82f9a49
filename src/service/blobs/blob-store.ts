import type { Readable } from 'node:stream'
import type { ByteRange } from '../../objects/read-object.ts'

/** Size in bytes and SHA-256 in lower-case hexadecimal of a stored blob, both computed while storing it. */
export interface StoredBlob {
  readonly bytes: number
  readonly sha256: string
}

export interface ListedBlob {
  readonly key: string
  readonly bytes: number
}

/** How a browser or client downloads a blob from its own address. */
export interface DownloadOptions {
  /** The minimum: an address may be reused. */
  readonly expiresInSeconds: number
  readonly contentType: string
  readonly fileName: string
}

/** Which of the blobs were removed, and what prevented the removal of the others. */
export interface Removal {
  readonly removed: readonly string[]
  /** Null: all are removed, or the signal ended the removal. */
  readonly error: Error | null
}

/**
 * Stores files under keys such as `seeds/ds_...`: two names of letters, digits, `_`, `-` and `.`, joined by a slash. A
 * blob is complete or absent. It is durable once the promise that stored it has resolved.
 */
export interface BlobStore {
  /**
   * Streams `source` into a blob, replacing any previous content. If the source fails or `signal` aborts, nothing
   * remains and the promise rejects with the source's error or the signal's reason.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: { readonly signal?: AbortSignal }): Promise<StoredBlob>
  /** Path for a new file on this machine that will be adopted or removed. The next start removes remaining files. */
  scratchPath(): string
  /** Turns a finished scratch file into a blob; the file is then no longer at its path. */
  adopt(key: string, scratchPath: string): Promise<StoredBlob>
  /** Size in bytes, or null if there is no such blob. */
  size(key: string): Promise<number | null>
  /** All blobs, page by page. Blobs that are stored or removed meanwhile may be included or not. */
  list(): AsyncIterable<readonly ListedBlob[]>
  /** Streams a blob or a range of it; the stream fails with `ENOENT` if the blob does not exist. */
  read(key: string, range?: ByteRange): Readable
  /** Calls `use` with the path of a local file that holds the blob, valid until `use` has settled. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /** Removes a blob and the remains of storing it; no error if there is none. */
  delete(key: string): Promise<void>
  /** The same for many blobs, in as few requests as the storage allows. Stops when the signal aborts. Never rejects. */
  remove(keys: readonly string[], signal: AbortSignal): Promise<Removal>
  /**
   * An absolute address from which anybody who has it can GET the blob for a while without a token; null if blobs have
   * no such address.
   */
  downloadAddress(key: string, options: DownloadOptions): Promise<string | null>
  /** Rejects if nothing can be stored at the moment (for `/healthz`). */
  check(): Promise<void>
  /** Closes connections and removes scratch files. */
  close(): Promise<void>
}

const KEY_PATTERN = /^[a-z]+\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/

/** Whether a blob can have this name: other files may lie among the blobs. */
export function isBlobKey(name: string): boolean {
  return KEY_PATTERN.test(name) && !name.startsWith('scratch/')
}

/** @throws RangeError for a key of another shape, so that a key cannot lead out of the storage. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new RangeError(`not a blob key: ${key}`)
}

/** The removal of orphaned blobs, as the rest of a process sees it. */
export interface BlobRemoval {
  /** Starts removing due blobs in this process, its own and those of others. */
  start(): void
  /**
   * Reports new orphans. If this process removes blobs it removes them at once; otherwise another process finds them.
   */
  soon(): void
  /** Stops at once: the current request is aborted, and its blobs are due again. */
  stop(): Promise<void>
}
