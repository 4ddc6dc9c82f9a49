/**
 * Statistical disclosure control: which counts of the seed's rows are suppressed, and how the others are rounded.
 *
 * A count of few rows identifies people: anybody who knows a person's group can ask for one scenario per value of a secret and see
 * which count is not 0. So counts below `LEAST_ROWS`, including 0, are suppressed alike, and larger counts are rounded. What a shared
 * service tells has noise as well (noisy-counts.ts, figure-noise.ts). None of this is a formal guarantee: many answers together may
 * still reveal more than each of them.
 */

import type { RowKeys } from './row-keys.ts'

/**
 * Who may ask: `exact`, the owner of the seed alone, from whom nothing has to be hidden; otherwise people who do not hold the seed
 * file, so that its rows are protected from them. Their answers have noise by the keys of the rows. `protected` is without keys, by
 * fixed thresholds alone: for what does not leave the engine as a figure, because rows are the same in every installation.
 */
export type Disclosure = 'exact' | 'protected' | RowKeys

/** The smallest number of the seed's rows that is released, and that an answer may be based on. */
export const LEAST_ROWS = 10

/** Effective rows are rounded down to the largest of these; from the last one on, to two digits. */
const EFFECTIVE_ROW_STEPS = [1, LEAST_ROWS, 20, 50, 100] as const

/** A count to two digits; null if it is suppressed. */
export function roundedCount(rows: number): number | null {
  return rows < LEAST_ROWS ? null : Number(rows.toPrecision(2))
}

/** Shares and ratios of counts, to the same two digits as counts. */
export function roundedRatio(ratio: number): number {
  return Number(ratio.toPrecision(2))
}

/** Effective rows, rounded down: to 1, which means fewer than 10, to 10, 20, 50, 100, then to two digits. */
export function roundedEffectiveRows(exactly: number): number {
  // A number that is whole except for rounding errors counts as whole.
  const rows = exactly * (1 + 1e-9)
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))) - 1)
  if (rows >= EFFECTIVE_ROW_STEPS.at(-1)!) return Math.floor(rows / unit) * unit
  return EFFECTIVE_ROW_STEPS.findLast((step) => rows >= step) ?? EFFECTIVE_ROW_STEPS[0]
}
