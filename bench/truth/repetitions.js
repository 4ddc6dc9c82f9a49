// Figures over the repetitions of a simulation, each with its interval.

/**
 * A figure of all repetitions, and its 95 % interval by the jackknife over repetitions (Efron, Tukey): what one seed file has
 * in common among its comparisons does not make the interval narrower.
 *
 * @template T
 * @param {readonly T[]} repetitions
 * @param {(of: T[]) => number} figure
 */
export function spreadOver(repetitions, figure) {
  const all = figure([...repetitions])
  const k = repetitions.length
  const without = repetitions.map((_, i) => figure(repetitions.filter((_, j) => j !== i)))
  const mean = without.reduce((a, b) => a + b, 0) / k
  const variance = ((k - 1) / k) * without.reduce((a, b) => a + (b - mean) ** 2, 0)
  const reach = 1.96 * Math.sqrt(variance)
  return { value: all, low: all - reach, high: all + reach }
}

/**
 * Least squares through the origin, each point weighed by its error.
 *
 * @param {readonly { x: number, y: number, error: number }[]} points
 */
export function slopeOf(points) {
  let products = 0
  let squares = 0
  for (const { x, y, error } of points) {
    products += (x * y) / error ** 2
    squares += (x * x) / error ** 2
  }
  return products / squares
}

/**
 * A share with its 95 % interval (Wilson 1927), which is no point where the share is 0 or 1.
 *
 * @param {number} hits
 * @param {number} count
 */
export function shareWithInterval(hits, count) {
  const z = 1.96
  const value = hits / count
  const middle = (value + z ** 2 / (2 * count)) / (1 + z ** 2 / count)
  const reach = (z * Math.sqrt((value * (1 - value)) / count + z ** 2 / (4 * count ** 2))) / (1 + z ** 2 / count)
  return { value, low: middle - reach, high: middle + reach }
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(one: T) => boolean} isCounted
 */
export function share(list, isCounted) {
  return list.length === 0 ? Number.NaN : list.filter(isCounted).length / list.length
}

/** @param {readonly number[]} values */
export function mean(values) {
  return values.reduce((a, b) => a + b, 0) / values.length
}
