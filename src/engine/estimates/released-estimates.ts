/**
 * The figures of an estimate as they are told: exact to the owner of the seed; with noise to others (see disclosure/figure-noise.ts).
 *
 * n  kept rows of the seed
 */

import type { Difference } from './difference-error.ts'
import type { EstimatedDifference } from './figures.ts'
import type { ToldNoise } from './outcome-noise.ts'

/** A row with more of the variance than this decides a figure. */
const DOMINANT_SHARE = 0.8

/** A figure whose noise is larger than this many of its standard errors says nothing about the population. */
const MOST_NOISE = 2

/** Digits that exact figures are sure of: weights are raked to 13 places. */
const EXACT_DIGITS = 12

/** Digits of figures with noise, and of their errors. */
const NOISY_DIGITS = 6
const ERROR_DIGITS = 3

/** Quantiles of several differences are rounded up to a multiple of this. */
const QUANTILE_STEP = 0.05

/**
 * Whether one row makes most of the variance of a difference. Noise hides what that row says, but its size, and the error that is
 * told, would be that row's value. (The dominance rule of statistical offices: Hundepool and others 2012.)
 */
export const isDecidedByOne = ({ largestPart }: Pick<Difference, 'largestPart'>): boolean =>
  largestPart > DOMINANT_SHARE

/** The owner's own figures. */
export function exactFigures({
  scenario,
  baseline,
  difference,
  standardError,
  degreesOfFreedom,
  simultaneousQuantile,
}: EstimatedDifference): EstimatedDifference {
  const exact = (value: number): number => withoutNegativeZero(Number(value.toPrecision(EXACT_DIGITS)))
  return {
    scenario: exact(scenario),
    baseline: exact(baseline),
    difference: exact(difference),
    standardError: exact(standardError),
    degreesOfFreedom: degreesOfFreedom === null ? null : exact(degreesOfFreedom),
    ...(simultaneousQuantile !== undefined && { simultaneousQuantile: exact(simultaneousQuantile) }),
  }
}

/**
 * Both sides with their noise, and their difference; the error knows the noise. Null where the noise leaves nothing to say.
 */
export function noisyFigures(
  { scenario, baseline, standardError, degreesOfFreedom, simultaneousQuantile }: EstimatedDifference,
  noise: ToldNoise,
  isShare: boolean,
): EstimatedDifference | null {
  const { errorFactor } = noise
  // Shares have their threshold in the count of their rows, and a share near 1 must not be seen to be missing.
  // The error is compared as it is told: an exact threshold would be found by moving a share.
  const mostNoise = MOST_NOISE * errorFactor * standardError
  if (!isShare && standardError > 0 && noise.variance > mostNoise ** 2) return null
  const told = (value: number): number => {
    const inRange = isShare ? Math.min(1, Math.max(0, value)) : value
    return withoutNegativeZero(Number(inRange.toPrecision(NOISY_DIGITS)))
  }
  const [one, other] = [told(scenario + noise.scenario), told(baseline + noise.baseline)]
  return {
    scenario: one,
    baseline: other,
    difference: withoutNegativeZero(Number((one - other).toPrecision(EXACT_DIGITS))),
    standardError: Number((errorFactor * Math.sqrt(standardError ** 2 + noise.variance)).toPrecision(ERROR_DIGITS)),
    degreesOfFreedom: degreesOfFreedom === null ? null : roundedDegrees(degreesOfFreedom),
    ...(simultaneousQuantile !== undefined && {
      simultaneousQuantile: Number((Math.ceil(simultaneousQuantile / QUANTILE_STEP) * QUANTILE_STEP).toFixed(2)),
    }),
  }
}

/** Down to one digit below 100, else to two, and at least 1: fewer make intervals wider. */
function roundedDegrees(degrees: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(degrees)) - (degrees < 100 ? 0 : 1))
  return Math.max(1, Math.floor(degrees / unit) * unit)
}

/** JSON does not have -0. */
const withoutNegativeZero = (value: number): number => (value === 0 ? 0 : value)
