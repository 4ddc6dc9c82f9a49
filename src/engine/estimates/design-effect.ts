/**
 * The noise of generation relative to that of independent rows (the design effect of Kish 1965).
 *
 * Rows of a leaf come in turn (see sampling/sample-tree.ts), so a generated share or mean hardly varies inside the leaves. Two
 * sources remain: how many rows reach each leaf, and about a row per leaf that does not come out even. Measured on simulated
 * populations of 200 and 1,000 rows: nine tenths of this estimate with a quarter of the seed's rows, four tenths with as many, a
 * third with twice as many. Half of L/n would be too little with few rows.
 *
 * n  kept rows of the seed, L  leaves of the outcome's tree
 *
 * Where rows have weights a leaf holds copies of them (weighting/row-copies.ts): shares of variance are those of the copies, and
 * a leaf counts as a row of n.
 */
import type { Tree } from '../model/model.ts'

/** The effect is released in such steps, rounded up: it is a bound, not a figure of the seed. */
const STEPS = 20

/**
 * The effect on the share of every level.
 *
 * @param tree Null if none is known.
 * @param n Absent: as many as the tree holds.
 * @returns Length K, each in (0, 1].
 */
export function levelDesignEffects(tree: Tree | null, codeCount: number, n = tree?.codes.length ?? 0): Float64Array {
  const effects = new Float64Array(codeCount).fill(1)
  if (!tellsOwnCodes(tree)) return effects
  const counts = new Float64Array(codeCount)
  const between = new Float64Array(codeCount)
  let leaves = 0
  for (const [start, end] of leavesOf(tree)) {
    leaves++
    // The codes of a leaf ascend: equal ones are one run.
    for (let from = start; from < end; ) {
      const code = tree.codes[from]!
      let to = from + 1
      while (to < end && tree.codes[to] === code) to++
      counts[code] = counts[code]! + to - from
      between[code] = between[code]! + (to - from) ** 2 / (end - start)
      from = to
    }
  }
  const rows = tree.codes.length
  leaves *= rows / n
  return effects.map((_, code) =>
    effectOf({ rows, leaves, sum: counts[code]!, squares: counts[code]!, between: between[code]! }),
  )
}

/**
 * The effect on a mean.
 *
 * @param tree Null if none is known.
 * @param values Length K: the value by code.
 * @param missing 1: code 0 has none.
 * @param n Absent: as many as the tree holds.
 * @returns in (0, 1]
 */
export function meanDesignEffect(
  tree: Tree | null,
  values: Float64Array,
  missing: 0 | 1,
  n = tree?.codes.length ?? 0,
): number {
  if (!tellsOwnCodes(tree)) return 1
  const total = { rows: 0, leaves: 0, sum: 0, squares: 0, between: 0 }
  for (const [start, end] of leavesOf(tree)) {
    let rows = 0
    let sum = 0
    for (let i = start; i < end; i++) {
      const code = tree.codes[i]!
      if (code < missing) continue
      rows++
      sum += values[code]!
      total.squares += values[code]! ** 2
    }
    if (rows === 0) continue
    total.leaves++
    total.rows += rows
    total.sum += sum
    total.between += sum ** 2 / rows
  }
  total.leaves *= tree.codes.length / n
  return effectOf(total)
}

/** A tree whose column is coded by another one (`training/codings.ts`) has other codes than the column. */
function tellsOwnCodes(tree: Tree | null): tree is Tree {
  return tree !== null && tree.relation === undefined
}

function leavesOf({ feature, start, end }: Tree): (readonly [start: number, end: number])[] {
  return Array.from(feature.keys())
    .filter((node) => feature[node]! < 0)
    .map((node) => [start[node]!, end[node]!] as const)
}

interface Sums {
  readonly rows: number
  /** In copies, as the rows. */
  readonly leaves: number
  readonly sum: number
  readonly squares: number
  /** Sum over the leaves of (sum of the leaf)² / its rows. */
  readonly between: number
}

/** 1 if the outcome does not vary. */
function effectOf({ rows, leaves, sum, squares, between }: Sums): number {
  const variance = squares - sum ** 2 / rows
  if (!(variance > 0)) return 1
  const shareBetween = (between - sum ** 2 / rows) / variance
  return Math.min(1, Math.ceil(STEPS * (shareBetween + leaves / rows)) / STEPS)
}
