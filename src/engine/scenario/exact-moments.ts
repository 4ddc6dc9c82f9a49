/**
 * What cells have of one or two drawn columns, given the weights of the codes: the mass, and expectations.
 *
 * K  cells, r  drawn columns
 */

import type { Tree } from '../model/model.ts'
import type { LeafRuns } from './leaf-runs.ts'

export interface WeightedTree {
  readonly tree: Tree
  /** By code: its weight, in [0, 1]. */
  readonly fractions: Float64Array
  /** By code: the number whose expectation is asked for. */
  readonly numbers: Float64Array
}

export interface Moments {
  /** Length K: m(c), the expected product of the weights. */
  readonly masses: Float64Array
  /** K × r, row-major: the expectation of that product times the number of the column's code. */
  readonly sums: Float64Array
}

/** @param runs Of the cells. */
export function exactMoments([first, second]: readonly WeightedTree[], runs: LeafRuns): Moments {
  if (first === undefined) throw new RangeError('there is no column')
  const cellCount = runs.leaf.length
  const r = second === undefined ? 1 : 2
  const masses = new Float64Array(cellCount)
  const sums = new Float64Array(cellCount * r)
  const ofRuns = momentsOfRows(first, runs.from, runs.to)
  const ofSecond = second && momentsOfRows(second, second.tree.start, second.tree.end)
  for (let c = 0; c < cellCount; c++) {
    const rows = rowsOf(first.tree, runs.leaf[c]!)
    let [mass, sum, sumOfSecond] = [0, 0, 0]
    for (let i = runs.start[c]!; i < runs.start[c + 1]!; i++) {
      const [run, then] = [runs.run[i]!, runs.second[i]!]
      const massAfter = ofSecond ? ofSecond.masses[then]! / rowsOf(second.tree, then) : 1
      mass += ofRuns.masses[run]! * massAfter
      sum += ofRuns.sums[run]! * massAfter
      if (ofSecond) sumOfSecond += (ofRuns.masses[run]! * ofSecond.sums[then]!) / rowsOf(second.tree, then)
    }
    masses[c] = mass / rows
    sums[c * r] = sum / rows
    if (ofSecond) sums[c * r + 1] = sumOfSecond / rows
  }
  return { masses, sums }
}

function rowsOf({ start, end }: Tree, leaf: number): number {
  return end[leaf]! - start[leaf]!
}

/**
 * The sum of the weights of each range of rows, and that of weights times numbers. Not by prefix sums: those of a strong tilt have
 * weights beside which others vanish.
 */
function momentsOfRows(
  { tree: { codes }, fractions, numbers }: WeightedTree,
  from: Int32Array,
  to: Int32Array,
): Moments {
  const masses = new Float64Array(from.length)
  const sums = new Float64Array(from.length)
  for (let i = 0; i < from.length; i++) {
    let [mass, sum] = [0, 0]
    for (let row = from[i]!; row < to[i]!; row++) {
      const fraction = fractions[codes[row]!]!
      mass += fraction
      sum += fraction * numbers[codes[row]!]!
    }
    masses[i] = mass
    sums[i] = sum
  }
  return { masses, sums }
}
