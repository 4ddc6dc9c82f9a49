/**
 * Tilts the columns with a mean, so that the mix of cells and values closest to the model has the scenario's means along with its
 * shares and ranges: the same projection with one more constraint for each mean (Csiszar 1975), whose multiplier is a pull on the
 * column's values.
 *
 * K  cells, r  drawn columns, p  of them with a mean
 *
 * Means are met in turn, as margins are in iterative proportional fitting: for one pull, with the others as they are, the mean rises
 * with the pull. A bound that the mix keeps by itself has the pull 0.
 */

import type { DrawnColumn } from './conditions.ts'
import type { RangeWalk } from './range-mass.ts'
import { scaleOf, type TiltedCodes, tiltedCodes } from './tilted-codes.ts'

/** A mean is met this closely, in standard deviations of its column: the values of the rows do the rest (meet-means.ts). */
const TOLERANCE = 1e-6

/** No mean needs a longer pull, in units of one over the standard deviation. */
const LONGEST_PULL = 1e6
const MOST_STEPS = 80
const MOST_TURNS = 60
/** Mixes that are tried in all; then the means are close, unless columns are nearly the same. */
const MOST_TRIES = 1500

/** Pulls this close to each other, in parts of one, are the same. */
const SAME_PULL = 1e-9

/** Draws for all cells together where three and more columns are drawn. */
const DRAWS = 20_000
const DRAWS_PER_CELL = 256

export interface FittedMeans {
  /** The trees with tilted codes. */
  readonly walk: RangeWalk
  /** r: null for a column without a mean. */
  readonly tilted: readonly (TiltedCodes | null)[]
  /** Length K: masses of the cells on that walk; null without means. */
  readonly masses: Float64Array | null
}

/** The mix of the cells with these masses: length K, summing to 1. */
type MixOf = (masses: Float64Array) => Promise<Float64Array>

/**
 * @param cells K × D, row-major.
 * @returns null where the means are not reached.
 */
export async function fitMeans(
  drawn: readonly DrawnColumn[],
  walk: RangeWalk,
  cells: Int32Array,
  cellCount: number,
  mixOf: MixOf,
): Promise<FittedMeans | null> {
  const scales = drawn.map(scaleOf)
  const pulls = new Float64Array(drawn.length)
  const weights = drawn.map((column, j) => column.mean && tiltedCodes(column, anyEnd(column.mean), scales[j]!, 0))
  const r = drawn.length
  const draws = Math.max(DRAWS_PER_CELL, Math.ceil(DRAWS / cellCount))
  let current = walk
  let tries = 0

  /** How far a mean is above an end: E[g z], g = 1 where there is a value. */
  const gapOf = async (j: number, end: number, pull: number): Promise<number> => {
    pulls[j] = pull
    weights[j] = tiltedCodes(drawn[j]!, end, scales[j]!, pull)
    tries++
    current = current.reweighted(weights)
    const { masses, sums } = current.moments(cells, cellCount, draws)
    const mix = await mixOf(masses)
    let gap = 0
    for (let c = 0; c < cellCount; c++) if (mix[c]! > 0) gap += (mix[c]! * sums[c * r + j]!) / masses[c]!
    return gap
  }

  /** Meets one mean; false where it is out of reach. */
  const meet = async (j: number): Promise<boolean> => {
    const { min, max } = drawn[j]!.mean!
    const start = pulls[j]!
    const gap = (end: number) => (pull: number) => gapOf(j, end, pull)
    if (min === max) return await solve(gap(min), start)
    if (Number.isFinite(min) && (await gapOf(j, min, 0)) < -TOLERANCE) return await solve(gap(min), 0)
    if (Number.isFinite(max) && (await gapOf(j, max, 0)) > TOLERANCE) return await solve(gap(max), 0)
    await gapOf(j, anyEnd({ min, max }), 0)
    return true
  }

  const withMean = drawn.flatMap(({ mean }, j) => (mean === null ? [] : [j]))
  if (withMean.length === 0) return { walk, tilted: weights, masses: null }
  for (let turn = 0; turn < MOST_TURNS && tries < MOST_TRIES; turn++) {
    let moved = 0
    for (const j of withMean) {
      const before = pulls[j]!
      if (!(await meet(j))) return null
      moved = Math.max(moved, Math.abs(pulls[j]! - before) / (1 + Math.abs(before)))
    }
    if (withMean.length === 1 || moved <= TOLERANCE) break
  }
  return { walk: current, tilted: weights, masses: current.masses(cells, cellCount, draws) }
}

const anyEnd = ({ min, max }: { readonly min: number; readonly max: number }): number =>
  Number.isFinite(min) ? min : max

/** Finds the zero of a rising function; its last call is with the answer. */
async function solve(gapOf: (pull: number) => Promise<number>, start: number): Promise<boolean> {
  let [a, atA] = [start, await gapOf(start)]
  if (Math.abs(atA) <= TOLERANCE) return true
  const direction = atA < 0 ? 1 : -1
  // The variance is about 1, so that this is about the length of a Newton step.
  let step = Math.min(4, Math.max(0.01, Math.abs(atA)))
  let [b, atB] = [a, atA]
  while (Math.sign(atB) === Math.sign(atA)) {
    if (Math.abs(b) > LONGEST_PULL) return false
    ;[a, atA] = [b, atB]
    b += direction * step
    step *= 2
    atB = await gapOf(b)
    if (Math.abs(atB) <= TOLERANCE) return true
  }
  // The Illinois method: false position that halves the weight of an end which stays twice.
  for (let i = 0; i < MOST_STEPS; i++) {
    const c = (a * atB - b * atA) / (atB - atA)
    const atC = await gapOf(c)
    if (Math.abs(atC) <= TOLERANCE || Math.abs(b - a) <= SAME_PULL * (1 + Math.abs(b))) return true
    if (Math.sign(atC) === Math.sign(atB)) atA /= 2
    else [a, atA] = [b, atB]
    ;[b, atB] = [c, atC]
  }
  return true
}
