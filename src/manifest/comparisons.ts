import { dataRecord } from '../base/data-record.ts'
import type { Measurement, RecordedEstimates } from '../plan/study-state.ts'
import type { Comparison, ComparisonGate, Study } from '../study/study.ts'
import { deltaGate } from './delta-gate.ts'
import type { ComparisonResult, NoEstimates } from './difference-records.ts'
import {
  effectiveRowsOf,
  meanDelta,
  meanDifference,
  type SeedBehind,
  shareDelta,
  shareDifference,
  shareDifferences,
} from './differences.ts'
import type { EvaluatedGate, ManifestComparison } from './manifest.ts'

/** One side of a comparison. */
export interface ComparedSide {
  /** Null when there is no result. */
  readonly measured: Measurement | null
  /** Trained dataset that it was generated from. */
  readonly datasetId: string | null
  /** Identity of its model; null when the service does not tell. */
  readonly modelId: string | null
  /** Rows of the seed behind it, by its generation's evidence; null when the service does not tell. */
  readonly effectiveRows: number | null
  /** False when the run was told to leave it alone; then a missing result is nobody's failure. */
  readonly selected: boolean
}

/** What the seed says of a scenario of a comparison, or why nothing is known of that. */
export type EstimatesOf = (comparison: Comparison, scenario: string) => RecordedEstimates | NoEstimates

/**
 * All comparisons of a study: local arithmetic over what was counted, with intervals from what is known of the seed. Two
 * sides of different models are marked `mixed_model`, because their difference is partly that of the models.
 */
export function compareScenarios(
  study: Study,
  sides: ReadonlyMap<string, ComparedSide>,
  estimatesOf: EstimatesOf,
): Record<string, ManifestComparison> {
  return dataRecord(study.comparisons.map((c) => [c.id, compare(c, study, sides, estimatesOf)] as const))
}

function compare(
  comparison: Comparison,
  study: Study,
  sides: ReadonlyMap<string, ComparedSide>,
  estimatesOf: EstimatesOf,
): ManifestComparison {
  const against = sides.get(comparison.against)
  const pairs = new Map(
    comparison.scenarios.map((id) => [id, pairOf(sides.get(id), against, () => estimatesOf(comparison, id))] as const),
  )
  const results = [...pairs].map(([id, pair]) => [id, compareTwo(comparison, pair)] as const)
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
  const judge = (level: 'fail' | 'warn', gates: readonly ComparisonGate[]): EvaluatedGate[] =>
    gates.flatMap((gate) => {
      const side = sides.get(gate.scenario)
      const unselected = [side, against].some((s) => s !== undefined && !s.selected && s.measured === null)
      return unselected ? [] : [judgeGate(level, gate, pairs.get(gate.scenario) ?? null)]
    })
  return {
    against: comparison.against,
    scenarios: dataRecord(results),
    gates: [...modelGate, ...judge('fail', comparison.expect), ...judge('warn', comparison.warn)],
  }
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
  const isSame = isSameModel(side, against)
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

/** Of the same trained dataset, or of two whose models the service says are one. */
export function isSameModel(
  a: Pick<ComparedSide, 'datasetId' | 'modelId'>,
  b: Pick<ComparedSide, 'datasetId' | 'modelId'>,
): boolean {
  if (a.datasetId === b.datasetId) return true
  return a.modelId !== null && a.modelId === b.modelId
}

function judgeGate(level: 'fail' | 'warn', gate: ComparisonGate, pair: Pair | null): EvaluatedGate {
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
