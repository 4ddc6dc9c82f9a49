import type { Measurement, NumberSummary } from '../plan/study-state.ts'
import type { Comparison, ComparisonGate, Study } from '../spec/study.ts'
import { dataRecord } from './data-record.ts'
import type { ComparisonResult, EvaluatedGate, ManifestComparison, NumericStatistics } from './manifest.ts'
import { roundRatio, roundStatistic } from './round.ts'

/** One side of a comparison. */
export interface ComparedSide {
  /** Null when there is no result. */
  readonly measured: Measurement | null
  /** Trained dataset that it was generated from. */
  readonly datasetId: string | null
  /** Identity of its model; null when the service does not tell. */
  readonly modelId: string | null
  /** False when the run was told to leave it alone; then a missing result is nobody's failure. */
  readonly selected: boolean
}

/**
 * All comparisons of a study: local arithmetic over what was counted. Two sides of different models are marked
 * `mixed_model`, because their difference is partly that of the models.
 */
export function compareScenarios(
  study: Study,
  sides: ReadonlyMap<string, ComparedSide>,
): Record<string, ManifestComparison> {
  return dataRecord(study.comparisons.map((c) => [c.id, compare(c, study, sides)] as const))
}

function compare(comparison: Comparison, study: Study, sides: ReadonlyMap<string, ComparedSide>): ManifestComparison {
  const against = sides.get(comparison.against)
  const results = comparison.scenarios.map((id) => [id, compareTwo(comparison, sides.get(id), against)] as const)
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
      return unselected ? [] : [deltaGate(level, gate, side?.measured ?? null, against?.measured ?? null)]
    })
  return {
    against: comparison.against,
    scenarios: dataRecord(results),
    gates: [...modelGate, ...judge('fail', comparison.expect), ...judge('warn', comparison.warn)],
  }
}

function compareTwo(
  comparison: Comparison,
  side: ComparedSide | undefined,
  against: ComparedSide | undefined,
): ComparisonResult {
  const a = against?.measured ?? null
  const b = side?.measured ?? null
  if (a === null || b === null) return { status: 'missing', shares: {}, means: {} }
  return {
    status: isSameModel(side, against) ? 'compared' : 'mixed_model',
    shares: dataRecord(comparison.shares.map((column) => [column, shareDifferences(column, a, b)] as const)),
    means: dataRecord(comparison.means.map((column) => [column, meanDifference(column, a, b)] as const)),
  }
}

/** Of the same trained dataset, or of two whose models the service says are one. */
function isSameModel(a: ComparedSide | undefined, b: ComparedSide | undefined): boolean {
  if (a?.datasetId === b?.datasetId) return true
  return a?.modelId != null && a.modelId === b?.modelId
}

function shareDifferences(column: string, a: Measurement, b: Measurement): ComparisonResult['shares'][string] {
  const levels = new Set([...levelsOf(a, column), ...levelsOf(b, column)])
  return dataRecord(
    [...levels].map((level) => {
      const against = shareOf(a, column, level) ?? 0
      const scenario = shareOf(b, column, level) ?? 0
      const shares = { against: roundRatio(against), scenario: roundRatio(scenario) }
      return [level, { ...shares, delta: roundRatio(scenario - against) }] as const
    }),
  )
}

function meanDifference(column: string, a: Measurement, b: Measurement): ComparisonResult['means'][string] {
  const delta = meanDelta(column, a, b)
  return {
    against: statistics(numbersOf(a, column)),
    scenario: statistics(numbersOf(b, column)),
    delta: delta === null ? null : roundStatistic(delta),
  }
}

function deltaGate(
  level: 'fail' | 'warn',
  gate: ComparisonGate,
  side: Measurement | null,
  against: Measurement | null,
): EvaluatedGate {
  const base = {
    id: `delta:${gate.scenario}:${gate.column}${gate.level === null ? '' : `:${gate.level}`}` as const,
    level,
    expected: {
      ...(gate.deltaMin === null ? {} : { delta_min: gate.deltaMin }),
      ...(gate.deltaMax === null ? {} : { delta_max: gate.deltaMax }),
    },
  }
  const delta = side === null || against === null ? null : deltaOf(gate, against, side)
  if (delta === null) return { ...base, evaluated: 0, passed: false, actual: null }
  const slack = 1e-12
  const passed = delta >= (gate.deltaMin ?? -Infinity) - slack && delta <= (gate.deltaMax ?? Infinity) + slack
  return { ...base, evaluated: 1, passed, actual: gate.level === null ? roundStatistic(delta) : roundRatio(delta) }
}

function deltaOf(gate: ComparisonGate, against: Measurement, side: Measurement): number | null {
  if (gate.level === null) return meanDelta(gate.column, against, side)
  const a = shareOf(against, gate.column, gate.level)
  const b = shareOf(side, gate.column, gate.level)
  return a === null || b === null ? null : b - a
}

function meanDelta(column: string, a: Measurement, b: Measurement): number | null {
  const before = numbersOf(a, column)?.mean ?? null
  const after = numbersOf(b, column)?.mean ?? null
  const delta = before === null || after === null ? Number.NaN : after - before
  return Number.isFinite(delta) ? delta : null
}

function levelsOf(measured: Measurement, column: string): string[] {
  return measured.shares.find(([name]) => name === column)?.[1].levels.map(([level]) => level) ?? []
}

/** Of all rows; null when the column is not there or there are no rows. */
function shareOf(measured: Measurement, column: string, level: string): number | null {
  const counts = measured.shares.find(([name]) => name === column)?.[1]
  if (counts === undefined || measured.rows === 0) return null
  return (counts.levels.find(([name]) => name === level)?.[1] ?? 0) / measured.rows
}

function numbersOf(measured: Measurement, column: string): NumberSummary | null {
  return measured.numbers.find(([name]) => name === column)?.[1] ?? null
}

function statistics(summary: NumberSummary | null): NumericStatistics | null {
  if (summary === null || summary.mean === null || summary.quantiles === null) return null
  const [q05, q25, q50, q75, q95] = summary.quantiles.map(roundStatistic)
  return {
    n: summary.n,
    mean: roundStatistic(summary.mean),
    sd: summary.sd === null ? null : roundStatistic(summary.sd),
    q05: q05 ?? 0,
    q25: q25 ?? 0,
    q50: q50 ?? 0,
    q75: q75 ?? 0,
    q95: q95 ?? 0,
  }
}
