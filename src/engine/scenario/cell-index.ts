/**
 * Finds a cell by its codes: a hash table with open addressing, without a key object per cell.
 *
 * K  cells, D  columns
 */

export class CellIndex {
  readonly #columnCount: number
  /** K × D, row-major, with room for more. */
  #codes: Int32Array
  #size = 0
  /** Cell + 1 at the place its hash leads to, or the next free one after; 0 = free. A power of two, at most half full. */
  #places: Int32Array

  /** @param codes K × D, row-major, pairwise different; the index of a cell is its row. With D = 0 there is one cell. */
  constructor(columnCount: number, codes: Int32Array = new Int32Array(0)) {
    this.#columnCount = columnCount
    this.#codes = codes
    this.#places = new Int32Array(16)
    const count = columnCount === 0 ? 1 : codes.length / columnCount
    this.#makeRoom(count)
    for (; this.#size < count; this.#size++) this.#enter(this.#size)
  }

  /** K */
  get size(): number {
    return this.#size
  }

  /** K × D, row-major. */
  get codes(): Int32Array {
    return this.#codes.subarray(0, this.#size * this.#columnCount)
  }

  /** Index of the cell, -1 when it is not there. `cell` has length D. */
  find(cell: Int32Array): number {
    return this.#places[this.#placeOf(cell, 0)]! - 1
  }

  /** Enters a cell unless it is there; its index. */
  add(cell: Int32Array): number {
    const known = this.find(cell)
    if (known >= 0) return known
    const at = this.#size * this.#columnCount
    if (at + this.#columnCount > this.#codes.length) {
      const larger = new Int32Array(2 * (at + this.#columnCount))
      larger.set(this.#codes)
      this.#codes = larger
    }
    this.#codes.set(cell, at)
    this.#makeRoom(this.#size + 1)
    this.#enter(this.#size++)
    return this.#size - 1
  }

  #enter(index: number): void {
    this.#places[this.#placeOf(this.#codes, index * this.#columnCount)] = index + 1
  }

  #makeRoom(count: number): void {
    if (2 * count <= this.#places.length) return
    let length = this.#places.length
    while (length < 2 * count) length *= 2
    this.#places = new Int32Array(length)
    for (let index = 0; index < this.#size; index++) this.#enter(index)
  }

  /** Place of the cell whose codes start at `from`, or the free place for it. */
  #placeOf(codes: Int32Array, from: number): number {
    const D = this.#columnCount
    const mask = this.#places.length - 1
    // FNV-1a over the codes, then mixed so that the low bits depend on all of them.
    let hash = 0x811c9dc5
    for (let d = 0; d < D; d++) hash = Math.imul(hash ^ codes[from + d]!, 0x01000193)
    hash ^= hash >>> 15
    hash = Math.imul(hash, 0x2c1b3c6d)
    hash ^= hash >>> 13
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const found = this.#places[place]! - 1
      if (found < 0) return place
      let d = 0
      while (d < D && this.#codes[found * D + d] === codes[from + d]) d++
      if (d === D) return place
    }
  }
}
