import { type JudgedGroups, judgeGroups } from '../../answers/backtests/judge-backtest.ts'
import type { GroupRecord, PredictionRecord } from '../../records/manifest/backtests.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import { estimateOf, kindOf } from '../estimates/figure-estimates.ts'
import { foreseenDifference } from '../estimates/foreseen-difference.ts'
import type { NamedFigure } from '../estimates/named-figure.ts'
import type { Backtest } from './group-questions.ts'

/** The answers about a group; null where they are not the answer to the question. */
export interface GroupAnswers {
  readonly reweighted: RecordedEstimates | null
  readonly asTheyAre: RecordedEstimates | null
}

/** What the answers say of each group, judged together. @param answers by level; none where the margins of a group are not told. */
export function judgedGroups({ levels, figures }: Backtest, answers: ReadonlyMap<string, GroupAnswers>): JudgedGroups {
  return judgeGroups(levels.map((level) => groupOf(level, figures, answers.get(level))))
}

function groupOf(level: string, figures: readonly NamedFigure[], found: GroupAnswers | undefined): GroupRecord {
  const { reweighted = null, asTheyAre = null } = found ?? {}
  const predictions =
    reweighted === null || asTheyAre === null
      ? []
      : figures.flatMap((figure) => predictionOf(figure, reweighted, asTheyAre) ?? [])
  const isKnown = asTheyAre !== null && figures.some((figure) => estimateOf(asTheyAre, figure) !== null)
  const rows = asTheyAre?.bases[0]?.[1].against.rows
  return {
    level,
    status: predictions.length > 0 ? 'predicted' : isKnown ? 'no_match' : 'too_few_rows',
    ...(rows != null && { rows }),
    predictions,
  }
}

function predictionOf(
  figure: NamedFigure,
  reweighted: RecordedEstimates,
  asTheyAre: RecordedEstimates,
): PredictionRecord | null {
  const [estimate, plain] = [estimateOf(reweighted, figure), estimateOf(asTheyAre, figure)]
  if (estimate === null || plain === null) return null
  const { round } = kindOf(figure)
  // The group as it is: its own margins as conditions change nothing but roundings.
  const told: RecordedEstimate = { ...estimate, against: plain.against, difference: estimate.scenario - plain.against }
  const {
    scenario,
    against,
    delta,
    interval,
    standard_error: error,
    support,
  } = foreseenDifference(told, reweighted, kindOf(figure))
  const unweighted = round(plain.scenario)
  return {
    column: figure.column.name,
    ...(figure.level !== null && { level: figure.level }),
    ...(figure.column.format !== undefined && { kind: 'date' as const }),
    actual: against,
    predicted: scenario,
    error: delta,
    ...(error !== null && { standard_error: error }),
    ...(estimate.degreesOfFreedom !== null && { degrees_of_freedom: estimate.degreesOfFreedom }),
    ...(interval !== null && {
      interval: [...interval] as [number, number],
      holds: interval[0] <= 0 && interval[1] >= 0,
    }),
    support: support === 'unknown' ? 'too_few_rows' : support,
    unweighted,
    nearer: Math.abs(delta) < Math.abs(unweighted - against),
  }
}
