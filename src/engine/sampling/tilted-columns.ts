/**
 * Tilts the leaves of a column once all rows of a batch have reached them, then deals its codes.
 *
 * m  nodes of a tree
 */

import { FactorFit } from '../tilting/fit-factors.ts'
import { LeafRuns } from '../tilting/leaf-runs.ts'
import type { Tilt } from '../tilting/tilt.ts'
import type { Moves } from './between-codes.ts'
import { type LeafTurns, TiltedDealer } from './deal-tilted.ts'
import { ReachedLeaves, type Route } from './route-rows.ts'

/** The rows of a smaller batch have no margins to speak of. */
const FEWEST_ROWS = 50

/** The blocks of a batch on their way from routing to dealing. */
export interface RoutedBlocks {
  readonly count: number
  readonly rows: number
  readonly codes: readonly Uint16Array[]
  /** By block; null if codes do not move. */
  readonly moves: readonly Moves[] | null
}

/** Working memory of one thread. */
export class TiltedColumns {
  readonly #tilt: Tilt
  readonly #reached: ReachedLeaves[] = []
  readonly #runs = new LeafRuns()
  readonly #fit = new FactorFit()
  readonly #dealer = new TiltedDealer()
  /** Length m, of the largest tree so far: rows of the batch in a leaf, then its index among the runs. */
  #counts = new Int32Array(0)
  #nodes = new Int32Array(0)

  constructor(tilt: Tilt) {
    this.#tilt = tilt
  }

  /** Whether a column is tilted in a batch of so many rows. */
  has(column: number, rows: number): boolean {
    return rows >= FEWEST_ROWS && this.#tilt.columns[column] != null
  }

  /** Where the router writes the leaves of a block. */
  reachedIn(block: number): ReachedLeaves {
    this.#reached[block] ??= new ReachedLeaves()
    return this.#reached[block]
  }

  /** Deals the codes of the route's column to all blocks of the batch, whose rows have been routed. */
  deal(route: Route, turns: LeafTurns, { count, rows, codes, moves }: RoutedBlocks): void {
    const { tree } = route
    if (this.#counts.length < tree.feature.length) {
      this.#counts = new Int32Array(tree.feature.length)
      this.#nodes = new Int32Array(tree.feature.length)
    }
    const leaves = this.#countRows(count)
    this.#runs.clear()
    for (let leaf = 0; leaf < leaves; leaf++) {
      const node = this.#nodes[leaf]!
      this.#runs.add(tree, node, this.#counts[node]!)
      this.#counts[node] = leaf
    }
    const { lambda, effectiveRows, columns } = this.#tilt
    this.#fit.fit(this.#runs, columns[tree.target]!, rows, lambda, effectiveRows)
    this.#dealer.weigh(this.#runs, this.#fit.factors)
    for (let block = 0; block < count; block++) {
      const moved = moves && moves[block]!
      this.#dealer.deal(route, this.#runs, this.#counts, turns, this.#reached[block]!, codes[block]!, moved)
    }
    for (let leaf = 0; leaf < leaves; leaf++) this.#counts[this.#nodes[leaf]!] = 0
  }

  /** Rows of every leaf that the blocks reached; returns how many leaves these are. */
  #countRows(blocks: number): number {
    const counts = this.#counts
    let leaves = 0
    for (let block = 0; block < blocks; block++) {
      const reached = this.#reached[block]!
      for (let s = 0; s < reached.count; s++) {
        const node = reached.leaves[s]! >> 2
        if (counts[node] === 0) this.#nodes[leaves++] = node
        counts[node]! += reached.end[s]! - reached.first[s]!
      }
    }
    return leaves
  }
}
