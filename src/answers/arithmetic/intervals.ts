import type { Answer, DifferenceCertainty } from '../../records/manifest/differences.ts'
import type { RecordedEstimate } from '../../records/state/estimates.ts'
import { roundRatio, roundStatistic } from './figures.ts'
import { MOST_DEGREES, studentQuantile } from './student-t.ts'

/**
 * The answer of a comparison, and how sure it is. The answer is the seed's own difference, reweighted to both scenarios, with the
 * interval of its standard error: the same however many rows are bought. Where the service does not tell it, the difference in the
 * rows stands in, with the bound that effective rows give.
 */

/** Confidence of the intervals in manifests and reports. */
export const INTERVAL_CONFIDENCE = 0.95

/** Less support than the first is thin; less than the second gives no interval. */
const THIN_BELOW = 50
const TOO_FEW_BELOW = 20

/** What an answer is of. */
export interface Figure {
  /** Of its kind. */
  readonly round: (figure: number) => number
  /** With fewer degrees of freedom few rows decide the interval: thin as well. */
  readonly thinBelow: number
}

export const SHARE: Figure = { round: roundRatio, thinBelow: 20 }

/**
 * Of a mean with heavy tails the spread of the influences is itself uncertain: with 20 as for shares, 6 to 29 % of such seeds were
 * not marked, and their intervals covered the truth in 62 to 77 %; with 50 it is 0 to 4 % (`bench:truth -- strong`).
 */
export const MEAN: Figure = { round: roundStatistic, thinBelow: 50 }

/** A quantile follows the share of rows up to it, whose influences no tail decides. */
export const QUANTILE: Figure = { round: roundStatistic, thinBelow: 20 }

/** Of the normal distribution at 0.975. */
const NORMAL_QUANTILE = 1.959964

/** The seed counts for n_eff / (n_eff + 50) where the model helps: measured to be nearest to the truth. */
const ROWS_OF_THE_MODEL = 50

/** One side of a difference, with the counts of its rows. */
export interface CountedSide {
  /** Rows that the figure covers: all rows for a share, those with a value for a mean. */
  readonly rows: number
  /** Variance of one row; null when only one row has a value. */
  readonly variance: number | null
  /** Fraction of all rows that have a value, also used for the seed; absent: all rows have one. */
  readonly answered?: number
}

interface CountedSides {
  readonly scenario: CountedSide
  readonly against: CountedSide
}

/** What is known of the seed behind a difference. */
export type SeedKnowledge =
  /** The seed's own reweighted difference. */
  | {
      readonly basis: 'seed'
      readonly estimate: RecordedEstimate
      readonly effectiveRows: SidePair
      readonly support: SidePair
    }
  /** How many rows of the seed support each side. */
  | { readonly basis: 'effective_rows'; readonly effectiveRows: SidePair }
  /** According to the service, too few rows of the seed support a side to report figures. */
  | { readonly basis: 'seed'; readonly estimate: null }
  | { readonly basis: 'generation' }
  /** Not even a bound. */
  | { readonly basis: 'unknown' }

type Bound = Exclude<SeedKnowledge, { basis: 'seed' | 'unknown' }>

export interface SidePair {
  readonly scenario: number
  readonly against: number
}

/** Variance of one row's indicator of a level. Zero for shares outside [0, 1], which only a damaged manifest holds. */
export const shareVariance = (share: number): number => Math.max(0, share * (1 - share))

/**
 * The answer, its interval and its basis. The interval is made from the rounded figures, so that every reader reaches the same
 * verdicts.
 *
 * @param delta The difference in the generated rows; null before there are any.
 */
export function certaintyOf(
  delta: number | null,
  sides: CountedSides,
  seed: SeedKnowledge,
  { round, thinBelow }: Figure,
): DifferenceCertainty {
  if (seed.basis === 'unknown') return { basis: 'generation', standard_error: null, interval: null, support: 'unknown' }
  if (seed.basis !== 'seed') return boundOf(delta, sides, seed, round)
  const unsure = { basis: seed.basis, standard_error: null, interval: null } as const
  const { estimate } = seed
  if (estimate === null) return { ...unsure, support: 'too_few_rows' }
  const answer = answerOf(delta, estimate, seed, round)
  const fewest = fewestOf(seed.support)
  if (fewest < TOO_FEW_BELOW) return { ...unsure, answer, support: 'too_few_rows' }
  const degrees = estimate.degreesOfFreedom
  const support = fewest < THIN_BELOW || (degrees !== null && degrees < thinBelow) ? 'thin' : 'ok'
  const standardError = round(estimate.standardError)
  const interval = intervalOf(answer.difference, standardError, degrees, INTERVAL_CONFIDENCE, round)
  if (!interval.every(Number.isFinite)) return { ...unsure, answer, support }
  const { simultaneousQuantile: joint } = estimate
  // Wider than an interval of its own by what looking at many takes; Student's t as there.
  const reach = joint === undefined ? null : ((interval[1] - interval[0]) / 2) * (joint / NORMAL_QUANTILE)
  return {
    basis: seed.basis,
    answer,
    interval,
    ...(reach !== null && { band: [round(answer.difference - reach), round(answer.difference + reach)] as const }),
    standard_error: standardError,
    support,
  }
}

function answerOf(
  delta: number | null,
  { scenario, against, difference, degreesOfFreedom }: RecordedEstimate,
  { effectiveRows, support }: { readonly effectiveRows: SidePair; readonly support: SidePair },
  round: (figure: number) => number,
): Answer {
  const share = fewestOf(effectiveRows) / (fewestOf(effectiveRows) + ROWS_OF_THE_MODEL)
  return {
    against: round(against),
    scenario: round(scenario),
    difference: round(difference),
    ...(degreesOfFreedom !== null && { degrees_of_freedom: roundDegrees(degreesOfFreedom) }),
    ...(delta !== null &&
      fewestOf(support) < THIN_BELOW && { with_model: round(share * difference + (1 - share) * delta) }),
  }
}

const roundDegrees = (degrees: number): number => Number(degrees.toPrecision(6))

/** Without the seed's own difference: that of the rows, as if the effective rows of both sides were separate samples. */
function boundOf(
  delta: number | null,
  sides: CountedSides,
  seed: Bound,
  round: (figure: number) => number,
): DifferenceCertainty {
  const unsure = { basis: seed.basis, standard_error: null, interval: null } as const
  const behind = seed.basis === 'generation' ? null : fewestOf(withValue(seed.effectiveRows, sides))
  if (behind !== null && behind < TOO_FEW_BELOW) return { ...unsure, support: 'too_few_rows' }
  const support = behind === null ? 'unknown' : behind < THIN_BELOW ? 'thin' : 'ok'
  const variance = add(seedVariance(seed, sides), generationVariance(sides))
  if (delta === null || variance === null) return { ...unsure, support }
  const standardError = round(Math.sqrt(variance))
  const degrees =
    seed.basis === 'generation' ? Math.min(sides.scenario.rows, sides.against.rows) - 1 : fewestOf(seed.effectiveRows)
  const interval = intervalOf(round(delta), standardError, degrees, INTERVAL_CONFIDENCE, round)
  return interval.every(Number.isFinite)
    ? { basis: seed.basis, interval, standard_error: standardError, support }
    : { ...unsure, support }
}

/** Two-sided: with `confidence` 0.95 Student's t at 0.975. `degrees` null: the normal distribution. */
export function intervalOf(
  delta: number,
  standardError: number,
  degrees: number | null,
  confidence: number,
  round: (figure: number) => number,
): readonly [low: number, high: number] {
  const reach = studentQuantile((1 + confidence) / 2, Math.max(1, degrees ?? MOST_DEGREES)) * standardError
  return [round(delta - reach), round(delta + reach)]
}

/** Of the side that has fewer. */
export const fewestOf = ({ scenario, against }: SidePair): number => Math.min(scenario, against)

function seedVariance(seed: Bound, { scenario, against }: CountedSides): number | null {
  if (seed.basis === 'generation') return 0
  const rows = withValue(seed.effectiveRows, { scenario, against })
  return add(overRows(scenario.variance, rows.scenario), overRows(against.variance, rows.against))
}

/** The effective rows that a figure can use: a mean uses rows that have a value. */
function withValue(rows: SidePair, { scenario, against }: CountedSides): SidePair {
  return { scenario: rows.scenario * (scenario.answered ?? 1), against: rows.against * (against.answered ?? 1) }
}

function generationVariance({ scenario, against }: CountedSides): number | null {
  return add(overRows(scenario.variance, scenario.rows), overRows(against.variance, against.rows))
}

const overRows = (variance: number | null, rows: number): number | null =>
  variance === null || rows < 1 ? null : variance / rows

/** Null when a part is unknown, or the sum overflows. */
function add(a: number | null, b: number | null): number | null {
  const sum = a === null || b === null ? Number.NaN : a + b
  return Number.isFinite(sum) ? sum : null
}
