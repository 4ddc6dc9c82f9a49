/** Rows down a tree and to the codes of its leaves: the reference implementation that `route-rows.ts` is tested against. */

import { leafOf, type Tree } from '../../../src/engine/model/model.ts'
import { goldenStep } from '../../../src/engine/sampling/route-rows.ts'

/**
 * rows     codes by column, of one row after the other in the sequence in which they come to the leaves
 * next     length m: which of its codes a leaf gives next; moved on
 * returns  the code that each row takes
 */
export function referenceRoute(tree: Tree, rows: readonly ArrayLike<number>[], next: Int32Array): number[] {
  return rows.map((codes) => {
    const leaf = leafOf(tree, codes)
    const first = tree.start[leaf]!
    const n = tree.end[leaf]! - first
    const code = tree.codes[first + next[leaf]!]!
    next[leaf] = (next[leaf]! + goldenStep(n)) % n
    return code
  })
}
