/**
 * The similarity of the joint distributions of two columns in two parts: 1 - total variation distance of their two-way tables.
 * Numbers are binned between the deciles of the held-out rows; missing is a bin of its own, and so is every level.
 *
 * d  columns     B  bins of a column
 */

import type { ComparedColumn, ComparedRows, Part } from './compared-rows.ts'

const DECILES = 10
/** Most pairs that are measured. */
const MAX_PAIRS = 1_000
/** Larger tables are counted by their occupied cells alone. */
const MAX_DENSE_CELLS = 1 << 20

/** Length: see `Part`; the bin of every row. */
interface Binned {
  readonly binCount: number
  readonly rows: Readonly<Record<Part, Int32Array>>
}

export interface PairSimilarity {
  /** Means over the pairs, 0…1: held-out rows against synthetic ones, and against those trained on. */
  readonly synthetic: number
  readonly training: number
  readonly pairs: number
}

/** Null with a single column. */
export function pairSimilarity({ columns, rowCount }: ComparedRows): PairSimilarity | null {
  const pairs = pairsOf(columns.length)
  if (pairs.length === 0) return null
  const binned = columns.map(binColumn)
  const sums = { synthetic: 0, training: 0 }
  for (const [a, b] of pairs) {
    for (const part of ['synthetic', 'training'] as const) {
      sums[part] += 1 - tableVariation(binned[a]!, binned[b]!, part, rowCount)
    }
  }
  return { synthetic: sums.synthetic / pairs.length, training: sums.training / pairs.length, pairs: pairs.length }
}

/** All pairs; beyond the bound, every column with equally many others at even distances, so that every column takes part. */
export function pairsOf(d: number): (readonly [number, number])[] {
  const pairs: [number, number][] = []
  if ((d * (d - 1)) / 2 <= MAX_PAIRS) {
    for (let a = 0; a < d; a++) for (let b = a + 1; b < d; b++) pairs.push([a, b])
    return pairs
  }
  const half = Math.floor((d - 1) / 2)
  const distances = Math.max(1, Math.floor(MAX_PAIRS / d))
  for (let i = 0; i < distances; i++) {
    const distance = 1 + Math.floor((i * half) / distances)
    for (let a = 0; a < d && pairs.length < MAX_PAIRS; a++) pairs.push([a, (a + distance) % d])
  }
  return pairs
}

function binColumn({ kind, numberCount, rows }: ComparedColumn): Binned {
  if (kind === 'categorical') return { binCount: numberCount, rows }
  const present = rows.heldOut.filter((number) => number > 0).sort()
  const binOf = new Int32Array(numberCount)
  let bin = 1
  let q = 1
  for (let k = 1; k < numberCount; k++) {
    // The first number of a bin is a decile; equal deciles form one edge.
    const before = bin
    while (q < DECILES && present.length > 0 && decile(present, q) <= k) {
      if (k > 1) bin = before + 1
      q++
    }
    binOf[k] = bin
  }
  return {
    binCount: bin + 1,
    rows: {
      training: rows.training.map((number) => binOf[number]!),
      heldOut: rows.heldOut.map((number) => binOf[number]!),
      synthetic: rows.synthetic.map((number) => binOf[number]!),
    },
  }
}

function decile(sorted: Int32Array, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((q * (sorted.length - 1)) / DECILES))]!
}

/** Total variation distance of the two-way tables of a part and of the held-out rows. */
function tableVariation(a: Binned, b: Binned, part: Part, rowCount: ComparedRows['rowCount']): number {
  const cells = a.binCount * b.binCount
  const differences = cells <= MAX_DENSE_CELLS ? new Float64Array(cells) : new Map<number, number>()
  add(differences, a.rows[part], b.rows[part], b.binCount, 1 / rowCount[part])
  add(differences, a.rows.heldOut, b.rows.heldOut, b.binCount, -1 / rowCount.heldOut)
  return sumOfSizes(differences) / 2
}

function sumOfSizes(table: Float64Array | Map<number, number>): number {
  let sum = 0
  if (table instanceof Map) for (const difference of table.values()) sum += Math.abs(difference)
  else for (let cell = 0; cell < table.length; cell++) sum += Math.abs(table[cell]!)
  return sum
}

function add(
  table: Float64Array | Map<number, number>,
  a: Int32Array,
  b: Int32Array,
  width: number,
  weight: number,
): void {
  if (table instanceof Map) {
    for (let i = 0; i < a.length; i++) {
      const cell = a[i]! * width + b[i]!
      table.set(cell, (table.get(cell) ?? 0) + weight)
    }
  } else for (let i = 0; i < a.length; i++) table[a[i]! * width + b[i]!]! += weight
}
