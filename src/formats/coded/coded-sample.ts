import { mix32 } from '../reading/row-sample.ts'

/** Id of an empty text, which is never counted. */
export const NO_TEXT = -1

/** Extra rows that may accumulate before those with the largest hashes are removed. */
const SLACK = 1.25
const FIRST_ROWS = 1_024

/**
 * Samples rows of a stream of unknown length; the result equals `sampleRowIndexes` of all rows. Rows are ids of texts,
 * one for each column.
 *
 * k  rows wanted, n rows held (k to 1.25 k), w columns
 */
export class CodedSample {
  readonly #wanted: number
  readonly #width: number
  readonly #capacity: number
  /** n x w, row by row. */
  #ids: Int32Array
  #hashes: Uint32Array
  #length = 0
  #cut = 2 ** 32 - 1
  #rowCount = 0

  constructor(wanted: number, width: number) {
    this.#wanted = wanted
    this.#width = width
    this.#capacity = Math.ceil(SLACK * wanted)
    const rows = Math.min(FIRST_ROWS, this.#capacity)
    this.#ids = new Int32Array(rows * width)
    this.#hashes = new Uint32Array(rows)
  }

  /** Rows seen so far. */
  get rowCount(): number {
    return this.#rowCount
  }

  /**
   * Counts another row.
   *
   * @returns where to write its ids, of length w; null when it is not held.
   */
  add(): Int32Array | null {
    const hash = mix32(this.#rowCount++)
    if (hash > this.#cut) return null
    if (this.#length === this.#hashes.length) this.#makeRoom()
    // The threshold may have decreased.
    if (hash > this.#cut) return null
    this.#hashes[this.#length] = hash
    return this.#ids.subarray(this.#length * this.#width, ++this.#length * this.#width)
  }

  /** Whether the next row could be held. */
  get mayHold(): boolean {
    return mix32(this.#rowCount) <= this.#cut
  }

  /** The ids of a column in the rows held so far. */
  *idsOf(column: number): Generator<number> {
    for (let row = 0; row < this.#length; row++) {
      const id = this.#ids[row * this.#width + column]!
      if (id !== NO_TEXT) yield id
    }
  }

  /** Replaces the ids of a column. */
  renumber(column: number, newIds: Int32Array): void {
    for (let at = column; at < this.#length * this.#width; at += this.#width) {
      if (this.#ids[at] !== NO_TEXT) this.#ids[at] = newIds[this.#ids[at]!]!
    }
  }

  /** The sampled rows in sequence: for each column the ids. */
  columns(): Int32Array[] {
    this.#choose()
    const width = this.#width
    return Array.from({ length: width }, (_, column) => {
      const ids = new Int32Array(this.#length)
      for (let row = 0; row < ids.length; row++) ids[row] = this.#ids[row * width + column]!
      return ids
    })
  }

  #makeRoom(): void {
    if (this.#length === this.#capacity) return this.#choose()
    const rows = Math.min(2 * this.#length, this.#capacity)
    const ids = new Int32Array(rows * this.#width)
    ids.set(this.#ids)
    this.#ids = ids
    const hashes = new Uint32Array(rows)
    hashes.set(this.#hashes)
    this.#hashes = hashes
  }

  /** Keeps the k rows with the smallest hashes, which are distinct. */
  #choose(): void {
    if (this.#length <= this.#wanted) return
    this.#cut = this.#hashes.slice(0, this.#length).sort()[this.#wanted - 1]!
    const width = this.#width
    let kept = 0
    for (let row = 0; row < this.#length; row++) {
      if (this.#hashes[row]! > this.#cut) continue
      this.#hashes[kept] = this.#hashes[row]!
      this.#ids.copyWithin(kept * width, row * width, (row + 1) * width)
      kept++
    }
    this.#length = kept
  }
}
