import { dataRecord } from '../base/data-record.ts'
import type { Measurement, NumberSummary, RecordedEstimate, RecordedEstimates } from '../plan/study-state.ts'
import { membersOf } from '../study/replicates.ts'
import type { Comparison, ComparisonGate, Study } from '../study/study.ts'
import type { Histogram } from './column-records.ts'
import { type ComparedSide, isPooled, type PooledSide, partsOf, pooledSide } from './compared-sides.ts'
import type {
  ComparisonResult,
  MeanDifference,
  NoEstimates,
  NumericStatistics,
  SegmentResult,
  ShareDifference,
} from './difference-records.ts'
import { roundRatio, roundStatistic } from './figures.ts'
import { deltaGate } from './gates.ts'
import { histogramsOf } from './histogram.ts'
import { certaintyOf, type SeedKnowledge, type SidePair, shareVariance } from './intervals.ts'
import type { EvaluatedGate, ManifestComparison } from './manifest.ts'
import { replicateSpread } from './replicate-spread.ts'
import { type SegmentKnowledge, type SegmentSides, segmentSides } from './segments.ts'

/** The seed's estimates for a scenario of a comparison, or why there are none. */
export type EstimatesOf = (comparison: Comparison, scenario: string) => RecordedEstimates | NoEstimates

/** The same for a comparison with segments. */
export type SegmentsOf = (comparison: Comparison, scenario: string) => SegmentKnowledge

/**
 * All comparisons of a study: local arithmetic over the counts, with intervals from what is known of the seed. Two
 * sides of different models are marked `mixed_model`, because part of their difference comes from the models.
 */
export function compareScenarios(
  study: Study,
  sides: ReadonlyMap<string, ComparedSide>,
  estimatesOf: EstimatesOf,
  segmentsOf: SegmentsOf = () => ({ estimates: 'estimates_not_asked', order: [] }),
): Record<string, ManifestComparison> {
  return dataRecord(study.comparisons.map((c) => [c.id, compare(c, study, sides, estimatesOf, segmentsOf)] as const))
}

function compare(
  comparison: Comparison,
  study: Study,
  sides: ReadonlyMap<string, ComparedSide>,
  estimatesOf: EstimatesOf,
  segmentsOf: SegmentsOf,
): ManifestComparison {
  const sideOf = (name: string): ComparedSide | PooledSide | undefined => {
    const members = membersOf(study, name)
    return members[0] === name ? sides.get(name) : pooledSide(members.map((id) => [id, sides.get(id)] as const))
  }
  const against = sideOf(comparison.against)
  const named = new Map(comparison.scenarios.map((id) => [id, sideOf(id)] as const))
  const pairs = new Map(
    [...named].map(([id, side]) => [id, pairOf(side, against, () => estimatesOf(comparison, id))] as const),
  )
  const results = [...pairs].map(([id, pair]) => {
    const result = withReplicates(compareTwo(comparison, pair), named.get(id))
    if (comparison.by === null || pair === null) return [id, result] as const
    return [
      id,
      { ...result, segments: segmentResults(comparison, comparison.by, pair, segmentsOf(comparison, id)) },
    ] as const
  })
  const mixed = results.filter(([, result]) => result.status === 'mixed_model').length
  const modelGate: EvaluatedGate[] =
    mixed === 0
      ? []
      : [
          {
            id: 'mixed_model',
            level: study.policy.mixedModel,
            evaluated: results.length,
            passed: false,
            expected: { mixed: 0 },
            actual: mixed,
          },
        ]
  const evaluate = (level: 'fail' | 'warn', gates: readonly ComparisonGate[]): EvaluatedGate[] =>
    gates.flatMap((gate) => {
      const side = named.get(gate.scenario)
      const unselected = [side, against].some((s) => s !== undefined && !s.selected && s.measured === null)
      return unselected ? [] : [evaluateGate(level, gate, pairs.get(gate.scenario) ?? null)]
    })
  return {
    against: comparison.against,
    ...(isPooled(against) && { against_replicates: against.replicates.map(({ id }) => id) }),
    ...(comparison.by === null ? {} : { by: comparison.by }),
    scenarios: dataRecord(results),
    gates: [...modelGate, ...evaluate('fail', comparison.expect), ...evaluate('warn', comparison.warn)],
  }
}

function withReplicates(result: ComparisonResult, side: ComparedSide | PooledSide | undefined): ComparisonResult {
  if (!isPooled(side)) return result
  const mean = (measured: Measurement, column: string) => numbersOf(measured, column)?.mean ?? null
  return { ...result, replicates: replicateSpread(side, result, { share: shareOf, mean }) }
}

/** Both sides of a comparison, with what is known of the seed behind them. */
interface Pair {
  readonly scenario: Measurement
  readonly against: Measurement
  readonly isSameModel: boolean
  readonly seed: SeedBehind
}

/** Null where a side has no result. */
function pairOf(
  side: ComparedSide | undefined,
  against: ComparedSide | undefined,
  estimatesOf: () => RecordedEstimates | NoEstimates,
): Pair | null {
  if (side?.measured == null || against?.measured == null) return null
  const [first, ...others] = [against, side].flatMap(partsOf)
  const isSame = others.every((other) => isSameModel(first!, other))
  const evidence =
    side.effectiveRows === null || against.effectiveRows === null
      ? null
      : { scenario: side.effectiveRows, against: against.effectiveRows }
  return {
    scenario: side.measured,
    against: against.measured,
    isSameModel: isSame,
    seed: { estimates: isSame ? estimatesOf() : 'estimates_other_model', evidence },
  }
}

function compareTwo(comparison: Comparison, pair: Pair | null): ComparisonResult {
  if (pair === null) return { status: 'missing', shares: {}, means: {} }
  const { estimates } = pair.seed
  const effectiveRows = effectiveRowsOf(pair.seed)
  return {
    status: pair.isSameModel ? 'compared' : 'mixed_model',
    shares: dataRecord(comparison.shares.map((column) => [column, shareDifferences(column, pair)] as const)),
    means: dataRecord(comparison.means.map((column) => [column, meanDifference(column, pair)] as const)),
    ...(effectiveRows === undefined ? {} : { effective_rows: effectiveRows }),
    ...(typeof estimates === 'string' ? { no_estimates: estimates } : {}),
  }
}

/** The differences inside each level. A level that only one side has rows of has none. */
function segmentResults(comparison: Comparison, by: string, pair: Pair, known: SegmentKnowledge): SegmentResult[] {
  const evidence = effectiveRowsOf(pair.seed) ?? null
  const estimates = pair.isSameModel ? known.estimates : 'estimates_other_model'
  return segmentSides(by, { ...pair, evidence }, { ...known, estimates }).map((sides) =>
    segmentResult(comparison, sides),
  )
}

function segmentResult({ shares, means }: Comparison, sides: SegmentSides): SegmentResult {
  const { level, scenario, against, seed } = sides
  const rows = { scenario: scenario.rows, against: against.rows }
  if (rows.scenario === 0 || rows.against === 0) return { level, rows, shares: {}, means: {} }
  const effectiveRows = effectiveRowsOf(seed)
  return {
    level,
    rows,
    shares: dataRecord(shares.map((column) => [column, shareDifferences(column, sides)] as const)),
    means: dataRecord(means.map((column) => [column, meanDifference(column, sides)] as const)),
    ...(effectiveRows === undefined ? {} : { effective_rows: effectiveRows }),
    ...(typeof seed.estimates === 'string' ? { no_estimates: seed.estimates } : {}),
  }
}

/** True for the same trained dataset, or for two datasets with the same model according to the service. */
export function isSameModel(
  a: Pick<ComparedSide, 'datasetId' | 'modelId'>,
  b: Pick<ComparedSide, 'datasetId' | 'modelId'>,
): boolean {
  if (a.datasetId === b.datasetId) return true
  return a.modelId !== null && a.modelId === b.modelId
}

function evaluateGate(level: 'fail' | 'warn', gate: ComparisonGate, pair: Pair | null): EvaluatedGate {
  const nothing = { difference: { delta: null }, effectiveRows: undefined }
  if (pair === null) return deltaGate(level, gate, null, nothing)
  const effectiveRows = effectiveRowsOf(pair.seed)
  return gate.level === null
    ? deltaGate(level, gate, meanDelta(gate.column, pair), {
        difference: meanDifference(gate.column, pair),
        effectiveRows,
      })
    : deltaGate(level, gate, shareDelta(gate.column, gate.level, pair), {
        difference: shareDifference(gate.column, gate.level, pair),
        effectiveRows,
      })
}

/** What is known of the seed behind a scenario and its baseline. */
export interface SeedBehind {
  readonly estimates: RecordedEstimates | NoEstimates
  /** Effective rows by the evidence of both generations; null when the service does not report them. */
  readonly evidence: SidePair | null
}

/** Both sides of a difference with their counts, and the seed behind them. */
interface Sides {
  readonly scenario: Measurement
  readonly against: Measurement
  readonly seed: SeedBehind
}

/** For every level that either side has. */
export function shareDifferences(column: string, sides: Sides): Record<string, ShareDifference> {
  const levels = new Set([...levelsOf(sides.against, column), ...levelsOf(sides.scenario, column)])
  return dataRecord([...levels].map((level) => [level, shareDifference(column, level, sides)] as const))
}

export function shareDifference(column: string, level: string, sides: Sides): ShareDifference {
  const against = shareOf(sides.against, column, level) ?? 0
  const scenario = shareOf(sides.scenario, column, level) ?? 0
  const delta = roundRatio(scenario - against)
  const estimates = estimatesIn(sides.seed)
  const levels = estimates?.shares.find(([name]) => name === column)?.[1] ?? []
  // The service does not report rare levels; a column without any has too few rows.
  const rare = levels.length === 0 ? null : undefined
  const seed = knowledgeOf(sides.seed, levels.find(([name]) => name === level)?.[1] ?? rare)
  const counted = {
    scenario: { rows: sides.scenario.rows, variance: shareVariance(scenario) },
    against: { rows: sides.against.rows, variance: shareVariance(against) },
  }
  const shares = { against: roundRatio(against), scenario: roundRatio(scenario), delta }
  return { ...shares, ...certaintyOf(delta, counted, seed, roundRatio) }
}

/** Scenario minus baseline, not rounded; null when a side has no such column or no rows. */
export function shareDelta(column: string, level: string, sides: Sides): number | null {
  const [a, b] = [shareOf(sides.against, column, level), shareOf(sides.scenario, column, level)]
  return a === null || b === null ? null : b - a
}

export function meanDifference(column: string, sides: Sides): MeanDifference {
  const delta = meanDelta(column, sides)
  const [against, scenario] = [numbersOf(sides.against, column), numbersOf(sides.scenario, column)]
  const histograms = histogramsOf(scenario, against)
  const figures = {
    against: statistics(against, histograms.against),
    scenario: statistics(scenario, histograms.scenario),
  }
  if (delta === null) return { ...figures, delta }
  const estimates = estimatesIn(sides.seed)
  const seed = knowledgeOf(sides.seed, estimates?.means.find(([name]) => name === column)?.[1] ?? null)
  const counted = { scenario: countedMean(scenario), against: countedMean(against) }
  const rounded = roundStatistic(delta)
  return { ...figures, delta: rounded, ...certaintyOf(rounded, counted, seed, roundStatistic) }
}

export function meanDelta(column: string, { scenario, against }: Sides): number | null {
  const before = numbersOf(against, column)?.mean ?? null
  const after = numbersOf(scenario, column)?.mean ?? null
  const delta = before === null || after === null ? Number.NaN : after - before
  return Number.isFinite(delta) ? delta : null
}

/** Effective rows of both sides: those of the seed's estimates, else those of the evidence. */
export function effectiveRowsOf({ estimates, evidence }: SeedBehind): SidePair | undefined {
  const rows = typeof estimates === 'string' ? evidence : pairOfRows(estimates, 'effectiveRows')
  return rows === null ? undefined : { scenario: roundStatistic(rows.scenario), against: roundStatistic(rows.against) }
}

function pairOfRows({ scenario, against }: RecordedEstimates, of: 'effectiveRows' | 'support'): SidePair | null {
  return scenario[of] === null || against[of] === null ? null : { scenario: scenario[of], against: against[of] }
}

const estimatesIn = ({ estimates }: SeedBehind): RecordedEstimates | null =>
  typeof estimates === 'string' ? null : estimates

/**
 * `estimate` null: too few rows of the seed have a value; undefined: the seed's estimate of this difference is missing.
 */
export function knowledgeOf(seed: SeedBehind, estimate: RecordedEstimate | null | undefined): SeedKnowledge {
  const effectiveRows = effectiveRowsOf(seed)
  const estimates = estimatesIn(seed)
  if (estimates === null) return effectiveRows ? { basis: 'effective_rows', effectiveRows } : { basis: 'generation' }
  const support = pairOfRows(estimates, 'support')
  if (effectiveRows === undefined || support === null || estimate === null) return { basis: 'seed', estimate: null }
  return estimate === undefined
    ? { basis: 'effective_rows', effectiveRows }
    : { basis: 'seed', estimate, effectiveRows, support }
}

const countedMean = (summary: NumberSummary | null) => ({
  rows: summary?.n ?? 0,
  variance: summary?.sd == null ? null : summary.sd ** 2,
  answered: summary === null ? 0 : summary.n / Math.max(1, summary.n + summary.missing),
})

function levelsOf(measured: Measurement, column: string): string[] {
  return measured.shares.find(([name]) => name === column)?.[1].levels.map(([level]) => level) ?? []
}

/** Share of all rows; null when the column is missing or there are no rows. */
function shareOf(measured: Measurement, column: string, level: string): number | null {
  const counts = measured.shares.find(([name]) => name === column)?.[1]
  if (counts === undefined || measured.rows === 0) return null
  return (counts.levels.find(([name]) => name === level)?.[1] ?? 0) / measured.rows
}

function numbersOf(measured: Measurement, column: string): NumberSummary | null {
  return measured.numbers.find(([name]) => name === column)?.[1] ?? null
}

function statistics(summary: NumberSummary | null, histogram: Histogram | undefined): NumericStatistics | null {
  if (summary === null || summary.mean === null || summary.quantiles === null) return null
  // The quantiles of several replicates together are unknown.
  const [q05 = null, q25 = null, q50 = null, q75 = null, q95 = null] = summary.quantiles.map(roundStatistic)
  return {
    n: summary.n,
    mean: roundStatistic(summary.mean),
    sd: summary.sd === null ? null : roundStatistic(summary.sd),
    ...{ q05, q25, q50, q75, q95 },
    ...(histogram !== undefined && { histogram }),
  }
}
