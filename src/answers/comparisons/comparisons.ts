import { dataRecord } from '../../base/data-record.ts'
import type {
  ComparisonResult,
  ManifestComparison,
  NoEstimates,
  OutcomeBase,
  SegmentResult,
} from '../../records/manifest/comparisons.ts'
import type { RecordedBase, RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { recordedFilters } from '../../study/outcomes/row-filter.ts'
import { percentageBase } from '../../study/percentage-base.ts'
import { membersOf } from '../../study/replicates.ts'
import { scenarioFamily } from '../../study/scenario-family.ts'
import type { Comparison, ComparisonGate, Study } from '../../study/study.ts'
import { withVerdicts } from '../arithmetic/beyond-chance.ts'
import { roundStatistic } from '../arithmetic/figures.ts'
import { isLevelGone, type NamedSide } from '../counts/known-names.ts'
import { boundsOf, deltaGate, type RecordedDifference, roundingOf } from '../gates/gates.ts'
import { judgedTogether, type SingleGate } from '../gates/holm-gates.ts'
import { type ComparedSide, filteredSide, isPooled, type PooledSide, partsOf, pooledSide } from './compared-sides.ts'
import {
  differencesOf,
  effectiveRowsOf,
  meanDelta,
  meanDifference,
  quantileDelta,
  quantileDifference,
  type SeedBehind,
  type SeedEstimates,
  type SharedTerms,
  shareDelta,
  shareDifference,
} from './differences.ts'
import { notCompared } from './not-compared.ts'
import { replicateSpread } from './replicate-spread.ts'
import { rowsDistance } from './rows-distance.ts'
import { type SegmentKnowledge, type SegmentSides, segmentSides } from './segments.ts'

/** The seed's estimates for a scenario of a comparison, or why there are none. */
export type EstimatesOf = (comparison: Comparison, scenario: string) => SeedEstimates | NoEstimates

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
  const single = study.comparisons.map((c) => compare(c, study, sides, estimatesOf, segmentsOf))
  const gates = judgedTogether(single.map((one) => one.gates))
  const compared = study.comparisons.map(({ id }, i) => [id, { ...single[i]!, gates: gates[i]! }] as const)
  const levelCount = (name: string, column: string): number | undefined => {
    const counts = membersOf(study, name).flatMap((id) => sides.get(id)?.measured?.shares ?? [])
    return counts.find(([counted]) => counted === column)?.[1].levels.length
  }
  return withVerdicts(study, dataRecord(compared), levelCount)
}

function compare(
  comparison: Comparison,
  study: Study,
  sides: ReadonlyMap<string, ComparedSide>,
  estimatesOf: EstimatesOf,
  segmentsOf: SegmentsOf,
): Omit<ManifestComparison, 'gates'> & { readonly gates: readonly SingleGate[] } {
  const sideOf = (name: string): ComparedSide | PooledSide | undefined => {
    const members = membersOf(study, name)
    const one = (id: string): ComparedSide | undefined => {
      const side = sides.get(id)
      return side && filteredSide(side, comparison)
    }
    return members[0] === name ? one(name) : pooledSide(members.map((id) => [id, one(id)] as const))
  }
  const against = sideOf(comparison.against)
  const baseOf = (column: string) => percentageBase(study, comparison, column)
  const named = new Map(comparison.scenarios.map((id) => [id, sideOf(id)] as const))
  const pairs = new Map(
    [...named].map(
      ([id, side]) => [id, pairOf(side, against, comparison, baseOf, () => estimatesOf(comparison, id))] as const,
    ),
  )
  const familyOf = (id: string): Pair | null => pairs.get(scenarioFamily(study, comparison, id)[0] ?? '') ?? null
  const results = [...pairs].map(([id, own]) => {
    const pair = own && withFamily(own, familyOf(id))
    const result = withReplicates(compareTwo(comparison, pair), named.get(id), baseOf)
    if (comparison.by === null || pair === null) return [id, result] as const
    return [
      id,
      { ...result, segments: segmentResults(comparison, comparison.by, pair, segmentsOf(comparison, id)) },
    ] as const
  })
  const absent = notCompared(comparison, sidesWithRows(named, against))
  const mixed = results.filter(([, result]) => result.status === 'mixed_model').length
  const modelGate: SingleGate = {
    gate: {
      id: 'mixed_model',
      level: study.policy.mixedModel,
      evaluated: results.length,
      passed: false,
      expected: { mixed: 0 },
      actual: mixed,
    },
    joint: null,
  }
  const evaluate = (level: 'fail' | 'warn', gates: readonly ComparisonGate[]): SingleGate[] =>
    gates.flatMap((gate) => {
      const side = named.get(gate.scenario)
      const unselected = [side, against].some((s) => s !== undefined && !s.selected && s.measured === null)
      return unselected ? [] : [evaluateGate(level, gate, pairs.get(gate.scenario) ?? null)]
    })
  return {
    against: comparison.against,
    ...(isPooled(against) && { against_replicates: against.replicates.map(({ id }) => id) }),
    ...(comparison.by === null ? {} : { by: comparison.by }),
    ...(comparison.where.length > 0 && { where: recordedFilters(comparison.where) }),
    ...(absent.length > 0 && { not_compared: absent }),
    scenarios: dataRecord(results),
    gates: [
      ...(mixed === 0 ? [] : [modelGate]),
      ...evaluate('fail', comparison.expect),
      ...evaluate('warn', comparison.warn),
    ],
  }
}

function withReplicates(
  result: ComparisonResult,
  side: ComparedSide | PooledSide | undefined,
  baseOf: SharedTerms['baseOf'],
): ComparisonResult {
  if (!isPooled(side)) return result
  return { ...result, replicates: replicateSpread(side, result, baseOf) }
}

/** Both sides of a comparison, with what is known of the seed behind them. */
interface Pair extends SharedTerms {
  readonly scenario: Measurement
  readonly against: Measurement
  readonly isSameModel: boolean
  readonly seed: SeedBehind
}

/** The sides that have rows, each with its schema. */
function sidesWithRows(
  named: ReadonlyMap<string, ComparedSide | PooledSide | undefined>,
  against: ComparedSide | PooledSide | undefined,
): NamedSide[] {
  if (against?.measured == null) return []
  const scenarios = [...named.values()].flatMap((side) => (side?.measured == null ? [] : [side]))
  return scenarios.length === 0
    ? []
    : [against, ...scenarios].map(({ measured, schema = null }) => ({ measured: measured!, schema }))
}

/** The quantiles of a family stand in the answer of its first scenario alone. */
function withFamily(pair: Pair, first: Pair | null): Pair {
  const { estimates } = pair.seed
  if (first === null || typeof estimates === 'string' || typeof first.seed.estimates === 'string') return pair
  return { ...pair, seed: { ...pair.seed, estimates: withQuantiles(estimates, first.seed.estimates) } }
}

function withQuantiles(estimates: SeedEstimates, { shares, means, quantiles = [] }: SeedEstimates): SeedEstimates {
  const quantileOf = (column: string, level: string | null): number | undefined =>
    level === null
      ? means.find(([name]) => name === column)?.[1].simultaneousQuantile
      : shares.find(([name]) => name === column)?.[1].find(([name]) => name === level)?.[1].simultaneousQuantile
  const joint = (estimate: RecordedEstimate, column: string, level: string | null): RecordedEstimate => {
    const quantile = quantileOf(column, level)
    return quantile === undefined ? estimate : { ...estimate, simultaneousQuantile: quantile }
  }
  const ofQuantile = (estimate: RecordedEstimate, column: string, share: string): RecordedEstimate => {
    const found = quantiles.find(([name]) => name === column)?.[1].find(([name]) => name === share)?.[1]
    const quantile = found?.simultaneousQuantile
    return quantile === undefined ? estimate : { ...estimate, simultaneousQuantile: quantile }
  }
  return {
    ...estimates,
    shares: estimates.shares.map(([column, levels]) => [
      column,
      levels.map(([level, estimate]) => [level, joint(estimate, column, level)]),
    ]),
    means: estimates.means.map(([column, estimate]) => [column, joint(estimate, column, null)]),
    ...(estimates.quantiles && {
      quantiles: estimates.quantiles.map(([column, all]) => [
        column,
        all.map(([share, estimate]) => [share, ofQuantile(estimate, column, share)]),
      ]),
    }),
  }
}

/** Null where a side has no result. */
function pairOf(
  side: ComparedSide | undefined,
  against: ComparedSide | undefined,
  { where }: Comparison,
  baseOf: SharedTerms['baseOf'],
  estimatesOf: () => SeedEstimates | NoEstimates,
): Pair | null {
  if (side?.measured == null || against?.measured == null) return null
  const [first, ...others] = [against, side].flatMap(partsOf)
  const isSame = others.every((other) => isSameModel(first!, other))
  const evidence =
    side.effectiveRows === null || against.effectiveRows === null
      ? null
      : { scenario: side.effectiveRows, against: against.effectiveRows }
  const [scenario, baseline] = [side, against].map(({ measured, schema = null }) => ({ measured: measured!, schema }))
  return {
    scenario: side.measured,
    against: against.measured,
    isSameModel: isSame,
    baseOf,
    isGone: (column, level) => isLevelGone(column, level, [scenario!, baseline!]),
    seed: {
      estimates: isSame ? estimatesOf() : 'estimates_other_model',
      // The rows of the seed behind a whole side say nothing about a part of it.
      ...(where.length > 0 ? { evidence: null, isOfPart: true as const } : { evidence }),
    },
  }
}

function compareTwo(comparison: Comparison, pair: Pair | null): ComparisonResult {
  if (pair === null) return { status: 'missing', shares: {}, means: {} }
  const { estimates } = pair.seed
  const effectiveRows = effectiveRowsOf(pair.seed)
  const differences = differencesOf(comparison, pair)
  return {
    status: pair.isSameModel ? 'compared' : 'mixed_model',
    ...(comparison.where.length > 0 && { rows: { against: pair.against.rows, scenario: pair.scenario.rows } }),
    ...differences,
    ...(effectiveRows === undefined ? {} : { effective_rows: effectiveRows }),
    ...gapsOf(estimates),
    ...rowsDistance(differences),
  }
}

/** The bases of figures, or why there are none. */
function gapsOf(
  estimates: SeedEstimates | NoEstimates,
): Pick<ComparisonResult, 'bases' | 'no_estimates' | 'no_quantiles'> {
  if (typeof estimates === 'string') return { no_estimates: estimates }
  const { noQuantiles } = estimates
  return { bases: basesOf(estimates), ...(noQuantiles !== undefined && { no_quantiles: noQuantiles }) }
}

/** The rows that the figures of each column are made of. */
const basesOf = ({ bases }: RecordedEstimates): Record<string, OutcomeBase> =>
  dataRecord(
    bases.map(([column, { scenario, against }]) => [
      column,
      { scenario: baseRecord(scenario), against: baseRecord(against) },
    ]),
  )

const baseRecord = ({ rows, effectiveRows }: RecordedBase) => ({
  ...(rows !== null && { rows }),
  ...(effectiveRows !== null && { effective_rows: roundStatistic(effectiveRows) }),
})

/** The differences inside each level. A level that only one side has rows of has none. */
function segmentResults(comparison: Comparison, by: string, pair: Pair, known: SegmentKnowledge): SegmentResult[] {
  const evidence = effectiveRowsOf(pair.seed) ?? null
  const estimates = pair.isSameModel ? known.estimates : 'estimates_other_model'
  return segmentSides(by, { ...pair, evidence }, { ...known, estimates }).map((sides) =>
    segmentResult(comparison, {
      ...{ ...sides, baseOf: pair.baseOf, isGone: pair.isGone },
      seed: { ...sides.seed, ...(pair.seed.isOfPart && { isOfPart: true }) },
    }),
  )
}

function segmentResult(
  comparison: Comparison,
  sides: Omit<SegmentSides, 'seed'> & SharedTerms & { seed: SeedBehind },
): SegmentResult {
  const { level, scenario, against, seed } = sides
  const rows = { scenario: scenario.rows, against: against.rows }
  if (rows.scenario === 0 || rows.against === 0) return { level, rows, shares: {}, means: {} }
  const effectiveRows = effectiveRowsOf(seed)
  return {
    level,
    rows,
    ...differencesOf(comparison, sides),
    ...(effectiveRows === undefined ? {} : { effective_rows: effectiveRows }),
    ...gapsOf(seed.estimates),
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

function evaluateGate(level: 'fail' | 'warn', gate: ComparisonGate, pair: Pair | null): SingleGate {
  const difference: RecordedDifference = pair === null ? { delta: null } : gateDifference(gate, pair)
  const recorded = { difference, effectiveRows: pair === null ? undefined : effectiveRowsOf(pair.seed) }
  // Several replicates have no quantile together; the answer does not depend on rows.
  const ofRows = pair === null ? null : gateDelta(gate, pair)
  const exact = ofRows ?? (gate.quantile === null ? null : (difference.answer?.difference ?? null))
  const { confidence, adjust } = gate
  return {
    gate: deltaGate(level, gate, exact, recorded),
    joint:
      adjust === null || confidence === null || exact === null
        ? null
        : {
            recorded: difference,
            effectiveRows: recorded.effectiveRows,
            bounds: boundsOf(gate),
            confidence,
            round: roundingOf(gate),
          },
  }
}

const gateDifference = ({ column, level, quantile }: ComparisonGate, pair: Pair): RecordedDifference =>
  quantile !== null
    ? quantileDifference(column, quantile, pair)
    : level === null
      ? meanDifference(column, pair)
      : shareDifference(column, level, pair)

const gateDelta = ({ column, level, quantile }: ComparisonGate, pair: Pair) =>
  quantile !== null
    ? quantileDelta(column, quantile, pair)
    : level === null
      ? meanDelta(column, pair)
      : shareDelta(column, level, pair)
