/** Rows down a tree and to the codes of its leaves, said plainly; `route-rows.ts` is the fast version of the same and is tested against it. */

import { leafOf, type Tree } from '../model.ts'
import { goldenStep } from './route-rows.ts'

/**
 * rows     codes by column, of one row after the other in the sequence in which they come to the leaves
 * next     length m: which of its codes a leaf gives next; moved on
 * returns  the code that each row takes
 */
export function plainRoute(tree: Tree, rows: readonly ArrayLike<number>[], next: Int32Array): number[] {
  return rows.map((codes) => {
    const leaf = leafOf(tree, codes)
    const first = tree.start[leaf]!
    const n = tree.end[leaf]! - first
    const code = tree.codes[first + next[leaf]!]!
    next[leaf] = (next[leaf]! + goldenStep(n)) % n
    return code
  })
}
