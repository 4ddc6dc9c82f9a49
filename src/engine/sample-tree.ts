/**
 * Samples codes of a block, column by column: each row goes down the column's tree to a leaf and takes the code of one of the
 * leaf's training rows, all equally likely.
 *
 * b  rows of the block, at most BLOCK_ROWS     d  columns     F  predictors of a tree
 */

import { BLOCK_ROWS, type Order, type Tree } from './model.ts'
import { PURPOSE, RandomStream } from './random.ts'

const UNIT_32 = 2 ** -32

/** Where a tree's predictors lie in the block's codes. */
interface Route {
  readonly tree: Tree
  /** Length F: index of the first row's code or group. */
  readonly at: Int32Array
  /** Predictors that need their groups written next to the codes before routing. */
  readonly grouped: readonly { readonly column: number; readonly groups: Uint16Array; readonly at: number }[]
}

/** Working memory of one thread for one order. */
export class BlockSampler {
  /** Column c of row r is codes[c · BLOCK_ROWS + r]; room for groups follows the d columns. */
  readonly codes: Uint16Array
  readonly #routes: readonly Route[]
  readonly #words = new Uint32Array(BLOCK_ROWS)
  readonly #stream = new RandomStream(0, PURPOSE.leaf)

  constructor(order: Order) {
    const d = order.columns.length
    let slots = d
    this.#routes = order.trees.map((tree) => {
      let slot = d
      const at = new Int32Array(tree.predictors.length)
      const grouped: { column: number; groups: Uint16Array; at: number }[] = []
      tree.predictors.forEach((column, f) => {
        const groups = tree.groups[f]
        at[f] = (groups ? slot++ : column) * BLOCK_ROWS
        if (groups) grouped.push({ column, groups, at: at[f]! })
      })
      slots = Math.max(slots, slot)
      return { tree, at, grouped }
    })
    this.codes = new Uint16Array(slots * BLOCK_ROWS)
  }

  /**
   * Fills in the codes of the columns from position `from` of the order on; those before must be set in `codes`.
   * Depends on (seed, block) and the preset codes only.
   */
  sample(seed: number, block: number, rows: number, from: number): void {
    for (let position = from; position < this.#routes.length; position++) {
      const route = this.#routes[position]!
      this.#stream.reset(seed, PURPOSE.leaf, block, route.tree.target).fill(this.#words, rows)
      for (const { column, groups, at } of route.grouped) {
        for (let r = 0; r < rows; r++) this.codes[at + r] = groups[this.codes[column * BLOCK_ROWS + r]!]!
      }
      sampleColumn(route.tree, route.at, this.codes, this.#words, rows)
    }
  }
}

function sampleColumn(tree: Tree, at: Int32Array, codes: Uint16Array, words: Uint32Array, rows: number): void {
  const { feature, test, left, masks, start, end, codes: leafCodes } = tree
  const out = tree.target * BLOCK_ROWS
  for (let r = 0; r < rows; r++) {
    let node = 0
    let f = feature[0]!
    while (f >= 0) {
      const code = codes[at[f]! + r]!
      const t = test[node]!
      const right = t >= 0 ? (code <= t ? 0 : 1) : 1 - ((masks[~t + (code >>> 5)]! >>> (code & 31)) & 1)
      node = left[node]! + right
      f = feature[node]!
    }
    const first = start[node]!
    codes[out + r] = leafCodes[first + Math.floor(words[r]! * (end[node]! - first) * UNIT_32)]!
  }
}
