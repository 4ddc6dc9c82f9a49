/** What the leaves of a tree hold, as codes with counts, made once per leaf. */
import { leafOf, type Tree } from '../model.ts'

/** k distinct codes of a leaf, ascending, and their rows. */
export interface Frequencies {
  /** Length k */
  readonly codes: Int32Array
  /** Length k */
  readonly counts: Int32Array
  /** Rows of the leaf. */
  readonly rows: number
}

export class LeafFrequencies {
  readonly #tree: Tree
  readonly #leaves = new Map<number, Frequencies>()

  constructor(tree: Tree) {
    this.#tree = tree
  }

  /** Of the leaf that the codes lead to; codes[c] is the code of column c. */
  given(codes: ArrayLike<number>): Frequencies {
    const leaf = leafOf(this.#tree, codes)
    let found = this.#leaves.get(leaf)
    if (found === undefined) {
      found = count(this.#tree.codes.subarray(this.#tree.start[leaf]!, this.#tree.end[leaf]!))
      this.#leaves.set(leaf, found)
    }
    return found
  }
}

function count(codes: Uint16Array): Frequencies {
  const counts = new Map<number, number>()
  for (let i = 0; i < codes.length; i++) counts.set(codes[i]!, (counts.get(codes[i]!) ?? 0) + 1)
  const sorted = [...counts].sort(([a], [b]) => a - b)
  return {
    codes: Int32Array.from(sorted, ([code]) => code),
    counts: Int32Array.from(sorted, ([, rows]) => rows),
    rows: codes.length,
  }
}
