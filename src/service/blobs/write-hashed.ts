import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { CHECK_BYTES, FILES_RESERVE_BYTES, requireFreeSpace } from '../disk/disk-space.ts'
import type { StoredBlob } from './blob-store.ts'

/**
 * Bytes written at a time. What comes from a socket comes in pieces of 64 KiB at most; a trip to the thread that writes
 * costs about as much as writing one of them. Beside blocks of 512 KiB an upload of 200 MB took 1.9 s and not 4.2 on a
 * busy machine: smaller ones stay in the processor's cache from gathering to writing.
 */
const BLOCK_BYTES = 128 * 1024

export interface WriteOptions {
  /** Folder of the file; free space is reserved on its disk. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
  /** Called when the file holds its first `bytes` bytes; an exception from it ends the writing. */
  readonly onWritten?: (bytes: number) => void
}

/**
 * Writes the bytes of `source` into an empty file and hashes them. While one block is written, it is hashed and the
 * next one is gathered, so it needs two blocks of memory whatever the size of the pieces. It rejects with the error of
 * the source, of the file or of `onWritten`, with the signal's reason, or with `DISK_FULL`. The last block may then
 * still be in progress; closing the file waits for it.
 */
export async function writeHashed(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<StoredBlob> {
  const { signal } = options
  signal?.throwIfAborted()
  const writer = new HashingWriter(file, options)
  for await (const piece of source) {
    signal?.throwIfAborted()
    for (let at = 0; at < piece.length; ) {
      at += writer.take(piece, at)
      if (writer.isFull) await writer.flush()
    }
  }
  signal?.throwIfAborted()
  return await writer.finish()
}

class HashingWriter {
  readonly #file: FileHandle
  readonly #options: WriteOptions
  readonly #hash: Hash = createHash('sha256')
  #block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  #other: Buffer<ArrayBuffer> | null = null
  #filledBytes = 0
  #bytes = 0
  #nextCheckBytes = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(file: FileHandle, options: WriteOptions) {
    this.#file = file
    this.#options = options
  }

  get isFull(): boolean {
    return this.#filledBytes === BLOCK_BYTES
  }

  /** Copies as much of a piece from `start` on as fits; returns the number of bytes. */
  take(piece: Uint8Array, start: number): number {
    const end = Math.min(piece.length, start + BLOCK_BYTES - this.#filledBytes)
    this.#block.set(start === 0 && end === piece.length ? piece : piece.subarray(start, end), this.#filledBytes)
    this.#filledBytes += end - start
    return end - start
  }

  /** Starts writing the gathered bytes once the previous block has been written. */
  async flush(): Promise<void> {
    await this.#writing
    this.#requireRoom()
    const block = this.#block.subarray(0, this.#filledBytes)
    const other = this.#other ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#other = this.#block
    this.#block = other
    this.#filledBytes = 0
    this.#bytes += block.length
    this.#writing = this.#write(block, this.#bytes)
    // The next flush or finish reports it.
    this.#writing.catch(() => undefined)
    this.#hash.update(block)
  }

  async finish(): Promise<StoredBlob> {
    await this.flush()
    await this.#writing
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  async #write(block: Uint8Array, bytes: number): Promise<void> {
    for (let done = 0; done < block.length; ) done += (await this.#file.write(block, done)).bytesWritten
    this.#options.onWritten?.(bytes)
  }

  #requireRoom(): void {
    if (this.#bytes < this.#nextCheckBytes) return
    requireFreeSpace(this.#options.folder, FILES_RESERVE_BYTES)
    this.#nextCheckBytes = this.#bytes + CHECK_BYTES
  }
}
