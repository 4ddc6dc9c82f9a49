/**
 * Mass of a cell inside the scenario's ranges, and draws of ranged codes from there.
 *
 * r  ranged columns, the ones after the cell's in the order; those with a mean are among them
 * f  fraction of a code's mass inside its range, and the weight of its values where a mean tilts them
 *
 * Prefix sums of f over a tree's row order give any leaf's in-range mass, and a draw truncated to the range, in O(log n).
 * One and two ranges are integrated exactly; three and more by sequential truncated draws (Geweke 1991), the first
 * coordinate stratified.
 */
import { leafOf, type Model, type Order } from '../model/model.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { exactMoments, type Moments, type WeightedTree } from './exact-moments.ts'
import { LeafFrequencies } from './leaf-frequencies.ts'
import { type LeafRuns, leafRuns } from './leaf-runs.ts'

/** Sequential draws per cell, fewer where there are very many cells. */
const DRAWS_PER_CELL = 256
const FEWEST_DRAWS = 8
const MOST_DRAWS = 1_000_000

/** The weights of a column's codes, all in [0, 1]. */
export interface WeightedCodes {
  /** Length K: f. */
  readonly fractions: Float64Array
  /** Length K: a number for each code, whose expectation is asked for; absent: 0. */
  readonly numbers?: Float64Array
}

interface WalkedColumn extends WeightedCodes {
  /** Column index. */
  readonly index: number
}

/** A ranged column's tree with its in-range mass. */
interface RangedTree extends WeightedTree {
  readonly column: number
  /** Length n + 1: prefix[i] = sum of f over the first i rows in tree order. */
  readonly prefix: Float64Array
  readonly frequencies: LeafFrequencies
}

export class RangeWalk {
  readonly #model: Model
  readonly #order: Order
  readonly #trees: readonly RangedTree[]
  /** Codes by column index. */
  readonly #row: Int32Array
  readonly #cellColumns: Int32Array
  /** By cells: where they lead to, which weights do not change. */
  readonly #runs: WeakMap<Int32Array, LeafRuns>

  /**
   * @param columns r columns in the order's sequence.
   * @param cellColumns The D columns of the cells: the first of the order.
   * @param from A walk through the same trees: what it knows of them is taken over.
   * @throws RangeError when the ranged columns are not the next of the order.
   */
  constructor(model: Model, order: Order, columns: readonly WalkedColumn[], cellColumns: Int32Array, from?: RangeWalk) {
    this.#model = model
    this.#order = order
    this.#row = new Int32Array(model.columns.length)
    this.#cellColumns = cellColumns
    this.#runs = from === undefined ? new WeakMap() : from.#runs
    this.#trees = columns.map(({ index, fractions, numbers }, i) => {
      const known = from === undefined ? undefined : from.#trees[i]
      if (known?.fractions === fractions && known.numbers === numbers) return known
      const tree = order.trees[cellColumns.length + i]
      if (tree?.target !== index) throw new RangeError(`the order does not sample column ${index} after the cells`)
      return {
        tree,
        column: index,
        fractions,
        numbers: numbers ?? new Float64Array(fractions.length),
        prefix: prefixSums(tree.codes, fractions),
        frequencies: known?.frequencies ?? new LeafFrequencies(tree),
      }
    })
  }

  /** The same trees with other weights; null leaves a column as it is. */
  reweighted(weights: readonly (WeightedCodes | null)[]): RangeWalk {
    const columns = this.#trees.map(({ column, fractions, numbers }, i): WalkedColumn => {
      return { index: column, ...(weights[i] ?? { fractions, numbers }) }
    })
    return new RangeWalk(this.#model, this.#order, columns, this.#cellColumns, this)
  }

  get order(): Order {
    return this.#order
  }

  /** r */
  get rangeCount(): number {
    return this.#trees.length
  }

  /**
   * m(c): probability that all ranged columns lie inside their ranges, given the cell.
   *
   * @param cells K × D, row-major.
   * @param perCell See `moments`.
   */
  masses(cells: Int32Array, cellCount: number, perCell?: number): Float64Array {
    return this.moments(cells, cellCount, perCell).masses
  }

  /**
   * The same with the expectations of the columns' numbers.
   *
   * @param perCell Most draws for a cell, where three or more columns are drawn.
   */
  moments(cells: Int32Array, cellCount: number, perCell = DRAWS_PER_CELL): Moments {
    const D = this.#cellColumns.length
    const r = this.#trees.length
    if (r === 0) return { masses: new Float64Array(cellCount).fill(1), sums: new Float64Array(0) }
    if (r <= 2) return exactMoments(this.#trees, this.#runsOf(cells, cellCount))
    const sums = new Float64Array(cellCount * r)
    const draws = Math.max(FEWEST_DRAWS, Math.min(perCell, Math.floor(MOST_DRAWS / cellCount)))
    // Feasibility must not depend on the seed of a generation.
    const stream = new RandomStream(0, PURPOSE.rangeMass)
    const masses = new Float64Array(cellCount)
    const codes = new Uint16Array(r)
    for (let c = 0; c < cellCount; c++) {
      this.enter(cells, c * D)
      stream.reset(0, PURPOSE.rangeMass, c)
      let sum = 0
      for (let i = 0; i < draws; i++) {
        const weight = this.drawSequentially((i + stream.real()) / draws, stream, codes, 0)
        if (weight === 0) continue
        sum += weight
        for (let j = 0; j < r; j++) sums[c * r + j]! += (weight * this.#trees[j]!.numbers[codes[j]!]!) / draws
      }
      masses[c] = sum / draws
    }
    return { masses, sums }
  }

  #runsOf(cells: Int32Array, cellCount: number): LeafRuns {
    const known = this.#runs.get(cells)
    if (known !== undefined) return known
    const [first, second] = this.#trees
    const found = leafRuns(cells, cellCount, this.#cellColumns, this.#row.length, first!.tree, second?.tree)
    this.#runs.set(cells, found)
    return found
  }

  /** Sets the cell that masses and draws are given: codes[at … at + D - 1]. */
  enter(cells: Int32Array, at: number): void {
    this.#cellColumns.forEach((column, d) => {
      this.#row[column] = cells[at + d]!
    })
  }

  /**
   * Draws one truncated tuple given the cell.
   *
   * @param first Uniform number of the first coordinate; the others take theirs from the stream.
   * @param codes Receives r codes from index `at`; arbitrary where the weight is 0.
   * @returns the tuple's weight: the product of the in-range masses met on the way.
   */
  drawSequentially(first: number, stream: RandomStream, codes: Uint16Array, at: number): number {
    let weight = 1
    for (let i = 0; i < this.#trees.length; i++) {
      const ranged = this.#trees[i]!
      const leaf = leafOf(ranged.tree, this.#row)
      const mass = massOf(ranged, leaf)
      if (mass <= 0) return 0
      const code = drawInside(ranged, leaf, i === 0 ? first : stream.real())
      codes[at + i] = code
      this.#row[ranged.column] = code
      weight *= mass
    }
    return weight
  }

  /**
   * The first ranged column's codes given the cell, each weighted by its rows, its fraction and the in-range mass of what
   * follows. (Exact: for one or two ranges.)
   */
  weightedFirstCodes(): { codes: Int32Array; weights: Float64Array } {
    const { frequencies, fractions, column } = this.#trees[0]!
    const { codes, counts, rows } = frequencies.given(this.#row)
    const weights = new Float64Array(codes.length)
    for (let i = 0; i < codes.length; i++) {
      const share = (counts[i]! / rows) * fractions[codes[i]!]!
      if (share === 0) continue
      this.#row[column] = codes[i]!
      weights[i] = share * (this.#trees.length > 1 ? this.#massAfter() : 1)
    }
    return { codes, weights }
  }

  /** Of the last column, which is the second, given the cell and the code of the first. */
  #massAfter(): number {
    const second = this.#trees[1]!
    return massOf(second, leafOf(second.tree, this.#row))
  }

  /** A truncated code of the second ranged column given the cell and a code of the first. */
  drawSecond(firstCode: number, uniform: number): number {
    this.#row[this.#trees[0]!.column] = firstCode
    const second = this.#trees[1]!
    return drawInside(second, leafOf(second.tree, this.#row), uniform)
  }

  /**
   * The lowest and the highest code that may occur in the leaf of a column, given the cell and the codes of the columns before it;
   * null if it has none but missing.
   *
   * @param j Position among the r columns.
   * @param codes Of the columns before it.
   * @param fractions Length K: 0 where a code may not occur.
   * @param missing Codes below are missing.
   */
  extentOf(
    j: number,
    codes: ArrayLike<number>,
    fractions: Float64Array,
    missing: number,
  ): { readonly leaf: number; readonly low: number; readonly high: number } | null {
    for (let i = 0; i < j; i++) this.#row[this.#trees[i]!.column] = codes[i]!
    const { tree, frequencies } = this.#trees[j]!
    const leaf = leafOf(tree, this.#row)
    const found = frequencies.of(leaf).codes
    const isPossible = (code: number): boolean => code >= missing && fractions[code]! > 0
    const low = found.find(isPossible)
    return low === undefined ? null : { leaf, low, high: found.findLast(isPossible)! }
  }
}

function prefixSums(codes: Uint16Array, fractions: Float64Array): Float64Array {
  const prefix = new Float64Array(codes.length + 1)
  for (let i = 0; i < codes.length; i++) prefix[i + 1] = prefix[i]! + fractions[codes[i]!]!
  return prefix
}

/** In-range share of a leaf. */
function massOf({ tree: { start, end }, prefix }: RangedTree, leaf: number): number {
  return (prefix[end[leaf]!]! - prefix[start[leaf]!]!) / (end[leaf]! - start[leaf]!)
}

/** A code of the leaf, with probability in proportion to its rows' fractions. The leaf has in-range mass. */
function drawInside({ tree, prefix }: RangedTree, leaf: number, uniform: number): number {
  let low = tree.start[leaf]!
  let high = tree.end[leaf]! - 1
  const target = prefix[low]! + uniform * (prefix[high + 1]! - prefix[low]!)
  // The first row whose running sum passes the target: rows of fraction 0 add nothing and are never it …
  while (low < high) {
    const middle = (low + high) >> 1
    if (prefix[middle + 1]! > target) high = middle
    else low = middle + 1
  }
  // … unless rounding put the target at the very end: then the last row that adds something.
  while (prefix[low + 1]! <= prefix[low]!) low--
  return tree.codes[low]!
}
