/**
 * Where the cells of a scenario lead to in the trees of one or two drawn columns, whatever the weights of the codes are: found once, and
 * read for every pull of a mean that is tried.
 *
 * K  cells, D  their columns
 *
 * Codes ascend within a leaf of the first tree, so all rows of a leaf that lead to the same leaf of the second one lie in a few runs.
 * Cells have most of them in common.
 *
 * R  different runs
 */

import { binOf, type Score, scoreBin } from '../model/additive-score.ts'
import { goesLeft, leafOf, type Tree } from '../model/model.ts'

export interface LeafRuns {
  /** Length K + 1: cell c has the entries start[c] … start[c + 1] - 1; one of the whole leaf where there is no second column. */
  readonly start: Int32Array
  /** Length K: the leaf in the first tree. */
  readonly leaf: Int32Array
  /** By entry: which run, and the leaf in the second tree; 0 where there is none. */
  readonly run: Int32Array
  readonly second: Int32Array
  /** Length R each: rows of the first tree, end exclusive. */
  readonly from: Int32Array
  readonly to: Int32Array
}

/**
 * @param cells K × D, row-major.
 * @param cellColumns The D columns.
 * @param columnCount Of the model.
 */
export function leafRuns(
  cells: Int32Array,
  cellCount: number,
  cellColumns: Int32Array,
  columnCount: number,
  first: Tree,
  second: Tree | undefined,
): LeafRuns {
  const D = cellColumns.length
  const row = new Int32Array(columnCount)
  const start = new Int32Array(cellCount + 1)
  const leaf = new Int32Array(cellCount)
  const runs = new Runs(first.codes.length)
  const router = second && new RunRouter(second, first.target, row, runs)
  const bins = new LeafBins(first)
  for (let c = 0; c < cellCount; c++) {
    for (let d = 0; d < D; d++) row[cellColumns[d]!] = cells[c * D + d]!
    const own = leafOf(first, row)
    leaf[c] = own
    if (router === undefined) runs.add(first.start[own]!, first.end[own]!, 0)
    else router.route(bins.of(own))
    start[c + 1] = runs.count
  }
  return { start, leaf, ...runs.arrays() }
}

/** The codes of a leaf, ascending, and the row at which each begins; one more for the end. */
interface CodesOfLeaf {
  readonly codes: Int32Array
  readonly rows: readonly number[]
}

class LeafBins {
  readonly #tree: Tree
  readonly #known: (CodesOfLeaf | undefined)[] = []

  constructor(tree: Tree) {
    this.#tree = tree
  }

  of(leaf: number): CodesOfLeaf {
    const known = this.#known[leaf]
    if (known !== undefined) return known
    const { codes, start, end } = this.#tree
    const rows: number[] = []
    for (let i = start[leaf]!; i < end[leaf]!; i++) if (i === start[leaf] || codes[i] !== codes[i - 1]) rows.push(i)
    const found = { codes: Int32Array.from(rows, (i) => codes[i]!), rows: [...rows, end[leaf]!] }
    this.#known[leaf] = found
    return found
  }
}

/** The entries of all cells. */
class Runs {
  count = 0
  #run = new Int32Array(1024)
  #second = new Int32Array(1024)
  readonly #rows: number
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #known = new Map<number, number>()

  /** @param rows Of the first tree. */
  constructor(rows: number) {
    this.#rows = rows
  }

  add(from: number, to: number, second: number): void {
    if (this.count === this.#run.length) {
      this.#run = longer(this.#run)
      this.#second = longer(this.#second)
    }
    this.#run[this.count] = this.#numberOf(from, to)
    this.#second[this.count++] = second
  }

  #numberOf(from: number, to: number): number {
    const key = from * (this.#rows + 1) + to
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.#from.length)
    this.#from.push(from)
    return this.#to.push(to) - 1
  }

  arrays() {
    return {
      run: this.#run.slice(0, this.count),
      second: this.#second.slice(0, this.count),
      from: Int32Array.from(this.#from),
      to: Int32Array.from(this.#to),
    }
  }
}

function longer(array: Int32Array): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(2 * array.length)
  twice.set(array)
  return twice
}

/** Takes all codes of a leaf down another tree together; the codes of the other columns are those of `row`. */
class RunRouter {
  readonly #tree: Tree
  /** The column whose codes vary. */
  readonly #column: number
  readonly #row: Int32Array
  readonly #runs: Runs
  /** By score: the bins of the codes that are routed; null until they are needed. */
  readonly #bins: (Int32Array | null)[]

  constructor(tree: Tree, column: number, row: Int32Array, runs: Runs) {
    this.#tree = tree
    this.#column = column
    this.#row = row
    this.#runs = runs
    this.#bins = tree.scores.map(() => null)
  }

  route(of: CodesOfLeaf): void {
    this.#bins.fill(null)
    this.#part(of, 0, 0, of.codes.length)
  }

  /** Codes lo … hi - 1 are at the node. */
  #part(of: CodesOfLeaf, node: number, lo: number, hi: number): void {
    const { feature, left, predictors } = this.#tree
    const F = predictors.length
    for (;;) {
      const f = feature[node]!
      if (f < 0) {
        this.#runs.add(of.rows[lo]!, of.rows[hi]!, node)
        return
      }
      const codes = f >= F ? this.#binsOf(f - F, of) : predictors[f] === this.#column ? of.codes : null
      if (codes === null) {
        node = left[node]! + (goesLeft(this.#tree, node, f, this.#row[predictors[f]!]!) ? 0 : 1)
        continue
      }
      const isLeft = goesLeft(this.#tree, node, f, codes[lo]!)
      let end = lo + 1
      while (end < hi && goesLeft(this.#tree, node, f, codes[end]!) === isLeft) end++
      const next = left[node]! + (isLeft ? 0 : 1)
      if (end < hi) {
        this.#part(of, next, lo, end)
        lo = end
      } else node = next
    }
  }

  #binsOf(s: number, { codes }: CodesOfLeaf): Int32Array {
    const known = this.#bins[s]
    if (known) return known
    const score = this.#tree.scores[s]!
    const found = new Int32Array(codes.length)
    const place = score.columns.indexOf(this.#column)
    if (place < 0) found.fill(scoreBin(score, this.#row))
    else writeBins(score, place, this.#row, codes, found)
    this.#bins[s] = found
    return found
  }
}

/** `scoreBin` for all codes of the column at a place of the score: terms are added in the same sequence. */
function writeBins(score: Score, place: number, row: Int32Array, codes: Int32Array, to: Int32Array): void {
  const { columns, at, effects } = score
  let before = 0
  for (let j = 0; j < place; j++) before += effects[at[j]! + row[columns[j]!]!]!
  const after: number[] = []
  for (let j = place + 1; j < columns.length; j++) after.push(effects[at[j]! + row[columns[j]!]!]!)
  for (let i = 0; i < codes.length; i++) {
    let z = before + effects[at[place]! + codes[i]!]!
    for (let j = 0; j < after.length; j++) z += after[j]!
    to[i] = binOf(score, z)
  }
}
