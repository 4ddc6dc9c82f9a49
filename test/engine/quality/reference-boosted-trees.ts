/**
 * Boosted trees: the reference implementation that `boosted-trees.ts` is tested against.
 *
 * g  gradient of the logistic loss: label - probability       z  score, in log-odds
 */
import {
  type BoostedRows,
  type BoostingOptions,
  GRADIENT_UNITS,
  LEVEL_SMOOTHING,
} from '../../../src/engine/quality/boosted-trees.ts'

interface ReferenceLeaf {
  readonly rows: readonly number[]
  readonly scored: readonly number[]
}

interface ReferenceSplit {
  readonly gain: number
  readonly children: readonly [ReferenceLeaf, ReferenceLeaf]
}

/** Arguments and scores as those of `boostAndScore`, but nothing is reordered. */
export function referenceBoostAndScore(
  table: BoostedRows,
  train: readonly number[],
  scored: readonly number[],
  options: BoostingOptions,
): number[] {
  const z = new Map([...train, ...scored].map((row) => [row, 0]))
  for (let t = 0; t < options.trees; t++) {
    const gradients = new Map(train.map((row) => [row, table.labels[row]! - 1 / (1 + Math.exp(-z.get(row)!))]))
    for (const leaf of grownLeaves(table, { rows: train, scored }, gradients, options)) {
      const g = leaf.rows.map((row) => gradients.get(row)!)
      const curvature = g.reduce((sum, one) => sum + Math.abs(one) * (1 - Math.abs(one)), 1e-6)
      const step = (options.learningRate * sumOf(g)) / curvature
      for (const row of [...leaf.rows, ...leaf.scored]) z.set(row, z.get(row)! + step)
    }
  }
  return scored.map((row) => z.get(row)!)
}

/** Always the leaf with the largest gain is split next. */
function grownLeaves(
  table: BoostedRows,
  root: ReferenceLeaf,
  gradients: ReadonlyMap<number, number>,
  { leaves: most, leafRows }: BoostingOptions,
): ReferenceLeaf[] {
  const leaves = [root]
  while (leaves.length < most) {
    const splits = leaves.map((leaf) => bestSplit(table, leaf, gradients, leafRows))
    const gains = splits.map((split) => split?.gain ?? 0)
    const best = gains.indexOf(Math.max(...gains))
    const split = splits[best]
    if (split === null || split === undefined) break
    leaves[best] = split.children[0]
    leaves.push(split.children[1])
  }
  return leaves
}

function bestSplit(
  { d, bins, firstBin, nominal }: BoostedRows,
  leaf: ReferenceLeaf,
  gradients: ReadonlyMap<number, number>,
  leafRows: number,
): ReferenceSplit | null {
  const units = (rows: readonly number[]) => sumOf(rows.map((row) => Math.round(gradients.get(row)! * GRADIENT_UNITS)))
  const explained = (rows: readonly number[]) => units(rows) ** 2 / rows.length
  let best: ReferenceSplit | null = null
  for (let f = 0; f < d; f++) {
    const binOf = (row: number) => bins[row * d + f]!
    const order = Array.from({ length: firstBin[f + 1]! - firstBin[f]! }, (_, i) => firstBin[f]! + i)
    if (nominal[f] === 1) {
      const mean = (bin: number) => {
        const own = leaf.rows.filter((row) => binOf(row) === bin)
        return units(own) / (own.length + LEVEL_SMOOTHING)
      }
      order.sort((a, b) => mean(a) - mean(b))
    }
    for (let cut = 1; cut < order.length; cut++) {
      const left = new Set(order.slice(0, cut))
      const side = (rows: readonly number[], wanted: boolean) => rows.filter((row) => left.has(binOf(row)) === wanted)
      const [a, b] = [side(leaf.rows, true), side(leaf.rows, false)]
      if (a.length < leafRows || b.length < leafRows) continue
      const gain = explained(a) + explained(b) - explained(leaf.rows)
      if (gain <= (best?.gain ?? 0)) continue
      best = {
        gain,
        children: [
          { rows: a, scored: side(leaf.scored, true) },
          { rows: b, scored: side(leaf.scored, false) },
        ],
      }
    }
  }
  return best
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
