/**
 * Samples codes of a block, column by column: each row goes down the column's tree to a leaf and takes the code of one of the
 * leaf's training rows, all equally likely.
 *
 * Within a batch of blocks a leaf's training rows are dealt like a shuffled deck: each is used once before any is used again.
 * Draws with replacement would add their own noise to that of the sample, as much as a bootstrap of it has; without, a table
 * as large as the sample is about as far from the population as the sample is (Cochran 1977, chapter 5: stratified over
 * simple random sampling).
 *
 * b  rows of the block, at most BLOCK_ROWS     d  columns     F  predictors of a tree     m  its nodes
 */

import { CutTable, type Score } from './additive-score.ts'
import { BLOCK_ROWS, type Order, type Tree } from './model.ts'
import { PURPOSE, RandomStream } from './random.ts'

const UNIT_32 = 2 ** -32

/** A tree laid out for routing: the four numbers of a node share a cache line. */
interface Route {
  readonly tree: Tree
  /**
   * Length 4 m. Inner node v: [index of the predictor's first row in the block's codes, test, 4 · left child, -].
   * Leaf: [-1, first index of its codes, number of its codes, -].
   */
  readonly nodes: Int32Array
  /** Predictors that need their groups written next to the codes before routing. */
  readonly grouped: readonly { readonly column: number; readonly groups: Uint16Array; readonly at: number }[]
  /** Scores, whose bins are written there too. */
  readonly scored: readonly { readonly score: Score; readonly table: CutTable; readonly at: number }[]
  /** The tree's codes, each leaf's shuffled as far as it is dealt; length m: how much of it each leaf has dealt. */
  readonly deck: Uint16Array
  readonly dealt: Int32Array
}

/** Working memory of one thread for one order. */
export class BlockSampler {
  /** Column c of row r is codes[c · BLOCK_ROWS + r]; room for groups and scores follows the d columns. */
  readonly codes: Uint16Array
  readonly #routes: readonly Route[]
  readonly #z = new Float64Array(BLOCK_ROWS)
  readonly #words = new Uint32Array(BLOCK_ROWS)
  readonly #stream = new RandomStream(0, PURPOSE.leaf)

  constructor(order: Order) {
    const d = order.columns.length
    let slots = d
    this.#routes = order.trees.map((tree) => {
      let slot = d
      const at = new Int32Array(tree.predictors.length + tree.scores.length)
      const grouped: { column: number; groups: Uint16Array; at: number }[] = []
      tree.predictors.forEach((column, f) => {
        const groups = tree.groups[f]
        at[f] = (groups ? slot++ : column) * BLOCK_ROWS
        if (groups) grouped.push({ column, groups, at: at[f]! })
      })
      const scored = tree.scores.map((score, s) => {
        const slotAt = slot++ * BLOCK_ROWS
        at[tree.predictors.length + s] = slotAt
        return { score, table: new CutTable(score.cuts), at: slotAt }
      })
      slots = Math.max(slots, slot)
      const dealt = new Int32Array(tree.feature.length)
      return { tree, nodes: layOut(tree, at), grouped, scored, deck: tree.codes.slice(), dealt }
    })
    this.codes = new Uint16Array(slots * BLOCK_ROWS)
  }

  /** Begins a batch: all decks are whole again. */
  startBatch(): void {
    for (const { tree, deck, dealt } of this.#routes) {
      deck.set(tree.codes)
      dealt.fill(0)
    }
  }

  /**
   * Fills in the codes of the columns from position `from` of the order on; those before must be set in `codes`.
   * Depends on (seed, block), the blocks since the start of the batch, and the preset codes only.
   *
   * settle  called with each position whose codes are drawn; may change these codes
   */
  sample(seed: number, block: number, rows: number, from: number, settle: (position: number) => void = () => {}): void {
    for (let position = from; position < this.#routes.length; position++) {
      const route = this.#routes[position]!
      this.#stream.reset(seed, PURPOSE.leaf, block, route.tree.target).fill(this.#words, rows)
      for (const { column, groups, at } of route.grouped) {
        for (let r = 0; r < rows; r++) this.codes[at + r] = groups[this.codes[column * BLOCK_ROWS + r]!]!
      }
      for (const { score, table, at } of route.scored) {
        addEffects(score, this.codes, this.#z, rows)
        table.write(this.#z, rows, this.codes, at)
      }
      sampleColumn(route, this.codes, this.#words, rows)
      settle(position)
    }
  }

  /**
   * Draws one row's code at a position anew, among those that are accepted: from the leaf, or the nearest node above it that
   * has any. To be called from `settle` of that position.
   *
   * word     decides which of the accepted rows of that node
   * returns  whether any node has an accepted code; if not, the code stays
   */
  redraw(position: number, row: number, word: number, accept: (code: number) => boolean): boolean {
    const { tree, nodes } = this.#routes[position]!
    for (let node = this.#leaf(nodes, tree, row); node >= 0; node = tree.parent[node]!) {
      const start = tree.start[node]!
      const end = tree.end[node]!
      let accepted = 0
      for (let i = start; i < end; i++) if (accept(tree.codes[i]!)) accepted++
      if (accepted === 0) continue
      let left = Math.floor(word * accepted * UNIT_32)
      for (let i = start; i < end; i++) {
        if (!accept(tree.codes[i]!) || left-- > 0) continue
        this.codes[tree.target * BLOCK_ROWS + row] = tree.codes[i]!
        return true
      }
    }
    return false
  }

  #leaf(nodes: Int32Array, tree: Tree, row: number): number {
    let o = 0
    for (let at = nodes[0]!; at >= 0; at = nodes[o]!) {
      o = nodes[o + 2]! + (isLeft(tree.masks, nodes[o + 1]!, this.codes[at + row]!) ? 0 : 4)
    }
    return o / 4
  }
}

/** z of a block's rows; the sum runs as in scoreBin. */
function addEffects({ columns, at, effects }: Score, codes: Uint16Array, z: Float64Array, rows: number): void {
  z.fill(0, 0, rows)
  for (let j = 0; j < columns.length; j++) {
    const from = columns[j]! * BLOCK_ROWS
    const offset = at[j]!
    for (let r = 0; r < rows; r++) z[r] = z[r]! + effects[offset + codes[from + r]!]!
  }
}

function layOut(tree: Tree, at: Int32Array): Int32Array {
  const { feature, test, left, start, end } = tree
  const nodes = new Int32Array(4 * feature.length)
  for (let v = 0; v < feature.length; v++) {
    const f = feature[v]!
    nodes[4 * v] = f < 0 ? -1 : at[f]!
    nodes[4 * v + 1] = f < 0 ? start[v]! : test[v]!
    nodes[4 * v + 2] = f < 0 ? end[v]! - start[v]! : 4 * left[v]!
  }
  return nodes
}

function isLeft(masks: Uint32Array, test: number, code: number): boolean {
  return test >= 0 ? code <= test : ((masks[~test + (code >>> 5)]! >>> (code & 31)) & 1) === 1
}

/** Rows to their leaves, and the next code of each leaf's deck (a step of the shuffle of Fisher and Yates). */
function sampleColumn({ nodes, tree, deck, dealt }: Route, codes: Uint16Array, words: Uint32Array, rows: number): void {
  const { masks } = tree
  const out = tree.target * BLOCK_ROWS
  for (let r = 0; r < rows; r++) {
    let o = 0
    let at = nodes[0]!
    while (at >= 0) {
      const code = codes[at + r]!
      o = nodes[o + 2]! + (isLeft(masks, nodes[o + 1]!, code) ? 0 : 4)
      at = nodes[o]!
    }
    const size = nodes[o + 2]!
    const used = dealt[o >> 2]!
    const next = nodes[o + 1]! + used
    const drawn = next + Math.floor(words[r]! * (size - used) * UNIT_32)
    const code = deck[drawn]!
    deck[drawn] = deck[next]!
    deck[next] = code
    dealt[o >> 2] = used + 1 === size ? 0 : used + 1
    codes[out + r] = code
  }
}
