import type { ComparisonGate } from '../study/study.ts'
import type { DifferenceCertainty } from './difference-records.ts'
import { fewestOf, intervalOf, type SidePair, TOLD_CONFIDENCE } from './intervals.ts'
import type { EvaluatedGate, GateResult, NoInterval } from './manifest.ts'
import { roundRatio, roundStatistic } from './round.ts'

/** Slack for the last bits of a difference of two doubles. */
const LAST_BITS = 1e-12

export interface DeltaBounds {
  readonly min: number
  readonly max: number
}

export const isWithin = (delta: number, { min, max }: DeltaBounds): boolean =>
  delta >= min - LAST_BITS && delta <= max + LAST_BITS

/** A difference as a manifest writes it, with what is known of its interval. */
export type RecordedDifference = Partial<DifferenceCertainty> & { readonly delta: number | null }

/**
 * Whether the interval of a difference at a confidence lies within bounds. Made from what the manifest records, so that who
 * reads it comes to the same verdict.
 */
export function judgeConfidently(
  difference: RecordedDifference,
  effectiveRows: SidePair | undefined,
  asked: { readonly bounds: DeltaBounds; readonly confidence: number; readonly round: (figure: number) => number },
): Pick<GateResult, 'passed' | 'interval' | 'reason'> {
  const found = intervalAt(difference, effectiveRows, asked)
  if (typeof found === 'string') return { passed: false, reason: found }
  const [low, high] = found
  return { passed: isWithin(low, asked.bounds) && isWithin(high, asked.bounds), interval: found }
}

function intervalAt(
  { delta, interval, standard_error, support, basis }: RecordedDifference,
  effectiveRows: SidePair | undefined,
  { confidence, round }: { readonly confidence: number; readonly round: (figure: number) => number },
): readonly [number, number] | NoInterval {
  if (support === 'too_few_rows') return 'too_few_rows'
  // Noise of generation is what more rows would take away; it says nothing of the population.
  if (basis === 'generation' || effectiveRows === undefined) return 'generation_only'
  if (delta === null || interval == null || standard_error == null) return 'no_standard_error'
  if (confidence === TOLD_CONFIDENCE) return interval
  return intervalOf(delta, standard_error, fewestOf(effectiveRows), confidence, round)
}

/**
 * The gate on a difference. `exact` is the difference before it was rounded, which is judged where no confidence is asked
 * for; null where a side has no figure.
 */
export function deltaGate(
  level: 'fail' | 'warn',
  gate: ComparisonGate,
  exact: number | null,
  recorded: { readonly difference: RecordedDifference; readonly effectiveRows: SidePair | undefined },
): EvaluatedGate {
  const { confidence } = gate
  const base = {
    id: `delta:${gate.scenario}:${gate.column}${gate.level === null ? '' : `:${gate.level}`}` as const,
    level,
    expected: {
      ...(gate.deltaMin === null ? {} : { delta_min: gate.deltaMin }),
      ...(gate.deltaMax === null ? {} : { delta_max: gate.deltaMax }),
      ...(confidence === null ? {} : { confidence }),
    },
  }
  if (exact === null) return { ...base, evaluated: 0, passed: false, actual: null }
  const round = gate.level === null ? roundStatistic : roundRatio
  const bounds = { min: gate.deltaMin ?? -Infinity, max: gate.deltaMax ?? Infinity }
  const found = { ...base, evaluated: 1, actual: round(exact) }
  if (confidence === null) return { ...found, passed: isWithin(exact, bounds) }
  return { ...found, ...judgeConfidently(recorded.difference, recorded.effectiveRows, { bounds, confidence, round }) }
}
