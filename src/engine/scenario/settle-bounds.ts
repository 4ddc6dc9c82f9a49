/**
 * What the margins with bounds come to: those of the mix closest to the model whose margins all lie within their bounds.
 *
 * K  cells, D  conditioned columns, M  margins (see margins.ts)
 *
 * The columns are met in turn, as in iterative proportional fitting, but what a column did to the mix before is undone first: it may
 * turn out that a bound holds by itself. That is Dykstra's algorithm with Kullback-Leibler projections (Bauschke and Lewis 2000), and the
 * ascent of the dual function column by column. Given the others, a column's margins are its own masses times one factor, as far
 * as their bounds let them.
 */
import type { MarginBounds, Margins } from './margins.ts'
import { sweepBound } from './proportional-fitting.ts'

/** Settled are margins that a sweep moves by no more. */
const TOLERANCE = 1e-12
const MOST_SWEEPS = 2_000

/** Factors beyond it show that no mix keeps the bounds: they grow without end. */
const MOST_FACTOR = 1e60

/** A margin this close to its bound is at it. */
const AT_BOUND = 1e-9

interface BoundedCells {
  /** Length K */
  readonly natural: Float64Array
  /** K × D, row-major, without -1. */
  readonly margins: Int32Array
}

/** The same margins where none has bounds. Where no mix keeps all of them, the targets are those of the last sweep. */
export function settleBounds(cells: BoundedCells, margins: Margins): Margins {
  const { bounds, start, columnCount: D } = margins
  if (bounds === null) return margins
  const { natural, margins: ofCell } = cells
  const M = margins.targets.length
  const masses = Float64Array.from(natural)
  const factors = new Float64Array(M).fill(1)
  const sums = new Float64Array(M)
  const targets = Float64Array.from(margins.targets)
  const sweeps = sweepBound(MOST_SWEEPS, ofCell.length)
  let isEndless = false
  for (let sweep = 0, moved = Infinity; sweep < sweeps && moved > TOLERANCE && !isEndless; sweep++) {
    moved = 0
    for (let d = 0; d < D; d++) {
      const [first, end] = [start[d]!, start[d + 1]!]
      sums.fill(0, first, end)
      for (let c = 0, o = d; c < masses.length; c++, o += D) sums[ofCell[o]!]! += masses[c]!
      const own = sums.slice(first, end).map((sum, i) => sum / factors[first + i]!)
      targets.set(boundedParts(own, bounds, first), first)
      for (let m = first; m < end; m++) {
        moved = Math.max(moved, Math.abs(targets[m]! - sums[m]!))
        // From here on the sums are what each margin is multiplied by. A margin without cells stays empty.
        const scale = sums[m]! > 0 && targets[m]! > 0 ? targets[m]! / sums[m]! : 1
        factors[m]! *= scale
        isEndless ||= factors[m]! > MOST_FACTOR || factors[m]! < 1 / MOST_FACTOR
        sums[m] = scale
      }
      for (let c = 0, o = d; c < masses.length; c++, o += D) masses[c]! *= sums[ofCell[o]!]!
    }
  }
  return { ...margins, targets: targets.map((target, m) => snapped(target, bounds, m)) }
}

function snapped(target: number, { least, most }: MarginBounds, m: number): number {
  if (target - least[m]! < AT_BOUND) return least[m]!
  return most[m]! - target < AT_BOUND ? most[m]! : target
}

/**
 * The parts of 1 closest to the masses of a column's margins, within their bounds: each mass times one factor, or a bound.
 *
 * @param masses Of the margins from `first` on.
 */
function boundedParts(masses: Float64Array, { least, most }: MarginBounds, first: number): Float64Array {
  const partsFor = (factor: number): Float64Array =>
    masses.map((mass, i) => Math.min(most[first + i]!, Math.max(least[first + i]!, factor * mass)))
  const sumFor = (factor: number): number => partsFor(factor).reduce((sum, part) => sum + part, 0)
  // Between two factors at which a margin meets a bound, the sum is a straight line.
  const turns = Array.from(masses, (mass, i) => [least[first + i]! / mass, most[first + i]! / mass])
    .flat()
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  let [low, high] = [0, turns.length - 1]
  if (high < 0) return partsFor(1)
  while (low < high) {
    const middle = (low + high) >> 1
    if (sumFor(turns[middle]!) >= 1) high = middle
    else low = middle + 1
  }
  const [from, to] = [turns[low - 1] ?? 0, turns[low]!]
  const [before, after] = [sumFor(from), sumFor(to)]
  return partsFor(after > before ? from + ((1 - before) / (after - before)) * (to - from) : to)
}
