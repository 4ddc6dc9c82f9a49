import { mix32 } from '../reading/row-sample.ts'

/**
 * Counts distinct numbers in a bit map of two bits per row (linear counting; Whang, Vander-Zanden and Taylor 1990): off
 * by about 0.05 % for a million rows, in a quarter of a byte per row.
 */
export class DistinctCount {
  readonly #bits: Uint32Array
  readonly #float = new Float64Array(1)
  readonly #words = new Uint32Array(this.#float.buffer)

  /** @param rows most numbers that will be added. */
  constructor(rows: number) {
    let words = 1_024
    while (words * 16 < rows && words < 1 << 22) words *= 2
    this.#bits = new Uint32Array(words)
  }

  add(value: number): void {
    this.#float[0] = value
    const hash = mix32(this.#words[0]! ^ mix32(this.#words[1]! + 0x9e3779b9))
    const bit = hash & (this.#bits.length * 32 - 1)
    this.#bits[bit >>> 5]! |= 1 << (bit & 31)
  }

  /** Estimate, a whole number of at most `present`. */
  estimate(present: number): number {
    const size = this.#bits.length * 32
    let empty = size
    for (let word of this.#bits) for (; word !== 0; word &= word - 1) empty--
    return Math.min(present, Math.round(size * Math.log(size / Math.max(1, empty))))
  }
}
