/**
 * The secret random keys of a seed's rows, after the cell-key method of statistical offices (Fraser and Wooton 2005; the European
 * census of 2021): they decide the noise of what a shared service tells, so that the same question always has the same answer.
 *
 * n  kept rows of the seed
 *
 * All keys follow from one secret, so they are equal in all processes and after a restart, and no row's values take part: rows that
 * are alike have different keys. AES-256 in counter mode is the pseudorandom function over the rows, HMAC-SHA-256 that over purposes.
 */

import { createCipheriv, createHmac } from 'node:crypto'

/** A 16-bit draw times this has variance 1. */
const DRAW_UNIT = Math.sqrt(3) / 32_768

export class RowKeys {
  readonly #secret: Uint8Array
  /** Length 2 n: 64 bits of each row. */
  readonly #keys: Uint32Array
  /** What is enciphered; most streams are of one length. */
  #zeros = new Uint8Array(0)

  /**
   * @param secret At least 16 bytes that no client knows, of this seed alone.
   * @param rowCount n
   */
  constructor(secret: Uint8Array, rowCount: number) {
    if (secret.length < 16) throw new RangeError(`a secret of row keys has at least 16 bytes, got ${secret.length}`)
    this.#secret = secret
    this.#keys = new Uint32Array(this.#stream('keys of rows', 8 * rowCount))
  }

  get rowCount(): number {
    return this.#keys.length / 2
  }

  /** The key of a set of rows, the sum of their keys modulo 2^64, as text. */
  keyOf(isIn: (row: number) => boolean): string {
    let [low, high] = [0, 0]
    for (let row = 0; row < this.rowCount; row++) {
      if (!isIn(row)) continue
      low = (low + this.#keys[2 * row]!) >>> 0
      high = (high + this.#keys[2 * row + 1]!) >>> 0
    }
    return `${low.toString(16)}.${high.toString(16)}`
  }

  /** Adds to out[row] one draw for each row and purpose, uniform, of mean 0 and variance size². */
  addDraws(purpose: string, size: number, out: Float64Array): void {
    const draws = new Int16Array(this.#stream(`draws ${purpose}`, 2 * this.rowCount))
    const unit = size * DRAW_UNIT
    for (let row = 0; row < out.length; row++) out[row]! += unit * (draws[row]! + 0.5)
  }

  /**
   * The sums of such draws of size 1 over the rows of each kind.
   *
   * @param kindOf Length n: the kind of each row; -1: none.
   * @returns Length `kinds`.
   */
  sumsOfDraws(purpose: string, kindOf: Int32Array, kinds: number): Float64Array {
    const draws = new Int16Array(this.#stream(`draws ${purpose}`, 2 * this.rowCount))
    const sums = new Float64Array(kinds)
    for (let row = 0; row < draws.length; row++) {
      const kind = kindOf[row]!
      // Halves add up without rounding, in whatever sequence.
      if (kind >= 0) sums[kind]! += draws[row]! + 0.5
    }
    return sums.map((sum) => DRAW_UNIT * sum)
  }

  /** One draw for a purpose: triangular on (-1, 1). */
  draw(purpose: string): number {
    const bytes = this.#digest(`draw ${purpose}`)
    return (bytes.readUInt32LE(0) + bytes.readUInt32LE(4) + 1) / 2 ** 32 - 1
  }

  #digest(purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(purpose).digest()
  }

  /** Whole, and of no other: views of any width may lie on it. */
  #stream(purpose: string, bytes: number): ArrayBuffer {
    if (this.#zeros.length !== bytes) this.#zeros = new Uint8Array(bytes)
    const stream = createCipheriv('aes-256-ctr', this.#digest(purpose), new Uint8Array(16)).update(this.#zeros)
    const isWhole = stream.byteOffset === 0 && stream.byteLength === stream.buffer.byteLength
    return (isWhole ? stream : new Uint8Array(stream)).buffer as ArrayBuffer
  }
}
