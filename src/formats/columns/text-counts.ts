import { randomInt } from 'node:crypto'
import type { ColumnTexts } from './column-texts.ts'

/**
 * Counts the distinct texts of a column by their bytes, without making strings.
 *
 * A hash table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, section 6.4), at most
 * three quarters full. Each place has half a cache line, which holds a whole text of up to 20 bytes, so that finding
 * such a text again costs one memory access. Memory access dominates the cost of tables with millions of texts.
 *
 * Texts have ids by first appearance, from 0.
 */
export class TextCounts implements ColumnTexts {
  #size = 0
  #places = new Int32Array(MIN_PLACES * PLACE)
  /** Places that can be taken before the table grows. */
  #room = FULL * MIN_PLACES
  /** End of each text in `#bytes`, from 1; it begins where the previous one ends. */
  #ends = new Uint32Array(MIN_PLACES)
  #bytes = Buffer.alloc(MIN_BYTES)

  /** Texts that are held. */
  get size(): number {
    return this.#size
  }

  get sizeBytes(): number {
    return this.#places.byteLength + this.#ends.byteLength + this.#bytes.byteLength
  }

  /** All texts, one after the other; valid until the next one is added. */
  get bytes(): Buffer {
    return this.#bytes
  }

  /** Where the text begins in `bytes`. */
  startOf(id: number): number {
    return this.#ends[id]!
  }

  /** Exclusive. */
  endOf(id: number): number {
    return this.#ends[id + 1]!
  }

  textOf(id: number): string {
    return this.#bytes.toString('utf8', this.startOf(id), this.endOf(id))
  }

  /** How often each text was counted, by id. */
  counts(): Uint32Array {
    const counts = new Uint32Array(this.#size)
    const places = this.#places
    for (let at = 0; at < places.length; at += PLACE) {
      const text = places[at + TEXT]!
      if (text !== 0) counts[Math.abs(text) - 1] = places[at + COUNT]!
    }
    return counts
  }

  /**
   * The place of a text; a new text is added with a count of zero.
   *
   * @param start inclusive; `end` exclusive.
   * @returns its place, valid until another text is added.
   */
  placeOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > SHORT_BYTES) return this.#placeOfLong(bytes, start, end)
    const places = this.#places
    const last = places.length - 1
    const hash = packShort(bytes, start, end)
    const a = WORDS[0]!
    const b = WORDS[1]!
    const c = WORDS[2]!
    const d = WORDS[3]!
    const e = WORDS[4]!
    let at = (hash << PLACE_BITS) & last
    for (let text = places[at + TEXT]!; text !== 0; text = places[at + TEXT]!) {
      if (
        places[at] === a &&
        places[at + 1] === b &&
        places[at + 2] === c &&
        places[at + 3] === d &&
        places[at + 4] === e &&
        text > 0
      ) {
        return at
      }
      at = (at + PLACE) & last
    }
    return this.#add(bytes, start, end, hash)
  }

  /** Counts the text at a place, as often as it says. */
  count(place: number, times = 1): void {
    this.#places[place + COUNT]! += times
  }

  idAt(place: number): number {
    return Math.abs(this.#places[place + TEXT]!) - 1
  }

  #placeOfLong(bytes: Uint8Array, start: number, end: number): number {
    const places = this.#places
    const ends = this.#ends
    const held = this.#bytes
    const last = places.length - 1
    const length = end - start
    const hash = packLong(bytes, start, end)
    let at = (hash << PLACE_BITS) & last
    for (let text = places[at + TEXT]!; text !== 0; text = places[at + TEXT]!) {
      if (text < 0 && places[at] === hash && places[at + 1] === length) {
        let from = ends[-text - 1]!
        let i = start
        while (i < end && bytes[i] === held[from]) {
          i++
          from++
        }
        if (i === end) return at
      }
      at = (at + PLACE) & last
    }
    return this.#add(bytes, start, end, hash)
  }

  /** Adds the text whose words are packed. */
  #add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.#size === this.#room) this.#grow()
    const text = ++this.#size
    const from = this.#ends[text - 1]!
    const to = from + end - start
    if (to > this.#bytes.length) {
      const { length } = this.#bytes
      const larger = Buffer.alloc(Math.max(length < LARGE_BYTES ? 2 * length : 1.5 * length, to))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    const held = this.#bytes
    for (let i = start, into = from; i < end; i++) held[into++] = bytes[i]!
    this.#ends[text] = to
    const places = this.#places
    const at = freePlace(places, hash)
    places.set(WORDS, at)
    places[at + HASH] = hash
    places[at + TEXT] = end - start > SHORT_BYTES ? -text : text
    places[at + COUNT] = 0
    return at
  }

  #grow(): void {
    const smaller = this.#places
    const places = new Int32Array(2 * smaller.length)
    for (let from = 0; from < smaller.length; from += PLACE) {
      if (smaller[from + TEXT] === 0) continue
      const at = freePlace(places, smaller[from + HASH]!)
      for (let i = 0; i < PLACE; i++) places[at + i] = smaller[from + i]!
    }
    this.#places = places
    this.#room = FULL * (places.length / PLACE)
    const ends = new Uint32Array(places.length / PLACE)
    ends.set(this.#ends)
    this.#ends = ends
  }
}

/** 32-bit words of a place. The first five are a short text, padded with zeros, or hash and length of a long one. */
const PLACE = 8
const PLACE_BITS = 3
const HASH = 5
/** Which text it is, from 1; negative for a long one; 0: the place is free. */
const TEXT = 6
const COUNT = 7

/** Longer texts are compared in place. No text contains NULs, so padding makes no two texts equal. */
const SHORT_BYTES = 20

/** There may be thousands of columns of few texts. A power of two. */
const MIN_PLACES = 8
const FULL = 0.75
const MIN_BYTES = 64
/** From this size on the bytes grow by half, because old and new ones take memory at the same time. */
const LARGE_BYTES = 2 ** 25

/** Secret, so that nobody can write a file whose texts share their hashes. The results do not depend on it. */
const HASH_START = randomInt(2 ** 32) | 0
const HASH_FACTOR = (randomInt(2 ** 31) * 2 + 1) | 0
/** From the finaliser of MurmurHash3 (Appleby, public domain). */
const MIX_FACTOR = 0xc2b2ae35 | 0

/** The first words of the text that was packed last. */
const WORDS = new Int32Array(5)

/**
 * Writes a text of up to 20 bytes into `WORDS`.
 *
 * @returns its hash: words by the step of Fowler, Noll and Vo (FNV-1a), with shifts that move high bits down, which
 * multiplication never does.
 */
function packShort(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START
  let at = start
  let i = 0
  for (; at + 4 <= end; at += 4) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    WORDS[i++] = word
    hash = Math.imul(hash ^ word, HASH_FACTOR)
    hash ^= hash >>> 15
  }
  if (at < end) {
    let word = bytes[at]!
    if (at + 1 < end) word |= bytes[at + 1]! << 8
    if (at + 2 < end) word |= bytes[at + 2]! << 16
    WORDS[i++] = word
    hash = Math.imul(hash ^ word, HASH_FACTOR)
    hash ^= hash >>> 15
  }
  while (i < 5) WORDS[i++] = 0
  hash = Math.imul(hash, MIX_FACTOR)
  return hash ^ (hash >>> 13)
}

/** Writes hash and length of any text into `WORDS`, and returns its hash. */
function packLong(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ bytes[at]!, HASH_FACTOR)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash, MIX_FACTOR)
  hash ^= hash >>> 13
  WORDS.fill(0)
  WORDS[0] = hash
  WORDS[1] = end - start
  return hash
}

function freePlace(places: Int32Array, hash: number): number {
  const last = places.length - 1
  let at = (hash << PLACE_BITS) & last
  while (places[at + TEXT] !== 0) at = (at + PLACE) & last
  return at
}
