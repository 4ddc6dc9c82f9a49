/**
 * The noise of an outcome's figures on a protected seed, for both sides and their difference. See disclosure/figure-noise.ts.
 *
 * n  kept rows of the seed,  g  1 where a row counts, else 0,  K  kinds of rows (disclosure/row-kinds.ts)
 */

import { questionOf } from '../disclosure/asked-group.ts'
import { FigureNoise, type NoisySide, SHARE_SPREAD, type ValueSpread } from '../disclosure/figure-noise.ts'
import type { RowKeys } from '../disclosure/row-keys.ts'
import type { RowKinds } from '../disclosure/row-kinds.ts'
import type { EncodedColumn } from '../model/model.ts'
import type { WeightedSeed } from './seed-weights.ts'

/** Of a column with more levels, what they have in common is too little to be worth its computation. */
const MOST_CENTRED = 12

/** An error is told with the noise that so many rows would make, and never with more than the second figure. */
const ERROR_ROWS = 5
const MOST_ERROR_NOISE = 0.3

export interface ToldNoise {
  readonly scenario: number
  readonly baseline: number
  /** Of the difference of the two. */
  readonly variance: number
  /** By which the error of the difference is changed. */
  readonly errorFactor: number
}

/** A side's weights, and how its rows were asked for. */
export type AskedSide = Pick<WeightedSeed, 'conditions' | 'weights' | 'counted' | 'margins' | 'patterns' | 'parts'>

export interface NoisyOutcome {
  readonly keys: RowKeys
  /** The column's index, and what tells figures of the same column apart: the base of a share. */
  readonly index: number
  readonly column: EncodedColumn
  readonly base: string
  /** Length n: g; null: all rows count. */
  readonly counts: Uint8Array | null
  /** Of the rows that count. */
  readonly kinds: RowKinds
  readonly scenario: AskedSide
  readonly baseline: AskedSide
  /** The column whose level the segment is; null: no segment. */
  readonly segmentIndex: number | null
}

/** The noise of a mean. */
export class MeanNoise {
  readonly #outcome: NoisyOutcome
  readonly #spreads: readonly CountedSpread[]

  constructor(outcome: NoisyOutcome, values: Float64Array) {
    this.#outcome = outcome
    this.#spreads = sidesOf(outcome).map((side) => spreadOfCounted(values, side.counted, outcome.counts))
  }

  told(): ToldNoise {
    const noise = noiseOf(this.#outcome, this.#spreads)
    const [scenario, baseline] = noise.draw(figureName(this.#outcome, null))
    return {
      scenario: scenario!,
      baseline: baseline!,
      variance: noise.variance([true, true]),
      errorFactor: errorFactor(this.#outcome, null, this.#spreads),
    }
  }

  /** By which the standard deviation of a side is changed. */
  ofSpread(side: 'scenario' | 'baseline'): number {
    const at = side === 'scenario' ? 0 : 1
    return errorFactor(
      this.#outcome,
      null,
      this.#spreads.map((spread, i) => (i === at ? spread : null)),
    )
  }
}

/** The noise of the shares of a column's levels. They keep their sum, and those that a side states have none. */
export class ShareNoise {
  readonly #outcome: NoisyOutcome
  readonly #noise: FigureNoise
  /** Of each side: the levels that keep their sum with this one. */
  readonly #groupsOf: readonly ((code: number) => readonly number[])[]
  /** By level: the noise on each side. */
  readonly #drawn = new Map<number, readonly number[]>()
  readonly #variances = new Map<string, number>()
  readonly #spreads: readonly ((code: number) => CountedSpread)[]

  /** @param codes Length n: of the column. */
  constructor(outcome: NoisyOutcome, codes: Uint16Array) {
    const sides = sidesOf(outcome)
    this.#outcome = outcome
    this.#noise = noiseOf(outcome, [SHARE_SPREAD, SHARE_SPREAD])
    this.#groupsOf = sides.map((side) => groupsOf(outcome, side))
    this.#spreads = sides.map((side) => spreadsOfLevels(outcome, codes, side.counted))
  }

  ofLevel(code: number): ToldNoise {
    const [scenario, baseline] = this.#groupsOf.map((groupOf, side) => this.#ofSide(side, code, groupOf(code)))
    const spreads = this.#spreads.map((spreadOf) => spreadOf(code))
    return {
      scenario: scenario!,
      baseline: baseline!,
      variance: this.#varianceOf(code),
      errorFactor: errorFactor(this.#outcome, code, spreads),
    }
  }

  /** The same for all levels that have noise on the same sides. */
  #varianceOf(code: number): number {
    const isNoisy = this.#groupsOf.map((groupOf) => groupOf(code).length >= 2)
    const key = isNoisy.join(' ')
    const variance = this.#variances.get(key) ?? this.#noise.variance(isNoisy)
    this.#variances.set(key, variance)
    return variance
  }

  #ofSide(side: number, code: number, group: readonly number[]): number {
    const { length } = group
    if (length < 2) return 0
    if (length > MOST_CENTRED) return this.#draw(code)[side]!
    const mean = group.reduce((sum, one) => sum + this.#draw(one)[side]!, 0) / length
    return Math.sqrt(length / (length - 1)) * (this.#draw(code)[side]! - mean)
  }

  #draw(code: number): readonly number[] {
    const noise = this.#drawn.get(code) ?? this.#noise.draw(figureName(this.#outcome, code))
    this.#drawn.set(code, noise)
    return noise
  }
}

const sidesOf = ({ scenario, baseline }: NoisyOutcome): readonly AskedSide[] => [scenario, baseline]

/**
 * Names a figure, so that it has the same draws in every question.
 *
 * @param code Of a level; null: the mean.
 */
function figureName({ column, base }: Pick<NoisyOutcome, 'column' | 'base'>, code: number | null): string {
  if (column.kind === 'numeric' || code === null) return JSON.stringify([column.name, 'mean'])
  const level = code < column.missing ? null : column.levels[code - column.missing]!
  return JSON.stringify([column.name, base, level])
}

/**
 * The factor by which the error of a difference, or the standard deviation of one side, is changed. One row changes it by (its
 * distance from the mean)² / (2 n sd²) at most.
 *
 * @param code Of a level; null: a mean.
 * @param spreads Of each side; null: the factor is not of it.
 */
function errorFactor(outcome: NoisyOutcome, code: number | null, spreads: readonly (CountedSpread | null)[]): number {
  const sides = sidesOf(outcome).filter((_, side) => spreads[side] !== null)
  const question = sides.map(({ parts }) => questionOf(parts)).join(' against ')
  const draw = outcome.keys.draw(`error ${question} ${figureName(outcome, code)}`)
  const sizes = spreads.flatMap((spread) => {
    if (spread === null) return []
    const { largest, sd, rows } = spread
    const ofOneRow = largest ** 2 / (2 * rows * sd ** 2)
    return sd > 0 ? Math.min(MOST_ERROR_NOISE, ERROR_ROWS * ofOneRow) : MOST_ERROR_NOISE
  })
  return 1 + draw * Math.max(...sizes)
}

/** The codes whose shares add up to what a side states: all codes of its base, or a margin of the column's own shares. */
function groupsOf({ index, column, base, segmentIndex }: NoisyOutcome, { conditions, margins }: AskedSide) {
  // All rows of a segment have its level.
  if (segmentIndex === index) return () => []
  const codes = Array.from({ length: column.codeCount }, (_, code) => code)
  const counting = base === 'all' ? codes : codes.filter((code) => code >= column.missing)
  const d = conditions.shares.findIndex((share) => share.index === index)
  if (d < 0) return () => counting
  const ofCode = margins.ofCode[d]!
  // With missing values left out, the stated shares are no longer fixed.
  if (counting.length < codes.length && ofCode[0]! >= 0) return () => counting
  return (code: number) => (ofCode[code]! < 0 ? [] : counting.filter((one) => ofCode[one] === ofCode[code]))
}

/** @param spreads Of each side. */
function noiseOf(outcome: NoisyOutcome, spreads: readonly ValueSpread[]): FigureNoise {
  const { keys, kinds, column } = outcome
  const sides = sidesOf(outcome).map((side, i): NoisySide => {
    const { conditions, margins, patterns, parts } = side
    const D = margins.columnCount
    return {
      parts,
      weights: amongCounted(side.weights, kinds),
      natural: amongCounted(side.counted, kinds),
      // The column's own shares change nothing inside of its levels.
      margins: conditions.shares.flatMap(({ column: { name }, listed }, d) =>
        name === column.name
          ? []
          : [
              {
                name: JSON.stringify([name, ...[...listed.keys()].sort((a, b) => a - b)]),
                marginOf: (kind) => patterns.margins[patterns.ofRow[kinds.first[kind]!]! * D + d]!,
              },
            ],
      ),
      spread: spreads[i]!,
    }
  })
  return new FigureNoise(keys, kinds, sides)
}

/** Length K: the weight of each row of a kind, so that those of all rows that count sum to 1. */
function amongCounted(weights: Float64Array, { first, rows }: RowKinds): Float64Array {
  const ofKind = Float64Array.from(first, (row) => weights[row]!)
  const total = ofKind.reduce((sum, weight, kind) => sum + rows[kind]! * weight, 0)
  return total > 0 ? ofKind.map((weight) => weight / total) : ofKind
}

interface CountedSpread extends ValueSpread {
  readonly rows: number
}

/** Of the rows that count, without their weights in the scenario: a share that is moved changes nothing. */
function spreadOfCounted(values: Float64Array, counted: Float64Array, counts: Uint8Array | null): CountedSpread {
  let [n, sum] = [0, 0]
  const isIn = (row: number): boolean => counted[row]! > 0 && (counts === null || counts[row] !== 0)
  for (let row = 0; row < values.length; row++) {
    if (!isIn(row)) continue
    n++
    sum += values[row]!
  }
  const mean = sum / n
  let [largest, squares] = [0, 0]
  for (let row = 0; row < values.length; row++) {
    if (!isIn(row)) continue
    const distance = Math.abs(values[row]! - mean)
    if (distance > largest) largest = distance
    squares += distance * distance
  }
  return { largest, sd: n === 0 ? 0 : Math.sqrt(squares / n), rows: n }
}

/** The same of each level: 1 for its rows, 0 for the others. */
function spreadsOfLevels(
  { counts, column }: NoisyOutcome,
  codes: Uint16Array,
  counted: Float64Array,
): (code: number) => CountedSpread {
  const ofCode = new Float64Array(column.codeCount)
  let n = 0
  for (let row = 0; row < codes.length; row++) {
    if (!(counted[row]! > 0) || (counts !== null && counts[row] === 0)) continue
    ofCode[codes[row]!]!++
    n++
  }
  return (code) => {
    const share = ofCode[code]! / n
    const isBoth = share > 0 && share < 1
    return { largest: isBoth ? Math.max(share, 1 - share) : 0, sd: Math.sqrt(share * (1 - share)) || 0, rows: n }
  }
}
