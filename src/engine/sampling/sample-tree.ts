/**
 * Samples codes of a block, column by column: each row goes down the column's tree to a leaf and takes the code of one of the
 * leaf's training rows, all equally likely.
 *
 * Draws with replacement would add their own noise to that of the sample, as much as a bootstrap of it has. So a leaf's rows
 * come in turn: sorted by code, in golden steps round the leaf from a random start, which uses each once before any again and
 * covers the codes evenly from the first few on (systematic sampling, Cochran 1977, chapter 8). Who comes next to a leaf is
 * random, anew for every block and column: columns depend on each other through the trees alone.
 *
 * b  rows of the block, at most BLOCK_ROWS     d  columns     F  predictors of a tree     m  its nodes
 * n  rows of a leaf
 */

import { BLOCK_ROWS, type Order, type Tree } from '../model.ts'
import { PURPOSE, RandomStream } from '../random.ts'
import { CutTable, type Score } from '../scores/additive-score.ts'

const UNIT_32 = 2 ** -32
/** The golden section; 2^32 (sqrt 2 - 1), whose multiples spread the starts of a tree's leaves without resonance. */
const GOLDEN = (Math.sqrt(5) - 1) / 2
const LEAF_STRIDE = 0x6a09e668

/** A tree laid out for routing: the four numbers of a node share a cache line. */
interface Route {
  readonly tree: Tree
  /**
   * Length 4 m. Inner node v: [index of the predictor's first row in the block's codes, test, 4 · left child, -].
   * Leaf: [-1, first index of its codes, n, step from one of them to the next: coprime to n].
   */
  readonly nodes: Int32Array
  /** Predictors that need their groups written next to the codes before routing. */
  readonly grouped: readonly { readonly column: number; readonly groups: Uint16Array; readonly at: number }[]
  /** Scores, whose bins are written there too. */
  readonly scored: readonly { readonly score: Score; readonly table: CutTable; readonly at: number }[]
  /** Length m: which of its codes a leaf gives next, 0 … n - 1. */
  readonly next: Int32Array
}

/** Working memory of one thread for one order. */
export class BlockSampler {
  /** Column c of row r is codes[c · BLOCK_ROWS + r]; room for groups and scores follows the d columns. */
  readonly codes: Uint16Array
  readonly #routes: readonly Route[]
  readonly #z = new Float64Array(BLOCK_ROWS)
  readonly #words = new Uint32Array(BLOCK_ROWS)
  /** The block's rows in the order in which they come to the leaves. */
  readonly #turns = new Uint16Array(BLOCK_ROWS)
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
      return { tree, nodes: layOut(tree, at), grouped, scored, next: new Int32Array(tree.feature.length) }
    })
    this.codes = new Uint16Array(slots * BLOCK_ROWS)
  }

  /** Begins a batch: every leaf gets a random start. Has to be called before the first block. */
  startBatch(seed: number, firstBlock: number): void {
    for (const { tree, nodes, next } of this.#routes) {
      let word = this.#stream.reset(seed, PURPOSE.leafStart, firstBlock, tree.target).word()
      for (let v = 0; v < next.length; v++) {
        if (nodes[4 * v]! >= 0) continue
        next[v] = Math.floor(word * nodes[4 * v + 2]! * UNIT_32)
        word = (word + LEAF_STRIDE) >>> 0
      }
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
      sampleColumn(route, this.codes, this.#turns, this.#words, rows)
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
    if (f < 0) nodes[4 * v + 3] = goldenStep(end[v]! - start[v]!)
  }
  return nodes
}

function isLeft(masks: Uint32Array, test: number, code: number): boolean {
  return test >= 0 ? code <= test : ((masks[~test + (code >>> 5)]! >>> (code & 31)) & 1) === 1
}

/** The step nearest to the golden section of n that goes round n places without missing one. */
export function goldenStep(n: number): number {
  const nearest = Math.round(n * GOLDEN)
  for (let distance = 0; ; distance++) {
    for (const step of [nearest - distance, nearest + distance]) {
      if (step > 0 && greatestCommonDivisor(step, n) === 1) return step % n
    }
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** Rows to their leaves in random turn, each to take the leaf's next code. */
function sampleColumn(
  { nodes, tree, next }: Route,
  codes: Uint16Array,
  turns: Uint16Array,
  words: Uint32Array,
  rows: number,
): void {
  const { masks } = tree
  const out = tree.target * BLOCK_ROWS
  for (let i = 0; i < rows; i++) {
    const other = Math.floor(words[i]! * (i + 1) * UNIT_32)
    turns[i] = turns[other]!
    turns[other] = i
  }
  for (let i = 0; i < rows; i++) {
    const r = turns[i]!
    let o = 0
    let at = nodes[0]!
    while (at >= 0) {
      const code = codes[at + r]!
      o = nodes[o + 2]! + (isLeft(masks, nodes[o + 1]!, code) ? 0 : 4)
      at = nodes[o]!
    }
    const size = nodes[o + 2]!
    const taken = next[o >> 2]!
    const following = taken + nodes[o + 3]!
    next[o >> 2] = following < size ? following : following - size
    codes[out + r] = tree.codes[nodes[o + 1]! + taken]!
  }
}
