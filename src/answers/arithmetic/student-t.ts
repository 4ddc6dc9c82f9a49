/** Student's t distribution: quantiles for intervals, tails for p-values. */

/** From this many degrees of freedom on, Student's distribution equals the normal one to all shown digits. */
export const MOST_DEGREES = 1e6

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
  // The upper tail decreases monotonically: double until the point is passed, then close in on it.
  let high = 1
  while (upperTail(high, nu) > tail) high *= 2
  let low = 0
  let guess = high / 2
  while (high - low > 1e-12 * high && guess > low && guess < high) {
    const beyond = upperTail(guess, nu) - tail
    if (beyond > 0) low = guess
    else high = guess
    // Newton's step, or half of the rest where it leads out of it.
    const next = guess + beyond / density(guess, nu)
    if (Math.abs(next - guess) <= 1e-13 * guess) return next
    guess = next > low && next < high ? next : (low + high) / 2
  }
  return (low + high) / 2
}

/** Of Student's distribution. */
function density(t: number, nu: number): number {
  const log = logGamma((nu + 1) / 2) - logGamma(nu / 2) - 0.5 * Math.log(nu * Math.PI)
  return Math.exp(log - ((nu + 1) / 2) * Math.log1p((t * t) / nu))
}

/**
 * The two-sided p-value of a t statistic: the chance of one at least as far from 0 where there is no effect.
 *
 * @param degrees Null: the normal distribution.
 */
export function twoSidedP(t: number, degrees: number | null): number {
  return Math.min(1, 2 * upperTail(Math.abs(t), Math.min(MOST_DEGREES, Math.max(1, degrees ?? MOST_DEGREES))))
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
