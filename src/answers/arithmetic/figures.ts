/** To 6 decimals, half away from zero: the precision of ratios in files, so that readers agree on the bytes. */
export function roundRatio(ratio: number): number {
  const rounded = Math.round(Math.abs(ratio) * 1e6) / 1e6
  return ratio < 0 && rounded > 0 ? -rounded : rounded
}

/** To 12 significant digits: the part of a mean or a quantile that does not depend on the sequence of summation. */
export function roundStatistic(value: number): number {
  return value === 0 ? 0 : Number(value.toPrecision(12))
}

/** A target that is a number, or bounds. */
export type TargetOrBounds = number | { readonly min?: number; readonly max?: number }

/** The number itself, or its bounds with infinities for none. */
export const endsOfTarget = (target: TargetOrBounds): { readonly min: number; readonly max: number } =>
  typeof target === 'number'
    ? { min: target, max: target }
    : { min: target.min ?? Number.NEGATIVE_INFINITY, max: target.max ?? Number.POSITIVE_INFINITY }

/** The value nearest to a figure that a target allows: within bounds the figure itself. */
export function nearestAllowed(figure: number, target: TargetOrBounds): number {
  const { min, max } = endsOfTarget(target)
  return Math.min(max, Math.max(min, figure))
}

/**
 * The variation of a share of `n` independently sampled rows by chance alone, in about 95 of 100 cases: ±2·√(p(1−p)/n).
 * Zero for shares outside [0, 1], which only a damaged manifest holds.
 */
export function chanceOfShare(share: number, n: number): number {
  return 2 * Math.sqrt(variance(share, n))
}

/** The same for the difference of two shares of independent samples: ±2·√(p(1−p)/n + q(1−q)/m). */
export function chanceOfDifference(
  a: { readonly share: number; readonly n: number },
  b: { readonly share: number; readonly n: number },
): number {
  return 2 * Math.sqrt(variance(a.share, a.n) + variance(b.share, b.n))
}

const variance = (p: number, n: number): number => Math.max(0, p * (1 - p)) / n
