/** Differences of two scenarios: the counts of their rows, and the answer of the seed. */

import { dataRecord } from '../../base/data-record.ts'
import type { Histogram } from '../../records/manifest/columns.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type {
  MeanDifference,
  NumericStatistics,
  QuantileDifference,
  ShareDifference,
} from '../../records/manifest/differences.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import type { Measurement, NumberSummary } from '../../records/state/measurements.ts'
import { type OutcomeKindName, outcomeColumns, outcomesOf } from '../../study/outcomes/outcome.ts'
import type { Comparison } from '../../study/study.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import type { Differences, FigurePlace } from '../arithmetic/figures-in.ts'
import {
  type CountedSide,
  certaintyOf,
  MEAN,
  QUANTILE,
  type SeedKnowledge,
  SHARE,
  type SidePair,
  shareVariance,
} from '../arithmetic/intervals.ts'
import { histogramsOf } from '../counts/histogram.ts'

/** Estimates, and why they have none of quantiles, which are asked for apart. */
export type SeedEstimates = RecordedEstimates & { readonly noQuantiles?: NoEstimates }

/** What is known of the seed behind a scenario and its baseline. */
export interface SeedBehind {
  readonly estimates: SeedEstimates | NoEstimates
  /** Effective rows by the evidence of both generations; null when the service does not report them. */
  readonly evidence: SidePair | null
  /** The figures are of a part of the rows: without estimates nothing is known of the seed behind them. */
  readonly isOfPart?: true
}

/** What a comparison's figures of both sides have in common. */
export interface SharedTerms {
  /** What the shares of a column are shares of. */
  readonly baseOf: (column: string) => 'all' | 'valid'
  /** Whether a side's data do not have a level, so that a figure of 0 would be wrong (known-names.ts). */
  readonly isGone: (column: string, level: string) => boolean
}

/** Both sides of a difference with their counts, and the seed behind them. */
export interface Sides extends SharedTerms {
  readonly scenario: Measurement
  readonly against: Measurement
  readonly seed: SeedBehind
}

type OfKind<K extends OutcomeKindName> = NonNullable<Differences[K]>

/** By kind, of the outcomes of a comparison. */
const DIFFERENCES: { readonly [K in OutcomeKindName]: (comparison: Comparison, sides: Sides) => OfKind<K> } = {
  shares: (comparison, sides) => ofColumns(comparison, 'shares', (column) => shareDifferences(column, sides)),
  means: (comparison, sides) => ofColumns(comparison, 'means', (column) => meanDifference(column, sides)),
  quantiles: (comparison, sides) =>
    dataRecord(
      outcomesOf(comparison, 'quantiles').map(({ column, shares }) => [
        column,
        dataRecord(shares.map((share) => [String(share), quantileDifference(column, share, sides)] as const)),
      ]),
    ),
}

const ofColumns = <V>(comparison: Comparison, kind: 'shares' | 'means', of: (column: string) => V): Record<string, V> =>
  dataRecord(outcomeColumns(comparison)[kind].map((column) => [column, of(column)] as const))

/** The differences of a comparison's outcomes between two sides. */
export function differencesOf(comparison: Comparison, sides: Sides): Differences {
  const quantiles = DIFFERENCES.quantiles(comparison, sides)
  return {
    shares: DIFFERENCES.shares(comparison, sides),
    means: DIFFERENCES.means(comparison, sides),
    // Left out where nothing asks for them, so that manifests stay as they were.
    ...(Object.keys(quantiles).length > 0 && { quantiles }),
  }
}

type Difference = ShareDifference | MeanDifference | QuantileDifference

/** By kind: one difference, and the same figure of one side. `name`: of the level or quantile, where a column has several figures. */
const OF_FIGURE: {
  readonly [K in OutcomeKindName]: {
    readonly difference: (column: string, name: string, sides: Sides) => Difference
    readonly ofSide: (measured: Measurement, column: string, name: string, base: 'all' | 'valid') => number | null
  }
} = {
  shares: { difference: shareDifference, ofSide: shareOf },
  means: {
    difference: (column, _name, sides) => meanDifference(column, sides),
    ofSide: (measured, column) => numbersOf(measured, column)?.mean ?? null,
  },
  quantiles: {
    difference: (column, share, sides) => quantileDifference(column, Number(share), sides),
    ofSide: (measured, column, share) => quantileOf(measured, column, Number(share)),
  },
}

/** One difference of two sides. */
export const differenceAt = ({ kind, column, level, quantile }: FigurePlace, sides: Sides): Difference =>
  OF_FIGURE[kind].difference(column, level ?? quantile ?? '', sides)

/** The figure of one side, not rounded; null where it has none. */
export const sideFigureAt = (
  { kind, column, level, quantile }: FigurePlace,
  measured: Measurement,
  base: 'all' | 'valid',
): number | null => OF_FIGURE[kind].ofSide(measured, column, level ?? quantile ?? '', base)

/** For every level that either side has rows of, and the other one has or had. */
function shareDifferences(column: string, sides: Sides): Record<string, ShareDifference> {
  const levels = new Set([...levelsOf(sides.against, column), ...levelsOf(sides.scenario, column)])
  const compared = [...levels].filter((level) => !sides.isGone(column, level))
  return dataRecord(compared.map((level) => [level, shareDifference(column, level, sides)] as const))
}

export function shareDifference(column: string, level: string, sides: Sides): ShareDifference {
  const base = sides.baseOf(column)
  const against = shareOf(sides.against, column, level, base) ?? 0
  const scenario = shareOf(sides.scenario, column, level, base) ?? 0
  const delta = roundRatio(scenario - against)
  const estimates = estimatesIn(sides.seed)
  const levels = estimates?.shares.find(([name]) => name === column)?.[1] ?? []
  // The service does not report rare levels; a column without any has too few rows.
  const rare = levels.length === 0 ? null : undefined
  const seed = knowledgeOf(sides.seed, levels.find(([name]) => name === level)?.[1] ?? rare)
  const counted = {
    scenario: countedShare(sides.scenario, column, base, scenario),
    against: countedShare(sides.against, column, base, against),
  }
  const shares = { against: roundRatio(against), scenario: roundRatio(scenario), delta }
  return { ...shares, ...certaintyOf(delta, counted, seed, SHARE) }
}

/** Scenario minus baseline, not rounded; null when a side has no such column or level, or no rows. */
export function shareDelta(column: string, level: string, sides: Sides): number | null {
  if (sides.isGone(column, level)) return null
  const base = sides.baseOf(column)
  const [a, b] = [shareOf(sides.against, column, level, base), shareOf(sides.scenario, column, level, base)]
  return a === null || b === null ? null : b - a
}

export function meanDifference(column: string, sides: Sides): MeanDifference {
  const delta = meanDelta(column, sides)
  const [against, scenario] = [numbersOf(sides.against, column), numbersOf(sides.scenario, column)]
  const histograms = histogramsOf(scenario, against)
  const figures = {
    against: statistics(against, histograms.against),
    scenario: statistics(scenario, histograms.scenario),
  }
  if (delta === null) return { ...figures, delta }
  const estimates = estimatesIn(sides.seed)
  const seed = knowledgeOf(sides.seed, estimates?.means.find(([name]) => name === column)?.[1] ?? null)
  const counted = { scenario: countedMean(scenario), against: countedMean(against) }
  const rounded = roundStatistic(delta)
  return { ...figures, delta: rounded, ...certaintyOf(rounded, counted, seed, MEAN) }
}

export function quantileDifference(column: string, share: number, sides: Sides): QuantileDifference {
  const [against, scenario] = [sides.against, sides.scenario].map((side) => quantileOf(side, column, share))
  const delta = quantileDelta(column, share, sides)
  const figures = { against: rounded(against ?? null), scenario: rounded(scenario ?? null), delta: rounded(delta) }
  const estimates = estimatesIn(sides.seed)
  const isUnknown = estimates?.noQuantiles !== undefined
  const known = estimates?.quantiles?.find(([name]) => name === column)?.[1] ?? []
  const seed = isUnknown
    ? ({ basis: 'unknown' } as const)
    : knowledgeOf(sides.seed, known.find(([name]) => name === String(share))?.[1] ?? null)
  // Nothing is known of the spread of a quantile from its rows alone.
  const counted = { rows: numbersOf(sides.scenario, column)?.n ?? 0, variance: null }
  if (delta === null && seed.basis !== 'seed') return figures
  return { ...figures, ...certaintyOf(figures.delta, { scenario: counted, against: counted }, seed, QUANTILE) }
}

const rounded = (figure: number | null): number | null => (figure === null ? null : roundStatistic(figure))

/** Not rounded; null where a side has no value, or it is not known. */
export function quantileDelta(column: string, share: number, { scenario, against }: Sides): number | null {
  const [before, after] = [quantileOf(against, column, share), quantileOf(scenario, column, share)]
  return before === null || after === null ? null : after - before
}

/** Of the rows of an artifact; null where it was not counted, and of several replicates together. */
export const quantileOf = (measured: Measurement, column: string, share: number): number | null =>
  numbersOf(measured, column)?.at?.find(([one]) => one === share)?.[1] ?? null

export function meanDelta(column: string, { scenario, against }: Sides): number | null {
  const before = numbersOf(against, column)?.mean ?? null
  const after = numbersOf(scenario, column)?.mean ?? null
  const delta = before === null || after === null ? Number.NaN : after - before
  return Number.isFinite(delta) ? delta : null
}

/** Effective rows of both sides: those of the seed's estimates, else those of the evidence. */
export function effectiveRowsOf({ estimates, evidence }: SeedBehind): SidePair | undefined {
  const rows = typeof estimates === 'string' ? evidence : pairOfRows(estimates, 'effectiveRows')
  return rows === null ? undefined : { scenario: roundStatistic(rows.scenario), against: roundStatistic(rows.against) }
}

function pairOfRows({ scenario, against }: SeedEstimates, of: 'effectiveRows' | 'support'): SidePair | null {
  return scenario[of] === null || against[of] === null ? null : { scenario: scenario[of], against: against[of] }
}

const estimatesIn = ({ estimates }: SeedBehind): SeedEstimates | null =>
  typeof estimates === 'string' ? null : estimates

/**
 * `estimate` null: too few rows of the seed have a value; undefined: the seed's estimate of this difference is missing.
 */
export function knowledgeOf(seed: SeedBehind, estimate: RecordedEstimate | null | undefined): SeedKnowledge {
  const effectiveRows = effectiveRowsOf(seed)
  const estimates = estimatesIn(seed)
  if (estimates === null && seed.isOfPart) return { basis: 'unknown' }
  if (estimates === null) return effectiveRows ? { basis: 'effective_rows', effectiveRows } : { basis: 'generation' }
  const support = pairOfRows(estimates, 'support')
  if (effectiveRows === undefined || support === null || estimate === null) return { basis: 'seed', estimate: null }
  return estimate === undefined
    ? { basis: 'effective_rows', effectiveRows }
    : { basis: 'seed', estimate, effectiveRows, support }
}

const countedMean = (summary: NumberSummary | null) => ({
  rows: summary?.n ?? 0,
  variance: summary?.sd == null ? null : summary.sd ** 2,
  answered: summary === null ? 0 : summary.n / Math.max(1, summary.n + summary.missing),
})

function levelsOf(measured: Measurement, column: string): string[] {
  return measured.shares.find(([name]) => name === column)?.[1].levels.map(([level]) => level) ?? []
}

/** Null when the column is missing or no row is part of the base. */
export function shareOf(measured: Measurement, column: string, level: string, base: 'all' | 'valid'): number | null {
  const counts = measured.shares.find(([name]) => name === column)?.[1]
  const rows = baseRows(measured, column, base)
  return counts === undefined || rows === 0 ? null : (counts.levels.find(([name]) => name === level)?.[1] ?? 0) / rows
}

function baseRows(measured: Measurement, column: string, base: 'all' | 'valid'): number {
  const missing = measured.shares.find(([name]) => name === column)?.[1].missing ?? 0
  return base === 'all' ? measured.rows : measured.rows - missing
}

function countedShare(measured: Measurement, column: string, base: 'all' | 'valid', share: number): CountedSide {
  const rows = baseRows(measured, column, base)
  return { rows, variance: shareVariance(share), answered: rows / Math.max(1, measured.rows) }
}

export function numbersOf(measured: Measurement, column: string): NumberSummary | null {
  return measured.numbers.find(([name]) => name === column)?.[1] ?? null
}

function statistics(summary: NumberSummary | null, histogram: Histogram | undefined): NumericStatistics | null {
  if (summary === null || summary.mean === null || summary.quantiles === null) return null
  // The quantiles of several replicates together are unknown.
  const [q05 = null, q25 = null, q50 = null, q75 = null, q95 = null] = summary.quantiles.map(roundStatistic)
  return {
    n: summary.n,
    mean: roundStatistic(summary.mean),
    sd: summary.sd === null ? null : roundStatistic(summary.sd),
    ...{ q05, q25, q50, q75, q95 },
    ...(histogram !== undefined && { histogram }),
  }
}
