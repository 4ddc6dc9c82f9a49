/**
 * Deals the codes of tilted leaves to the rows of a batch.
 *
 * A leaf deals its rows in the same turns as without a tilt (`deal-rows.ts`). What a turn takes is read from the tilted distribution:
 * turn t, at place a of n, takes the code at the part (a + d) / n of the leaf's weight, d in [0, 1). With equal weights that is the
 * row at place a. So a round of n turns draws once from each nth part of the weight (stratified sampling), and d changes from round to
 * round, so that the shares are exact in the long run.
 *
 * n  training rows of a leaf     m  nodes of the tree     K  codes of the column
 */

import { BLOCK_ROWS } from '../model/model.ts'
import type { LeafRuns } from '../tilting/leaf-runs.ts'
import { type Moves, movedCode } from './between-codes.ts'
import type { ReachedLeaves, Route } from './route-rows.ts'

const UNIT_32 = 2 ** -32
/** 2^32 times the golden section. */
const GOLDEN_32 = 0x9e3779b9
/** More runs than this are searched by bisection. */
const MOST_SCANNED = 8

/** Working memory of one thread. */
export class TiltedDealer {
  /** Length V: weight of the runs of a leaf up to and with this one. */
  #upTo = new Float64Array(0)
  /** Length V: first place of the run in its leaf. */
  #place = new Int32Array(0)
  #factors: Float64Array = new Float64Array(0)

  /** Must be called before the rows of a column are dealt, with the leaves that the rows of the batch reached. */
  weigh(runs: LeafRuns, factors: Float64Array): void {
    const { count, firstRun, codes, counts } = runs
    const all = firstRun[count]!
    if (this.#upTo.length < all) {
      this.#upTo = new Float64Array(codes.length)
      this.#place = new Int32Array(codes.length)
    }
    this.#factors = factors
    for (let leaf = 0; leaf < count; leaf++) {
      let sum = 0
      let place = 0
      for (let run = firstRun[leaf]!; run < firstRun[leaf + 1]!; run++) {
        this.#place[run] = place
        place += counts[run]!
        sum += counts[run]! * factors[codes[run]!]!
        this.#upTo[run] = sum
      }
    }
  }

  /**
   * indexOf  length m: the leaf's index among the runs, for the leaves that the batch reached
   * turns    of the tree's leaves; moved on
   * codes    of the block; receives those of the tree's target
   * moves    null if rows take the leaves' codes unchanged
   */
  deal(
    { tree, nodes, next }: Route,
    runs: LeafRuns,
    indexOf: Int32Array,
    turns: LeafTurns,
    reached: ReachedLeaves,
    codes: Uint16Array,
    moves: Moves | null,
  ): void {
    const upTo = this.#upTo
    const out = tree.target * BLOCK_ROWS
    for (let s = 0; s < reached.count; s++) {
      const o = reached.leaves[s]!
      const node = o >> 2
      const leaf = indexOf[node]!
      const n = nodes[o + 2]!
      const golden = nodes[o + 3]!
      const firstRun = runs.firstRun[leaf]!
      const lastRun = runs.firstRun[leaf + 1]! - 1
      const unit = upTo[lastRun]! / n
      const isScanned = lastRun - firstRun < MOST_SCANNED
      let at = next[node]!
      let left = turns.left[node]!
      let offset = turns.offset[node]!
      const end = reached.end[s]!
      for (let i = reached.first[s]!; i < end; i++) {
        const row = reached.rows[i]!
        const wanted = (at + offset * UNIT_32) * unit
        let run = firstRun
        if (isScanned) while (run < lastRun && upTo[run]! <= wanted) run++
        else {
          let high = lastRun
          while (run < high) {
            const middle = (run + high) >> 1
            if (upTo[middle]! <= wanted) run = middle + 1
            else high = middle
          }
        }
        codes[out + row] = moves
          ? this.#moved(runs, run, firstRun, wanted, nodes[o + 1]!, n, tree.codes, moves, row)
          : runs.codes[run]!
        at += golden
        if (at >= n) at -= n
        if (--left === 0) {
          left = n
          offset = (offset + GOLDEN_32) >>> 0
        }
      }
      next[node] = at
      turns.left[node] = left
      turns.offset[node] = offset
    }
  }

  /** The code at a part of the leaf's weight, moved into the gap beside it (`between-codes.ts`). */
  #moved(
    runs: LeafRuns,
    run: number,
    firstRun: number,
    wanted: number,
    start: number,
    n: number,
    leafCodes: Uint16Array,
    { dense, words }: Moves,
    row: number,
  ): number {
    const code = runs.codes[run]!
    const below = run === firstRun ? 0 : this.#upTo[run - 1]!
    const inRun = Math.floor((wanted - below) / this.#factors[code]!)
    const position = this.#place[run]! + Math.max(0, Math.min(runs.counts[run]! - 1, inRun))
    return movedCode(leafCodes, start, n, position, dense, words[row]!)
  }
}

/** Where the leaves of a tree are in their rounds, beside the place of the next turn (`Route.next`). */
export interface LeafTurns {
  /** Length m: turns left of the round. */
  readonly left: Int32Array
  /** Length m: d of the round, times 2^32. */
  readonly offset: Uint32Array
}
