/**
 * The largest fill of a capped table, computed exactly: the textbook program
 *
 *   maximise s   subject to   sum of q over every margin = s t,   0 <= q <= cap,   q <= limit s,   0 <= s <= 1
 *
 * (but for the rounding of the targets t, see below) by the primal simplex method for bounded variables (Dantzig 1955), with Bland's rule, which cannot cycle, in whole
 * numbers (pivots that keep them whole: Edmonds 1967). No tolerance and no rounding, and nothing of the engine's solver.
 *
 * q = 0, s = 0 is the vertex to start from.
 */
import type { ProjectionProblem } from '../../../src/engine/scenario/project.ts'

/** Masses are counted in units of 2^-120, which holds every double above 2^-67 exactly. */
const UNITS = 2 ** 120

/**
 * How far a margin may be from s t. Targets are rounded: of 0.1 and 1 - 0.9, where the cells of the one margin are those of
 * the other, no positive part is the same.
 */
const TARGET_ROUNDING = 2 ** -49

export function referenceFill({ natural, cap, limit, cellMargins, margins }: ProjectionProblem): number {
  const { columnCount: D, start, targets } = margins
  const cells = [...natural.keys()].filter((c) => natural[c]! > 0 && (D === 0 || cellMargins[c * D]! >= 0))
  // The margins of every column sum to s: the last of each but the first column says nothing new but its rounding.
  const kept = [...targets.keys()].filter((m) => m < start[1]! || !start.includes(m + 1))
  const limited = cells.filter((c) => limit !== undefined && limit[c]! < 1)
  const rows = kept.map((m) => [
    ...cells.map((c) => (cellMargins.subarray(c * D, c * D + D).includes(m) ? 1n : 0n)),
    ...kept.flatMap((other) => (other === m ? [1n, -1n] : [0n, 0n])),
    ...limited.map(() => 0n),
    -inUnits(targets[m]!),
  ])
  // What a limited cell leaves of its limit is a variable of its own: q + rest = limit s.
  const limits = limited.map((c) => [
    ...cells.map((other) => (other === c ? 1n : 0n)),
    ...kept.flatMap(() => [0n, 0n]),
    ...limited.map((other) => (other === c ? 1n : 0n)),
    -inUnits(limit![c]!),
  ])
  const rounding = kept.flatMap(() => [inUnits(TARGET_ROUNDING), inUnits(TARGET_ROUNDING)])
  const rests = limited.map((c) => inUnits(limit![c]!))
  return maximiseLast([...rows, ...limits], [...cells.map((c) => inUnits(cap[c]!)), ...rounding, ...rests, 1n])
}

function inUnits(mass: number): bigint {
  return BigInt(Math.round(mass * UNITS))
}

/** The largest value of the last variable with a x = 0 for every row a, and 0 <= x <= most. */
function maximiseLast(a: bigint[][], most: readonly bigint[]): number {
  const n = most.length
  /** Variable of each row, -1 = its slack, which is fixed at 0. */
  const basis = a.map(() => -1)
  const values = a.map(() => 0n)
  const prices: bigint[] = most.map((_, j) => (j === n - 1 ? -1n : 0n))
  let reached = 0n
  /** All entries are over this denominator, which is positive. */
  let det = 1n
  const boundOf = (row: number) => (basis[row]! < 0 ? 0n : most[basis[row]!]!)
  for (;;) {
    const entering = prices.findIndex((price, j) => price < 0n && !basis.includes(j))
    if (entering < 0) return ratioOf(reached, det)
    // How far it can go: to its own bound, or until a basic variable is at 0 or at its bound. Ties: least variable.
    let leaving = -1
    let isRising = false
    let step = most[entering]!
    let per = 1n
    let label = entering
    a.forEach((row, i) => {
      const slope = row[entering]!
      if (slope === 0n) return
      const room = slope > 0n ? values[i]! : boundOf(i) * det - values[i]!
      const size = slope > 0n ? slope : -slope
      const difference = room * per - step * size
      if (difference > 0n || (difference === 0n && basis[i]! >= label)) return
      ;[leaving, isRising, step, per, label] = [i, slope < 0n, room, size, basis[i]!]
    })
    if (leaving < 0) {
      flip(entering)
      continue
    }
    if (isRising) {
      // The basic variable leaves at its bound: count it from there.
      const row = a[leaving]!
      for (let j = 0; j < n; j++) if (j !== basis[leaving]) row[j] = -row[j]!
      values[leaving] = boundOf(leaving) * det - values[leaving]!
    }
    pivot(leaving, entering)
  }

  /** Counts a variable from its other bound. */
  function flip(j: number): void {
    a.forEach((row, i) => {
      values[i] = values[i]! - row[j]! * most[j]!
      row[j] = -row[j]!
    })
    reached -= prices[j]! * most[j]!
    prices[j] = -prices[j]!
  }

  function pivot(row: number, column: number): void {
    const by = a[row]!
    const size = by[column]!
    const changed = (own: bigint, factor: bigint, other: bigint) => (own * size - factor * other) / det
    a.forEach((line, i) => {
      if (i === row) return
      const factor = line[column]!
      values[i] = changed(values[i]!, factor, values[row]!)
      for (let j = 0; j < n; j++) line[j] = changed(line[j]!, factor, by[j]!)
    })
    const factor = prices[column]!
    reached = changed(reached, factor, values[row]!)
    for (let j = 0; j < n; j++) prices[j] = changed(prices[j]!, factor, by[j]!)
    basis[row] = column
    det = size
  }
}

/** Both may have hundreds of bits. */
function ratioOf(numerator: bigint, denominator: bigint): number {
  return Number((numerator * 2n ** 60n) / denominator) / 2 ** 60
}
