/**
 * The leaves that the rows of a batch reached, each as runs of equal codes.
 *
 * L  leaves reached     V  runs of all of them
 */

import type { Tree } from '../model/model.ts'

const FIRST_ROOM = 1024

/** Working memory: kept from column to column. */
export class LeafRuns {
  /** L */
  count = 0
  /** Length L: rows of the batch that reached the leaf. */
  rows = new Int32Array(FIRST_ROOM)
  /** Length L + 1: the leaf's first run. */
  firstRun = new Int32Array(FIRST_ROOM)
  /** Length V each: the code of a run, and how many training rows have it. */
  codes = new Uint16Array(FIRST_ROOM)
  counts = new Int32Array(FIRST_ROOM)
  #runs = 0

  clear(): void {
    this.count = 0
    this.#runs = 0
  }

  /** Adds leaf `node` of a tree, which `rows` rows reached. */
  add({ codes, start, end }: Pick<Tree, 'codes' | 'start' | 'end'>, node: number, rows: number): void {
    const first = start[node]!
    const last = end[node]!
    this.#reserve(last - first)
    const leaf = this.count++
    this.rows[leaf] = rows
    this.firstRun[leaf] = this.#runs
    let run = this.#runs
    for (let i = first; i < last; ) {
      const code = codes[i]!
      const from = i
      do i++
      while (i < last && codes[i] === code)
      this.codes[run] = code
      this.counts[run++] = i - from
    }
    this.#runs = run
    this.firstRun[leaf + 1] = run
  }

  #reserve(runs: number): void {
    if (this.count + 2 > this.rows.length) {
      this.rows = grown(this.rows, this.count + 2)
      this.firstRun = grown(this.firstRun, this.count + 2)
    }
    if (this.#runs + runs > this.codes.length) {
      this.codes = grown(this.codes, this.#runs + runs)
      this.counts = grown(this.counts, this.#runs + runs)
    }
  }
}

function grown<A extends Int32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>(array: A, least: number): A {
  const larger = new (array.constructor as new (length: number) => A)(Math.max(2 * array.length, least))
  larger.set(array)
  return larger
}
