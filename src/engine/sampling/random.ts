/**
 * Counter-based random numbers: Threefry-2x32 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as
 * 1, 2, 3"). A word depends only on (seed, purpose, block, column, index), never on what was drawn before elsewhere, so
 * any number of threads gives the same bytes. Only 32-bit integer additions, rotations and exclusive ors are used, and
 * for real numbers exact multiplications by powers of two: the numbers are the same on every machine.
 *
 * A stream's 64-bit key is the 20-round block of (block, purpose and column) under the seed as key. Threefry is a
 * bijection for a given key, hence different (purpose, block, column) of one seed never share a key. Words of a stream
 * come from 13 rounds, the fewest that the paper reports to pass TestU01's BigCrush, two words per counter.
 */

/**
 * The purpose of a stream. Two uses of randomness never share a purpose; the numbers are part of the model's behaviour.
 */
export const PURPOSE = {
  /** The sequence in which a block's rows reach the leaves of a tree. */
  leaf: 1,
  /** The value within a bin, and its position between its neighbours. */
  value: 2,
  /** Rows that deviate from a formula, and values redrawn to fit a recoding. */
  derivation: 3,
  /** Values redrawn to keep a relation. */
  relation: 4,
  /** Positions of a scenario's rows in the file. */
  shuffle: 5,
  /** Codes of ranged columns: masses of cells. */
  rangeMass: 6,
  /** Codes of ranged columns: tuples of the delivered rows. */
  rangeTuple: 7,
  /** Resampling of tuples by weight. */
  resample: 8,
  /** Which of its rows a leaf begins with. */
  leafStart: 9,
  /** The sampled cells of a scenario with too many cells. */
  cells: 11,
  /** Which rows are held out to measure a model's quality. */
  heldOut: 16,
  /** Tables that tests and benches make up. */
  testTable: 17,
  /** Which draw of a round takes a column's smallest or largest value. */
  extreme: 18,
  /** Draws of a joint normal distribution, for intervals that hold together. */
  jointNormal: 19,
  /** Values of a column with a mean. */
  meanValue: 20,
  /** Which rows are moved to meet a mean. */
  meanMove: 21,
  /** Rows of the seed that give values where a rule would be broken. */
  donor: 22,
  /** How many of a cell's rows lie in which units of a table. */
  unit: 23,
} as const

export type Purpose = (typeof PURPOSE)[keyof typeof PURPOSE]

/** Streams are distinguished by 24 bits of column and 8 bits of purpose. */
const COLUMN_LIMIT = 2 ** 24
const TWO_32 = 2 ** 32

/** Most n for which `below(n)` draws one word. */
const ONE_WORD_LIMIT = 2_097_152

/** 2^-32 and 2^-53, exact. */
const UNIT_32 = 2 ** -32
const UNIT_53 = 2 ** -53

/** Threefry's key schedule parity constant for 32-bit words. */
const PARITY = 0x1bd11bda

/** `rounds` 13 or 20; the result replaces the counter in `io[0..1]`. Pure integer arithmetic, no allocation. */
export function threefry2x32(io: Uint32Array, key0: number, key1: number, rounds: 13 | 20): void {
  const k0 = key0 | 0
  const k1 = key1 | 0
  const k2 = PARITY ^ k0 ^ k1
  let x = (io[0]! + k0) | 0
  let y = (io[1]! + k1) | 0
  // Rotations 13 15 26 6 and 17 29 16 24 alternate; a key word is added after every fourth round.
  for (let group = 0; group * 4 < rounds; group++) {
    const first = (group & 1) === 0
    const left = Math.min(4, rounds - group * 4)
    for (let i = 0; i < left; i++) {
      const r = first
        ? i === 0
          ? 13
          : i === 1
            ? 15
            : i === 2
              ? 26
              : 6
        : i === 0
          ? 17
          : i === 1
            ? 29
            : i === 2
              ? 16
              : 24
      x = (x + y) | 0
      y = ((y << r) | (y >>> (32 - r))) ^ x
    }
    if (left === 4) {
      const g = group + 1
      x = (x + (g % 3 === 0 ? k0 : g % 3 === 1 ? k1 : k2)) | 0
      y = (y + ((g + 1) % 3 === 0 ? k0 : (g + 1) % 3 === 1 ? k1 : k2) + g) | 0
    }
  }
  io[0] = x
  io[1] = y
}

/**
 * One stream of random words. `reset` points it at another stream without allocating.
 *
 * seed    any safe integer (its low 32 bits and its upper bits, sign included, are the two key words)
 * purpose one of PURPOSE
 * block   0…2^32-1; by convention rows b·1024 … b·1024+1023 belong to block b
 * column  0…2^24-1
 */
export class RandomStream {
  readonly #scratch = new Uint32Array(2)
  #key0 = 0
  #key1 = 0
  #counter = 0
  #spare = 0
  #hasSpare = false

  constructor(seed: number, purpose: Purpose, block = 0, column = 0) {
    this.reset(seed, purpose, block, column)
  }

  /** @throws RangeError when an argument is outside its range. */
  reset(seed: number, purpose: Purpose, block = 0, column = 0): this {
    if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a safe integer, got ${seed}`)
    if (!(Number.isInteger(block) && block >= 0 && block < TWO_32)) {
      throw new RangeError(`block must be an integer from 0 to 2^32-1, got ${block}`)
    }
    if (!(Number.isInteger(column) && column >= 0 && column < COLUMN_LIMIT)) {
      throw new RangeError(`column must be an integer from 0 to 2^24-1, got ${column}`)
    }
    const io = this.#scratch
    io[0] = block
    io[1] = purpose * COLUMN_LIMIT + column
    threefry2x32(io, seed, Math.floor(seed / TWO_32), 20)
    this.#key0 = io[0] | 0
    this.#key1 = io[1] | 0
    this.#counter = 0
    this.#hasSpare = false
    return this
  }

  /** Goes on with the word that comes after `index` others of the stream. */
  skipTo(index: number): this {
    this.#counter = Math.floor(index / 2)
    this.#hasSpare = false
    if (index % 2 === 1) this.word()
    return this
  }

  /** The next word, 0…2^32-1. */
  word(): number {
    if (this.#hasSpare) {
      this.#hasSpare = false
      return this.#spare
    }
    const io = this.#scratch
    io[0] = this.#counter
    io[1] = Math.floor(this.#counter / TWO_32)
    this.#counter++
    threefry2x32(io, this.#key0, this.#key1, 13)
    this.#spare = io[1]!
    this.#hasSpare = true
    return io[0]!
  }

  /** A real number in [0, 1): a multiple of 2^-32. */
  real(): number {
    return this.word() * UNIT_32
  }

  /** A real number in [0, 1): a multiple of 2^-53, from two words. */
  fineReal(): number {
    const high = this.word() >>> 5
    return (high * 67_108_864 + (this.word() >>> 6)) * UNIT_53
  }

  /**
   * An integer in [0, n), n at most 2^53. Up to 2^21 the scaling of one word is exact and no value is favoured by more
   * than n / 2^32; above, two words are used.
   */
  below(n: number): number {
    if (n <= ONE_WORD_LIMIT) return Math.floor(this.word() * n * UNIT_32)
    return Math.min(n - 1, Math.floor(this.fineReal() * n))
  }

  /** Fills out[0 … count-1] with the next words of a fresh stream: the same as `word()` called `count` times. */
  fill(out: Uint32Array, count: number): void {
    let i = 0
    if (this.#hasSpare && count > 0) out[i++] = this.word()
    const k0 = this.#key0
    const k1 = this.#key1
    const k2 = PARITY ^ k0 ^ k1
    for (; i < count; i += 2) {
      let x = (this.#counter + k0) | 0
      let y = (Math.floor(this.#counter / TWO_32) + k1) | 0
      this.#counter++
      // The 13 rounds of threefry2x32 written out: this loop makes most random numbers of a generation.
      x = (x + y) | 0
      y = ((y << 13) | (y >>> 19)) ^ x
      x = (x + y) | 0
      y = ((y << 15) | (y >>> 17)) ^ x
      x = (x + y) | 0
      y = ((y << 26) | (y >>> 6)) ^ x
      x = (x + y) | 0
      y = ((y << 6) | (y >>> 26)) ^ x
      x = (x + k1) | 0
      y = (y + k2 + 1) | 0
      x = (x + y) | 0
      y = ((y << 17) | (y >>> 15)) ^ x
      x = (x + y) | 0
      y = ((y << 29) | (y >>> 3)) ^ x
      x = (x + y) | 0
      y = ((y << 16) | (y >>> 16)) ^ x
      x = (x + y) | 0
      y = ((y << 24) | (y >>> 8)) ^ x
      x = (x + k2) | 0
      y = (y + k0 + 2) | 0
      x = (x + y) | 0
      y = ((y << 13) | (y >>> 19)) ^ x
      x = (x + y) | 0
      y = ((y << 15) | (y >>> 17)) ^ x
      x = (x + y) | 0
      y = ((y << 26) | (y >>> 6)) ^ x
      x = (x + y) | 0
      y = ((y << 6) | (y >>> 26)) ^ x
      x = (x + k0) | 0
      y = (y + k1 + 3) | 0
      x = (x + y) | 0
      y = ((y << 17) | (y >>> 15)) ^ x
      out[i] = x
      if (i + 1 < count) out[i + 1] = y
      else {
        this.#spare = y >>> 0
        this.#hasSpare = true
      }
    }
  }
}

/** Words that `below` draws for each n from `first` to `last`, both included, together. */
export function wordsBelow(first: number, last: number): number {
  const numbers = Math.max(0, last - first + 1)
  const ofOneWord = Math.max(0, Math.min(last, ONE_WORD_LIMIT) - first + 1)
  return 2 * numbers - ofOneWord
}
