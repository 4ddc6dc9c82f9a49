import { mix32 } from '../row-sample.ts'

/**
 * Counts distinct values in a bit map of two bits per row (linear counting; Whang, Vander-Zanden and Taylor 1990): off
 * by about 0.05 % for a million rows, in a quarter of a byte per row.
 */
export class DistinctCount {
  readonly #bits: Uint32Array
  readonly #float = new Float64Array(1)
  readonly #words = new Uint32Array(this.#float.buffer)

  /** @param rows values that will be added at most. */
  constructor(rows: number) {
    let words = 1_024
    while (words * 16 < rows && words < 1 << 22) words *= 2
    this.#bits = new Uint32Array(words)
  }

  addNumber(value: number): void {
    this.#float[0] = value
    this.#set(mix32(this.#words[0]! ^ mix32(this.#words[1]! + 0x9e3779b9)))
  }

  addText(text: string): void {
    let hash = 0x811c9dc5
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    this.#set(mix32(hash))
  }

  /** Estimate, a whole number of at most `present`. */
  estimate(present: number): number {
    const size = this.#bits.length * 32
    let empty = size
    for (let word of this.#bits) for (; word !== 0; word &= word - 1) empty--
    return Math.min(present, Math.round(size * Math.log(size / Math.max(1, empty))))
  }

  #set(hash: number): void {
    const bit = hash & (this.#bits.length * 32 - 1)
    const word = bit >>> 5
    this.#bits[word] = this.#bits[word]! | (1 << (bit & 31))
  }
}
