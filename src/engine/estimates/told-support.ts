/**
 * How many rows stand behind a side or a part of it, as it may be told.
 *
 * n  kept rows of the seed,  D  conditioned categorical columns
 */

import type { CountedRows, CountTeller } from '../disclosure/noisy-counts.ts'
import type { Margins } from '../scenario/margins.ts'
import type { SeedPatterns } from './seed-patterns.ts'
import { type Support, sum, supportOf } from './spread.ts'

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
  const exactly = supportOf(weights, counts)
  const D = margins.columnCount
  const { noiseOfRow } = teller
  const isWhole = teller.isOfEverybody && counts === null
  if (noiseOfRow === null || (isWhole && D === 0)) {
    const { rows } = teller.count(inside, counts)
    return { people: teller.told({ rows, noise: 0 }), ...exactly }
  }
  const { ofPattern, squares, group } = patternCounts({ weights, inside, patterns }, noiseOfRow, counts)
  const ofLevels = levelCounts(ofPattern, { patterns, margins })
  const ratioOf = (counted: CountedRows): number => counted.rows / teller.noisy(counted)
  const ratios = ofLevels.map(ratioOf)
  let [all, told] = [0, 0]
  squares.forEach((square, pattern) => {
    const levels = Array.from(patterns.margins.subarray(pattern * D, (pattern + 1) * D))
    const rarest = levels.sort((a, b) => ofLevels[a]!.rows - ofLevels[b]!.rows)[0]
    all += square
    told += square === 0 ? 0 : square * (rarest === undefined ? ratioOf(group) : ratios[rarest]!)
  })
  const ratio = told > 0 ? all / told : 1
  return {
    people: teller.told(isWhole ? { ...group, noise: 0 } : group),
    effectiveRows: exactly.effectiveRows * ratio,
    support: exactly.support * ratio,
  }
}

/**
 * The same to the owner of a seed, whose rows are alike in groups.
 *
 * @param first Of each group: one of its rows.
 * @param rows Of each group: those that count.
 */
export function supportOfGroups(
  { weights, inside }: SupportingRows,
  first: readonly number[],
  rows: Float64Array,
): ToldSupport {
  let people = 0
  const ofGroup = new Float64Array(first.length)
  first.forEach((row, group) => {
    people += rows[group]! * inside[row]!
    ofGroup[group] = weights[row]!
  })
  return { people, ...supportOf(ofGroup, null, { times: rows, length: weights.length }) }
}

interface PatternCounts {
  /** Rows of each pattern that are inside and count. */
  readonly ofPattern: readonly CountedRows[]
  /** The sum of their w². */
  readonly squares: Float64Array
  /** All rows that are inside and count. */
  readonly group: CountedRows
}

function patternCounts(
  { weights, inside, patterns }: Omit<SupportingRows, 'margins'>,
  noiseOfRow: Float64Array,
  counts: Uint8Array | null,
): PatternCounts {
  const K = patterns.rows.length
  // The last one is of rows without a pattern.
  const rows = new Float64Array(K + 1)
  const noise = new Float64Array(K + 1)
  const squares = new Float64Array(K)
  for (let row = 0; row < inside.length; row++) {
    const part = inside[row]!
    if (part === 0 || (counts !== null && counts[row] === 0)) continue
    const pattern = patterns.ofRow[row]!
    const at = pattern < 0 ? K : pattern
    rows[at]! += part
    noise[at]! += part * noiseOfRow[row]!
    if (pattern >= 0) squares[pattern]! += weights[row]! * weights[row]!
  }
  const all = Array.from(rows, (count, at): CountedRows => ({ rows: count, noise: noise[at]! }))
  const group = { rows: sum(rows), noise: sum(noise) }
  return { ofPattern: all.slice(0, K), squares, group }
}

/** Rows of each margin. */
function levelCounts(
  ofPattern: readonly CountedRows[],
  { patterns, margins }: Pick<SupportingRows, 'patterns' | 'margins'>,
): CountedRows[] {
  const D = margins.columnCount
  const levels = Array.from(margins.targets, () => ({ rows: 0, noise: 0 }))
  ofPattern.forEach(({ rows, noise }, pattern) => {
    for (let d = 0; d < D; d++) {
      const level = levels[patterns.margins[pattern * D + d]!]!
      level.rows += rows
      level.noise += noise
    }
  })
  return levels
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
