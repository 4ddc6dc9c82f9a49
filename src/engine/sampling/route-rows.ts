/**
 * Routes all rows of a block down a tree at once, to its leaves. There they take codes (`deal-rows.ts`).
 *
 * One row after the other (reference-route.ts) mispredicts about every second test. Here a loop without a branch splits the rows of
 * a node into those that go left and those that go right, and a node is read once for all its rows.
 *
 * b  rows of the block     m  nodes of the tree     n  training rows of a leaf
 *
 *   from  … [ 3 7 1 9 ] …      rows lo … hi - 1 of a node, in their sequence
 *   to    … [ 3 1 | 9 7 ] …    left ones from the front, right ones from the back: the sequence of the right ones is reversed
 *
 * The next level reads `to` and writes over `from`. It reads a range of right ones backwards: rows never overtake each other, and
 * every leaf gets its rows in the sequence in which they began.
 */

import { greatestCommonDivisor } from '../encoding/encode.ts'
import { BLOCK_ROWS, type Tree } from '../model/model.ts'

/** A tree laid out for routing. */
export interface Route {
  readonly tree: Tree
  /**
   * Length 4 m: the four numbers of a node share a cache line.
   * Inner node: [index of the predictor's first row in the block's codes, test, 4 · left child, kind of the test].
   * Leaf: [-1, first index of its codes, n, step from one of them to the next: coprime to n].
   */
  readonly nodes: Int32Array
  /** Length m: the index of the code that a leaf gives next, 0 … n - 1. */
  readonly next: Int32Array
}

/** Codes up to the test go left. */
const THRESHOLD = 0
/** Bit c of the test is 1 if code c goes left; all codes are below 32. */
const WORD = 1
/** The test is the offset of such bits in the tree's masks. */
const MASK = 2

/** Ranges that are still to be split: [4 · node, lo, hi, which buffer]. At most one per row, since none is empty. */
const WAITING = 4

/** @param slots Length F + S: index of each predictor's, then each score's first row in the block's codes. */
export function layOut(tree: Tree, slots: Int32Array): Route {
  const { feature, test, left, start, end } = tree
  const width = maskWords(tree)
  const nodes = new Int32Array(4 * feature.length)
  for (let v = 0; v < feature.length; v++) {
    const f = feature[v]!
    const o = 4 * v
    if (f < 0) {
      const n = end[v]! - start[v]!
      nodes[o] = -1
      nodes[o + 1] = start[v]!
      nodes[o + 2] = n
      nodes[o + 3] = goldenStep(n)
      continue
    }
    const isThreshold = test[v]! >= 0
    const offset = ~test[v]!
    const isWord = !isThreshold && width.get(offset) === 1
    nodes[o] = slots[f]!
    nodes[o + 1] = isThreshold ? test[v]! : isWord ? tree.masks[offset]! : offset
    nodes[o + 2] = 4 * left[v]!
    nodes[o + 3] = isThreshold ? THRESHOLD : isWord ? WORD : MASK
  }
  return { tree, nodes, next: new Int32Array(feature.length) }
}

/** Offset of each mask of the tree → its words. */
function maskWords({ feature, test, masks }: Tree): ReadonlyMap<number, number> {
  const offsets = new Set<number>()
  for (let v = 0; v < feature.length; v++) if (feature[v]! >= 0 && test[v]! < 0) offsets.add(~test[v]!)
  const ascending = [...offsets].sort((a, b) => a - b)
  return new Map(ascending.map((offset, i) => [offset, (ascending[i + 1] ?? masks.length) - offset]))
}

const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The step nearest to the golden section of n that visits all n places. */
export function goldenStep(n: number): number {
  const nearest = Math.round(n * GOLDEN)
  for (let distance = 0; ; distance++) {
    for (const step of [nearest - distance, nearest + distance]) {
      if (step > 0 && greatestCommonDivisor(step, n) === 1) return step % n
    }
  }
}

/** The leaf that one row's codes lead to. For one row at a time: clear, not fast. */
export function leafOfRow({ tree, nodes }: Route, codes: Uint16Array, row: number): number {
  let o = 0
  for (let at = nodes[0]!; at >= 0; at = nodes[o]!) {
    const code = codes[at + row]!
    const test = nodes[o + 1]!
    const kind = nodes[o + 3]!
    const isLeft =
      kind === THRESHOLD
        ? code <= test
        : (((kind === WORD ? test : tree.masks[test + (code >>> 5)]!) >>> (code & 31)) & 1) === 1
    o = nodes[o + 2]! + (isLeft ? 0 : 4)
  }
  return o / 4
}

/**
 * The leaves that the rows of a block reach, and the rows of each in their sequence: leaf s is node leaves[s] / 4 and has
 * rows[first[s]] … rows[end[s] - 1].
 */
export class ReachedLeaves {
  count = 0
  readonly leaves = new Int32Array(BLOCK_ROWS)
  readonly first = new Uint16Array(BLOCK_ROWS)
  readonly end = new Uint16Array(BLOCK_ROWS)
  readonly rows = new Uint16Array(BLOCK_ROWS)
}

/** Working memory of one thread. */
export class RowRouter {
  readonly #buffers = [new Uint16Array(BLOCK_ROWS), new Uint16Array(BLOCK_ROWS)] as const
  readonly #waiting = new Int32Array(WAITING * BLOCK_ROWS)

  /**
   * codes    of the block: column c of row r is codes[c · BLOCK_ROWS + r]
   * turns    length b: the rows in the sequence in which they reach the leaves
   * reached  receives the leaves and their rows
   */
  route({ tree, nodes }: Route, codes: Uint16Array, turns: Uint16Array, rows: number, reached: ReachedLeaves): void {
    const waiting = this.#waiting
    let waits = 0
    let count = 0
    let o = 0
    let lo = 0
    let hi = rows
    let from: Uint16Array = turns
    let buffer = 0
    let isReversed: boolean = false
    for (;;) {
      const at = nodes[o]!
      const first = isReversed ? hi - 1 : lo
      const step = isReversed ? -1 : 1
      if (at >= 0) {
        const to = this.#buffers[buffer]!
        const test = nodes[o + 1]!
        const kind = nodes[o + 3]!
        const middle: number =
          kind === THRESHOLD
            ? partByThreshold(codes, at, test, from, first, step, lo, hi, to)
            : kind === WORD
              ? partByWord(codes, at, test, from, first, step, lo, hi, to)
              : partByMask(codes, at, tree.masks, test, from, first, step, lo, hi, to)
        o = nodes[o + 2]!
        from = to
        buffer = 1 - buffer
        isReversed = middle === lo
        if (isReversed) o += 4
        else if (middle < hi) {
          waiting[waits++] = o + 4
          waiting[waits++] = middle
          waiting[waits++] = hi
          waiting[waits++] = buffer
          hi = middle
        }
        continue
      }
      reached.leaves[count] = o
      reached.first[count] = lo
      reached.end[count++] = hi
      for (let i = first, at = lo; at < hi; i += step) reached.rows[at++] = from[i]!
      if (waits === 0) {
        reached.count = count
        return
      }
      buffer = waiting[--waits]!
      hi = waiting[--waits]!
      lo = waiting[--waits]!
      o = waiting[--waits]!
      from = this.#buffers[1 - buffer]!
      isReversed = true
    }
  }
}

/*
 * The loops below write each row to both ends and move one of the two ends. They read rows first, first + step … and return the
 * start of the right ones.
 */

function partByThreshold(
  codes: Uint16Array,
  at: number,
  threshold: number,
  from: Uint16Array,
  first: number,
  step: number,
  lo: number,
  hi: number,
  to: Uint16Array,
): number {
  let left = lo
  let right = hi - 1
  for (let i = first; left <= right; i += step) {
    const r = from[i]!
    to[left] = r
    to[right] = r
    // -1 where the code is above the threshold
    const goesRight = (threshold - codes[at + r]!) >> 31
    right += goesRight
    left += 1 + goesRight
  }
  return left
}

function partByWord(
  codes: Uint16Array,
  at: number,
  word: number,
  from: Uint16Array,
  first: number,
  step: number,
  lo: number,
  hi: number,
  to: Uint16Array,
): number {
  let left = lo
  let right = hi - 1
  for (let i = first; left <= right; i += step) {
    const r = from[i]!
    to[left] = r
    to[right] = r
    const goesLeft = (word >>> codes[at + r]!) & 1
    right += goesLeft - 1
    left += goesLeft
  }
  return left
}

function partByMask(
  codes: Uint16Array,
  at: number,
  masks: Uint32Array,
  offset: number,
  from: Uint16Array,
  first: number,
  step: number,
  lo: number,
  hi: number,
  to: Uint16Array,
): number {
  let left = lo
  let right = hi - 1
  for (let i = first; left <= right; i += step) {
    const r = from[i]!
    to[left] = r
    to[right] = r
    const code = codes[at + r]!
    const goesLeft = (masks[offset + (code >>> 5)]! >>> (code & 31)) & 1
    right += goesLeft - 1
    left += goesLeft
  }
  return left
}
