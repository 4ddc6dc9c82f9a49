import type { ManifestBacktest } from '../../records/manifest/backtests.ts'
import type { ComparisonResult, ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import { roundStatistic } from '../arithmetic/figures.ts'
import { reviewBacktest } from '../backtests/backtest-gates.ts'
import { type GateKind, gateKindOf } from '../gates/gate-kinds.ts'
import {
  type DeltaBounds,
  evaluateFill,
  evaluateMean,
  evaluateRanges,
  evaluateShares,
  evaluateWithConfidence,
  isWithin,
} from '../gates/gates.ts'
import { holmPlaces, type JointGate, jointVerdict } from '../gates/holm-gates.ts'
import { differences, type Recorded } from './recorded-differences.ts'
import { partialVerdict } from './scenario-result.ts'

/** What has gates. */
export type GateOwner = 'scenario' | 'comparison' | 'backtest'

/** A gate of a manifest, evaluated again from the manifest's own figures. */
export interface GateReview {
  readonly of: GateOwner
  /** Of the scenario, comparison or backtest. */
  readonly id: string
  /** The result now; as recorded where the figures do not suffice. */
  readonly gate: GateResult
  /** What the manifest records. */
  readonly recordedPassed: boolean
  /** Why the recorded verdict was used; null when the figures gave one. */
  readonly unchecked: string | null
  /** False for a scenario that was not selected: its gates are reported and do not count. */
  readonly counts: boolean
}

export interface PartialReview {
  readonly scenario: string
  readonly requested: number
  readonly counted: number
  /** `unknown`: the manifest does not hold the policy, because an older runner wrote it. */
  readonly verdict: 'accept' | 'warn' | 'fail' | 'unknown'
}

/** What `evaluateGates` finds in a manifest. */
export interface ManifestReview {
  readonly gates: readonly GateReview[]
  /** Scenarios with fewer rows than requested that count. */
  readonly partial: readonly PartialReview[]
}

/**
 * Evaluates all gates and partial policies of a manifest again, without the artifacts. Thresholds are the recorded
 * ones. Figures are the manifest's counts, which are exact, and its ratios, from which counts of fewer than a million
 * rows follow exactly.
 */
export function evaluateGates(manifest: Manifest): ManifestReview {
  const gates: GateReview[] = []
  const partial: PartialReview[] = []
  for (const [id, scenario] of Object.entries(manifest.scenarios)) {
    const counts = wasSelected(manifest, id)
    for (const gate of scenario.gates)
      gates.push(reviewed({ of: 'scenario', id, counts }, gate, scenarioGate(gate, scenario)))
    if (counts && scenario.status === 'partial') partial.push(reviewPartial(id, scenario))
  }
  const compared = Object.entries(manifest.comparisons).flatMap(([id, comparison]) =>
    comparison.gates.map((gate) => ({ id, gate, now: comparisonGate(gate, comparison, manifest) })),
  )
  const joints = compared.flatMap(({ now }) => (typeof now !== 'string' && 'joint' in now ? [now.joint] : []))
  const places = new Map(holmPlaces(joints).map((place, i) => [joints[i]!, place]))
  for (const { id, gate, now } of compared) {
    const verdict =
      typeof now !== 'string' && 'joint' in now
        ? { actual: now.actual, ...jointVerdict(now.joint, places.get(now.joint)!) }
        : now
    gates.push(reviewed({ of: 'comparison', id, counts: true }, gate, verdict))
  }
  for (const [id, backtest] of Object.entries(manifest.backtests ?? {}))
    for (const gate of backtest.gates)
      gates.push(reviewed({ of: 'backtest', id, counts: true }, gate, backtestGate(gate, backtest)))
  return { gates, partial }
}

/**
 * Whether a scenario was part of the run. A scenario that was not is listed with its earlier results, which do not
 * count.
 */
export function wasSelected(manifest: Manifest, scenario: string): boolean {
  return manifest.run.actions[scenario] !== 'not_selected'
}

/**
 * Whether a partial result counts as a failure. Without its policy, the run's own verdict on its partial results
 * applies.
 */
export function isBelowPolicy({ verdict }: PartialReview, { outcome }: Manifest): boolean {
  if (verdict !== 'unknown') return verdict === 'fail'
  return outcome !== null && [outcome.reason, ...outcome.also].includes('partial_below_policy')
}

/** The result of an evaluation, or why there is none. */
type Evaluated =
  | (Pick<GateResult, 'passed' | 'actual' | 'chance' | 'interval' | 'reason'> & Partial<Pick<GateResult, 'evaluated'>>)
  | string

/** A gate that is judged together with others. */
interface Joint {
  readonly actual: number
  readonly joint: JointGate
}

function reviewed(of: Pick<GateReview, 'of' | 'id' | 'counts'>, recorded: GateResult, now: Evaluated): GateReview {
  const gate = typeof now === 'string' ? recorded : { ...recorded, ...now }
  return { ...of, gate, recordedPassed: recorded.passed, unchecked: typeof now === 'string' ? now : null }
}

function reviewPartial(scenario: string, { rows, partial }: ManifestScenario): PartialReview {
  const figures = { requested: rows.requested, counted: rows.counted ?? 0 }
  if (partial === undefined) return { scenario, ...figures, verdict: 'unknown' }
  const policy =
    typeof partial === 'string'
      ? { kind: partial }
      : { kind: 'accept_from' as const, acceptFrom: partial.accept_from, otherwise: partial.otherwise }
  return { scenario, ...figures, verdict: partialVerdict(policy, figures) }
}

const NOTHING_THEN = 'the run found nothing to evaluate'
const UNKNOWN_GATE = 'this version does not know the gate'
const NOT_THERE = 'its figures are not in the manifest'

function scenarioGate(gate: GateResult, scenario: ManifestScenario): Evaluated {
  if (gate.evaluated === 0) return NOTHING_THEN
  const { counted } = scenario.rows
  if (counted === null) return NOT_THERE
  const kind = gateKindOf(gate.id)
  return (kind === null ? null : SCENARIO_GATES[kind])?.(gate, scenario, counted) ?? UNKNOWN_GATE
}

type ReviewOfScenario = (gate: GateResult, scenario: ManifestScenario, counted: number) => Evaluated

/** Null: no scenario has such a gate. */
const SCENARIO_GATES: { readonly [Kind in GateKind]: ReviewOfScenario | null } = {
  fill: fillGate,
  shares: sharesGate,
  ranges: rangesGate,
  means: meansGate,
  cells: cellsGate,
  delta: null,
  quantile: null,
  mixed_model: null,
  coverage: null,
  error: null,
  beyond_chance: null,
}

function fillGate(gate: GateResult, { rows }: ManifestScenario, counted: number): Evaluated {
  const min = threshold(gate, 'min')
  return min === null ? UNKNOWN_GATE : evaluateFill(counted / rows.requested, min)
}

function rangesGate(gate: GateResult, scenario: ManifestScenario, counted: number): Evaluated {
  const most = threshold(gate, 'outside_max')
  const outside = Object.values(scenario.ranges).map((range) => range.outside_count)
  if (most === null) return UNKNOWN_GATE
  if (outside.length === 0 || counted === 0) return NOT_THERE
  return evaluateRanges(outside, counted, most)
}

function meansGate(gate: GateResult, { means = {} }: ManifestScenario): Evaluated {
  const tolerance = threshold(gate, 'tolerance')
  if (tolerance === null) return UNKNOWN_GATE
  const delta = means[gate.id.slice('means:'.length)]?.delta
  return delta == null ? NOT_THERE : evaluateMean(delta, tolerance)
}

function cellsGate(gate: GateResult, { cells = [] }: ManifestScenario, counted: number): Evaluated {
  const tolerance = threshold(gate, 'tolerance')
  if (tolerance === null) return UNKNOWN_GATE
  const all = cells.flatMap((table) => table.cells)
  return all.length === 0 || counted === 0 ? NOT_THERE : evaluateShares(all, counted, tolerance)
}

function sharesGate(gate: GateResult, scenario: ManifestScenario, counted: number): Evaluated {
  const tolerance = threshold(gate, 'tolerance')
  if (tolerance === null) return UNKNOWN_GATE
  const levels = Object.values(scenario.shares[gate.id.slice('shares:'.length)]?.levels ?? {})
  if (levels.length === 0 || counted === 0) return NOT_THERE
  return evaluateShares(levels, counted, tolerance)
}

function comparisonGate(gate: GateResult, comparison: ManifestComparison, manifest: Manifest): Evaluated | Joint {
  const kind = gateKindOf(gate.id)
  return (kind === null ? null : COMPARISON_GATES[kind])?.(gate, comparison, manifest) ?? UNKNOWN_GATE
}

type ReviewOfComparison = (gate: GateResult, comparison: ManifestComparison, manifest: Manifest) => Evaluated | Joint

/** Null: no comparison has such a gate. */
const COMPARISON_GATES: { readonly [Kind in GateKind]: ReviewOfComparison | null } = {
  fill: null,
  shares: null,
  ranges: null,
  means: null,
  cells: null,
  delta: deltaGate,
  quantile: quantileGate,
  mixed_model: mixedModelGate,
  coverage: null,
  error: null,
  beyond_chance: null,
}

function backtestGate(gate: GateResult, { totals }: ManifestBacktest): Evaluated {
  if (gate.evaluated === 0) return NOTHING_THEN
  const found = reviewBacktest(gate, totals)
  return found === 'unknown' ? UNKNOWN_GATE : (found ?? NOT_THERE)
}

function mixedModelGate(_: GateResult, comparison: ManifestComparison): Evaluated {
  const mixed = Object.values(comparison.scenarios).filter((result) => result.status === 'mixed_model').length
  return { passed: mixed === 0, actual: mixed }
}

function deltaGate(gate: GateResult, comparison: ManifestComparison, manifest: Manifest): Evaluated | Joint {
  if (gate.evaluated === 0) return NOTHING_THEN
  const [, id = '', ...rest] = gate.id.split(':')
  const result = comparison.scenarios[id]
  if (result === undefined || result.status === 'missing') return NOT_THERE
  const name = rest.join(':')
  const found = differences(name, result, {
    scenario: countedRows(manifest, result.replicates?.ids ?? [id]),
    against: countedRows(manifest, comparison.against_replicates ?? [comparison.against]),
  })
  // Names of columns and levels may contain the colon that joins them.
  if (found.length !== 1) return found.length === 0 ? NOT_THERE : 'its name fits several columns and levels'
  // Not 0: earlier versions counted a level that the data do not have as 0 on both sides.
  if (found[0]!.recorded === null && !isLevelKnown(name, comparison))
    return comparison.outcomes === undefined ? NOT_THERE : { passed: false, actual: null, evaluated: 0 }
  const answer = found[0]!.recorded?.difference.answer?.difference
  // The manifest holds the answer as the gate saw it.
  const { delta, within, actual, recorded } =
    answer === undefined ? found[0]! : { ...found[0]!, delta: answer, within: 0, actual: answer }
  const bounds = { min: threshold(gate, 'delta_min') ?? -Infinity, max: threshold(gate, 'delta_max') ?? Infinity }
  if (bounds.min === -Infinity && bounds.max === Infinity) return UNKNOWN_GATE
  if (gate.expected.confidence !== undefined) return confidentGate(gate, result, { bounds, actual, recorded })
  if (within > 0 && [bounds.min, bounds.max].some((bound) => Math.abs(delta - bound) <= within))
    return 'it is closer to its bound than the precision of the manifest'
  return { passed: isWithin(delta, bounds), actual }
}

/** `quantile:<scenario>:<share>:<column>`: on the answer, or on the difference in the rows where there is none. */
function quantileGate(gate: GateResult, comparison: ManifestComparison): Evaluated | Joint {
  if (gate.evaluated === 0) return NOTHING_THEN
  const [, id = '', share = '', ...column] = gate.id.split(':')
  const result = comparison.scenarios[id]
  const found = result?.quantiles?.[column.join(':')]?.[share]
  const actual = found?.answer?.difference ?? found?.delta ?? null
  if (result === undefined || found === undefined || actual === null) return NOT_THERE
  const bounds = { min: threshold(gate, 'delta_min') ?? -Infinity, max: threshold(gate, 'delta_max') ?? Infinity }
  if (bounds.min === -Infinity && bounds.max === Infinity) return UNKNOWN_GATE
  const recorded = { difference: found, round: roundStatistic }
  if (gate.expected.confidence !== undefined) return confidentGate(gate, result, { bounds, actual, recorded })
  return { passed: isWithin(actual, bounds), actual }
}

/** Whether the data have a level that no row of the two sides has, by its gate's name `column:level`. */
function isLevelKnown(name: string, { outcomes = [] }: ManifestComparison): boolean {
  return outcomes.some(({ column, levels }) => levels?.some((level) => name === `${column}:${level}`))
}

/** Of one scenario, or of several replicates; null when it is not known. */
function countedRows({ scenarios }: Manifest, ids: readonly string[]): number | null {
  const counted = ids.map((id) => scenarios[id]?.rows.counted ?? null)
  return counted.includes(null) ? null : counted.reduce((sum: number, rows) => sum + (rows ?? 0), 0)
}

/** Evaluates a gate on an interval that is computed from the records of the manifest. */
function confidentGate(
  gate: GateResult,
  { effective_rows: effectiveRows }: ComparisonResult,
  { bounds, actual, recorded }: { bounds: DeltaBounds; actual: number; recorded: Recorded | null },
): Evaluated | Joint {
  const confidence = threshold(gate, 'confidence')
  // A level that no row has is not listed.
  if (recorded === null) return NOT_THERE
  if (confidence === null || !(confidence >= 0.5 && confidence <= 0.999)) return UNKNOWN_GATE
  const { difference, round } = recorded
  if (gate.expected.adjust === 'holm')
    return { actual, joint: { recorded: difference, effectiveRows, bounds, confidence, round } }
  return { actual, ...evaluateWithConfidence(difference, effectiveRows, { bounds, confidence, round }) }
}

function threshold(gate: GateResult, name: string): number | null {
  const value = gate.expected[name]
  return typeof value === 'number' ? value : null
}
