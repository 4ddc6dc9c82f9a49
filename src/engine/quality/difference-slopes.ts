/**
 * How much of the differences between groups the synthetic rows preserve: 1 = all, 0.5 = half of each.
 *
 * An outcome's differences are d = its share (of each level) or mean in a group - in all other rows; groups are the levels of the
 * other categorical columns. With d of synthetic rows (S), rows trained on (T) and rows held out (H):
 *
 *   slope = Σ w d_S d_H / Σ w d_T d_H        w = p (1 - p) / v
 *
 * p  the group's share     v  the outcome's variance: w is about 1 over the variance of d
 *
 * for the same reasons as in `correlations.ts`. One slope covers all outcomes; each outcome with large differences has its own.
 */

import { pairsOf } from './binned-pairs.ts'
import { type ComparedColumn, type ComparedRows, type Part, SAME_MEASUREMENT } from './compared-rows.ts'
import { estimateOf, GROUPS, REPLICATES, ratioOf, SINGLED_OUT, sumsOfReplicates } from './jackknife.ts'
import { type DifferenceSlopes, type Measured, unmeasured } from './quality.ts'

/** Most levels of a column that are compared, the most frequent first. */
const MAX_LEVELS = 8
/** Least held-out rows in a group, and outside of it. */
const MIN_GROUP_ROWS = 10
const LOWEST = 3
/** Least share of the outcomes. */
const LEAST_SINGLED_OUT = 1 / 3
/** Numbers are clipped to this range of the real rows, so that one outlier does not determine a mean. */
const CLIPPED_SHARE = 0.01

const PARTS = ['synthetic', 'training', 'heldOut'] as const satisfies Part[]

export function differenceSlopes({ columns }: ComparedRows): Measured<DifferenceSlopes> {
  if (columns.length < 2 || columns.every(({ kind }) => kind === 'numeric')) {
    return unmeasured('No column has levels that define groups for another column.')
  }
  const outcomes = columns.map(outcomeOf)
  const sums = columns.map(() => ({
    numerator: new Float64Array(REPLICATES),
    denominator: new Float64Array(REPLICATES),
  }))
  for (const [a, b] of pairsOf(columns.length)) {
    for (const [outcome, group] of [
      [a, b],
      [b, a],
    ] as const) {
      if (columns[group]!.kind === 'categorical') add(sums[outcome]!, outcomes[outcome]!, columns[group]!)
    }
  }
  const total = (of: 'numerator' | 'denominator') =>
    new Float64Array(REPLICATES).map((_, g) => sums.reduce((sum, outcome) => sum + outcome[of][g]!, 0))
  const slopes = ratioOf(total('numerator'), total('denominator'))
  if (slopes === null) return unmeasured('Differences between groups are too small for so few rows.')
  const single = singledOut(columns.map(({ name }, c) => ({ column: name, ...sums[c]! })))
  return {
    ...estimateOf(slopes),
    outcomes: single.length,
    median: single.length === 0 ? null : estimateOf(medians(single.map(({ replicates }) => replicates))),
    lowest: single
      .map(({ column, replicates }) => ({ column, ...estimateOf(replicates) }))
      .sort((a, b) => a.value - b.value)
      .slice(0, LOWEST),
  }
}

/**
 * Slopes of the outcomes whose own differences are large enough. Empty if only few are: among many outcomes chance alone makes
 * some look large, and their slopes would be too low.
 */
function singledOut(outcomes: readonly (Sums & { readonly column: string })[]) {
  const single = outcomes.flatMap(({ column, numerator, denominator }) => {
    const replicates = ratioOf(numerator, denominator, SINGLED_OUT)
    return replicates === null ? [] : [{ column, replicates }]
  })
  return single.length < LEAST_SINGLED_OUT * outcomes.length ? [] : single
}

/** Replicate by replicate. */
function medians(all: readonly Float64Array[]): Float64Array {
  return new Float64Array(REPLICATES).map((_, g) => median(all.map((replicates) => replicates[g]!)))
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * The compared part of a column: a number per row and channel. Levels have a channel each, 1 if the row has the level.
 */
interface Outcome {
  readonly column: ComparedColumn
  readonly channels: number
  /** Numeric columns, by number: its clipped value. Null for levels. */
  readonly values: Float64Array | null
}

function outcomeOf(column: ComparedColumn): Outcome {
  if (column.values !== null) return { column, channels: 1, values: clippedValues(column, column.values) }
  const levels = column.numberCount - 1
  // The shares of two levels carry the same information.
  return { column, channels: levels === 2 ? 1 : Math.min(levels, MAX_LEVELS), values: null }
}

function clippedValues({ rows }: ComparedColumn, values: Float64Array): Float64Array {
  const present = [...rows.training, ...rows.heldOut].filter((number) => number > 0)
  const sorted = Int32Array.from(present).sort()
  if (sorted.length === 0) return values
  const cut = Math.floor(CLIPPED_SHARE * sorted.length)
  const [low, high] = [values[sorted[cut]!]!, values[sorted[sorted.length - 1 - cut]!]!]
  return values.map((value) => Math.min(high, Math.max(low, value)))
}

interface Sums {
  readonly numerator: Float64Array
  readonly denominator: Float64Array
}

/** The differences of one outcome between the levels of one column. */
function add(sums: Sums, outcome: Outcome, by: ComparedColumn): void {
  const levels = by.numberCount - 1
  const groups = Math.min(levels, MAX_LEVELS)
  const tables = PARTS.map((part) => tableOf(outcome, by, groups, part))
  const [synthetic, training, heldOut] = tables as [GroupTable, GroupTable, GroupTable]
  if (isSameMeasurement(training)) return
  for (let s = 0; s < (levels === 2 ? 1 : groups); s++) {
    const held = heldOut.rows(0, s)
    if (held < MIN_GROUP_ROWS || heldOut.rows(0) - held < MIN_GROUP_ROWS) continue
    const share = training.rows(0, s) / training.rows(0)
    for (let channel = 0; channel < outcome.channels; channel++) {
      const variance = training.variance(channel)
      if (variance <= 0) continue
      const weight = (share * (1 - share)) / variance
      for (let g = 0; g < REPLICATES; g++) {
        const d = heldOut.difference(g, s, channel)
        sums.numerator[g]! += weight * synthetic.difference(g, s, channel) * d
        sums.denominator[g]! += weight * training.difference(g, s, channel) * d
      }
    }
  }
}

/** Rows and sums of an outcome's channels by group, in replicates; the last group holds the other levels. */
interface GroupTable {
  readonly groups: number
  readonly channels: number
  readonly isNumeric: boolean
  /** For one group, or for all. */
  rows(g: number, group?: number): number
  sum(g: number, channel: number, group?: number): number
  /** The group's mean of the channel minus that of all other rows; 0 if either has no rows. */
  difference(g: number, group: number, channel: number): number
  /** Variance of the channel over all rows. */
  variance(channel: number): number
}

function tableOf({ column, channels, values }: Outcome, by: ComparedColumn, groups: number, part: Part): GroupTable {
  const width = 1 + channels
  const cells = (groups + 1) * width
  const ofGroups = new Float64Array(GROUPS * cells)
  const outcomeRows = column.rows[part]
  const groupRows = by.rows[part]
  let squares = 0
  for (let i = 0, jack = 0; i < outcomeRows.length; i++, jack = jack === GROUPS - 1 ? 0 : jack + 1) {
    const number = outcomeRows[i]!
    const level = groupRows[i]!
    if (number === 0 || level === 0) continue
    const at = jack * cells + Math.min(level - 1, groups) * width
    ofGroups[at]!++
    if (values !== null) {
      const value = values[number]!
      ofGroups[at + 1]! += value
      squares += value * value
    } else if (number <= channels) ofGroups[at + number]!++
  }
  const sums = sumsOfReplicates(ofGroups, cells)
  const total = new Float64Array(REPLICATES * width)
  for (let g = 0; g < REPLICATES; g++) {
    for (let s = 0; s <= groups; s++) {
      for (let i = 0; i < width; i++) total[g * width + i]! += sums[g * cells + s * width + i]!
    }
  }
  const cell = (g: number, i: number, group?: number) =>
    group === undefined ? total[g * width + i]! : sums[g * cells + group * width + i]!
  return {
    groups: groups + 1,
    channels,
    isNumeric: values !== null,
    variance(channel) {
      const mean = cell(0, 1 + channel) / cell(0, 0)
      // The square of an indicator equals the indicator.
      return (values === null ? mean : squares / cell(0, 0)) - mean * mean
    },
    rows: (g, group) => cell(g, 0, group),
    sum: (g, channel, group) => cell(g, 1 + channel, group),
    difference(g, group, channel) {
      const n = cell(g, 0, group)
      const others = cell(g, 0) - n
      if (n === 0 || others === 0) return 0
      const sum = cell(g, 1 + channel, group)
      return sum / n - (cell(g, 1 + channel) - sum) / others
    },
  }
}

/**
 * Whether the outcome or the groups nearly determine the other: a band of it, a label beside a code. For levels by lambda (Goodman
 * and Kruskal 1954), for numbers by the share of their variance between groups.
 */
function isSameMeasurement(table: GroupTable): boolean {
  const n = table.rows(0)
  if (n === 0) return true
  if (table.isNumeric) {
    const mean = table.sum(0, 0) / n
    let between = 0
    for (let s = 0; s < table.groups; s++) {
      const rows = table.rows(0, s)
      if (rows > 0) between += rows * (table.sum(0, 0, s) / rows - mean) ** 2
    }
    return between >= SAME_MEASUREMENT * n * table.variance(0)
  }
  const counts = Array.from({ length: table.groups }, (_, s) => {
    const of = Array.from({ length: table.channels }, (_, channel) => table.sum(0, channel, s))
    // The omitted channel: rows with none of the compared levels.
    return [...of, table.rows(0, s) - of.reduce((sum, count) => sum + count, 0)]
  })
  const turned = counts[0]!.map((_, channel) => counts.map((row) => row[channel]!))
  return lambda(counts) >= SAME_MEASUREMENT || lambda(turned) >= SAME_MEASUREMENT
}

/**
 * By how much knowing the row of a table lowers the share of wrong guesses of its column; 1 if there is nothing to guess.
 */
function lambda(counts: readonly (readonly number[])[]): number {
  const columns = counts[0]!.map((_, c) => counts.reduce((sum, row) => sum + row[c]!, 0))
  const n = columns.reduce((sum, count) => sum + count, 0)
  const mode = Math.max(...columns)
  const guessed = counts.reduce((sum, row) => sum + Math.max(...row), 0)
  return n === mode ? 1 : (guessed - mode) / (n - mode)
}
