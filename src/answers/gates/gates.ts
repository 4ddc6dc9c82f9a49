import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { conditionsOf } from '../../study/conditions/condition.ts'
import { boundedShares, boundsValue } from '../../study/conditions/share-bounds.ts'
import { knownShares } from '../../study/conditions/share-change.ts'
import { GATE_KINDS, type GateKind, type Gates, gateFor, gateOf } from '../../study/gates/gate.ts'
import type { ComparisonGate, Scenario } from '../../study/study.ts'
import {
  chanceOfShare,
  nearestAllowed,
  roundRatio,
  roundStatistic,
  type TargetOrBounds,
} from '../arithmetic/figures.ts'
import { fewestOf, INTERVAL_CONFIDENCE, intervalOf, type SidePair } from '../arithmetic/intervals.ts'
import { cellResults, countedTable, countsOfTable, distanceOf } from '../counts/condition-results.ts'
import { differenceGateId, type EvaluatedGate, type NoInterval } from './gate-kinds.ts'

/** Slack for the last bits of a difference of two doubles: 0.35 − 0.32 is within 0.03. */
const LAST_BITS = 1e-12

/**
 * The gates of a scenario, whose conditions are as they were sent, evaluated on its artifact, fail level first. A gate without a condition in the scenario (a
 * tolerance inherited by a scenario without shares) does not apply and is left out; `checkGates` finds gates that never
 * apply. Every returned gate has been evaluated, or has failed because it could not be.
 */
export function evaluateScenarioGates(scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  return [
    ...gatesAt('fail', scenario.expect, scenario, measured),
    ...gatesAt('warn', scenario.warn, scenario, measured),
  ]
}

function gatesAt(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  if (gates.length === 0) return []
  return GATE_KINDS.flatMap((kind) => EVALUATIONS[kind](level, gates, scenario, measured))
}

const EVALUATIONS: { readonly [Kind in GateKind]: typeof fillGate } = {
  fill: fillGate,
  shares: shareGates,
  ranges: rangeGate,
  means: meanGates,
  cells: cellGate,
}

function fillGate(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  const gate = gateOf(gates, 'fill')
  if (gate === undefined) return []
  const found = evaluateFill(measured.rows / scenario.rows, gate.number)
  return [{ id: 'fill', level, evaluated: 1, expected: { min: gate.number }, ...found }]
}

/** One gate per column; `actual` is the largest |achieved − target| of its stated levels. */
function shareGates(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  const counted = new Map(measured.shares)
  const results: EvaluatedGate[] = []
  for (const { column, shares: stated } of byColumn(conditionsOf(scenario, 'share'))) {
    const bounds = [...boundedShares(stated)].map(([level, own]) => [level, boundsValue(own)] as const)
    const shares = new Map<string, TargetOrBounds>([...knownShares(stated), ...bounds])
    const tolerance = gateFor(gates, 'shares', column)?.number
    if (tolerance === undefined || shares.size === 0) continue
    const base = { id: `shares:${column}` as const, level, expected: { tolerance } }
    const found = counted.get(column)
    if (found === undefined || measured.rows === 0) {
      results.push({ ...base, evaluated: 0, passed: false, actual: null })
      continue
    }
    const counts = new Map(found.levels)
    const levels = byName(shares).map(([name, target]) => ({ target, count: counts.get(name) ?? 0 }))
    results.push({ ...base, evaluated: shares.size, ...evaluateShares(levels, measured.rows, tolerance) })
  }
  return results
}

function rangeGate(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  const ranges = conditionsOf(scenario, 'range')
  const gate = gateOf(gates, 'ranges')
  if (gate === undefined || ranges.length === 0) return []
  const outside = new Map(measured.outside)
  const counts = ranges.flatMap(({ column }) => outside.get(column) ?? [])
  const base = { id: 'ranges' as const, level, expected: { outside_max: gate.number } }
  if (counts.length < ranges.length || measured.rows === 0) {
    return [{ ...base, evaluated: 0, passed: false, actual: null }]
  }
  const found = evaluateRanges(counts, measured.rows, gate.number)
  return [{ ...base, evaluated: counts.length, ...found }]
}

/** One gate per column; `actual` is the distance of the mean from its target or bound. */
function meanGates(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  const numbers = new Map(measured.numbers)
  return byColumn(conditionsOf(scenario, 'mean')).flatMap((condition): EvaluatedGate[] => {
    const { column } = condition
    const tolerance = gateFor(gates, 'means', column)?.number
    if (tolerance === undefined) return []
    const base = { id: `means:${column}` as const, level, expected: { tolerance } }
    const mean = numbers.get(column)?.mean ?? null
    if (mean === null) return [{ ...base, evaluated: 0, passed: false, actual: null }]
    return [{ ...base, evaluated: 1, ...evaluateMean(roundStatistic(distanceOf(mean, condition)), tolerance) }]
  })
}

/** `actual` is the largest |achieved − target| of all cells. */
function cellGate(level: 'fail' | 'warn', gates: Gates, scenario: Scenario, measured: Measurement): EvaluatedGate[] {
  const tolerance = gateOf(gates, 'cells')?.number
  const tables = conditionsOf(scenario, 'cell')
  if (tolerance === undefined || tables.length === 0) return []
  const base = { id: 'cells' as const, level, expected: { tolerance } }
  const isCounted = tables.every(({ columns }) => countsOfTable(measured, countedTable(columns)) !== undefined)
  if (!isCounted || measured.rows === 0) return [{ ...base, evaluated: 0, passed: false, actual: null }]
  const cells = cellResults(tables, measured).flatMap((table) => table.cells)
  return [{ ...base, evaluated: cells.length, ...evaluateShares(cells, measured.rows, tolerance) }]
}

type Evaluation = Pick<GateResult, 'passed' | 'actual' | 'chance'>

export const evaluateFill = (fill: number, min: number): Evaluation => ({
  passed: fill >= min,
  actual: roundRatio(fill),
})

/** The largest |achieved − target| of stated levels, 0 within bounds; `rows` is not 0. */
export function evaluateShares(
  levels: readonly { readonly target: TargetOrBounds; readonly count: number }[],
  rows: number,
  tolerance: number,
): Evaluation {
  let worst = { off: -1, target: 0 }
  for (const { target, count } of levels) {
    const nearest = nearestAllowed(count / rows, target)
    const off = Math.abs(count / rows - nearest)
    if (off > worst.off) worst = { off, target: nearest }
  }
  return {
    passed: worst.off <= tolerance + LAST_BITS,
    actual: roundRatio(worst.off),
    chance: roundRatio(chanceOfShare(worst.target, rows)),
  }
}

/** The largest share of rows outside a range, from the rows outside each; `rows` is not 0. */
export function evaluateRanges(outside: readonly number[], rows: number, most: number): Evaluation {
  const worst = outside.reduce((largest, count) => Math.max(largest, count), 0) / rows
  return { passed: worst <= most + LAST_BITS, actual: roundRatio(worst) }
}

/** The distance of a mean from its target, as a manifest writes it. */
export const evaluateMean = (delta: number, tolerance: number): Evaluation => ({
  passed: Math.abs(delta) <= tolerance + LAST_BITS * Math.max(1, tolerance),
  actual: Math.abs(delta),
})

/**
 * Sorted, independent of the file's sequence: of equally bad levels the first counts, as when a manifest is read back.
 */
const byName = <V>(map: ReadonlyMap<string, V>): [string, V][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

const byColumn = <C extends { readonly column: string }>(conditions: readonly C[]): readonly C[] =>
  [...conditions].sort((a, b) => (a.column < b.column ? -1 : 1))

export interface DeltaBounds {
  readonly min: number
  readonly max: number
}

export const isWithin = (delta: number, { min, max }: DeltaBounds): boolean =>
  delta >= min - LAST_BITS && delta <= max + LAST_BITS

/** A difference as a manifest writes it, with what is known of its interval. */
export type RecordedDifference = Partial<DifferenceCertainty> & { readonly delta: number | null }

/**
 * Whether the interval of a difference at a confidence lies within bounds. It uses only recorded figures, so that every
 * reader of the manifest reaches the same verdict.
 */
export function evaluateWithConfidence(
  difference: RecordedDifference,
  effectiveRows: SidePair | undefined,
  asked: { readonly bounds: DeltaBounds; readonly confidence: number; readonly round: (figure: number) => number },
): Pick<EvaluatedGate, 'passed' | 'interval' | 'reason'> {
  const found = intervalAt(difference, effectiveRows, asked)
  if (typeof found === 'string') return { passed: false, reason: found }
  const [low, high] = found
  return { passed: isWithin(low, asked.bounds) && isWithin(high, asked.bounds), interval: found }
}

function intervalAt(
  { delta, answer, interval, standard_error, support, basis }: RecordedDifference,
  effectiveRows: SidePair | undefined,
  { confidence, round }: { readonly confidence: number; readonly round: (figure: number) => number },
): readonly [number, number] | NoInterval {
  if (support === 'too_few_rows') return 'too_few_rows'
  // More rows would remove the noise of generation; it says nothing about the population.
  if (basis === 'generation' || effectiveRows === undefined) return 'generation_only'
  const told = answer?.difference ?? delta
  if (told === null || interval == null || standard_error == null) return 'no_standard_error'
  if (confidence === INTERVAL_CONFIDENCE) return interval
  const degrees = answer === undefined ? fewestOf(effectiveRows) : (answer.degrees_of_freedom ?? null)
  return intervalOf(told, standard_error, degrees, confidence, round)
}

/**
 * The gate on a difference: on the answer, or on the difference in the rows where there is none. `exact` is the latter before
 * rounding, which counts when no confidence is required; null when a side has no figure.
 */
export function deltaGate(
  level: 'fail' | 'warn',
  gate: ComparisonGate,
  exact: number | null,
  recorded: { readonly difference: RecordedDifference; readonly effectiveRows: SidePair | undefined },
): EvaluatedGate {
  const { confidence } = gate
  const base = {
    id: differenceGateId(gate),
    level,
    expected: {
      ...(gate.deltaMin === null ? {} : { delta_min: gate.deltaMin }),
      ...(gate.deltaMax === null ? {} : { delta_max: gate.deltaMax }),
      ...(confidence === null ? {} : { confidence }),
      ...(gate.adjust === null ? {} : { adjust: gate.adjust }),
    },
  }
  if (exact === null) return { ...base, evaluated: 0, passed: false, actual: null }
  const round = roundingOf(gate)
  const bounds = boundsOf(gate)
  const told = recorded.difference.answer?.difference ?? exact
  const found = { ...base, evaluated: 1, actual: round(told) }
  if (confidence === null) return { ...found, passed: isWithin(told, bounds) }
  return {
    ...found,
    ...evaluateWithConfidence(recorded.difference, recorded.effectiveRows, { bounds, confidence, round }),
  }
}

/** How the figures of a gate are written. */
export const roundingOf = ({ level }: ComparisonGate) => (level === null ? roundStatistic : roundRatio)

export const boundsOf = ({ deltaMin, deltaMax }: ComparisonGate): DeltaBounds => ({
  min: deltaMin ?? -Infinity,
  max: deltaMax ?? Infinity,
})
