import { randomInt } from 'node:crypto'

const MIN_KEYS = 1_024
/** Places of the hash table for each key that fits. */
const PLACES = 2

/**
 * Counts distinct keys of 64 bits, in 20 to 40 bytes each. Keys have ids by first appearance, from 0. A hash table with
 * open addressing and linear probing holds the ids.
 */
export class KeyCounts {
  /** Low and high word of each key. */
  #keys = new Uint32Array(2 * MIN_KEYS)
  #counts = new Uint32Array(MIN_KEYS)
  /** Id + 1; 0: the place is free. */
  #places = new Int32Array(PLACES * MIN_KEYS)
  #size = 0

  get size(): number {
    return this.#size
  }

  get sizeBytes(): number {
    return this.#keys.byteLength + this.#counts.byteLength + this.#places.byteLength
  }

  /** By id; valid until another key is added. */
  get keys(): Uint32Array {
    return this.#keys.subarray(0, 2 * this.#size)
  }

  /** By id; valid until another key is added. */
  get counts(): Uint32Array {
    return this.#counts.subarray(0, this.#size)
  }

  count(id: number, times = 1): void {
    this.#counts[id]! += times
  }

  /** The id of a key; a new key is added with a count of zero. */
  idOf(low: number, high: number): number {
    const keys = this.#keys
    const places = this.#places
    const last = places.length - 1
    const lowWord = low >>> 0
    const highWord = high >>> 0
    let at = mixed(lowWord, highWord) & last
    for (let id = places[at]! - 1; id >= 0; id = places[at]! - 1) {
      if (keys[2 * id] === lowWord && keys[2 * id + 1] === highWord) return id
      at = (at + 1) & last
    }
    const id = this.#size++
    keys[2 * id] = lowWord
    keys[2 * id + 1] = highWord
    places[at] = id + 1
    if (this.#size === this.#counts.length) this.#grow()
    return id
  }

  #grow(): void {
    const keys = new Uint32Array(2 * this.#keys.length)
    keys.set(this.#keys)
    this.#keys = keys
    const counts = new Uint32Array(2 * this.#counts.length)
    counts.set(this.#counts)
    this.#counts = counts
    const places = new Int32Array(2 * this.#places.length)
    const last = places.length - 1
    for (let id = 0; id < this.#size; id++) {
      let at = mixed(keys[2 * id]!, keys[2 * id + 1]!) & last
      while (places[at] !== 0) at = (at + 1) & last
      places[at] = id + 1
    }
    this.#places = places
  }
}

/** Secret, so that nobody can write a file whose keys share their places. The results do not depend on it. */
const START = randomInt(2 ** 32) | 0
/** From the finaliser of MurmurHash3 (Appleby, public domain). */
const MIX_FACTOR = 0xc2b2ae35 | 0

function mixed(low: number, high: number): number {
  let hash = Math.imul((low ^ START) | 0, 0x9e3779b1)
  hash ^= hash >>> 15
  hash = Math.imul(hash ^ high, MIX_FACTOR)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 16)
}
