/**
 * How effective rows in an evidence record are read. A service that protects its seed tells them rounded down: 1 for fewer than 10,
 * then 10, 20, 50, 100, then two digits. So such a figure stands for a range.
 */

import type { ManifestEvidence } from '../../records/manifest/scenarios.ts'

export interface RowsRange {
  /** At least so many; 0: nothing is known but `below`. */
  readonly least: number
  /** Fewer than so many; equal to `least` if that is the exact number. */
  readonly below: number
}

/** From the last one on, two digits are told. */
const STEPS = [1, 10, 20, 50, 100] as const

/** A figure that no such rounding gives is taken as it is: another service may report it otherwise. */
export function effectiveRange({
  effective_rows: rows,
  exact = false,
}: Pick<ManifestEvidence, 'effective_rows' | 'exact'>): RowsRange {
  const exactly = { least: rows, below: rows }
  if (exact) return exactly
  if (rows === STEPS[0]) return { least: 0, below: STEPS[1] }
  const next = STEPS.find((step) => step > rows)
  if (next !== undefined) return STEPS.some((step) => step === rows) ? { least: rows, below: next } : exactly
  const unit = 10 ** (Math.floor(Math.log10(rows)) - 1)
  return rows % unit === 0 ? { least: rows, below: rows + unit } : exactly
}

/**
 * √(1 + N / effective rows): the factor for standard errors that were computed as if N generated rows were as many people. The largest
 * that it can be, and the smallest.
 *
 * @param rows N
 * @returns `most` is null if nothing bounds it.
 */
export function standardErrorFactors(
  rows: number,
  { least, below }: RowsRange,
): { readonly least: number; readonly most: number | null } {
  const factor = (effective: number): number => Math.sqrt(1 + rows / effective)
  return { least: factor(below), most: least > 0 ? factor(least) : null }
}
