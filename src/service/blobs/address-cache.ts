/** Most cached addresses; the oldest one is dropped first. */
const MAX_ADDRESSES = 10_000

/** How long an address is reused, in seconds: signing one costs more than the rest of reading a record. */
export const KEPT_SECONDS = 60

/** Presigned addresses by blob, each reused for a minute. */
export class AddressCache {
  readonly #addresses = new Map<string, { readonly address: string; readonly atMs: number }>()
  readonly #now: () => number

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async get(key: string, make: () => Promise<string>): Promise<string> {
    const kept = this.#addresses.get(key)
    const nowMs = this.#now()
    if (kept !== undefined && nowMs - kept.atMs < KEPT_SECONDS * 1000) return kept.address
    const address = await make()
    // Deleted and set again, because the map's sequence is by insertion.
    this.#addresses.delete(key)
    this.#addresses.set(key, { address, atMs: nowMs })
    this.#dropOld(nowMs)
    return address
  }

  /** Most addresses are requested once; expired ones are dropped to free memory. */
  #dropOld(nowMs: number): void {
    for (const [key, { atMs }] of this.#addresses) {
      if (this.#addresses.size <= MAX_ADDRESSES && nowMs - atMs < KEPT_SECONDS * 1000) return
      this.#addresses.delete(key)
    }
  }

  /** Number of cached addresses. */
  get size(): number {
    return this.#addresses.size
  }
}
