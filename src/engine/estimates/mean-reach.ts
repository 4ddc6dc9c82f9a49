/**
 * Which means the rows of a seed can have under a scenario's shares, ranges and other means, and why they cannot have those that the
 * scenario states.
 *
 * n  kept rows inside the scenario, u  their weights, M  margins, g  1 where there is a value, else 0
 *
 * The mean of y among the rows that have a value is a ratio, whose ends are a linear program after the substitution of Charnes and
 * Cooper (1962): sum of u g y at its least or most, subject to sum of u g = 1, every margin's u in proportion to its target, and
 * sum of u g_k (y_k - t_k) = 0 for every other mean (at least or at most 0 for a bound).
 */

import { codesOfRows, resolveConditions } from '../scenario/conditions.ts'
import { rowsAllowed, rowsInside } from '../scenario/evidence.ts'
import { type Margins, marginsOf } from '../scenario/margins.ts'
import type { BindingTarget, RequestedConditions, Shortfall } from '../scenario/scenario.ts'
import { boundedShortfall, describeRange, listOf, shortName } from '../scenario/shortfall-words.ts'
import { loadSolver } from '../scenario/solver.ts'
import { boundedShares, type SeedMean, seedMeans, statedShares } from './mean-targets.ts'
import { patternsOf, type Seed, type SeedPatterns } from './seed-patterns.ts'

/** With more rows than this, those with extreme values stand for all; the ends may then be a little narrower with several means. */
const MOST_ROWS = 20_000

/** A target this close to an end, in parts of the extent, is at the end: the solver rounds. */
const TOLERANCE = 1e-7

/** By which part of the extent a nearest mean is inside the ends. */
const INSIDE = 1e-3

/** Digits of a nearest value: as many as people compare. */
const DIGITS = 6

interface Ends {
  readonly low: number
  readonly high: number
}

/** Null where the rows have all means, as far as linear programs tell, and where they do not have the shares either. */
export async function explainMeans(seed: Seed, scenario: RequestedConditions): Promise<Shortfall | null> {
  const conditions = resolveConditions(seed, scenario)
  const { shares, tables, ranges } = conditions
  const margins = marginsOf([...statedShares(shares), ...tables])
  const codes = codesOfRows(seed, conditions)
  const bounded = boundedShares(seed, shares)
  const means = seedMeans(seed, scenario)
  const inRanges = rowsInside(seed, ranges)
  const inside = rowsAllowed(codes, margins, inRanges)
  const patterns = patternsOf(codes, margins.ofCode, inside)
  for (const [j, mean] of means.entries()) {
    const before = means.slice(0, j)
    const ends = await endsOf(patterns, margins, [...bounded, ...before], mean)
    if (ends === null) return null
    const nearest = nearestOf(mean, ends)
    if (nearest === null) continue
    const ofRows = endsOfRows(mean, inRanges)
    const withShares = before.length === 0 ? ends : await endsOf(patterns, margins, bounded, mean)
    const limits = ranges.map(describeRange)
    const by: string[] = []
    const binding: BindingTarget[] = [{ column: mean.column, target: stated(mean), nearest }]
    if (nearestOf(mean, ofRows) === null && withShares !== null && nearestOf(mean, withShares) === null) {
      by.push(`the mean of ${before.map(({ column }) => shortName(column)).join(' and of ')} as stated`)
      binding.push(...before.map((other) => ({ column: other.column, target: stated(other) })))
    } else if (nearestOf(mean, ofRows) === null) {
      by.push(`the shares of ${listOf(shares.map(({ column }) => shortName(column.name)))}`)
      binding.push(...shares.map(({ column }) => ({ column: column.name })))
    }
    if (limits.length > 0) {
      by.push(listOf(limits))
      binding.push(
        ...ranges.filter(({ column }) => column.name !== mean.column).map(({ column }) => ({ column: column.name })),
      )
    }
    const within = by.length > 0 ? `, with ${by.join(', and ')}` : ''
    const possible =
      ends.low === ends.high
        ? `the mean ${shown(ends.low)}`
        : `means between ${shown(ends.low)} and ${shown(ends.high)}`
    const detail = `The mean of ${shortName(mean.column)} is to be ${wanted(mean)}; the seed rows can have ${possible}${within}. The nearest possible mean is about ${shown(nearest)}.`
    return boundedShortfall(detail, binding)
  }
  return null
}

const shown = (value: number): string => String(Number(value.toPrecision(DIGITS)))

function wanted({ min, max }: SeedMean): string {
  if (min === max) return String(min)
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`
  return min === Number.NEGATIVE_INFINITY ? `at most ${max}` : `from ${min} to ${max}`
}

/** The end that a mean has to meet, as one number. */
const stated = ({ min, max }: SeedMean): number => (Number.isFinite(min) ? min : max)

/**
 * The possible mean that is nearest to the wanted ones, with few digits; null where one of these is possible. At an end itself all rows
 * would have one value: weights come near to that without end.
 */
function nearestOf({ min, max }: SeedMean, { low, high }: Ends): number | null {
  const extent = high - low
  if (extent === 0) return max < low || min > low ? low : null
  if (max <= low + TOLERANCE * extent) return shortened(low + INSIDE * extent, 1)
  if (min >= high - TOLERANCE * extent) return shortened(high - INSIDE * extent, -1)
  return null
}

/** A number of few digits that is on the inner side of an end. */
function shortened(end: number, inwards: 1 | -1): number {
  const near = Number(end.toPrecision(DIGITS))
  if ((near - end) * inwards >= 0 || end === 0) return near
  const step = 10 ** (Math.floor(Math.log10(Math.abs(end))) - DIGITS + 1)
  return Number((near + inwards * step).toPrecision(DIGITS))
}

/** Of the rows that are inside, whatever their shares. */
function endsOfRows({ values }: SeedMean, inside: ArrayLike<number>): Ends {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  values.forEach((value, row) => {
    if (inside[row] === 0 || Number.isNaN(value)) return
    low = Math.min(low, value)
    high = Math.max(high, value)
  })
  return { low, high }
}

/** Null where the program has no solution: the shares and the other means cannot be, or no row has a value. */
async function endsOf(
  patterns: SeedPatterns,
  margins: Margins,
  others: readonly SeedMean[],
  mean: SeedMean,
): Promise<Ends | null> {
  const all = endsOfRows(
    mean,
    Uint8Array.from(patterns.ofRow, (pattern) => (pattern < 0 ? 0 : 1)),
  )
  if (!(all.low <= all.high)) return null
  if (margins.targets.length === 0 && others.length === 0) return all
  const rows = extremeRows(patterns, [mean, ...others])
  const low = await optimum(patterns, margins, others, mean, rows, 'minimize')
  const high = await optimum(patterns, margins, others, mean, rows, 'maximize')
  return low === null || high === null ? null : { low, high }
}

/** The rows that can matter: with one mean, the least and the most of each pattern, and one without a value. */
function extremeRows({ ofRow }: SeedPatterns, means: readonly SeedMean[]): number[] {
  const inside = Array.from(ofRow.keys()).filter((row) => ofRow[row]! >= 0)
  if (means.length > 1 && inside.length <= MOST_ROWS) return inside
  const kept = new Map<string, number>()
  const keep = (key: string, row: number, isBetter: (than: number) => boolean): void => {
    const known = kept.get(key)
    if (known === undefined || isBetter(known)) kept.set(key, row)
  }
  for (const row of inside) {
    const answered = means.map(({ values }) => (Number.isNaN(values[row]!) ? '0' : '1')).join('')
    const pattern = `${ofRow[row]} ${answered}`
    if (!answered.includes('1')) keep(pattern, row, () => false)
    means.forEach(({ values }, j) => {
      if (answered[j] === '0') return
      keep(`${pattern} least ${j}`, row, (known) => values[row]! < values[known]!)
      keep(`${pattern} most ${j}`, row, (known) => values[row]! > values[known]!)
    })
  }
  return [...new Set(kept.values())]
}

async function optimum(
  { ofRow, margins: ofPattern }: SeedPatterns,
  { columnCount: D, targets }: Margins,
  others: readonly SeedMean[],
  { values: y }: SeedMean,
  rows: readonly number[],
  sense: 'minimize' | 'maximize',
): Promise<number | null> {
  const M = targets.length
  const scales = others.map(({ values }) => rows.reduce((most, row) => Math.max(most, Math.abs(values[row]!) || 0), 1))
  const scale = rows.reduce((most, row) => Math.max(most, Math.abs(y[row]!) || 0), 1)
  const bounds = others.flatMap(({ min, max }, k) => [
    ...(Number.isFinite(min) ? [{ k, end: min, isLeast: true }] : []),
    ...(Number.isFinite(max) ? [{ k, end: max, isLeast: false }] : []),
  ])
  const numRows = M + 1 + bounds.length
  const numCols = rows.length + 1
  const starts = new Int32Array(numCols + 1)
  const indices: number[] = []
  const values: number[] = []
  const put = (index: number, value: number): void => {
    if (value === 0) return
    indices.push(index)
    values.push(value)
  }
  const colCost = new Float64Array(numCols)
  rows.forEach((row, i) => {
    for (let d = 0; d < D; d++) put(ofPattern[ofRow[row]! * D + d]!, 1)
    const own = y[row]!
    if (!Number.isNaN(own)) {
      put(M, 1)
      colCost[i] = own / scale
    }
    bounds.forEach(({ k, end }, b) => {
      const other = others[k]!.values[row]!
      if (!Number.isNaN(other)) put(M + 1 + b, (other - end) / scales[k]!)
    })
    starts[i + 1] = indices.length
  })
  // The sum of all u, of which each margin has its share.
  targets.forEach((target, m) => {
    put(m, -target)
  })
  starts[numCols] = indices.length
  const rowLower = new Float64Array(numRows)
  const rowUpper = new Float64Array(numRows)
  rowLower[M] = 1
  rowUpper[M] = 1
  bounds.forEach(({ isLeast }, b) => {
    if (isLeast) rowUpper[M + 1 + b] = Number.POSITIVE_INFINITY
    else rowLower[M + 1 + b] = Number.NEGATIVE_INFINITY
  })
  const highs = await loadSolver()
  const model = highs.createModel({
    numCols,
    numRows,
    sense: highs.constants.objectiveSense[sense],
    colCost,
    colLower: new Float64Array(numCols),
    colUpper: new Float64Array(numCols).fill(Number.POSITIVE_INFINITY),
    matrix: {
      format: 'csc' as const,
      numRows,
      numCols,
      starts,
      indices: Int32Array.from(indices),
      values: Float64Array.from(values),
    },
    rowLower,
    rowUpper,
  })
  try {
    model.options.set({ output_flag: false, presolve: 'off', solver: 'simplex' })
    model.run()
    if (model.getModelStatus() !== highs.constants.modelStatus.optimal) return null
    const { colValue } = model.getSolution()
    return scale * rows.reduce((sum, _, i) => sum + colCost[i]! * colValue[i]!, 0)
  } finally {
    model.dispose()
  }
}
