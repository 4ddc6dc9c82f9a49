/** Addresses kept at most; the one made first goes first. */
const MAX_ADDRESSES = 10_000

/** How long an address is handed out again, in seconds: signing one costs more than the rest of reading a record. */
export const KEPT_SECONDS = 60

/** Presigned addresses by what they stand for, each handed out for a minute. */
export class AddressCache {
  readonly #addresses = new Map<string, { readonly address: string; readonly atMs: number }>()
  readonly #now: () => number

  /** `now`: milliseconds of a clock that only goes forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async get(key: string, make: () => Promise<string>): Promise<string> {
    const kept = this.#addresses.get(key)
    const nowMs = this.#now()
    if (kept !== undefined && nowMs - kept.atMs < KEPT_SECONDS * 1000) return kept.address
    const address = await make()
    // Deleted and set again: the map's order is that of making.
    this.#addresses.delete(key)
    this.#addresses.set(key, { address, atMs: nowMs })
    this.#dropOld(nowMs)
    return address
  }

  /** Most are asked for once: what nobody is given any more takes no memory. */
  #dropOld(nowMs: number): void {
    for (const [key, { atMs }] of this.#addresses) {
      if (this.#addresses.size <= MAX_ADDRESSES && nowMs - atMs < KEPT_SECONDS * 1000) return
      this.#addresses.delete(key)
    }
  }

  /** How many are kept. */
  get size(): number {
    return this.#addresses.size
  }
}
