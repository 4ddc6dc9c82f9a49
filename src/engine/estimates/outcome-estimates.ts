/**
 * Shares and means of two weightings of the same rows, and their differences. See difference-error.ts for the formulas.
 *
 * n  kept rows of the seed, L  levels of an outcome, R  replicates
 */

import { type Disclosure, LEAST_ROWS, roundedCount, roundedEffectiveRows } from '../disclosure/rounded-counts.ts'
import type { EncodedCategorical, EncodedColumn } from '../model/model.ts'
import { valuesOfRows } from '../model/row-values.ts'
import { type Calibration, calibrationOf } from './calibration.ts'
import {
  type ComparedSides,
  comparedSides,
  type Difference,
  differenceOf,
  type Outcome,
  spreadOfValues,
} from './difference-error.ts'
import type { Base, EstimatedBase, EstimatedDifference, EstimatedMean } from './figures.ts'
import { exactFigures, isDecidedByOne, protectedFigures, releasedLevels } from './released-estimates.ts'
import { rakedReplicates, replicateError } from './replicates.ts'
import type { Seed } from './seed-patterns.ts'
import type { WeightedSeed } from './seed-weights.ts'
import { simultaneousQuantile } from './simultaneous.ts'
import { supportOf } from './spread.ts'

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
  )

export interface RequestedOutcome {
  readonly column: string
  /** Of shares; a mean is always of the rows that have a value. */
  readonly base: Base
}

/** Both sides, and what all outcomes need of them. */
export interface Comparison {
  readonly scenario: WeightedSeed
  readonly baseline: WeightedSeed
  readonly sides: ComparedSides
  /** R arrays of weights for each side; null without replicates. */
  readonly replicates: { readonly scenario: Float64Array[]; readonly baseline: Float64Array[] } | null
}

export function comparisonOf(seed: Seed, scenario: WeightedSeed, baseline: WeightedSeed): Comparison {
  const { design } = seed
  const replicates = design?.replicates ?? null
  return {
    scenario,
    baseline,
    sides: comparedSides(calibrationOf(scenario), calibrationOf(baseline), design),
    replicates: replicates && {
      scenario: rakedReplicates(scenario, replicates),
      baseline: rakedReplicates(baseline, replicates),
    },
  }
}

export interface OutcomeOptions {
  readonly outcomes: readonly RequestedOutcome[]
  readonly maxLevels: number
  readonly disclosure: Disclosure
  /** Length n: 1 for the rows of a segment; null: all rows. */
  readonly segment: Uint8Array | null
  readonly together: Together
}

/** Differences whose intervals are to hold together. */
export interface Together {
  /** Those besides the one that is estimated; empty: none. */
  readonly others: readonly OtherDifference[]
  /** Quantiles that are known already, by figure: those of one family are equal. */
  readonly known: Map<string, number | null>
}

export interface OtherDifference {
  readonly sides: ComparedSides
  readonly segment: Uint8Array | null
}

/**
 * @param comparison Null: no outcome has numbers.
 * @throws RangeError for a missing column.
 */
export function estimateOutcomes(
  seed: Seed,
  comparison: Comparison | null,
  { outcomes, maxLevels, disclosure, segment, together }: OutcomeOptions,
): EstimatedOutcome[] {
  return outcomes.map(({ column: name, base }): EstimatedOutcome => {
    const index = seed.columns.findIndex((column) => column.name === name)
    const column = seed.columns[index]
    if (column === undefined) throw new RangeError(`there is no column ${name}`)
    if (comparison === null) {
      const none = { column: name, scenarioBase: NO_BASE, baselineBase: NO_BASE }
      return column.kind === 'categorical'
        ? { ...none, kind: 'shares', base, levels: [] }
        : { ...none, kind: 'mean', mean: null }
    }
    const codes = seed.codes[index]!
    const counted = (rows: Uint8Array | null) =>
      countedRows(codes, column, column.kind === 'categorical' ? base : 'valid', rows)
    const counts = counted(segment)
    const others = together.others.map((other) => ({ sides: other.sides, counts: counted(other.segment) }))
    const asked = { seed, comparison, counts, disclosure, others, name, known: together.known }
    const bases = {
      column: name,
      scenarioBase: baseOf(comparison.scenario, counts, disclosure),
      baselineBase: baseOf(comparison.baseline, counts, disclosure),
    }
    return column.kind === 'categorical'
      ? { ...bases, kind: 'shares', base, levels: sharesOf(column, codes, base, maxLevels, asked) }
      : { ...bases, kind: 'mean', mean: meanOf(valuesOfRows(seed, index, column), asked) }
  })
}

/** What the figures of an outcome are made from, whatever its kind. */
interface Asked {
  readonly seed: Seed
  readonly comparison: Comparison
  /** Length n: g; null: all rows count. */
  readonly counts: Uint8Array | null
  readonly disclosure: Disclosure
  readonly others: readonly { readonly sides: ComparedSides; readonly counts: Uint8Array | null }[]
  readonly known: Together['known']
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
  base: Base,
  maxLevels: number,
  asked: Asked,
): (EstimatedDifference & { level: string })[] {
  const { comparison, counts, disclosure } = asked
  const rows = {
    scenario: rowsByCode(codes, column.codeCount, comparison.scenario, counts),
    baseline: rowsByCode(codes, column.codeCount, comparison.baseline, counts),
  }
  const values = new Float64Array(codes.length)
  return releasedLevels(rows, column.missing, base, disclosure)
    .slice(0, maxLevels)
    .flatMap((code) => {
      for (let row = 0; row < values.length; row++) values[row] = codes[row] === code ? 1 : 0
      const found = figuresOf({ values, counts, isShare: true }, code, asked)
      return found === null ? [] : [{ level: column.levels[code - column.missing]!, ...found }]
    })
}

/** Null where fewer than 10 rows, or 10 effective ones, have a value on a side of a protected seed. */
function meanOf(values: Float64Array, asked: Asked): EstimatedMean | null {
  const { comparison, counts, disclosure } = asked
  const bases = [comparison.scenario, comparison.baseline].map((side) => exactBase(side, counts))
  const fewest = Math.min(...bases.flatMap(({ people, effective }) => [people, effective]))
  if (!(fewest >= (disclosure === 'protected' ? LEAST_ROWS : 1))) return null
  const outcome = { values, counts, isShare: false }
  const found = figuresOf(outcome, null, asked)
  if (found === null) return null
  const { sides } = comparison
  const scenarioSd = spreadOfValues(sides.scenario, outcome, found.scenario)
  const baselineSd = spreadOfValues(sides.baseline, outcome, found.baseline)
  // Squares of values beyond about 1e154 are no finite numbers.
  if (![found.standardError, scenarioSd, baselineSd].every(Number.isFinite)) return null
  return { ...found, scenarioSd: spreadFigure(scenarioSd), baselineSd: spreadFigure(baselineSd) }
}

const spreadFigure = (sd: number): number => Number(sd.toPrecision(3))

/**
 * Null where nobody counts, or one row alone would decide what is told.
 *
 * @param code Of the level; null: a mean.
 */
function figuresOf(outcome: Outcome, code: number | null, asked: Asked): EstimatedDifference | null {
  const { seed, comparison, disclosure } = asked
  const found = differenceOf(comparison.sides, outcome)
  if (found === null) return null
  const standardError = errorOf(found, outcome, seed, comparison)
  const degreesOfFreedom = degreesOf(found, seed)
  const figures = { ...found, standardError, degreesOfFreedom, ...togetherWith(outcome, code, found, asked) }
  if (disclosure === 'exact') return exactFigures(figures)
  if (isDecidedByOne(found.influence)) return null
  return protectedFigures(figures, {
    scenario: sideError(comparison.sides.scenario, outcome, found.scenario),
    baseline: sideError(comparison.sides.baseline, outcome, found.baseline),
  })
}

/** The quantile of the largest of several differences; nothing where none is looked at together with this one. */
function togetherWith(
  { values, isShare }: Outcome,
  code: number | null,
  { influence }: Difference,
  { others, known, name, seed }: Asked,
): Pick<EstimatedDifference, 'simultaneousQuantile'> {
  if (others.length === 0) return {}
  const key = JSON.stringify([name, code])
  let quantile = known.get(key)
  if (quantile === undefined) {
    const influences = others.flatMap(
      ({ sides, counts }) => differenceOf(sides, { values, counts, isShare })?.influence ?? [],
    )
    quantile = simultaneousQuantile([influence, ...influences], seed.design)
    known.set(key, quantile)
  }
  return quantile === null ? {} : { simultaneousQuantile: quantile }
}

function errorOf(found: Difference, outcome: Outcome, { design }: Seed, { replicates }: Comparison): number {
  if (!design?.replicates || replicates === null) return found.standardError
  return replicateError(replicates.scenario, replicates.baseline, design.replicates, outcome, found.difference)
}

/** With replicates as many as vary, less one. */
function degreesOf({ degreesOfFreedom }: Difference, { design }: Seed): number | null {
  const most = design?.replicates ? Math.max(1, design.replicates.weights.length - 1) : Number.POSITIVE_INFINITY
  const degrees = Math.min(most, degreesOfFreedom)
  return Number.isFinite(degrees) ? degrees : null
}

/** A scale for the digits of one side's own figure: the error that it would have if its weights were fixed. */
function sideError({ weights }: Calibration, { values, counts }: Outcome, mean: number): number {
  let squares = 0
  let total = 0
  for (let row = 0; row < weights.length; row++) {
    if (weights[row] === 0 || counts?.[row] === 0) continue
    total += weights[row]!
    squares += (weights[row]! * (values[row]! - mean)) ** 2
  }
  return Math.sqrt(squares) / total
}

/** Length K: the rows of a side by code that count. */
function rowsByCode(
  codes: Uint16Array,
  codeCount: number,
  { inside }: WeightedSeed,
  counts: Uint8Array | null,
): Float64Array {
  const rows = new Float64Array(codeCount)
  for (let row = 0; row < codes.length; row++) if (counts?.[row] !== 0) rows[codes[row]!]! += inside[row]!
  return rows
}

const NO_BASE: EstimatedBase = { rows: null, effectiveRows: null }

/** The rows that count, and as many as they say as much as. */
export function exactBase({ inside, weights }: WeightedSeed, counts: Uint8Array | null) {
  if (counts === null) return { people: inside.reduce((all, f) => all + f, 0), effective: supportOf(weights) }
  let people = 0
  for (let row = 0; row < inside.length; row++) if (counts[row] !== 0) people += inside[row]!
  return { people, effective: supportOf(weights.map((w, row) => (counts[row] === 0 ? 0 : w))) }
}

function baseOf(side: WeightedSeed, counts: Uint8Array | null, disclosure: Disclosure): EstimatedBase {
  const { people, effective } = exactBase(side, counts)
  return disclosure === 'exact'
    ? { rows: people, effectiveRows: effective }
    : { rows: roundedCount(people), effectiveRows: people < LEAST_ROWS ? null : roundedEffectiveRows(effective) }
}
