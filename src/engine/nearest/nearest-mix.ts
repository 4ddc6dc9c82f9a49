/**
 * The nearest scenario that has all rows, for one that has not: its shares, cells and means give way as little as they can
 * (docs/engine.md).
 */

import { type SeedMean, seedMeans } from '../estimates/mean-targets.ts'
import { weighSeed } from '../estimates/seed-weights.ts'
import type { MeanTarget, NearestMix, RequestedConditions } from '../scenario/scenario.ts'
import { type NearQuestion, nearestShares, shortfallOf } from './nearest-shares.ts'
import { differing } from './proposed-conditions.ts'

/** How often the way to a mean is halved: to a hundredth and less. */
const HALVINGS = 7

/** In larger seeds each try takes too long. */
const MOST_HALVED_ROWS = 50_000

/** Of a mean that halving finds. */
const MEAN_DIGITS = 4

/** Null where there is none, or finding it takes too much work. What it returns has been settled: all rows can be made. */
export async function nearestMix(asked: NearQuestion): Promise<NearestMix | null> {
  const { scenario } = asked
  const { means = [] } = scenario
  if (means.length === 0) {
    const nearest = await nearestShares(asked)
    return nearest && { conditions: differing(nearest.scenario, scenario), moved: nearest.moved }
  }
  const loose = seedMeans(asked.model, withMeans({ shares: [], ranges: [] }, means)).map(loosened)
  const stated = { ...asked, scenario: withMeans(scenario, loose) }
  const isShort = (await shortfallOf(stated)) !== null
  const nearest = isShort ? await nearestShares(stated) : { ...stated, moved: 0 }
  if (nearest === null) return null
  const kept = [...means]
  for (const [j, mean] of means.entries()) {
    const withMean = (tried: MeanTarget) =>
      withMeans(nearest.scenario, [...kept.slice(0, j), tried, ...loose.slice(j + 1)])
    const found = await nearestMean(asked, mean, withMean)
    if (found === null) return null
    kept[j] = found
  }
  return { conditions: differing(withMeans(nearest.scenario, kept), scenario), moved: nearest.moved }
}

/** A bound that every row keeps, in place of a mean: the column stays among the conditioned ones, which the order of columns needs. */
function loosened({ column, values }: SeedMean): MeanTarget {
  const known = values.filter((value) => !Number.isNaN(value))
  const [low, high] = known.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [known[0]!, known[0]!])
  return { column, min: low - (high - low) - 1, max: Number.POSITIVE_INFINITY }
}

/**
 * The mean itself where it is possible with the shares and the means before it; else the nearest one. A linear program over the seed's
 * rows says which that is. It does not know the caps: where they bind, halving the way back to the mean that the rows have by themselves
 * finds the end, because what lies between two possible means is possible.
 *
 * @param withMean The scenario with the mean in its place.
 */
async function nearestMean(
  asked: NearQuestion,
  mean: MeanTarget,
  withMean: (tried: MeanTarget) => RequestedConditions,
): Promise<MeanTarget | null> {
  const shortfallWith = async (tried: MeanTarget) => await shortfallOf({ ...asked, scenario: withMean(tried) })
  const shortfall = await shortfallWith(mean)
  if (shortfall === null) return mean
  const nearest = shortfall.binding.find(({ column }) => column === mean.column)?.nearest
  if (nearest !== undefined) {
    const moved = movedTo(mean, nearest)
    if ((await shortfallWith(moved)) === null) return moved
  }
  if (asked.model.rowCount > MOST_HALVED_ROWS) return null
  const [own] = seedMeans(asked.model, withMeans({ shares: [], ranges: [] }, [mean]))
  const seed = await weighSeed(asked.model, withMean(loosened(own!)), 'exact')
  if (seed === null) return null
  let possible = weightedMean(seed.weights, own!.values)
  let beyond = nearest ?? (possible < mean.min ? mean.min : mean.max)
  let found: MeanTarget | null = null
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = Number(((possible + beyond) / 2).toPrecision(MEAN_DIGITS))
    const tried = movedTo(mean, middle)
    if ((await shortfallWith(tried)) === null) [possible, found] = [middle, tried]
    else beyond = middle
  }
  return found
}

function weightedMean(weights: Float64Array, values: Float64Array): number {
  let [sum, total] = [0, 0]
  weights.forEach((weight, row) => {
    if (Number.isNaN(values[row]!)) return
    sum += weight * values[row]!
    total += weight
  })
  return sum / total
}

/** The end that cannot be becomes the nearest mean. */
function movedTo({ column, min, max }: MeanTarget, nearest: number): MeanTarget {
  return {
    column,
    min: Math.min(min, nearest),
    max: Math.max(max, nearest),
    ...(min === max && { min: nearest, max: nearest }),
  }
}

function withMeans({ means: _, ...scenario }: RequestedConditions, means: readonly MeanTarget[]): RequestedConditions {
  return means.length === 0 ? scenario : { ...scenario, means }
}
