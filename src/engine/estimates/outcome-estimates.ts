/**
 * Shares and means of two weightings of the same rows, and their differences. See difference-error.ts for the formulas.
 *
 * n  kept rows of the seed, L  levels of an outcome, R  replicates
 */

import type { Part } from '../disclosure/asked-group.ts'
import type { CountTeller } from '../disclosure/noisy-counts.ts'
import { LEAST_ROWS, roundedCount, roundedEffectiveRows } from '../disclosure/rounded-counts.ts'
import type { RowKeys } from '../disclosure/row-keys.ts'
import { kindsOfRows, type RowKinds } from '../disclosure/row-kinds.ts'
import type { EncodedCategorical, EncodedColumn } from '../model/model.ts'
import { indexedValues, numbersOfRows } from '../model/row-values.ts'
import type { Comparison } from './comparison.ts'
import { type ComparedSides, type Difference, differenceOf, type Outcome, spreadOfValues } from './difference-error.ts'
import type { Base, EstimatedBase, EstimatedDifference, EstimatedMean } from './figures.ts'
import { type Grouped, groupedLevels, groupedValues } from './grouped-outcomes.ts'
import { degreesOf, jointQuantile, type Known } from './joint-figures.ts'
import { MeanNoise, type NoisyOutcome, ShareNoise, type ToldNoise } from './outcome-noise.ts'
import { exactFigures, isDecidedByOne, noisyFigures } from './released-estimates.ts'
import { replicateError } from './replicates.ts'
import { rowsOfGroups } from './row-groups.ts'
import type { Seed } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { type EstimatedQuantile, toldQuantiles } from './told-quantiles.ts'
import { supportOfGroups, type ToldSupport, toldCodes, toldSupport } from './told-support.ts'

interface EstimatedBases {
  readonly column: string
  readonly scenarioBase: EstimatedBase
  readonly baselineBase: EstimatedBase
}

export type EstimatedOutcome = EstimatedBases &
  (
    | {
        readonly kind: 'shares'
        readonly base: Base
        /** Most frequent levels of the seed first. */
        readonly levels: readonly (EstimatedDifference & { readonly level: string })[]
      }
    /** The mean of the rows that have a value. Null: too few have one, or values are too large to be squared. */
    | { readonly kind: 'mean'; readonly mean: EstimatedMean | null }
    /** Of the rows that have a value; without those that too few rows support. None of a protected seed: each is a row's own value. */
    | { readonly kind: 'quantiles'; readonly quantiles: readonly EstimatedQuantile[] }
  )

export interface RequestedOutcome {
  readonly column: string
  /** Of shares; a mean is always of the rows that have a value. */
  readonly base: Base
  /** Of a categorical column whose levels are whole numbers: the mean of these codes, in place of the shares. */
  readonly isMean?: boolean
  /** Of a numeric column, in place of the mean: quantiles, as shares of the rows up to them. */
  readonly quantiles?: readonly number[]
}

export interface OutcomeOptions {
  readonly outcomes: readonly RequestedOutcome[]
  readonly maxLevels: number
  /** Null: the figures are the owner's. */
  readonly keys: RowKeys | null
  /** Null: all rows. */
  readonly segment: AskedSegment | null
  readonly together: Together
}

/** A segment or another part of the rows, and how its groups were asked for on both sides (disclosure/asked-group.ts). */
export interface AskedSegment {
  /** Length n: 1 for its rows, else 0. */
  readonly rows: Uint8Array
  /** Index of the column whose level it is; null where it is no segment. */
  readonly index: number | null
  readonly scenario: AskedGroup
  readonly baseline: AskedGroup
}

export interface AskedGroup {
  readonly parts: readonly Part[]
  readonly teller: CountTeller
}

/** Differences whose intervals are to hold together. */
export interface Together {
  /** Those besides the one that is estimated; empty: none. */
  readonly others: readonly OtherDifference[]
  /** Quantiles that are known already, by figure: those of one family are equal. */
  readonly known: Known
}

export interface OtherDifference {
  readonly sides: ComparedSides
  readonly segment: Uint8Array | null
}

/**
 * @param comparison Null: no outcome has numbers.
 * @throws RangeError for a missing column, and for a mean of levels that are no numbers.
 */
export function estimateOutcomes(
  seed: Seed,
  comparison: Comparison | null,
  { outcomes, maxLevels, keys, segment, together }: OutcomeOptions,
): EstimatedOutcome[] {
  const alike = together.others.length > 0 ? null : (comparison?.alike ?? null)
  // Columns without missing values have the same kinds of rows.
  let ofAll: RowKinds | null = null
  return outcomes.map(({ column: name, base, isMean = false, quantiles }): EstimatedOutcome => {
    const index = seed.columns.findIndex((column) => column.name === name)
    const column = seed.columns[index]
    if (column === undefined) throw new RangeError(`there is no column ${name}`)
    if (comparison === null) {
      const none = { column: name, scenarioBase: NO_BASE, baselineBase: NO_BASE }
      if (quantiles !== undefined) return { ...none, kind: 'quantiles', quantiles: [] }
      return column.kind === 'categorical' && !isMean
        ? { ...none, kind: 'shares', base, levels: [] }
        : { ...none, kind: 'mean', mean: null }
    }
    const codes = seed.codes[index]!
    const counted = (rows: Uint8Array | null) =>
      countedRows(codes, column, column.kind === 'categorical' && !isMean ? base : 'valid', rows)
    const counts = counted(segment?.rows ?? null)
    const others = together.others.map((other) => ({ sides: other.sides, counts: counted(other.segment) }))
    const scenario = { ...comparison.scenario, ...segment?.scenario }
    const baseline = { ...comparison.baseline, ...segment?.baseline }
    if (keys !== null && counts === null) ofAll ??= kindsOfRows(alike, null, codes.length)
    const noisy = keys && {
      keys,
      index,
      column,
      base,
      counts,
      kinds: (counts === null ? ofAll : null) ?? kindsOfRows(alike, counts, codes.length),
      scenario,
      baseline,
      segmentIndex: segment?.index ?? null,
    }
    const rows = keys === null && counts !== null && alike !== null ? rowsOfGroups(alike, counts) : null
    const support = (side: WeightedSeed) =>
      // Of all rows it is known.
      counts === null
        ? side.told
        : rows === null
          ? toldSupport(side, side.teller, counts)
          : supportOfGroups(side, alike!.first, rows)
    const told = { scenario: support(scenario), baseline: support(baseline) }
    const asked = { seed, comparison, counts, noisy, others, name, known: together.known, scenario, baseline, told }
    const bases = {
      column: name,
      scenarioBase: baseOf(scenario, told.scenario),
      baselineBase: baseOf(baseline, told.baseline),
    }
    if (quantiles !== undefined)
      return {
        ...bases,
        kind: 'quantiles',
        quantiles: toldQuantiles(quantiles, numbersOfRows(seed, index, column), asked),
      }
    return column.kind === 'categorical' && !isMean
      ? { ...bases, kind: 'shares', base, levels: sharesOf(column, codes, maxLevels, asked) }
      : { ...bases, kind: 'mean', mean: meanOf(index, column, asked) }
  })
}

/** What the figures of an outcome are made from, whatever its kind. */
interface Asked {
  readonly seed: Seed
  readonly comparison: Comparison
  /** Length n: g; null: all rows count. */
  readonly counts: Uint8Array | null
  /** Null: the figures are the owner's. */
  readonly noisy: NoisyOutcome | null
  /** The sides, asked for as the segment is. */
  readonly scenario: WeightedSeed
  readonly baseline: WeightedSeed
  readonly others: readonly { readonly sides: ComparedSides; readonly counts: Uint8Array | null }[]
  readonly known: Together['known']
  /** The rows that count on each side. */
  readonly told: { readonly scenario: ToldSupport; readonly baseline: ToldSupport }
  /** The column. */
  readonly name: string
}

/** g: rows of the segment that are part of the base. Null: all. */
function countedRows(
  codes: Uint16Array,
  column: EncodedColumn,
  base: Base,
  segment: Uint8Array | null,
): Uint8Array | null {
  if (base === 'all' || column.missing === 0) return segment
  const counts = new Uint8Array(codes.length)
  for (let row = 0; row < counts.length; row++) counts[row] = codes[row] === 0 || segment?.[row] === 0 ? 0 : 1
  return counts
}

function sharesOf(
  column: EncodedCategorical,
  codes: Uint16Array,
  maxLevels: number,
  asked: Asked,
): (EstimatedDifference & { level: string })[] {
  const { comparison, counts, noisy } = asked
  // Groups do without it, and it is large.
  let ofRows: Float64Array | null = null
  const noise = noisy && new ShareNoise(noisy, codes)
  const grouped = isByRow(asked) ? null : groupedLevels(comparison.sides, codes, counts, column.codeCount)
  return toldLevels(column, codes, asked)
    .slice(0, maxLevels)
    .flatMap((code) => {
      const outcome = () => {
        ofRows ??= new Float64Array(codes.length)
        const values = ofRows
        for (let row = 0; row < values.length; row++) values[row] = codes[row] === code ? 1 : 0
        return { values, counts, isShare: true }
      }
      const found = figuresOf(outcome, code, asked, () => noise!.ofLevel(code), grouped?.(code))
      return found === null ? [] : [{ level: column.levels[code - column.missing]!, ...found }]
    })
}

/** Codes of the levels that are told: those of enough rows on both sides; of an exact seed, that a side has. */
function toldLevels(
  { codeCount, missing }: EncodedCategorical,
  codes: Uint16Array,
  { scenario, baseline, counts, noisy }: Asked,
): number[] {
  const toldOn = ({ inside, teller }: WeightedSeed) => toldCodes(inside, teller, codes, codeCount, counts)
  const levels = Array.from({ length: codeCount }, (_, code) => code).slice(missing)
  const onBaseline = toldOn(baseline)
  // What the baseline tells to the owner, the scenario need not be asked for.
  if (noisy === null && levels.every(onBaseline)) return levels
  const sides = [toldOn(scenario), onBaseline]
  return levels.filter((code) => (noisy === null ? sides.some((on) => on(code)) : sides.every((on) => on(code))))
}

/** Null where too few rows have a value on a side. */
function meanOf(index: number, column: EncodedColumn, asked: Asked): EstimatedMean | null {
  const { seed, comparison, counts, noisy, told } = asked
  const { values, index: ofValue } = indexedValues(seed, index, column)
  const least = noisy === null ? 1 : LEAST_ROWS
  if (
    ![told.scenario, told.baseline].every(({ people, support }) => people !== null && people >= 1 && support >= least)
  )
    return null
  let known: Float64Array | null = null
  const ofRows = (): Float64Array => {
    known ??= numbersOfRows(seed, index, column)
    return known
  }
  const outcome = (): Outcome => ({ values: ofRows(), counts, isShare: false })
  const grouped = isByRow(asked) ? null : groupedValues(comparison.sides, ofValue, counts, values)
  const noise = noisy && new MeanNoise(noisy, ofRows())
  const found = figuresOf(outcome, null, asked, () => noise!.told(), grouped)
  if (found === null) return null
  const { sides, outcome: of } = grouped ?? { sides: comparison.sides, outcome: outcome() }
  const scenarioSd = spreadOfValues(sides.scenario, of, found.scenario)
  const baselineSd = spreadOfValues(sides.baseline, of, found.baseline)
  // Squares of values beyond about 1e154 are no finite numbers.
  if (![found.standardError, scenarioSd, baselineSd].every(Number.isFinite)) return null
  return {
    ...found,
    scenarioSd: spreadFigure(scenarioSd * (noise?.ofSpread('scenario') ?? 1)),
    baselineSd: spreadFigure(baselineSd * (noise?.ofSpread('baseline') ?? 1)),
  }
}

const spreadFigure = (sd: number): number => Number(sd.toPrecision(3))

/**
 * Null where nobody counts, or one row alone would decide what is told.
 *
 * @param code Of the level; null: a mean.
 * @param outcome Of all rows.
 * @param noiseOf Of the figure, where it has some.
 * @param grouped The same of rows that stand for others; null: every row is by itself.
 */
function figuresOf(
  outcome: () => Outcome,
  code: number | null,
  asked: Asked,
  noiseOf: () => ToldNoise,
  grouped: Grouped | null | undefined,
): EstimatedDifference | null {
  const { seed, comparison, noisy } = asked
  const found = grouped ? differenceOf(grouped.sides, grouped.outcome) : differenceOf(comparison.sides, outcome())
  if (found === null) return null
  const standardError = errorOf(found, outcome, seed, comparison)
  const degreesOfFreedom = degreesOf(found, seed)
  const figures = { ...found, standardError, degreesOfFreedom, ...togetherWith(outcome, code, found, asked) }
  if (noisy === null) return exactFigures(figures)
  if (isDecidedByOne(found)) return null
  return noisyFigures(figures, noiseOf(), code !== null)
}

/** Whether the influence of each row is needed: of a design, and for differences that are looked at together. */
const isByRow = ({ seed, others }: Asked): boolean => seed.design !== undefined || others.length > 0

/** The quantile of the largest of several differences; nothing where none is looked at together with this one. */
function togetherWith(
  outcome: () => Outcome,
  code: number | null,
  { influence }: Difference,
  { others, known, name, seed }: Asked,
): Pick<EstimatedDifference, 'simultaneousQuantile'> {
  if (others.length === 0) return {}
  const key = JSON.stringify([name, code])
  if (known.has(key)) return jointQuantile(key, influence, [], { known, seed })
  const { values, isShare } = outcome()
  const influences = others.flatMap(
    ({ sides, counts }) => differenceOf(sides, { values, counts, isShare })?.influence ?? [],
  )
  return jointQuantile(key, influence, influences, { known, seed })
}

function errorOf(found: Difference, outcome: () => Outcome, { design }: Seed, { replicates }: Comparison): number {
  if (!design?.replicates || replicates === null) return found.standardError
  return replicateError(replicates.scenario, replicates.baseline, design.replicates, outcome(), found.difference)
}

const NO_BASE: EstimatedBase = { rows: null, effectiveRows: null }

/** The rows that count, and as many as they say as much as. */
function baseOf(side: WeightedSeed, { people, support }: ToldSupport): EstimatedBase {
  if (side.teller.least === 0) return { rows: people, effectiveRows: support }
  return people === null ? NO_BASE : { rows: roundedCount(people), effectiveRows: roundedEffectiveRows(support) }
}
