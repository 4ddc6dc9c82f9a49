/**
 * Mass of a cell inside the scenario's ranges, and draws of ranged codes from there.
 *
 * r  ranged columns, the ones after the cell's in the order
 * f  fraction of a code's mass inside its range
 *
 * Prefix sums of f over a tree's row order give any leaf's in-range mass, and a draw truncated to the range, in O(log n).
 * One and two ranges are integrated exactly; three and more by sequential truncated draws (Geweke 1991), the first
 * coordinate stratified.
 */
import { leafOf, type Model, type Order, type Tree } from '../model/model.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import type { RangeCondition } from './conditions.ts'
import { LeafFrequencies } from './leaf-frequencies.ts'

/** Sequential draws per cell, fewer where there are very many cells. */
const DRAWS_PER_CELL = 256
const FEWEST_DRAWS = 8
const MOST_DRAWS = 1_000_000

/** A ranged column's tree with its in-range mass. */
interface RangedTree {
  readonly tree: Tree
  readonly column: number
  readonly fractions: Float64Array
  /** Length n + 1: prefix[i] = sum of f over the first i rows in tree order. */
  readonly prefix: Float64Array
  readonly frequencies: LeafFrequencies
}

export class RangeWalk {
  readonly #trees: readonly RangedTree[]
  /** Codes by column index. */
  readonly #row: Int32Array
  readonly #cellColumns: Int32Array

  /**
   * @param ranges r conditions in the order's sequence.
   * @param cellColumns The D columns of the cells: the first of the order.
   * @throws RangeError when the ranged columns are not the next of the order.
   */
  constructor(model: Model, order: Order, ranges: readonly RangeCondition[], cellColumns: Int32Array) {
    this.#row = new Int32Array(model.columns.length)
    this.#cellColumns = cellColumns
    this.#trees = ranges.map(({ index, fractions }, i) => {
      const tree = order.trees[cellColumns.length + i]
      if (tree?.target !== index) throw new RangeError(`the order does not sample column ${index} after the cells`)
      return {
        tree,
        column: index,
        fractions,
        prefix: prefixSums(tree.codes, fractions),
        frequencies: new LeafFrequencies(tree),
      }
    })
  }

  /** r */
  get rangeCount(): number {
    return this.#trees.length
  }

  /**
   * m(c): probability that all ranged columns lie inside their ranges, given the cell.
   *
   * @param cells K × D, row-major.
   */
  masses(cells: Int32Array, cellCount: number): Float64Array {
    const D = this.#cellColumns.length
    const draws = Math.max(FEWEST_DRAWS, Math.min(DRAWS_PER_CELL, Math.floor(MOST_DRAWS / cellCount)))
    // Feasibility must not depend on the seed of a generation.
    const stream = new RandomStream(0, PURPOSE.rangeMass)
    const masses = new Float64Array(cellCount)
    for (let c = 0; c < cellCount; c++) {
      this.enter(cells, c * D)
      if (this.#trees.length <= 2) masses[c] = this.#exactMass(0)
      else {
        stream.reset(0, PURPOSE.rangeMass, c)
        const codes = new Uint16Array(this.#trees.length)
        let sum = 0
        for (let i = 0; i < draws; i++) sum += this.drawSequentially((i + stream.real()) / draws, stream, codes, 0)
        masses[c] = sum / draws
      }
    }
    return masses
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
      weights[i] = share * (this.#trees.length > 1 ? this.#exactMass(1) : 1)
    }
    return { codes, weights }
  }

  /** A truncated code of the second ranged column given the cell and a code of the first. */
  drawSecond(firstCode: number, uniform: number): number {
    this.#row[this.#trees[0]!.column] = firstCode
    const second = this.#trees[1]!
    return drawInside(second, leafOf(second.tree, this.#row), uniform)
  }

  #exactMass(from: number): number {
    if (from === this.#trees.length) return 1
    const ranged = this.#trees[from]!
    if (from === this.#trees.length - 1) return massOf(ranged, leafOf(ranged.tree, this.#row))
    return this.weightedFirstCodes().weights.reduce((sum, weight) => sum + weight, 0)
  }
}

function prefixSums(codes: Uint16Array, fractions: Float64Array): Float64Array {
  const prefix = new Float64Array(codes.length + 1)
  for (let i = 0; i < codes.length; i++) prefix[i + 1] = prefix[i]! + fractions[codes[i]!]!
  return prefix
}

/** In-range share of a leaf. */
function massOf({ tree, prefix }: RangedTree, leaf: number): number {
  const start = tree.start[leaf]!
  const end = tree.end[leaf]!
  return (prefix[end]! - prefix[start]!) / (end - start)
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
