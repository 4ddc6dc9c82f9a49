/**
 * How partial cells can be continued by the next conditioned column, with the importance of each continuation
 * (see sampled-cells.ts).
 *
 * d  the next column, K  partial cells (codes of the first d columns)
 * p  mass of a partial cell in the model;  q  its mass once raked to the margins so far;  f  frequency of a code in a leaf
 */
import { leafOf, type Order } from '../model/model.ts'
import { type Frequencies, LeafFrequencies } from './leaf-frequencies.ts'
import type { Margins } from './margins.ts'

/** Partial cells in lexicographic order. */
export interface Partials {
  /** K */
  readonly count: number
  /** K × d, row-major */
  readonly codes: Int32Array
  /** Length K each: p and q. */
  readonly masses: Float64Array
  readonly raked: Float64Array
  /** Length K: 1 if p is the model's own, 0 if the partial cell represents others as well. */
  readonly exact: Uint8Array
  /** Length K + 1: the seed cells that continue partial cell i are seeds[i] … seeds[i + 1] - 1. */
  readonly seeds: Int32Array
}

/** The allowed codes of a leaf with running sums over them. */
export interface Continuation {
  /** Length k: allowed codes, ascending. */
  readonly codes: Int32Array
  /** Length k + 1: running sums of f, and of f times the column's multiplier. */
  readonly unraked: Float64Array
  readonly raked: Float64Array
}

/** How all partial cells can be continued by column d. */
export interface Step {
  readonly d: number
  /** Length K */
  readonly continuations: readonly Continuation[]
  /** Factors that make the importance of all continuations together 1. */
  readonly modelFactor: number
  readonly rakedFactor: number
  /** Mass of all continuations. */
  readonly modelTotal: number
}

export function prepareStep(order: Order, margins: Margins, d: number, partials: Partials, row: Int32Array): Step {
  const { count, codes, masses, raked } = partials
  const tree = order.trees[d]!
  const frequencies = new LeafFrequencies(tree)
  const leaves = new Int32Array(count)
  const leafMasses = new Float64Array(tree.feature.length)
  for (let i = 0; i < count; i++) {
    for (let e = 0; e < d; e++) row[order.columns[e]!] = codes[i * d + e]!
    const leaf = leafOf(tree, row)
    leaves[i] = leaf
    leafMasses[leaf]! += raked[i]!
  }
  const visited = new Set(leaves)
  const multipliers = fittingMultipliers(frequencies, visited, leafMasses, margins, d)
  const ofLeaf = new Map(
    Array.from(visited, (leaf) => [leaf, continuationOf(frequencies.of(leaf), margins.ofCode[d]!, multipliers)]),
  )
  const continuations = Array.from(leaves, (leaf) => ofLeaf.get(leaf)!)
  let modelTotal = 0
  let rakedTotal = 0
  continuations.forEach(({ unraked, raked: fitted }, i) => {
    modelTotal += masses[i]! * unraked.at(-1)!
    rakedTotal += raked[i]! * fitted.at(-1)!
  })
  // If nothing is left to fit, importance is the model's mass alone.
  const rakedFactor = rakedTotal > 0 ? 0.5 / rakedTotal : 0
  return { d, continuations, modelFactor: (rakedTotal > 0 ? 0.5 : 1) / modelTotal, rakedFactor, modelTotal }
}

/** Per margin of column d, what its mass has to be multiplied by: one step of fitting, before the cells are there. */
function fittingMultipliers(
  frequencies: LeafFrequencies,
  leaves: Iterable<number>,
  leafMasses: Float64Array,
  { ofCode, targets }: Margins,
  d: number,
): Float64Array {
  const sums = new Float64Array(targets.length)
  for (const leaf of leaves) {
    const { codes, counts, rows } = frequencies.of(leaf)
    for (let j = 0; j < codes.length; j++) {
      const m = ofCode[d]![codes[j]!]!
      if (m >= 0) sums[m]! += leafMasses[leaf]! * (counts[j]! / rows)
    }
  }
  return sums.map((sum, m) => (sum > 0 ? targets[m]! / sum : 0))
}

function continuationOf({ codes, counts, rows }: Frequencies, ofCode: Int32Array, multipliers: Float64Array) {
  const allowed = codes.filter((code) => ofCode[code]! >= 0)
  const unraked = new Float64Array(allowed.length + 1)
  const raked = new Float64Array(allowed.length + 1)
  let at = 0
  for (let j = 0; j < codes.length; j++) {
    const m = ofCode[codes[j]!]!
    if (m < 0) continue
    const f = counts[j]! / rows
    unraked[at + 1] = unraked[at]! + f
    raked[at + 1] = raked[at]! + f * multipliers[m]!
    at++
  }
  return { codes: allowed, unraked, raked }
}
