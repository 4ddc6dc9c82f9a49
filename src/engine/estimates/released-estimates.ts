/**
 * Protects estimates so that no small count and no single row can be derived from them (see rounded-counts.ts).
 *
 * n  kept rows of the seed,  w, v  weights of scenario and baseline
 */

import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { Conditions } from '../scenario/conditions.ts'
import type { CodeSums } from './code-sums.ts'
import type { WeightedSeed } from './seed-weights.ts'

/** Digits finer than this fraction of a standard error carry no information about the population. */
const STEP_PER_ERROR = 0.2

/** A smaller weight that moves between rows is a rounding error. */
const LEAST_MOVED = 1e-9

/** Digits of standard errors, and of standard deviations. */
const ERROR_DIGITS = 2
const SPREAD_DIGITS = 3

/**
 * Whether at least 10 rows weigh more on one side, and at least 10 on the other, counted as effective rows. A scenario
 * that leaves out k rows of its baseline has k such rows: with one, the difference would reveal that row's answer.
 */
export function isDifferenceReleasable(scenario: WeightedSeed, baseline: WeightedSeed): boolean {
  if (areSame(scenario.conditions, baseline.conditions)) return true
  const [gains, losses] = [
    { sum: 0, squares: 0 },
    { sum: 0, squares: 0 },
  ]
  scenario.weights.forEach((w, row) => {
    const moved = w - baseline.weights[row]!
    const side = moved > 0 ? gains : losses
    side.sum += moved
    side.squares += moved * moved
  })
  // No change if no row is affected, which counts as few.
  const isMoved = gains.sum > LEAST_MOVED
  return isMoved && [gains, losses].every((side) => side.sum ** 2 / side.squares >= LEAST_ROWS * (1 - 1e-9))
}

function areSame(one: Conditions, other: Conditions): boolean {
  const written = ({ shares, ranges }: Conditions) =>
    JSON.stringify([
      shares.map(({ index, listed }) => [index, [...listed].sort(([a], [b]) => a - b)]).sort(byIndex),
      ranges.map(({ index, range }) => [index, range.min, range.max]).sort(byIndex),
    ])
  return written(one) === written(other)
}

function byIndex([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return Number(a) - Number(b)
}

/**
 * Whether two scenarios weight the rows of each level of a column alike: they state shares of no other column, and the
 * same ranges.
 */
export function areSameInside(column: number, scenario: Conditions, baseline: Conditions): boolean {
  const onlyOwn = [scenario, baseline].every(({ shares }) => shares.every(({ index }) => index === column))
  return onlyOwn && areSame({ ...scenario, shares: [] }, { ...baseline, shares: [] })
}

/** The largest influence of one row on the figure of either side, and on their difference. */
export interface LargestWeights {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
}

export function largestWeights(scenario: WeightedSeed, baseline: WeightedSeed): LargestWeights {
  const largest = { scenario: 0, baseline: 0, difference: 0 }
  scenario.weights.forEach((w, row) => {
    const v = baseline.weights[row]!
    largest.scenario = Math.max(largest.scenario, w)
    largest.baseline = Math.max(largest.baseline, v)
    largest.difference = Math.max(largest.difference, Math.abs(w - v))
  })
  return largest
}

/**
 * Codes of the released levels: those of at least 10 rows inside on both sides. The suppressed answers, missing ones
 * included, must add up to 10 rows as well: otherwise they could be derived from the rest, and the rarest levels are
 * suppressed too.
 */
export function releasedLevels({ scenarioRows, baselineRows }: CodeSums, missing: 0 | 1): number[] {
  const rowsOf = (code: number): number => Math.min(scenarioRows[code]!, baselineRows[code]!)
  const codes = Array.from(scenarioRows.keys())
  const released = codes.filter((code) => code >= missing && rowsOf(code) >= LEAST_ROWS)
  const rarestFirst = released.toSorted((a, b) => rowsOf(a) - rowsOf(b) || b - a)
  const heldBack = new Set(codes.filter((code) => !released.includes(code)))
  const heldBackRows = (rows: Float64Array): number => [...heldBack].reduce((all, code) => all + rows[code]!, 0)
  while (heldBack.size > 0 && Math.min(heldBackRows(scenarioRows), heldBackRows(baselineRows)) < LEAST_ROWS) {
    const rarest = rarestFirst.shift()
    if (rarest === undefined) break
    heldBack.add(rarest)
  }
  return released.filter((code) => !heldBack.has(code))
}

export interface SidesAndDifference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
}

/**
 * Rounds each number to the digits that its standard error supports, and never so finely that one row would show.
 *
 * @param influences The largest influence of one row on each number.
 */
export function rounded(
  values: SidesAndDifference,
  errors: SidesAndDifference,
  influences: SidesAndDifference,
): SidesAndDifference & { readonly standardError: number } {
  const round = (of: keyof SidesAndDifference) =>
    roundedTo(values[of], Math.max(STEP_PER_ERROR * errors[of], influences[of]))
  return {
    scenario: round('scenario'),
    baseline: round('baseline'),
    difference: round('difference'),
    standardError: Number(errors.difference.toPrecision(ERROR_DIGITS)),
  }
}

export function roundedSpread(sd: number): number {
  return Number(sd.toPrecision(SPREAD_DIGITS))
}

/** Rounds to a multiple of the next larger of …, 0.1, 0.2, 0.5, 1, …; to 6 digits if there is no step. */
function roundedTo(value: number, leastStep: number): number {
  if (!(leastStep > 0)) return Number(value.toPrecision(6))
  const unit = 10 ** Math.floor(Math.log10(leastStep))
  const step = unit * [1, 2, 5, 10].find((factor) => factor * unit >= leastStep * (1 - 1e-9))!
  const result = Number((Math.round(value / step) * step).toPrecision(12))
  // Not -0, which JSON does not have.
  return result === 0 ? 0 : result
}
