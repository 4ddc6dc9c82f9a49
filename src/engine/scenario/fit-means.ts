/**
 * Tilts the columns with a mean, so that the mix of cells and values closest to the model has the scenario's means along with its
 * shares and ranges: the same projection with one more constraint for each mean (Csiszar 1975), whose multiplier is a pull on the
 * column's values.
 *
 * K  cells, r  drawn columns, p  of them with a mean
 *
 * Means that are known to pull are met together first (meet-together.ts). Then they are met in turn, as margins are in iterative
 * proportional fitting: for one pull, with the others as they are, the mean rises with the pull. A bound that the mix keeps by itself
 * has the pull 0.
 */

import type { DrawnColumn } from './conditions.ts'
import { meetTogether } from './meet-together.ts'
import type { RangeWalk } from './range-mass.ts'
import { scaleOf, type TiltedCodes, tiltedCodes } from './tilted-codes.ts'

/** A mean is met this closely, in standard deviations of its column: the values of the rows do the rest (mean-values.ts). */
const TOLERANCE = 1e-6
/** Three and more columns are integrated by draws, which are no more exact. */
const TOLERANCE_OF_DRAWS = 2e-3
const DRAWS = 8_000
const DRAWS_PER_CELL = 256
/** While pulls are tried: so many draws of all cells leave an error of the size of the tolerance. */
const MOST_DRAWS_OF_A_TRY = 250_000

/** What a mean rises by with its pull, in standard deviations: the part of the variance that the margins leave. */
const USUAL_SLOPE = 0.7

/** No mean needs a longer pull, in units of one over the standard deviation. */
const LONGEST_PULL = 1e6
const MOST_STEPS = 80
const MOST_TURNS = 60
/** Mixes that are tried in all; then the means are close, unless columns are nearly the same. */
const MOST_TRIES = 1_000

/** Pulls this close to each other, in parts of one, are the same. */
const SAME_PULL = 1e-9

export interface FittedMeans {
  /** The trees with tilted codes. */
  readonly walk: RangeWalk
  /** r: null for a column without a mean. */
  readonly tilted: readonly (TiltedCodes | null)[]
  /** Length K: masses of the cells on that walk; null without means. */
  readonly masses: Float64Array | null
}

export interface MeansToFit {
  /** r */
  readonly drawn: readonly DrawnColumn[]
  readonly walk: RangeWalk
  /** K × D, row-major. */
  readonly cells: Int32Array
  readonly cellCount: number
  /** The mix of the cells with these masses: length K, summing to 1. */
  readonly mixOf: (masses: Float64Array) => Promise<Float64Array>
  /** By column: where to begin, per unit of the column. */
  readonly pulls?: ReadonlyMap<string, number> | undefined
}

/** Null where the means are not reached. */
export async function fitMeans({
  drawn,
  walk,
  cells,
  cellCount,
  mixOf,
  pulls: known,
}: MeansToFit): Promise<FittedMeans | null> {
  const scales = drawn.map(scaleOf)
  const pulls = drawn.map(({ column: { name } }, j) => (known?.get(name) ?? 0) * scales[j]!)
  const slopes = drawn.map(() => 1)
  const weights = drawn.map((column, j) => {
    const { mean } = column
    return mean && tiltedCodes(column, endOf(mean, pulls[j]!), scales[j]!, pulls[j]!)
  })
  const r = drawn.length
  const draws = Math.max(DRAWS_PER_CELL, Math.ceil(DRAWS / cellCount))
  const searching = Math.min(draws, Math.ceil(MOST_DRAWS_OF_A_TRY / cellCount))
  const tolerance = r > 2 ? TOLERANCE_OF_DRAWS : TOLERANCE
  let current = walk
  let tries = 0

  /** By column: the end that its weights are for; without one, those of the start. */
  const ends: (number | null)[] = drawn.map(() => null)
  /** Of the current walk. */
  let gaps = new Float64Array(r)

  const tryPulls = async (wanted: readonly { j: number; end: number; pull: number }[]): Promise<void> => {
    const changed = wanted.filter(({ j, end, pull }) => ends[j] !== end || pulls[j] !== pull)
    if (changed.length === 0) return
    for (const { j, end, pull } of changed) {
      pulls[j] = pull
      ends[j] = end
      weights[j] = tiltedCodes(drawn[j]!, end, scales[j]!, pull)
    }
    tries++
    current = current.reweighted(weights)
    const { masses, sums } = current.moments(cells, cellCount, searching)
    const mix = await mixOf(masses)
    gaps = new Float64Array(r)
    for (let c = 0; c < cellCount; c++) {
      if (!(mix[c]! > 0)) continue
      for (let j = 0; j < r; j++) gaps[j]! += (mix[c]! * sums[c * r + j]!) / masses[c]!
    }
  }

  /** How far a mean is above an end: E[g z], g = 1 where there is a value. */
  const gapOf = async (j: number, end: number, pull: number): Promise<number> => {
    await tryPulls([{ j, end, pull }])
    return gaps[j]!
  }

  const meetEnd = async (j: number, end: number, start: number): Promise<boolean> => {
    const found = await solve((pull) => gapOf(j, end, pull), start, slopes[j]!, tolerance)
    if (found.slope !== null) slopes[j] = found.slope
    return found.isMet
  }

  /** Meets one mean; false where it is out of reach. */
  const meet = async (j: number): Promise<boolean> => {
    const { min, max } = drawn[j]!.mean!
    const start = pulls[j]!
    if (min === max) return await meetEnd(j, min, start)
    // A bound that was held usually still is. It pulls one way only.
    if (start !== 0) {
      if (!(await meetEnd(j, start > 0 ? min : max, start))) return false
      if (pulls[j]! * start >= 0) return true
    }
    if (Number.isFinite(min) && (await gapOf(j, min, 0)) < -tolerance) return await meetEnd(j, min, 0)
    if (Number.isFinite(max) && (await gapOf(j, max, 0)) > tolerance) return await meetEnd(j, max, 0)
    await gapOf(j, anyEnd({ min, max }), 0)
    return true
  }

  /** Meets the means that pull at the start, if that is where they are about to end. */
  const meetPulling = async (pulling: readonly number[]): Promise<void> => {
    if (pulling.length < 2) return
    const start = Float64Array.from(pulling, (j) => pulls[j]!)
    const heldAt = pulling.map((j) => endOf(drawn[j]!.mean!, pulls[j]!))
    const at = (pullsAt: Float64Array) => pulling.map((j, i) => ({ j, end: heldAt[i]!, pull: pullsAt[i]! }))
    const gapsAt = async (pullsAt: Float64Array): Promise<Float64Array> => {
      await tryPulls(at(pullsAt))
      return Float64Array.from(pulling, (j) => gaps[j]!)
    }
    const isMet = await meetTogether(gapsAt, start, USUAL_SLOPE, tolerance)
    // A bound pulls one way only.
    const areRight = pulling.every((j, i) => {
      const { min, max } = drawn[j]!.mean!
      return min === max || pulls[j]! * start[i]! >= 0
    })
    if (!isMet || !areRight) await tryPulls(at(start))
  }

  const withMean = drawn.flatMap(({ mean }, j) => (mean === null ? [] : [j]))
  if (withMean.length === 0) return { walk, tilted: weights, masses: null }
  await meetPulling(withMean.filter((j) => pulls[j] !== 0))
  for (let turn = 0; turn < MOST_TURNS && tries < MOST_TRIES; turn++) {
    let moved = 0
    for (const j of withMean) {
      const before = pulls[j]!
      if (!(await meet(j))) return null
      moved = Math.max(moved, Math.abs(pulls[j]! - before) / (1 + Math.abs(before)))
    }
    if (withMean.length === 1 || moved <= tolerance) break
  }
  return { walk: current, tilted: weights, masses: current.masses(cells, cellCount, draws) }
}

/** The end at which a mean is held by a pull. */
const endOf = (mean: { readonly min: number; readonly max: number }, pull: number): number =>
  pull < 0 ? mean.max : anyEnd(mean)

const anyEnd = ({ min, max }: { readonly min: number; readonly max: number }): number =>
  Number.isFinite(min) ? min : max

interface Solved {
  readonly isMet: boolean
  /** Of the function near its zero; null where it was met at once. */
  readonly slope: number | null
}

/** Finds the zero of a rising function, whose slope is about the given one; its last call is with the answer. */
async function solve(
  gapOf: (pull: number) => Promise<number>,
  start: number,
  about: number,
  tolerance: number,
): Promise<Solved> {
  let [a, atA] = [start, await gapOf(start)]
  if (Math.abs(atA) <= tolerance) return { isMet: true, slope: null }
  const direction = atA < 0 ? 1 : -1
  let step = Math.min(4, Math.max(1e-3, Math.abs(atA) / about))
  let [b, atB] = [a, atA]
  const slope = (): number | null => ((atB - atA) / (b - a) > 0 ? (atB - atA) / (b - a) : null)
  while (Math.sign(atB) === Math.sign(atA)) {
    if (Math.abs(b) > LONGEST_PULL) return { isMet: false, slope: null }
    ;[a, atA] = [b, atB]
    b += direction * step
    step *= 2
    atB = await gapOf(b)
    if (Math.abs(atB) <= tolerance) return { isMet: true, slope: slope() }
  }
  const found = slope()
  // The Illinois method: false position that halves the weight of an end which stays twice.
  for (let i = 0; i < MOST_STEPS; i++) {
    const c = (a * atB - b * atA) / (atB - atA)
    const atC = await gapOf(c)
    if (Math.abs(atC) <= tolerance || Math.abs(b - a) <= SAME_PULL * (1 + Math.abs(b))) break
    if (Math.sign(atC) === Math.sign(atB)) atA /= 2
    else [a, atA] = [b, atB]
    ;[b, atB] = [c, atC]
  }
  return { isMet: true, slope: found }
}
