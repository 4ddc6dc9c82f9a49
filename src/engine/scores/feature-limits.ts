/** How many features of a column additive scores have at most, see score-features.ts. */

import type { EncodedColumn } from '../model/model.ts'

/** Bends of a numeric column's piecewise linear function, its smallest and largest value not counted. */
export const KNOTS = 4
/** Levels beyond the most frequent ones have no effect of their own; the place on a scale is one more feature. */
export const MAX_LEVEL_FEATURES = 24
/** The value, its logarithm, the indicators of missing and of no logarithm, and the hats. */
const MAX_NUMERIC_FEATURES = 4 + KNOTS + 2

export function mostFeatures({ kind, codeCount }: Pick<EncodedColumn, 'kind' | 'codeCount'>): number {
  return kind === 'numeric' ? MAX_NUMERIC_FEATURES : Math.min(codeCount, MAX_LEVEL_FEATURES) + 1
}
