import pLimit from 'p-limit'

/** Of one part of a multipart upload: storages want 5 MiB at least, and take 10,000 parts. */
const PART_BYTES = 8 << 20
/** Parts on their way at once in this process, whatever the number of uploads: 32 MiB of memory. */
const PARTS_AT_ONCE = 4

/**
 * The memory of all uploads of a process: a few buffers, lent for one request each. A client that sends slowly holds
 * none: bytes wait on disk until a part is complete.
 */
export class PartBuffers {
  readonly partBytes = PART_BYTES
  readonly #limit = pLimit(PARTS_AT_ONCE)
  readonly #idle: Uint8Array[] = []

  /** Calls `use` with a buffer of `partBytes`, when one is free. */
  async lend<T>(use: (buffer: Uint8Array) => Promise<T>): Promise<T> {
    return await this.#limit(async () => {
      const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES)
      const result = await use(buffer)
      // Only after success: a request that failed may still be sending from it.
      this.#idle.push(buffer)
      return result
    })
  }
}
