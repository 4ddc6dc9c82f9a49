/**
 * Protects estimates so that no small count and no single row can be derived from them (see rounded-counts.ts).
 *
 * n  kept rows of the seed,  w, v  weights of scenario and baseline
 */

import { type Disclosure, LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { Conditions } from '../scenario/conditions.ts'
import type { Base, EstimatedDifference } from './figures.ts'
import type { WeightedSeed } from './seed-weights.ts'

/** Digits finer than this fraction of a standard error carry no information about the population. */
const STEP_PER_ERROR = 0.1

/** A smaller weight that moves between rows is a rounding error. */
const LEAST_MOVED = 1e-9

/** Digits of standard errors and of degrees of freedom on a protected seed. */
const ERROR_DIGITS = 3

/** A row with more of the variance than this decides a figure. */
const DOMINANT_SHARE = 0.8

/** Digits that exact figures are sure of: weights are raked to 13 places. */
const EXACT_DIGITS = 12

/**
 * Whether at least 10 rows weigh more on one side, and at least 10 on the other, counted as effective rows. A scenario
 * that leaves out k rows of its baseline has k such rows: with one, the difference would reveal that row's answer.
 */
export function isDifferenceReleasable(scenario: WeightedSeed, baseline: WeightedSeed): boolean {
  return areSame(scenario.conditions, baseline.conditions) || movesEnoughRows(scenario.weights, baseline.weights)
}

/** @param scenario, baseline Weights of the same rows, each summing to 1. */
export function movesEnoughRows(scenario: Float64Array, baseline: Float64Array): boolean {
  const [gains, losses] = [
    { sum: 0, squares: 0 },
    { sum: 0, squares: 0 },
  ]
  scenario.forEach((w, row) => {
    const moved = w - baseline[row]!
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

/** Rows of a side by code. */
interface RowsByCode {
  readonly scenario: Float64Array
  readonly baseline: Float64Array
}

/**
 * Codes of the released levels: those of at least 10 rows inside on both sides. The suppressed answers, missing ones
 * included if they are part of the base, must add up to 10 rows as well: otherwise they could be derived from the rest, and the
 * rarest levels are suppressed too. Of an exact seed: those that a side has. In the sequence of the column.
 */
export function releasedLevels(
  { scenario, baseline }: RowsByCode,
  missing: 0 | 1,
  base: Base,
  disclosure: Disclosure,
): number[] {
  const codes = Array.from(scenario.keys()).filter((code) => code >= missing || base === 'all')
  const levels = codes.filter((code) => code >= missing)
  if (disclosure === 'exact') return levels.filter((code) => scenario[code]! > 0 || baseline[code]! > 0)
  const rowsOf = (code: number): number => Math.min(scenario[code]!, baseline[code]!)
  const released = levels.filter((code) => rowsOf(code) >= LEAST_ROWS)
  const rarestFirst = released.toSorted((a, b) => rowsOf(a) - rowsOf(b) || b - a)
  const heldBack = new Set(codes.filter((code) => !released.includes(code)))
  const heldBackRows = (rows: Float64Array): number => [...heldBack].reduce((all, code) => all + rows[code]!, 0)
  while (heldBack.size > 0 && Math.min(heldBackRows(scenario), heldBackRows(baseline)) < LEAST_ROWS) {
    const rarest = rarestFirst.shift()
    if (rarest === undefined) break
    heldBack.add(rarest)
  }
  return released.filter((code) => !heldBack.has(code))
}

/**
 * Whether one row makes most of the variance of a difference: then the figure and its error speak of that row. (The dominance rule of
 * statistical offices: Hundepool and others 2012.)
 */
export function isDecidedByOne(influence: Float64Array): boolean {
  let largest = 0
  let all = 0
  for (let row = 0; row < influence.length; row++) {
    const square = influence[row]! * influence[row]!
    all += square
    if (square > largest) largest = square
  }
  return largest > DOMINANT_SHARE * all
}

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
    degreesOfFreedom,
    ...(simultaneousQuantile !== undefined && { simultaneousQuantile: exact(simultaneousQuantile) }),
  }
}

/**
 * Rounds each number to a tenth of its standard error, so that the rounding adds less than a thousandth to the variance. It
 * hides single rows of large seeds alone: see the section on disclosure of docs/service.md.
 *
 * @param sideErrors Standard errors of both sides' own figures.
 */
export function protectedFigures(
  { scenario, baseline, difference, standardError, degreesOfFreedom, simultaneousQuantile }: EstimatedDifference,
  sideErrors: { readonly scenario: number; readonly baseline: number },
): EstimatedDifference {
  return {
    scenario: roundedTo(scenario, STEP_PER_ERROR * sideErrors.scenario),
    baseline: roundedTo(baseline, STEP_PER_ERROR * sideErrors.baseline),
    difference: roundedTo(difference, STEP_PER_ERROR * standardError),
    standardError: Number(standardError.toPrecision(ERROR_DIGITS)),
    degreesOfFreedom:
      degreesOfFreedom === null ? null : Math.max(1, Number(degreesOfFreedom.toPrecision(ERROR_DIGITS))),
    ...(simultaneousQuantile !== undefined && {
      simultaneousQuantile: Number(simultaneousQuantile.toPrecision(ERROR_DIGITS)),
    }),
  }
}

/** Rounds to a multiple of the largest of …, 0.1, 0.2, 0.5, 1, … that is at most `mostStep`; to 6 digits if there is no step. */
function roundedTo(value: number, mostStep: number): number {
  if (!(mostStep > 1e-9 * Math.abs(value))) return Number(value.toPrecision(6))
  const unit = 10 ** Math.floor(Math.log10(mostStep))
  const step = unit * [5, 2, 1].find((factor) => factor * unit <= mostStep * (1 + 1e-9))!
  return withoutNegativeZero(Number((Math.round(value / step) * step).toPrecision(12)))
}

/** JSON does not have -0. */
const withoutNegativeZero = (value: number): number => (value === 0 ? 0 : value)
