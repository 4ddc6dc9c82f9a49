/**
 * The estimates as they are defined, row by row: slow, and without anything of the engine.
 *
 * n  rows     w, v  weights of scenario and baseline, each summing to 1     y  outcome     g  1 where a row counts, else 0
 *
 *   m = sum w g y / sum w g     u = g (y - m) / sum w g     d = m_S - m_B
 *   r  residuals of u in the weighted regression on 1 and the indicators of the side's margins, h  leverage of each row
 *   e = w r_S / (1 - h_S) - v r_B / (1 - h_B)     k(z) = 2 (sum z²)² / (sum z⁴ - (sum z²)² / n)
 *   SE² = n / (n - 1) sum e² + f sum over both sides of max(0, q (1 - q) - p (1 - p)) / k     q = (k p + 1) / (k + 2)
 *   f = min(1, sum (w - v)² / max(sum w², sum v²))     nu = min(k(w), k(v), k(e without the leverage))
 *   SE = 0 where the scenarios decide both sides, so that nothing is left of e
 *
 * The engine inverts the regression's normal equations over patterns of rows; here every row is one of an orthogonalised matrix.
 */

/** Column → level → share, and column → range. The unlisted levels of a column, missing among them, are one group. */
export interface ReferenceScenario {
  readonly shares?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly ranges?: Readonly<Record<string, readonly [min: number, max: number]>>
}

export interface ReferenceOptions {
  /** Length n: case weights; absent: all rows count alike. */
  readonly weights?: readonly number[] | undefined
  /** Whether the outcome is the indicator of a level. */
  readonly isShare?: boolean
}

export interface ReferenceDifference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
  readonly standardError: number
  /** Infinity: the normal distribution. */
  readonly degreesOfFreedom: number
  readonly scenarioSd: number
  readonly baselineSd: number
  /** Length n: e. */
  readonly influence: readonly number[]
}

/** @param value y of a row; null where it does not count. */
export function referenceDifference<Row extends object>(
  rows: readonly Row[],
  scenario: ReferenceScenario,
  baseline: ReferenceScenario,
  value: (row: Row) => number | null,
  { weights, isShare = false }: ReferenceOptions = {},
): ReferenceDifference {
  const n = rows.length
  const y = rows.map((row) => value(row))
  const sides = [scenario, baseline].map((of) => sideOf(rows, y, of, weights))
  const [one, other] = sides as [ReferenceSide, ReferenceSide]
  const e = rows.map((_, i) => one.influence[i]! - other.influence[i]!)
  const plain = rows.map((_, i) => one.plain[i]! - other.plain[i]!)
  const apart = sum(rows.map((_, i) => (one.weights[i]! - other.weights[i]!) ** 2))
  // Both sides fix the outcome, or weight its rows alike: another sample would have the same difference.
  const fixed = sum(sides.map(({ fixed: part }) => part))
  const isDecided = fixed > 0 && sum(plain.map((part) => part * part)) <= 1e-18 * fixed
  const far = Math.min(1, apart / Math.max(...sides.map((side) => sum(side.weights.map((w) => w * w)))))
  const pseudo = isShare ? far * sum(sides.map(({ mean: p, weights: w }) => pseudoAnswers(p, referenceSpread(w)))) : 0
  return {
    scenario: one.mean,
    baseline: other.mean,
    difference: one.mean - other.mean,
    standardError: isDecided ? 0 : Math.sqrt((n / (n - 1)) * sum(e.map((part) => part * part)) + pseudo),
    degreesOfFreedom: isDecided
      ? Number.POSITIVE_INFINITY
      : Math.min(...[one.weights, other.weights, plain].map(referenceSpread)),
    scenarioSd: one.sd,
    baselineSd: other.sd,
    influence: e,
  }
}

interface ReferenceSide {
  readonly weights: readonly number[]
  readonly mean: number
  readonly sd: number
  /** w r / (1 - h) */
  readonly influence: readonly number[]
  /** w r */
  readonly plain: readonly number[]
  /** sum of (w u)²: what the squares of `plain` would be if the weights were fixed. */
  readonly fixed: number
}

function sideOf<Row extends object>(
  rows: readonly Row[],
  y: readonly (number | null)[],
  of: ReferenceScenario,
  caseWeights: readonly number[] | undefined,
): ReferenceSide {
  const w = referenceWeights(rows, of, caseWeights)
  const total = sum(w.filter((_, i) => y[i] !== null))
  const mean = sum(y.map((one, i) => (one === null ? 0 : w[i]! * one))) / total
  const variance = sum(y.map((one, i) => (one === null ? 0 : w[i]! * (one - mean) ** 2))) / total
  // All by the root of the weight: then the regression is an ordinary one.
  const roots = w.map(Math.sqrt)
  const basis = orthonormal(designOf(rows, of).map((column) => column.map((entry, i) => entry * roots[i]!)))
  const u = y.map((one, i) => (one === null ? 0 : (roots[i]! * (one - mean)) / total))
  const slopes = basis.map((q) => dot(q, u))
  const plain = rows.map((_, i) => roots[i]! * (u[i]! - sum(basis.map((q, a) => q[i]! * slopes[a]!))))
  const leverage = rows.map((_, i) => Math.min(0.999, sum(basis.map((q) => q[i]! ** 2))))
  return {
    weights: w,
    mean,
    sd: Math.sqrt(variance),
    influence: plain.map((part, i) => part / (1 - leverage[i]!)),
    plain,
    fixed: sum(u.map((one, i) => (roots[i]! * one) ** 2)),
  }
}

/** Weights that sum to 1: iterative proportional fitting of every row until all shares hold. */
export function referenceWeights<Row extends object>(
  rows: readonly Row[],
  { shares = {}, ranges = {} }: ReferenceScenario,
  caseWeights: readonly number[] = rows.map(() => 1),
): number[] {
  const isInside = (row: Row): boolean =>
    Object.entries(ranges).every(([column, [min, max]]) => {
      const value = row[column as keyof Row]
      return typeof value === 'number' && value >= min && value <= max
    })
  const weights = rows.map((row, i) => (isInside(row) ? caseWeights[i]! : 0))
  const scale = (factorOf: (i: number) => number): void => {
    for (const i of weights.keys()) weights[i]! *= factorOf(i)
  }
  const normalise = (): void => {
    const total = sum(weights)
    scale(() => 1 / total)
  }
  normalise()
  // Sums of many rows are rounded: where sweeps stop getting nearer within 1e-9, they are as near as they get.
  let [moved, before] = [1, Number.POSITIVE_INFINITY]
  for (let sweep = 0; sweep < 10_000 && moved > 3e-13 && (moved > 1e-9 || moved < before); sweep++) {
    before = moved
    moved = 0
    for (const [column, listed] of Object.entries(shares)) {
      const groups = rows.map((row) => groupOf(row, column, listed))
      const targets = new Map<string | null, number>(Object.entries(listed))
      targets.set(null, Math.max(0, 1 - sum([...targets.values()])))
      const now = new Map<string | null, number>()
      for (const [i, group] of groups.entries()) now.set(group, (now.get(group) ?? 0) + weights[i]!)
      for (const [group, has] of now) moved = Math.max(moved, Math.abs(has - targets.get(group)!))
      scale((i) => (now.get(groups[i]!)! > 0 ? targets.get(groups[i]!)! / now.get(groups[i]!)! : 0))
    }
  }
  normalise()
  return weights
}

/** The listed level of a row; null: one of the unlisted ones. */
function groupOf<Row extends object>(row: Row, column: string, listed: Readonly<Record<string, number>>) {
  const level = row[column as keyof Row] as string | null
  return level !== null && Object.hasOwn(listed, level) ? level : null
}

/** Columns of the regression: 1, and the indicators of the listed levels of each column. */
function designOf<Row extends object>(rows: readonly Row[], { shares = {} }: ReferenceScenario): number[][] {
  const indicators = Object.entries(shares).flatMap(([column, listed]) =>
    Object.keys(listed).map((level) => rows.map((row) => (groupOf(row, column, listed) === level ? 1 : 0))),
  )
  return [rows.map(() => 1), ...indicators]
}

/** An orthonormal basis of what the columns span (Gram and Schmidt, twice); columns that the ones before determine add nothing. */
function orthonormal(columns: readonly (readonly number[])[]): number[][] {
  const basis: number[][] = []
  for (const column of columns) {
    let rest = [...column]
    for (const _ of ['once', 'again']) {
      for (const q of basis) {
        const part = dot(q, rest)
        rest = rest.map((entry, i) => entry - part * q[i]!)
      }
    }
    const length = Math.sqrt(dot(rest, rest))
    if (length > 1e-7 * Math.sqrt(dot(column, column))) basis.push(rest.map((entry) => entry / length))
  }
  return basis
}

/** k(z): Infinity where all squares are equal. */
export function referenceSpread(z: readonly number[]): number {
  const squares = sum(z.map((one) => one ** 2))
  const fourths = sum(z.map((one) => one ** 4))
  const below = fourths - squares ** 2 / z.length
  return below < 1e-12 * fourths || fourths === 0 ? Number.POSITIVE_INFINITY : (2 * squares ** 2) / below
}

function pseudoAnswers(p: number, k: number): number {
  if (k === Number.POSITIVE_INFINITY) return 0
  const q = (k * p + 1) / (k + 2)
  return Math.max(0, q * (1 - q) - p * (1 - p)) / k
}

export function effectiveRowsOf(weights: readonly number[]): number {
  return sum(weights) ** 2 / sum(weights.map((weight) => weight * weight))
}

function dot(a: readonly number[], b: readonly number[]): number {
  let total = 0
  for (const [i, one] of a.entries()) total += one * b[i]!
  return total
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
