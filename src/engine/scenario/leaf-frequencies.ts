/**
 * The content of a tree's leaves, as codes with counts, made once per leaf.
 *
 * m  nodes of the tree, k  distinct codes of a leaf
 */
import { leafOf, type Tree } from '../model/model.ts'

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
  /** By node; empty until requested. */
  readonly #leaves: (Frequencies | undefined)[] = []

  constructor(tree: Tree) {
    this.#tree = tree
  }

  /** Frequencies in the leaf to which the codes lead; codes[c] is the code of column c. */
  given(codes: ArrayLike<number>): Frequencies {
    return this.of(leafOf(this.#tree, codes))
  }

  /** Of a leaf by its node. */
  of(leaf: number): Frequencies {
    const known = this.#leaves[leaf]
    if (known !== undefined) return known
    const found = count(this.#tree.codes, this.#tree.start[leaf]!, this.#tree.end[leaf]!)
    this.#leaves[leaf] = found
    return found
  }
}

/** Codes ascend within a leaf: equal ones are neighbours. */
function count(treeCodes: Uint16Array, start: number, end: number): Frequencies {
  let distinct = 0
  for (let i = start; i < end; i++) if (i === start || treeCodes[i] !== treeCodes[i - 1]) distinct++
  const codes = new Int32Array(distinct)
  const counts = new Int32Array(distinct)
  let at = -1
  for (let i = start; i < end; i++) {
    if (i === start || treeCodes[i] !== treeCodes[i - 1]) codes[++at] = treeCodes[i]!
    counts[at] = counts[at]! + 1
  }
  return { codes, counts, rows: end - start }
}
