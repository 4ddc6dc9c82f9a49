import type { DifferenceCertainty } from './difference-records.ts'
import { studentQuantile } from './student-t.ts'

/**
 * How sure a difference between two scenarios is. Two things make it uncertain: the seed is a sample of its population, and
 * the rows do not show exactly what the seed shows. Neither is small beside the other in general, so both go into every
 * interval of which the seed is known.
 */

/** Confidence of the interval that manifests and reports tell. */
export const TOLD_CONFIDENCE = 0.95

/** Below so many effective rows of the seed an interval is called thin, and below the other there is none. */
const THIN_BELOW = 50
const TOO_FEW_BELOW = 20

/** One side of a difference, as its rows were counted. */
export interface CountedSide {
  /** Rows that the figure is of: all rows for a share, those with a value for a mean. */
  readonly rows: number
  /** Variance of one row; null where one row alone has a value. */
  readonly variance: number | null
  /** Part of all rows that have a value, which stands for that of the seed; without it all have one. */
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
      readonly difference: number
      readonly standardError: number
      readonly effectiveRows: SidePair
    }
  /** How many rows of the seed stand behind each side. */
  | { readonly basis: 'effective_rows'; readonly effectiveRows: SidePair }
  /** The service says that fewer rows of the seed stand behind a side than it tells figures of. */
  | { readonly basis: 'seed'; readonly difference: null }
  | { readonly basis: 'generation' }

export interface SidePair {
  readonly scenario: number
  readonly against: number
}

/** Variance of one row's indicator of a level. Zero for shares outside [0, 1], which only a damaged manifest holds. */
export const shareVariance = (share: number): number => Math.max(0, share * (1 - share))

/**
 * The interval of a difference and what it rests on (SE² = SE_seed² + D², see `modelVariance`). `round` is how figures of this kind are written; the
 * interval is made of the rounded ones, so that whoever reads them comes to the same verdicts.
 */
export function certaintyOf(
  delta: number,
  sides: CountedSides,
  seed: SeedKnowledge,
  round: (figure: number) => number,
): DifferenceCertainty {
  return certaintyWith(delta, sides, seed, modelVariance(delta, sides, seed), round)
}

/**
 * The same of the seed's own difference, before there are rows: as much noise of generation as is to be expected.
 *
 * @param designEffect Part of s²/N that is the variance of a generated figure, at most: rows that come in turn vary less than
 *   independent ones.
 */
export function foreseenCertaintyOf(
  delta: number,
  sides: CountedSides,
  seed: SeedKnowledge,
  designEffect: number,
  round: (figure: number) => number,
): DifferenceCertainty {
  const noise = generationVariance(sides)
  return certaintyWith(delta, sides, seed, noise === null ? null : designEffect * noise, round)
}

function certaintyWith(
  delta: number,
  sides: CountedSides,
  seed: SeedKnowledge,
  ofModel: number | null,
  round: (figure: number) => number,
): DifferenceCertainty {
  const unsure = { basis: seed.basis, standard_error: null, interval: null, departs: false }
  if (seed.basis === 'seed' && seed.difference === null) return { ...unsure, support: 'too_few_rows' }
  const fewest = seed.basis === 'generation' ? null : fewestOf(seed.effectiveRows)
  const behind = seed.basis === 'effective_rows' ? fewestOf(withValue(seed.effectiveRows, sides)) : fewest
  if (behind !== null && behind < TOO_FEW_BELOW) return { ...unsure, support: 'too_few_rows' }
  const support = behind === null ? 'unknown' : behind < THIN_BELOW ? 'thin' : 'ok'
  const known =
    seed.basis === 'seed'
      ? {
          departs: isApart(delta, seed.difference, seed.standardError),
          seed: { difference: round(seed.difference), standard_error: round(seed.standardError) },
        }
      : {}
  const variance = add(seedVariance(seed, sides), ofModel)
  if (variance === null) return { ...unsure, ...known, support }
  const certainty = { ...unsure, ...known, support, standard_error: round(Math.sqrt(variance)) } as const
  const degrees = fewest ?? Math.min(sides.scenario.rows, sides.against.rows) - 1
  const interval = intervalOf(round(delta), certainty.standard_error, degrees, TOLD_CONFIDENCE, round)
  return interval.every(Number.isFinite) ? { ...certainty, interval } : { ...unsure, ...known, support }
}

/** Two-sided: with `confidence` 0.95 Student's t at 0.975. */
export function intervalOf(
  delta: number,
  standardError: number,
  degrees: number,
  confidence: number,
  round: (figure: number) => number,
): readonly [low: number, high: number] {
  const reach = studentQuantile((1 + confidence) / 2, Math.max(1, degrees)) * standardError
  return [round(delta - reach), round(delta + reach)]
}

/** Degrees of freedom of an interval: the effective rows of the side that has fewer. */
export const fewestOf = ({ scenario, against }: SidePair): number => Math.min(scenario, against)

/**
 * By how much standard errors grow that were computed as if `rows` generated rows were as many people, when
 * `effectiveRows` of the seed stand behind them.
 */
export const standardErrorFactor = (rows: number, effectiveRows: number): number => Math.sqrt(1 + rows / effectiveRows)

/** Where the seed does not tell its own difference: that of two separate samples of as many people as effective rows. */
function seedVariance(seed: SeedKnowledge, { scenario, against }: CountedSides): number | null {
  if (seed.basis === 'generation') return 0
  if (seed.basis === 'effective_rows') {
    const rows = withValue(seed.effectiveRows, { scenario, against })
    return add(overRows(scenario.variance, rows.scenario), overRows(against.variance, rows.against))
  }
  return seed.difference === null ? null : seed.standardError ** 2
}

/** Of the effective rows those that a figure can rest on: a mean is told by rows that have a value. */
function withValue(rows: SidePair, { scenario, against }: CountedSides): SidePair {
  return { scenario: rows.scenario * (scenario.answered ?? 1), against: rows.against * (against.answered ?? 1) }
}

/**
 * D²: what the model adds. Where the seed tells its own difference, how far the rows are from it is known, whatever made it:
 * noise of generation, smoothing, effects drawn to zero. Only the error of the seed is left to chance, and
 * d ± t √(SE_seed² + D²) covers at least as often for every D as d_seed ± t SE_seed does, which is the interval for D = 0.
 * Not the larger of D² and the noise of generation: that covered 98 % with as many rows as the seed has, 99 % with a quarter of
 * them, where this covers 96 to 97 % (simulated populations of `npm run bench:truth`).
 */
function modelVariance(delta: number, sides: CountedSides, seed: SeedKnowledge): number | null {
  const generation = generationVariance(sides)
  if (generation === null || seed.basis !== 'seed' || seed.difference === null) return generation
  return (delta - seed.difference) ** 2
}

function generationVariance({ scenario, against }: CountedSides): number | null {
  return add(overRows(scenario.variance, scenario.rows), overRows(against.variance, against.rows))
}

const overRows = (variance: number | null, rows: number): number | null =>
  variance === null || rows < 1 ? null : variance / rows

/** Null where a part is not known, or the sum is beyond all numbers. */
function add(a: number | null, b: number | null): number | null {
  const sum = a === null || b === null ? Number.NaN : a + b
  return Number.isFinite(sum) ? sum : null
}

/** The seed's figures arrive with six digits: what lies within their last one is not apart. */
function isApart(model: number, seed: number, standardError: number): boolean {
  return Math.abs(model - seed) > standardError + 1e-6 * Math.max(Math.abs(model), Math.abs(seed))
}
