import { dataRecord } from '../base/data-record.ts'
import type { Measurement, NumberSummary, RecordedEstimate, RecordedEstimates } from '../plan/study-state.ts'
import type { MeanDifference, NoEstimates, NumericStatistics, ShareDifference } from './difference-records.ts'
import { certaintyOf, type SeedKnowledge, type SidePair, shareVariance } from './intervals.ts'
import { roundRatio, roundStatistic } from './round.ts'

/** What is known of the seed behind a scenario and what it is compared with. */
export interface SeedBehind {
  readonly estimates: RecordedEstimates | NoEstimates
  /** Effective rows by the evidence of both generations; null when the service does not tell. */
  readonly evidence: SidePair | null
}

/** Both sides of a difference, as they were counted, and the seed behind them. */
interface Sides {
  readonly scenario: Measurement
  readonly against: Measurement
  readonly seed: SeedBehind
}

/** Of every level that either side has. */
export function shareDifferences(column: string, sides: Sides): Record<string, ShareDifference> {
  const levels = new Set([...levelsOf(sides.against, column), ...levelsOf(sides.scenario, column)])
  return dataRecord([...levels].map((level) => [level, shareDifference(column, level, sides)] as const))
}

export function shareDifference(column: string, level: string, sides: Sides): ShareDifference {
  const against = shareOf(sides.against, column, level) ?? 0
  const scenario = shareOf(sides.scenario, column, level) ?? 0
  const delta = roundRatio(scenario - against)
  const estimates = estimatesIn(sides.seed)
  const levels = estimates?.shares.find(([name]) => name === column)?.[1] ?? []
  // Rare levels are not told; a column without any has too few rows.
  const rare = levels.length === 0 ? null : undefined
  const seed = knowledgeOf(sides.seed, levels.find(([name]) => name === level)?.[1] ?? rare)
  const counted = {
    scenario: { rows: sides.scenario.rows, variance: shareVariance(scenario) },
    against: { rows: sides.against.rows, variance: shareVariance(against) },
  }
  const shares = { against: roundRatio(against), scenario: roundRatio(scenario), delta }
  return { ...shares, ...certaintyOf(delta, counted, seed, roundRatio) }
}

/** Scenario less what it is compared with, not rounded; null when a side has no such column or no rows. */
export function shareDelta(column: string, level: string, sides: Sides): number | null {
  const [a, b] = [shareOf(sides.against, column, level), shareOf(sides.scenario, column, level)]
  return a === null || b === null ? null : b - a
}

export function meanDifference(column: string, sides: Sides): MeanDifference {
  const delta = meanDelta(column, sides)
  const [against, scenario] = [numbersOf(sides.against, column), numbersOf(sides.scenario, column)]
  const figures = { against: statistics(against), scenario: statistics(scenario) }
  if (delta === null) return { ...figures, delta }
  const estimates = estimatesIn(sides.seed)
  const seed = knowledgeOf(sides.seed, estimates?.means.find(([name]) => name === column)?.[1] ?? null)
  const counted = { scenario: countedMean(scenario), against: countedMean(against) }
  const rounded = roundStatistic(delta)
  return { ...figures, delta: rounded, ...certaintyOf(rounded, counted, seed, roundStatistic) }
}

export function meanDelta(column: string, { scenario, against }: Sides): number | null {
  const before = numbersOf(against, column)?.mean ?? null
  const after = numbersOf(scenario, column)?.mean ?? null
  const delta = before === null || after === null ? Number.NaN : after - before
  return Number.isFinite(delta) ? delta : null
}

/** Effective rows of both sides: those that the seed's estimates go by, else those of the evidence. */
export function effectiveRowsOf({ estimates, evidence }: SeedBehind): SidePair | undefined {
  const told = typeof estimates === 'string' ? evidence : estimates.effectiveRows
  if (told === null || told.scenario === null || told.against === null) return undefined
  return { scenario: roundStatistic(told.scenario), against: roundStatistic(told.against) }
}

const estimatesIn = ({ estimates }: SeedBehind): RecordedEstimates | null =>
  typeof estimates === 'string' ? null : estimates

/** `estimate` null: too few rows of the seed have a value; undefined: the seed does not tell this one difference. */
function knowledgeOf(seed: SeedBehind, estimate: RecordedEstimate | null | undefined): SeedKnowledge {
  const effectiveRows = effectiveRowsOf(seed)
  if (estimatesIn(seed) === null)
    return effectiveRows ? { basis: 'effective_rows', effectiveRows } : { basis: 'generation' }
  if (effectiveRows === undefined || estimate === null) return { basis: 'seed', difference: null }
  return estimate === undefined
    ? { basis: 'effective_rows', effectiveRows }
    : { basis: 'seed', ...estimate, effectiveRows }
}

const countedMean = (summary: NumberSummary | null) => ({
  rows: summary?.n ?? 0,
  variance: summary?.sd == null ? null : summary.sd ** 2,
  answered: summary === null ? 0 : summary.n / Math.max(1, summary.n + summary.missing),
})

function levelsOf(measured: Measurement, column: string): string[] {
  return measured.shares.find(([name]) => name === column)?.[1].levels.map(([level]) => level) ?? []
}

/** Of all rows; null when the column is not there or there are no rows. */
function shareOf(measured: Measurement, column: string, level: string): number | null {
  const counts = measured.shares.find(([name]) => name === column)?.[1]
  if (counts === undefined || measured.rows === 0) return null
  return (counts.levels.find(([name]) => name === level)?.[1] ?? 0) / measured.rows
}

function numbersOf(measured: Measurement, column: string): NumberSummary | null {
  return measured.numbers.find(([name]) => name === column)?.[1] ?? null
}

function statistics(summary: NumberSummary | null): NumericStatistics | null {
  if (summary === null || summary.mean === null || summary.quantiles === null) return null
  const [q05, q25, q50, q75, q95] = summary.quantiles.map(roundStatistic)
  return {
    n: summary.n,
    mean: roundStatistic(summary.mean),
    sd: summary.sd === null ? null : roundStatistic(summary.sd),
    q05: q05 ?? 0,
    q25: q25 ?? 0,
    q50: q50 ?? 0,
    q75: q75 ?? 0,
    q95: q95 ?? 0,
  }
}
