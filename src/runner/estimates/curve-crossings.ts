/** Where a curve that is known at some values crosses a height; between two of them it is taken as straight. */

export interface CurveValue {
  readonly value: number
  readonly difference: number
  /** Null where nothing is known of chance. */
  readonly interval: readonly [low: number, high: number] | null
}

/** The value nearest to `from` at which the difference is `by`; null where the curve does not reach it. */
export function nearestSolution(curve: readonly CurveValue[], by: number, from: number): number | null {
  const found = curve.flatMap((point, i) => {
    if (point.difference === by) return [point.value]
    const next = curve[i + 1]
    if (next === undefined || (point.difference - by) * (next.difference - by) >= 0) return []
    return [between(point, next, (one) => one.difference - by)]
  })
  return found.reduce<number | null>(
    (best, value) => (best === null || Math.abs(value - from) < Math.abs(best - from) ? value : best),
    null,
  )
}

/**
 * The values around a solution whose own interval holds `by`. An end is undefined where the curve ends before, or nothing is known of
 * chance.
 */
export function around(
  curve: readonly CurveValue[],
  by: number,
  solution: number,
): { readonly low?: number; readonly high?: number } {
  const below = curve.filter(({ value }) => value <= solution).reverse()
  const above = curve.filter(({ value }) => value >= solution)
  const low = firstWithout(below, by)
  const high = firstWithout(above, by)
  return { ...(low !== null && { low }), ...(high !== null && { high }) }
}

/** From which values on, down and up from `from`, the interval of the difference excludes 0. */
export function leavesChance(
  curve: readonly CurveValue[],
  from: number,
): { readonly below?: number; readonly above?: number } {
  const below = firstWithout(curve.filter(({ value }) => value <= from).reverse(), 0)
  const above = firstWithout(
    curve.filter(({ value }) => value >= from),
    0,
  )
  return { ...(below !== null && { below }), ...(above !== null && { above }) }
}

/** The first value, in the order of the points, whose interval is without `height`; null where there is none. */
function firstWithout(points: readonly CurveValue[], height: number): number | null {
  let before: CurveValue | null = null
  for (const point of points) {
    if (point.interval === null) return null
    const [low, high] = point.interval
    if (low > height || high < height) {
      if (before === null) return point.value
      const end = low > height ? 0 : 1
      return between(before, point, ({ interval }) => interval![end] - height)
    }
    before = point
  }
  return null
}

/** Where the straight line through two points is 0. */
function between(one: CurveValue, other: CurveValue, height: (point: CurveValue) => number): number {
  const [a, b] = [height(one), height(other)]
  return one.value + ((other.value - one.value) * a) / (a - b)
}
