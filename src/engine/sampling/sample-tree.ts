/**
 * Samples the codes of a batch of blocks, column by column: each row goes down the column's tree to a leaf and takes the code of one
 * of the leaf's training rows, all equally likely.
 *
 * Draws with replacement would add sampling noise, as much as a bootstrap of the sample has. So a leaf deals its rows in turn:
 * sorted by code, in golden-section steps round the leaf from a random start. This uses each row once before any again, and covers
 * the codes evenly from the first few draws on (systematic sampling, Cochran 1977, chapter 8). The sequence in which rows reach a
 * leaf is random, and new for every block and column: columns depend on each other through the trees alone. Codes of dense columns
 * then move into the gaps beside them (`between-codes.ts`).
 *
 * b  rows of a block, at most BLOCK_ROWS     d  columns     F  predictors of a tree, S  its scores
 */

import { CutTable, type Score } from '../model/additive-score.ts'
import { BLOCK_ROWS, type EncodedColumn, type Order, type Tree } from '../model/model.ts'
import type { Tilt } from '../tilting/tilt.ts'
import { denseCodes } from './between-codes.ts'
import { dealInTurn } from './deal-rows.ts'
import type { LeafTurns } from './deal-tilted.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { layOut, leafOfRow, ReachedLeaves, type Route, RowRouter } from './route-rows.ts'
import { TiltedColumns } from './tilted-columns.ts'

const UNIT_32 = 2 ** -32
/** 2^32 (sqrt 2 - 1), whose multiples spread the starts of a tree's leaves without resonance. */
const LEAF_STRIDE = 0x6a09e668

/** A tree, and the data written next to the codes before rows are routed. */
interface Step {
  readonly route: Route
  /** Predictors that are read through their groups. */
  readonly grouped: readonly { readonly column: number; readonly groups: Uint16Array; readonly at: number }[]
  /** Scores, which are read through their bins. */
  readonly scored: readonly { readonly score: Score; readonly table: CutTable; readonly at: number }[]
  /** See between-codes.ts; null if codes stay. */
  readonly dense: Uint8Array | null
  /** Null if the column is never tilted. */
  readonly turns: LeafTurns | null
}

/** Working memory of one thread for one order. */
export class BatchSampler {
  /** Of the block entered: column c of row r is codes[c · BLOCK_ROWS + r]; room for groups and scores follows the d columns. */
  codes: Uint16Array
  readonly #blocks: readonly Uint16Array[]
  readonly #steps: readonly Step[]
  readonly #router = new RowRouter()
  readonly #reached = new ReachedLeaves()
  readonly #z = new Float64Array(BLOCK_ROWS)
  readonly #words = new Uint32Array(BLOCK_ROWS)
  /** The block's rows in the sequence in which they reach the leaves. */
  readonly #turns = new Uint16Array(BLOCK_ROWS)
  /** By block of the batch. */
  readonly #moving: readonly Uint32Array[]
  readonly #tilted: TiltedColumns | null
  readonly #stream = new RandomStream(0, PURPOSE.leaf)

  /**
   * @param columns The model's columns; without them, all codes are those of training rows.
   * @param blocks Most blocks of a batch.
   * @param tilt Null: leaves are drawn from as they are.
   */
  constructor(order: Order, columns: readonly EncodedColumn[] = [], blocks = 1, tilt: Tilt | null = null) {
    const d = order.columns.length
    let slots = d
    this.#steps = order.trees.map((tree) => {
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
      // Neighbouring codes of a relation are not neighbouring values.
      const dense = tree.relation === undefined ? denseCodes(columns[tree.target]) : null
      const m = tree.feature.length
      const turns = tilt?.columns[tree.target] ? { left: new Int32Array(m), offset: new Uint32Array(m) } : null
      return { route: layOut(tree, at), grouped, scored, dense, turns }
    })
    this.#tilted = tilt && new TiltedColumns(tilt)
    this.#moving = Array.from({ length: blocks }, () => new Uint32Array(BLOCK_ROWS))
    this.#blocks = Array.from({ length: blocks }, () => new Uint16Array(slots * BLOCK_ROWS))
    this.codes = this.#blocks[0]!
  }

  /** Makes a block of the batch the one that `codes`, `leafAt` and `redraw` are about; 0 is the batch's first. */
  enter(block: number): void {
    this.codes = this.#blocks[block]!
  }

  /** Begins a batch: every leaf gets a random start. Must be called before the first block. */
  startBatch(seed: number, firstBlock: number): void {
    for (const { route, turns } of this.#steps) {
      const { tree, nodes, next } = route
      let word = this.#stream.reset(seed, PURPOSE.leafStart, firstBlock, tree.target).word()
      for (let v = 0; v < next.length; v++) {
        if (nodes[4 * v]! >= 0) continue
        const n = nodes[4 * v + 2]!
        const start = word * n * UNIT_32
        next[v] = Math.floor(start)
        if (turns) {
          turns.left[v] = n
          turns.offset[v] = (start - next[v]!) * 2 ** 32
        }
        word = (word + LEAF_STRIDE) >>> 0
      }
    }
  }

  /**
   * Fills in the codes of the columns from position `from` of the order on; earlier columns must be set in `codes` of each block.
   * Depends only on the seed, the batch, and the preset codes.
   *
   * rows    of the batch: whole blocks, except for the last one
   * settle  called for each position whose codes are drawn and each block of the batch, which is entered; may change these codes
   */
  sample(
    seed: number,
    firstBlock: number,
    rows: number,
    from: number,
    settle: (position: number, block: number) => void = () => {},
  ): void {
    const blocks = Math.ceil(rows / BLOCK_ROWS)
    for (let position = from; position < this.#steps.length; position++) {
      const step = this.#steps[position]!
      const { route, dense, turns } = step
      const { target } = route.tree
      const tilted = turns && this.#tilted?.has(target, rows) ? this.#tilted : null
      const moves = dense && this.#moving.map((words) => ({ dense, words }))
      for (let block = 0; block < blocks; block++) {
        this.enter(block)
        const inBlock = Math.min(BLOCK_ROWS, rows - block * BLOCK_ROWS)
        this.#stream.reset(seed, PURPOSE.leaf, firstBlock + block, target).fill(this.#words, inBlock)
        shuffle(this.#turns, this.#words, inBlock)
        if (dense) this.#stream.fill(this.#moving[block]!, inBlock)
        this.#writePredictors(step, inBlock)
        const reached = tilted?.reachedIn(block) ?? this.#reached
        this.#router.route(route, this.codes, this.#turns, inBlock, reached)
        if (!tilted) dealInTurn(route, reached, this.codes, moves && moves[block]!)
      }
      if (tilted && turns) tilted.deal(route, turns, { count: blocks, rows, codes: this.#blocks, moves })
      for (let block = 0; block < blocks; block++) {
        this.enter(block)
        settle(position, block)
      }
    }
  }

  /** Writes groups and scores of the block's rows next to their codes. */
  #writePredictors({ grouped, scored }: Step, rows: number): void {
    const { codes } = this
    for (const { column, groups, at } of grouped) {
      for (let r = 0; r < rows; r++) codes[at + r] = groups[codes[column * BLOCK_ROWS + r]!]!
    }
    for (const { score, table, at } of scored) {
      addEffects(score, codes, this.#z, rows)
      if (score.groups) for (let r = 0; r < rows; r++) codes[at + r] = score.groups[this.#z[r]!]!
      else table.write(this.#z, rows, codes, at)
    }
  }

  /** The tree at a position of the order. */
  treeAt(position: number): Tree {
    return this.#steps[position]!.route.tree
  }

  /** The leaf of its tree that a row of the block is in. To be called from `settle` of that position. */
  leafAt(position: number, row: number): number {
    return leafOfRow(this.#steps[position]!.route, this.codes, row)
  }

  /**
   * Draws one row's code at a position again, among the accepted codes of its leaf, or of the nearest node above it that has any. To
   * be called from `settle` of that position.
   *
   * word     selects one of the accepted rows of that node
   * returns  whether any node has an accepted code; if not, the code stays
   */
  redraw(position: number, row: number, word: number, accept: (code: number) => boolean): boolean {
    const { route } = this.#steps[position]!
    const { tree } = route
    for (let node = leafOfRow(route, this.codes, row); node >= 0; node = tree.parent[node]!) {
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
}

/** The inside-out shuffle (Knuth, The Art of Computer Programming 2, algorithm 3.4.2 P turned round) of 0 … rows - 1. */
function shuffle(turns: Uint16Array, words: Uint32Array, rows: number): void {
  for (let i = 0; i < rows; i++) {
    const other = Math.floor(words[i]! * (i + 1) * UNIT_32)
    turns[i] = turns[other]!
    turns[other] = i
  }
}

/**
 * z of a block's rows; the sum runs as in scoreBin. Four columns per iteration: an iteration costs as much as adding an effect.
 */
function addEffects({ columns, at, effects }: Score, codes: Uint16Array, z: Float64Array, rows: number): void {
  z.fill(0, 0, rows)
  let j = 0
  for (; j + 4 <= columns.length; j += 4) {
    const [a, b, c, d] = [at[j]!, at[j + 1]!, at[j + 2]!, at[j + 3]!]
    const fromA = columns[j]! * BLOCK_ROWS
    const fromB = columns[j + 1]! * BLOCK_ROWS
    const fromC = columns[j + 2]! * BLOCK_ROWS
    const fromD = columns[j + 3]! * BLOCK_ROWS
    for (let r = 0; r < rows; r++) {
      z[r] =
        z[r]! +
        effects[a + codes[fromA + r]!]! +
        effects[b + codes[fromB + r]!]! +
        effects[c + codes[fromC + r]!]! +
        effects[d + codes[fromD + r]!]!
    }
  }
  for (; j < columns.length; j++) {
    const from = columns[j]! * BLOCK_ROWS
    const offset = at[j]!
    for (let r = 0; r < rows; r++) z[r] = z[r]! + effects[offset + codes[from + r]!]!
  }
}
