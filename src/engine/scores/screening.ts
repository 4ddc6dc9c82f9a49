/**
 * Selects the columns before a target that may predict it.
 *
 * n  rows     d  columns     K  codes of a column
 */

import { worthOfCopies } from '../weighting/row-copies.ts'
import type { ColumnShape, TrainingData } from './training-data.ts'

/** Keeping 12 to 16 of the best predecessors loses nothing except for wide numbers (see below). Below 8, fidelity falls. */
export const MAX_PREDICTORS = 16
/** Numbers of many codes (`WIDE_CODES`) come last and depend finely on many columns: 16 predictors lose some of it (docs/engine.md). */
export const MAX_WIDE_PREDICTORS = 24

/**
 * Mutual information is estimated from at most this many rows, fewer in tables with more than 64 columns, and this many
 * classes per column.
 */
const SCREENING_ROWS = 20_000
const SCREENING_ROWS_WIDE = 2_000
const SCREENING_COLUMNS = 64
const SCREENING_CLASSES = 32

/** Numeric columns with more codes than this are binned: some bins are quantiles, the others spikes (`encode.ts`). */
const WIDE_CODES = 128

/** A dependence is real if its mutual information is this many standard deviations above that of independent columns. */
const DEPENDENCE_DEVIATIONS = 2

export function isWide({ kind, codeCount }: ColumnShape): boolean {
  return kind === 'numeric' && codeCount > WIDE_CODES
}

type Screened = Pick<TrainingData, 'columns' | 'codes'> & Partial<Pick<TrainingData, 'copies'>>

/** Screens predictors of one table. Columns are prepared once for all targets. */
export class Screening {
  readonly #data: Screened
  readonly #samples = new Map<number, SampleClasses>()

  constructor(data: Screened) {
    this.#data = data
  }

  /**
   * The predecessors that a tree for `target` may choose from: all of them up to MAX_PREDICTORS (MAX_WIDE_PREDICTORS); otherwise
   * those in `always` and those with the most mutual information with the target. Ascending column indices; ties go to the lower index.
   */
  predictors(target: number, predecessors: readonly number[], always: readonly number[]): Int32Array {
    const most = isWide(this.#data.columns[target]!) ? MAX_WIDE_PREDICTORS : MAX_PREDICTORS
    if (predecessors.length <= most) return Int32Array.from(predecessors).sort()
    const kept = predecessors.filter((c) => always.includes(c))
    const open = predecessors.filter((c) => !always.includes(c))
    const closest = this.closest(target, open).slice(0, Math.max(0, most - kept.length))
    return Int32Array.from([...kept, ...closest]).sort()
  }

  /** The columns by descending mutual information with the target; ties keep their sequence. */
  closest(target: number, columns: readonly number[]): number[] {
    const information = new Map(columns.map((c) => [c, dependence(this.#sample(target), this.#sample(c)).excess]))
    return [...columns].sort((a, b) => information.get(b)! - information.get(a)! || a - b)
  }

  /** Whether the sampled rows show that two columns depend on each other. */
  areDependent(a: number, b: number): boolean {
    const { excess, freedom } = dependence(this.#sample(a), this.#sample(b))
    return excess > DEPENDENCE_DEVIATIONS * Math.sqrt(freedom / 2)
  }

  #sample(column: number): SampleClasses {
    const known = this.#samples.get(column)
    if (known) return known
    const sample = sampleClasses(this.#data, column)
    this.#samples.set(column, sample)
    return sample
  }
}

interface SampleClasses {
  readonly classes: Uint8Array
  /** Classes are below this. */
  readonly count: number
  /** Effective rows for each entry of `classes`; 1 where rows have no weights. */
  readonly worth: number
}

/** A column at evenly spaced rows, in at most 32 classes: equal mass (numeric) or the most frequent levels and the rest. */
function sampleClasses(data: Screened, column: number): SampleClasses {
  const { kind, codeCount: k, missing } = data.columns[column]!
  const codes = data.codes[column]!
  const n = codes.length
  const wide = Math.floor((SCREENING_ROWS * SCREENING_COLUMNS) / data.columns.length)
  const rows = Math.min(n, SCREENING_ROWS, Math.max(SCREENING_ROWS_WIDE, wide))
  const at = Int32Array.from({ length: rows }, (_, i) => Math.floor((i * n) / rows))
  const sampled = new Uint16Array(rows)
  for (let i = 0; i < rows; i++) sampled[i] = codes[at[i]!]!
  const counts = new Int32Array(k)
  for (let i = 0; i < rows; i++) counts[sampled[i]!]!++
  const classOf = new Uint8Array(k)
  if (k <= SCREENING_CLASSES) {
    for (let c = 0; c < k; c++) classOf[c] = c
  } else if (kind === 'numeric') {
    const valueRows = rows - (missing === 1 ? counts[0]! : 0)
    let before = 0
    for (let c = missing; c < k; c++) {
      const quantile = Math.floor((before * (SCREENING_CLASSES - missing)) / Math.max(1, valueRows))
      classOf[c] = Math.min(SCREENING_CLASSES - 1, missing + quantile)
      before += counts[c]!
    }
  } else {
    const byCount = Array.from(counts.keys()).sort((a, b) => counts[b]! - counts[a]! || a - b)
    byCount.forEach((code, rank) => {
      classOf[code] = Math.min(rank, SCREENING_CLASSES - 1)
    })
  }
  const classes = new Uint8Array(rows)
  for (let i = 0; i < rows; i++) classes[i] = classOf[sampled[i]!]!
  return { classes, count: Math.min(k, SCREENING_CLASSES), worth: worthOfCopies(data.copies, at) }
}

/**
 * Mutual information in log-likelihood units (effective rows x nats), less its expectation for independent columns: half the degrees of
 * `freedom`, (a - 1)(b - 1) with a and b occurring classes. (Its variance is then half of them too.)
 */
function dependence(x: SampleClasses, y: SampleClasses): { excess: number; freedom: number } {
  const rows = x.classes.length
  const table = new Int32Array(x.count * y.count)
  const xClasses = x.classes
  const yClasses = y.classes
  const width = y.count
  for (let i = 0; i < rows; i++) table[xClasses[i]! * width + yClasses[i]!]!++
  const xRows = new Int32Array(x.count)
  const yRows = new Int32Array(y.count)
  for (let a = 0; a < x.count; a++) {
    for (let b = 0; b < y.count; b++) {
      xRows[a] = xRows[a]! + table[a * y.count + b]!
      yRows[b] = yRows[b]! + table[a * y.count + b]!
    }
  }
  let information = 0
  for (let a = 0; a < x.count; a++) {
    for (let b = 0; b < y.count; b++) {
      const t = table[a * y.count + b]!
      if (t > 0) information += t * Math.log((t * rows) / (xRows[a]! * yRows[b]!))
    }
  }
  const occurring = (counts: Int32Array) => counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
  const freedom = (occurring(xRows) - 1) * (occurring(yRows) - 1)
  return { excess: information * x.worth - freedom / 2, freedom }
}
