/**
 * The rows in which formulas are searched before they are checked on all rows.
 *
 * S  sampled rows     m  test rows of a target
 */

import type { Table } from '../cleaning/table.ts'
import { agrees, numberReader, type Precision, precisionOf } from '../encoding/numbers.ts'
import { evaluate, type Formula } from '../model/derivation.ts'

const SAMPLE_ROWS = 512
/** Above this share of distinct values, a sample does not show which of two columns is finer. */
const CONTINUOUS_SHARE = 0.75

export interface SampledNumbers {
  /** Column index. */
  readonly column: number
  /** Length S, NaN if missing or possibly a code. */
  readonly values: Float64Array
  readonly distinct: number
  /** Number of distinct values, or Infinity if nearly every row has a different one. */
  readonly fineness: number
  /** The most common value of the sampled rows; NaN if all are missing. */
  readonly mode: number
  /** Null when the column cannot be a target. */
  readonly precision: Precision | null
  readonly isDate: boolean
}

/** Numeric columns and whole-number categorical ones, in the table's order. */
export function sampleNumbers(table: Table): SampledNumbers[] {
  const n = table.rowCount
  const size = Math.min(n, SAMPLE_ROWS)
  return table.columns.flatMap((source, column): SampledNumbers[] => {
    const read = numberReader(source)
    if (!read) return []
    const all = Float64Array.from({ length: size }, (_, i) => read(Math.floor((i * n) / size)))
    const values = source.kind === 'numeric' ? withoutCodes(all) : all
    const present = values.filter((value) => !Number.isNaN(value))
    const distinct = new Set(present).size
    const fineness = distinct > CONTINUOUS_SHARE * present.length ? Number.POSITIVE_INFINITY : distinct
    const mode = modeOf(values)
    const precision = source.kind === 'numeric' ? precisionOf(source, values, mode) : null
    return [
      {
        column,
        values,
        distinct,
        fineness,
        mode,
        precision,
        isDate: source.kind === 'numeric' && source.format !== null,
      },
    ]
  })
}

/** Values separated from the others by more than this many times their spread count as codes … */
const CODE_GAP = 1
/** … if they are frequent and few of them are distinct. */
const MAX_CODES = 3
const LEAST_CODE_SHARE = 0.005

/**
 * Drops values such as -8 for "does not apply" or 999 for "not known": their rows would hide a relation. (The actual exceptions
 * are found once a formula is known.)
 */
function withoutCodes(values: Float64Array): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  const low = codesBelow(sorted)
  const high = -codesBelow(sorted.map((value) => -value).reverse())
  return values.map((value) => (value <= low || value >= high ? Number.NaN : value))
}

/** The largest of the codes at the lower end; -Infinity when there are none. */
function codesBelow(sorted: Float64Array): number {
  let distinct = 0
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] === sorted[i - 1]) continue
    if (++distinct > MAX_CODES) break
    const rest = sorted.length - i
    const isApart = sorted[i]! - sorted[i - 1]! > CODE_GAP * (sorted[i + Math.floor(0.9 * rest)]! - sorted[i]!)
    const isNegative = sorted[i - 1]! < 0 && sorted[i]! >= 0
    if (i >= LEAST_CODE_SHARE * distinct * sorted.length && (isApart || isNegative)) return sorted[i - 1]!
  }
  return Number.NEGATIVE_INFINITY
}

function modeOf(values: Float64Array): number {
  const counts = new Map<number, number>()
  let mode = Number.NaN
  let most = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    if (count > most) {
      most = count
      mode = value
    }
  }
  return mode
}

/**
 * Length m, at most `most`: the sampled rows on which a formula for a target is tried first. Rows in which the target has its most
 * common value show little: two columns that are mostly 0 agree in nearly all rows.
 */
export function testRows({ values, mode }: SampledNumbers, most: number): Int32Array {
  const rows: number[] = []
  values.forEach((value, row) => {
    if (!Number.isNaN(value) && value !== mode) rows.push(row)
  })
  const count = Math.min(rows.length, most)
  return Int32Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]!)
}

/** If a formula holds in all rows but a few, this bound is exceeded in a sample once in a thousand times. */
const LEAST_SAMPLE_SHARE = 0.97

/**
 * Whether a formula holds in nearly all complete sampled rows, without those in which the target has its most common value.
 *
 * @param draft `sources` in the sequence of the formula.
 */
export function seemsTrue(
  draft: Pick<Formula, 'form' | 'constant'> & { readonly sources: readonly { readonly weight: number }[] },
  target: SampledNumbers,
  sources: readonly SampledNumbers[],
  rounding: Formula['rounding'],
): boolean {
  const { mode } = target
  const numbers = new Float64Array(sources.length)
  const mostMisses = (1 - LEAST_SAMPLE_SHARE) * target.values.length
  let tests = 0
  let misses = 0
  for (let row = 0; row < target.values.length; row++) {
    const own = target.values[row]!
    if (Number.isNaN(own) || own === mode) continue
    for (let j = 0; j < sources.length; j++) numbers[j] = sources[j]!.values[row]!
    const computed = evaluate(draft, numbers)
    if (!Number.isFinite(computed)) continue
    tests++
    // Most drafts are wrong in nearly every row: a wide table has hundreds of thousands of them.
    if (!agrees(computed, own, target.precision!, rounding) && ++misses > mostMisses) return false
  }
  return tests > 0 && tests - misses >= LEAST_SAMPLE_SHARE * tests
}
