import type { Readable } from 'node:stream'

/** What was stored: size in bytes and SHA-256 in lower-case hexadecimal, both counted in the pass that stored it. */
export interface StoredBlob {
  readonly bytes: number
  readonly sha256: string
}

export interface ListedBlob {
  readonly key: string
  readonly bytes: number
}

/** Bytes `start` (inclusive) to `end` (exclusive) of a blob. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** How a browser or client gets a blob from its own address. */
export interface DownloadOptions {
  /** At least; an address may be handed out more than once. */
  readonly expiresInSeconds: number
  readonly contentType: string
  readonly fileName: string
}

/** Which of the blobs that were to be removed are gone, and what kept the others. */
export interface Removal {
  readonly removed: readonly string[]
  /** Null: all of them are gone, or the signal ended it. */
  readonly error: Error | null
}

/**
 * Keeps files under keys such as `seeds/ds_...`: two names of letters, digits, `_`, `-` and `.`, joined by a slash.
 * A blob is complete or absent, never half there, and durable once the promise that stored it has resolved.
 */
export interface BlobStore {
  /**
   * Streams `source` into a blob, replacing what was there. When the source fails or `signal` aborts, nothing is left
   * and the promise rejects with the source's error or the signal's reason.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: { readonly signal?: AbortSignal }): Promise<StoredBlob>
  /** Path for a new file on this machine that will be adopted or removed; left-overs are removed at the next start. */
  scratchPath(): string
  /** Makes a finished scratch file a blob; the file is gone from its path afterwards. */
  adopt(key: string, scratchPath: string): Promise<StoredBlob>
  /** Size in bytes, or null when there is no such blob. */
  size(key: string): Promise<number | null>
  /** All blobs, page by page. One that is stored or removed meanwhile may be there or not. */
  list(): AsyncIterable<readonly ListedBlob[]>
  /** Streams a blob or a range of it; the stream fails with `ENOENT` when it is not there. */
  read(key: string, range?: ByteRange): Readable
  /** Calls `use` with the path of a local file that holds the blob, valid until `use` has settled. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /** Removes a blob and whatever was left of storing it; no error when there is none. */
  delete(key: string): Promise<void>
  /** The same for many, in as few steps as the storage has; ends in the middle when the signal aborts. Never rejects. */
  remove(keys: readonly string[], signal: AbortSignal): Promise<Removal>
  /**
   * An absolute address from which whoever has it can GET the blob for a while without a token; null where blobs have no
   * address of their own.
   */
  downloadAddress(key: string, options: DownloadOptions): Promise<string | null>
  /** Rejects when nothing can be stored at the moment (for `/healthz`). */
  check(): Promise<void>
  /** Lets go of connections and scratch files. */
  close(): Promise<void>
}

const KEY_PATTERN = /^[a-z]+\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/

/** Whether a name is one that a blob can have: where blobs are kept, there may be other things. */
export function isBlobKey(name: string): boolean {
  return KEY_PATTERN.test(name) && !name.startsWith('scratch/')
}

/** @throws RangeError for a key of another shape: keys never lead out of where blobs are kept. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new RangeError(`not a blob key: ${key}`)
}

/** The removal of blobs that were given up, as the rest of a process sees it. */
export interface BlobRemoval {
  /** From now on this process removes blobs that are due, its own and those of others. */
  start(): void
  /** Says that blobs were given up. They are removed at once where this process removes blobs, else when others look. */
  soon(): void
  /** Ends at once: the request under way is given up, and what it was about is due again. */
  stop(): Promise<void>
}
