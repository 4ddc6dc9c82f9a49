/**
 * Blocks of items: columns on one scale, such as the statements of a questionnaire that are all answered from 1 to 5. Items of a
 * scale are correlated: the variance of their first principal component (the first eigenvalue of their correlations) is far larger
 * than that of one item.
 *
 *   ratio = v' R_S v / v' R_T v
 *
 * R  correlations of synthetic rows (S) or rows trained on (T)     v  first eigenvector of the held-out rows' correlations
 *
 * The direction comes from rows that are independent of R_S and R_T. Each part's own first eigenvalue would also grow with the
 * noise of its few rows. For other real rows the ratio is 1.
 */

import { type ComparedColumn, type ComparedRows, type Part, scoresOf } from './compared-rows.ts'
import { correlationReplicates } from './correlations.ts'
import { estimateOf, isStrong, REPLICATES } from './jackknife.ts'
import { type ItemBlock, type Measured, unmeasured } from './quality.ts'

const MIN_ITEMS = 4
/** Most items of a block that are compared, evenly selected. */
const MAX_ITEMS = 100
/** Most blocks that are compared, the largest first. */
const MAX_BLOCKS = 4
/** Least levels of an item of a block in which other items have all levels of the scale. */
const LEAST_LEVELS = 3

export function itemBlocks({ columns }: ComparedRows): Measured<readonly ItemBlock[]> {
  const blocks = blocksOf(columns)
  if (blocks.length === 0) return unmeasured(`No ${MIN_ITEMS} columns share one scale of numbers.`)
  const measured = blocks.slice(0, MAX_BLOCKS).flatMap(measureBlock)
  if (measured.length === 0) return unmeasured('Items on one scale are too weakly correlated for so few rows.')
  return measured
}

/** Largest first. */
function blocksOf(columns: readonly ComparedColumn[]): ComparedColumn[][] {
  const byScale = new Map<string, { readonly levels: ReadonlySet<number>; readonly items: ComparedColumn[] }>()
  for (const column of columns) {
    if (column.scale === null || column.numberCount < 3) continue
    const levels = scaleLevels(column, column.scale)
    const key = [...levels].join(' ')
    const block = byScale.get(key) ?? { levels, items: [] }
    block.items.push(column)
    byScale.set(key, block)
  }
  const scales = [...byScale.values()].sort((a, b) => b.items.length - a.items.length)
  const whole = scales.filter(({ items }) => items.length >= MIN_ITEMS)
  // Some of their answers never occur: these items belong to the scale of the items that have all of them.
  for (const { levels, items } of scales.slice(whole.length)) {
    const home = whole.find(
      (block) => levels.size >= LEAST_LEVELS && [...levels].every((level) => block.levels.has(level)),
    )
    home?.items.push(...items)
  }
  return whole.map(({ items }) => items).sort((a, b) => b.length - a.length)
}

/** Levels: all that occur. Numbers: the extremes. Ascending. */
function scaleLevels({ kind, rows }: ComparedColumn, scale: Float64Array): Set<number> {
  if (kind === 'categorical') return new Set(scale.slice(1).sort())
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const part of ['training', 'heldOut'] as const) {
    for (const number of rows[part]) {
      if (number === 0) continue
      lowest = Math.min(lowest, scale[number]!)
      highest = Math.max(highest, scale[number]!)
    }
  }
  return new Set([lowest, highest])
}

function measureBlock(all: readonly ComparedColumn[]): ItemBlock[] {
  const p = Math.min(all.length, MAX_ITEMS)
  const items = Array.from({ length: p }, (_, i) => all[Math.floor((i * all.length) / p)]!)
  const answers = (part: Part) => items.map((column) => scoresOf({ column, scores: column.scale! }, part))
  const heldOut = answers('heldOut')
  const direction = firstEigenvector(p, (a, b) => correlationReplicates(heldOut[a]!, heldOut[b]!)[0]!)
  const synthetic = varianceAlong(direction, answers('synthetic'))
  const training = varianceAlong(direction, answers('training'))
  // 1 is the ratio of unrelated items.
  if (!isStrong(training.map((variance) => variance - 1))) return []
  const ratio = estimateOf(synthetic.map((variance, g) => variance / training[g]!))
  const [first, last] = [items[0]!.name, items[p - 1]!.name]
  return [{ ...ratio, first, last, items: p, synthetic: synthetic[0]!, training: training[0]! }]
}

/** v' R v, in replicates; unknown correlations count as 0. */
function varianceAlong(v: Float64Array, answers: readonly Float64Array[]): Float64Array {
  const variance = new Float64Array(REPLICATES).fill(1)
  for (let a = 0; a < v.length; a++) {
    for (let b = a + 1; b < v.length; b++) {
      const replicates = correlationReplicates(answers[a]!, answers[b]!)
      const weight = 2 * v[a]! * v[b]!
      for (let g = 0; g < REPLICATES; g++) variance[g]! += weight * (replicates[g]! || 0)
    }
  }
  return variance
}

const MAX_STEPS = 200

/** By power iteration; unknown correlations count as 0. Length 1. */
function firstEigenvector(p: number, correlation: (a: number, b: number) => number): Float64Array {
  const matrix = new Float64Array(p * p)
  for (let a = 0; a < p; a++) {
    matrix[a * p + a] = 1
    for (let b = a + 1; b < p; b++) {
      const r = correlation(a, b)
      if (Number.isNaN(r)) continue
      matrix[a * p + b] = r
      matrix[b * p + a] = r
    }
  }
  // The column of the item with the largest correlations contributes to the first direction.
  let v = matrix.slice(0, p)
  let largest = 0
  for (let a = 0; a < p; a++) {
    const row = matrix.subarray(a * p, (a + 1) * p)
    const size = row.reduce((sum, r) => sum + r * r, 0)
    if (size > largest) {
      largest = size
      v = row.slice()
    }
  }
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = new Float64Array(p)
    for (let a = 0; a < p; a++) for (let b = 0; b < p; b++) next[a]! += matrix[a * p + b]! * v[b]!
    const length = Math.sqrt(next.reduce((sum, x) => sum + x * x, 0))
    let change = 0
    for (let a = 0; a < p; a++) {
      next[a]! /= length
      change = Math.max(change, Math.abs(next[a]! - v[a]!))
    }
    v = next
    if (change < 1e-9) break
  }
  return v
}
