/**
 * Deals the codes of leaves to the rows of a block that reached them. Each row takes the next code of its leaf.
 *
 * n  training rows of a leaf
 */

import { BLOCK_ROWS } from '../model/model.ts'
import { type Moves, movedCode } from './between-codes.ts'
import type { ReachedLeaves, Route } from './route-rows.ts'

/**
 * codes  of the block: column c of row r is codes[c · BLOCK_ROWS + r]; receives those of the tree's target (their meaning: see
 *        Tree.relation)
 * moves  null if rows take the leaves' codes unchanged
 */
export function dealInTurn(route: Route, reached: ReachedLeaves, codes: Uint16Array, moves: Moves | null): void {
  const out = route.tree.target * BLOCK_ROWS
  const { next, nodes } = route
  for (let s = 0; s < reached.count; s++) {
    const o = reached.leaves[s]!
    const first = reached.first[s]!
    const end = reached.end[s]!
    next[o >> 2] = moves
      ? dealMoved(route.tree.codes, nodes, o, next[o >> 2]!, reached.rows, first, end, codes, out, moves)
      : deal(route.tree.codes, nodes, o, next[o >> 2]!, reached.rows, first, end, codes, out)
  }
}

/** Gives a leaf's codes to rows[first] … rows[end - 1], from code `taken` on; returns the index of the next code. */
function deal(
  leafCodes: Uint16Array,
  nodes: Int32Array,
  o: number,
  taken: number,
  rows: Uint16Array,
  first: number,
  end: number,
  codes: Uint16Array,
  out: number,
): number {
  const start = nodes[o + 1]!
  const n = nodes[o + 2]!
  const golden = nodes[o + 3]!
  let at = taken
  for (let i = first; i < end; i++) {
    codes[out + rows[i]!] = leafCodes[start + at]!
    at += golden
    if (at >= n) at -= n
  }
  return at
}

/** The same with moved codes (`between-codes.ts`); a loop of its own because few columns need it. */
function dealMoved(
  leafCodes: Uint16Array,
  nodes: Int32Array,
  o: number,
  taken: number,
  rows: Uint16Array,
  first: number,
  end: number,
  codes: Uint16Array,
  out: number,
  { dense, words }: Moves,
): number {
  const start = nodes[o + 1]!
  const n = nodes[o + 2]!
  const golden = nodes[o + 3]!
  let at = taken
  for (let i = first; i < end; i++) {
    const row = rows[i]!
    codes[out + row] = movedCode(leafCodes, start, n, at, dense, words[row]!)
    at += golden
    if (at >= n) at -= n
  }
  return at
}
