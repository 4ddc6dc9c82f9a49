import { mix32 } from '../row-sample.ts'

/** Rows beyond those wanted that may pile up before the ones with the largest hashes are thrown out. */
const SLACK = 1.25
const FIRST_ROWS = 1_024

/**
 * Chooses rows while they go by, without knowing how many will come: in the end the same as `sampleRowIndexes` chooses of all of
 * them. Rows are ids of texts, one for each column.
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

  /** Rows that went by. */
  get rowCount(): number {
    return this.#rowCount
  }

  /**
   * Another row goes by.
   *
   * @returns where to write its ids, of length w; null when it is not held.
   */
  add(): Int32Array | null {
    const hash = mix32(this.#rowCount++)
    if (hash > this.#cut) return null
    if (this.#length === this.#hashes.length) this.#makeRoom()
    // The cut may have come down.
    if (hash > this.#cut) return null
    this.#hashes[this.#length] = hash
    return this.#ids.subarray(this.#length * this.#width, ++this.#length * this.#width)
  }

  /** The rows chosen, in their order: for each column the ids. */
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
