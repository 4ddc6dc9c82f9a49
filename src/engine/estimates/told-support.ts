/**
 * How many rows stand behind a side or a part of it, as it may be told.
 *
 * n  kept rows of the seed,  D  conditioned categorical columns
 */

import type { CountedRows, CountTeller } from '../disclosure/noisy-counts.ts'
import type { Margins } from '../scenario/margins.ts'
import type { SeedPatterns } from './seed-patterns.ts'
import { type Support, supportOf } from './spread.ts'

/** The rows of a side. */
export interface SupportingRows {
  /** Length n: w. */
  readonly weights: Float64Array
  /** Length n: f. */
  readonly inside: Float64Array
  readonly patterns: SeedPatterns
  readonly margins: Margins
}

export interface ToldSupport extends Support {
  /** Rows inside that count; null: too few to be told. */
  readonly people: number | null
}

/**
 * With noise in the counts, effective rows have that of the rarest level that a row has: a share near 1 makes it the whole side,
 * so that a moved share would find the rows of the level where a rounded figure flips.
 *
 * @param counts Length n: 1 where a row counts, else 0; null: all do.
 */
export function toldSupport(
  { weights, inside, patterns, margins }: SupportingRows,
  teller: CountTeller,
  counts: Uint8Array | null,
): ToldSupport {
  const group = teller.count(inside, counts)
  const exactly = supportOf(weights, counts)
  const D = margins.columnCount
  if (teller.noiseOfRow === null || (teller.isOfEverybody && counts === null && D === 0))
    return { people: teller.told({ ...group, noise: 0 }), ...exactly }
  const ofLevels = levelCounts({ inside, patterns, margins }, teller.noiseOfRow, counts)
  const ratioOf = (counted: CountedRows): number => counted.rows / teller.noisy(counted)
  const ratios = ofLevels.map(ratioOf)
  const ofPattern = Array.from(patterns.rows, (_, pattern) => {
    const levels = Array.from(patterns.margins.subarray(pattern * D, (pattern + 1) * D))
    const rarest = levels.sort((a, b) => ofLevels[a]!.rows - ofLevels[b]!.rows)[0]
    return rarest === undefined ? ratioOf(group) : ratios[rarest]!
  })
  let [squares, told] = [0, 0]
  for (let row = 0; row < weights.length; row++) {
    const square = counts !== null && counts[row] === 0 ? 0 : weights[row]! ** 2
    if (square === 0) continue
    squares += square
    told += square * ofPattern[patterns.ofRow[row]!]!
  }
  const ratio = told > 0 ? squares / told : 1
  return {
    people: teller.told(teller.isOfEverybody && counts === null ? { ...group, noise: 0 } : group),
    effectiveRows: exactly.effectiveRows * ratio,
    support: exactly.support * ratio,
  }
}

/** By side and column. */
const supports = new WeakMap<SupportingRows, Map<number, ToldSupport>>()

/**
 * The same among the rows with a value in a column, of a side that is asked for again and again: the baseline of who moves levers.
 *
 * @param index Of the column.
 * @param counts Its rows with a value.
 */
export function supportWithValue(
  side: SupportingRows & { readonly teller: CountTeller },
  index: number,
  counts: Uint8Array,
): ToldSupport {
  const ofColumn = supports.get(side) ?? new Map<number, ToldSupport>()
  supports.set(side, ofColumn)
  const told = ofColumn.get(index) ?? toldSupport(side, side.teller, counts)
  ofColumn.set(index, told)
  return told
}

/** Rows of each margin that are inside and count. */
function levelCounts(
  { inside, patterns, margins }: Omit<SupportingRows, 'weights'>,
  noiseOfRow: Float64Array,
  counts: Uint8Array | null,
): CountedRows[] {
  const D = margins.columnCount
  const rows = new Float64Array(margins.targets.length)
  const noise = new Float64Array(margins.targets.length)
  for (let row = 0; row < inside.length; row++) {
    const pattern = patterns.ofRow[row]!
    if (inside[row] === 0 || pattern < 0 || (counts !== null && counts[row] === 0)) continue
    for (let d = 0; d < D; d++) {
      const margin = patterns.margins[pattern * D + d]!
      rows[margin]! += inside[row]!
      noise[margin]! += inside[row]! * noiseOfRow[row]!
    }
  }
  return Array.from(rows, (count, margin) => ({ rows: count, noise: noise[margin]! }))
}

/**
 * Whether enough rows of a side have a level to be told.
 *
 * @param codes Length n, below codeCount.
 * @param counts Length n: 1 where a row counts, else 0; null: all do.
 */
export function toldCodes(
  inside: Float64Array,
  teller: CountTeller,
  codes: Uint16Array,
  codeCount: number,
  counts: Uint8Array | null,
): (code: number) => boolean {
  const rows = new Float64Array(codeCount)
  const noise = new Float64Array(codeCount)
  for (let row = 0; row < codes.length; row++) {
    if (counts?.[row] === 0) continue
    rows[codes[row]!]! += inside[row]!
    if (teller.noiseOfRow !== null) noise[codes[row]!]! += inside[row]! * teller.noiseOfRow[row]!
  }
  return (code) => rows[code]! > 0 && teller.told({ rows: rows[code]!, noise: noise[code]! }) !== null
}
