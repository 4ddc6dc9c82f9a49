import type { DifferenceCertainty } from './difference-records.ts'

/**
 * The uncertainty of a difference between two scenarios. It has two sources: the seed is a sample of its population,
 * and the rows do not show exactly what the seed shows. Neither is negligible in general, so both go into every
 * interval with a known seed.
 */

/** Confidence of the intervals in manifests and reports. */
export const INTERVAL_CONFIDENCE = 0.95

/** An interval with fewer effective rows of the seed is thin; below the second bound there is no interval. */
const THIN_BELOW = 50
const TOO_FEW_BELOW = 20

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
      readonly difference: number
      readonly standardError: number
      readonly effectiveRows: SidePair
    }
  /** How many rows of the seed support each side. */
  | { readonly basis: 'effective_rows'; readonly effectiveRows: SidePair }
  /** According to the service, too few rows of the seed support a side to report figures. */
  | { readonly basis: 'seed'; readonly difference: null }
  | { readonly basis: 'generation' }

export interface SidePair {
  readonly scenario: number
  readonly against: number
}

/** Variance of one row's indicator of a level. Zero for shares outside [0, 1], which only a damaged manifest holds. */
export const shareVariance = (share: number): number => Math.max(0, share * (1 - share))

/**
 * The interval of a difference and its basis (SE² = SE_seed² + D², see `modelVariance`). `round` is the rounding of
 * such figures. The interval is made from the rounded figures, so that every reader reaches the same verdicts.
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
 * The same for the seed's own difference, before there are rows, with the expected noise of generation.
 *
 * @param designEffect Largest fraction of s²/N that is the variance of a generated figure: systematic samples vary less
 * than independent ones.
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
  const interval = intervalOf(round(delta), certainty.standard_error, degrees, INTERVAL_CONFIDENCE, round)
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
 * The factor for standard errors that were computed as if `rows` generated rows were as many people, when
 * `effectiveRows` of the seed support them.
 */
export const standardErrorFactor = (rows: number, effectiveRows: number): number => Math.sqrt(1 + rows / effectiveRows)

/** When the seed's own difference is unknown: that of two separate samples with as many people as effective rows. */
function seedVariance(seed: SeedKnowledge, { scenario, against }: CountedSides): number | null {
  if (seed.basis === 'generation') return 0
  if (seed.basis === 'effective_rows') {
    const rows = withValue(seed.effectiveRows, { scenario, against })
    return add(overRows(scenario.variance, rows.scenario), overRows(against.variance, rows.against))
  }
  return seed.difference === null ? null : seed.standardError ** 2
}

/** The effective rows that a figure can use: a mean uses rows that have a value. */
function withValue(rows: SidePair, { scenario, against }: CountedSides): SidePair {
  return { scenario: rows.scenario * (scenario.answered ?? 1), against: rows.against * (against.answered ?? 1) }
}

/**
 * D²: the part that the model adds. When the seed's own difference is known, so is its distance from the rows, whatever
 * the cause: noise of generation, smoothing, shrunken effects. Only the error of the seed is random, and for every D, d
 * ± t √(SE_seed² + D²) covers at least as often as d_seed ± t SE_seed does, which is the interval for D = 0. The larger
 * of D² and the noise of generation is not used: it covered 98 % with as many rows as the seed has and 99 % with a
 * quarter of them, where this covers 96 to 97 % (simulated populations of `npm run bench:truth`).
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

/** Null when a part is unknown, or the sum overflows. */
function add(a: number | null, b: number | null): number | null {
  const sum = a === null || b === null ? Number.NaN : a + b
  return Number.isFinite(sum) ? sum : null
}

/**
 * The seed's figures arrive with six digits: a difference within the last one does not count. Without an error of the
 * seed the scenarios weight its rows alike, and the rows differ by the noise of generation alone.
 */
function isApart(model: number, seed: number, standardError: number): boolean {
  if (standardError === 0) return false
  return Math.abs(model - seed) > standardError + 1e-6 * Math.max(Math.abs(model), Math.abs(seed))
}

/** From this many degrees of freedom on, Student's distribution equals the normal one to all shown digits. */
const MOST_DEGREES = 1e6

/** The last answer: all differences of two scenarios need the same one. */
let last = { probability: Number.NaN, degrees: Number.NaN, quantile: Number.NaN }

/**
 * The point that a Student t variable with `degrees` degrees of freedom (at least 1, not necessarily whole) stays below
 * with `probability`, which lies in [0.5, 1). Accurate to at least eight digits.
 */
export function studentQuantile(probability: number, degrees: number): number {
  if (last.probability !== probability || last.degrees !== degrees)
    last = { probability, degrees, quantile: quantileOf(probability, degrees) }
  return last.quantile
}

function quantileOf(probability: number, degrees: number): number {
  if (!(probability >= 0.5 && probability < 1)) throw new RangeError('a probability in [0.5, 1) is needed')
  if (!(degrees >= 1)) throw new RangeError('at least one degree of freedom is needed')
  const nu = Math.min(degrees, MOST_DEGREES)
  const tail = 1 - probability
  // The upper tail decreases monotonically: double until the point is passed, then bisect.
  let high = 1
  while (upperTail(high, nu) > tail) high *= 2
  let low = 0
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (upperTail(middle, nu) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(T > t) for t ≥ 0: half of the regularised incomplete beta function I_x(ν/2, 1/2) at x = ν / (ν + t²). */
function upperTail(t: number, nu: number): number {
  const square = t * t
  const x = nu / (nu + square)
  const rest = square / (nu + square)
  if (square === 0) return 0.5
  // B(ν/2, 1/2) = √π · Γ(ν/2) / Γ((ν + 1)/2)
  const logBeta = 0.5 * Math.log(Math.PI) + logGamma(nu / 2) - logGamma((nu + 1) / 2)
  const front = Math.exp((nu / 2) * Math.log(x) + 0.5 * Math.log(rest) - logBeta)
  // The continued fraction of either the function or its mirror image converges quickly.
  return x < (nu / 2 + 1) / (nu / 2 + 2.5)
    ? (0.5 * front) / (nu / 2) / betaFraction(nu / 2, 0.5, x)
    : 0.5 - (0.5 * front) / 0.5 / betaFraction(0.5, nu / 2, rest)
}

/** Denominator of I_x(a, b) as a continued fraction (DLMF 8.17.22), evaluated forwards by Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  const smallest = 1e-300
  const nonZero = (value: number) => (Math.abs(value) < smallest ? smallest : value)
  let c = 1
  let d = 0
  let value = 1
  for (let k = 1; k <= 10_000; k++) {
    const m = Math.floor(k / 2)
    const term =
      k % 2 === 0 ? (m * (b - m) * x) / ((a + k - 1) * (a + k)) : -((a + m) * (a + b + m) * x) / ((a + k - 1) * (a + k))
    d = 1 / nonZero(1 + term * d)
    c = nonZero(1 + term / c)
    value *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return value
}

/** ln Γ(x) for x > 0: Stirling's series (DLMF 5.11.1), after a shift to where a few terms suffice. */
function logGamma(x: number): number {
  let shift = 0
  let z = x
  for (; z < 12; z++) shift += Math.log(z)
  const inverse = 1 / (z * z)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / z
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift
}
