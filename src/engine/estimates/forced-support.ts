/**
 * Whether shares force rows into combinations that too few of the seed's rows have.
 *
 * If levels of several columns have shares t, at least 1 - sum of (1 - t) of the weight lies on rows that have all of them
 * (Frechet's bound). If no row has them all, there are no weights; if one row has, it takes all of that weight. So an attacker who
 * asks for a person's traits with large shares would learn from "answered or not" whether that person is in the seed. Only levels
 * that must have more than half can be forced together, and one smaller one with them. These are tested, one smaller level at a
 * time: the shares must be possible without combinations that too few rows have to be told. Quotas of many columns whose combinations
 * are all rare force nothing and pass.
 */

import type { CountTeller } from '../disclosure/noisy-counts.ts'
import type { ShareCondition } from '../scenario/conditions.ts'
import { type Margins, marginsOf } from '../scenario/margins.ts'
import { type Effort, mixOf, type Seed } from './seed-patterns.ts'

/** At most this many columns with a level of more than half are tested together. */
const MOST_COLUMNS = 12

/** A level, or all unlisted levels of a column, against the rest of the column. */
interface Side {
  readonly column: number
  readonly margin: number
  readonly target: number
}

/**
 * @param grouped Margins of the shares.
 * @param inside Length n: part of each row inside everything that is allowed.
 */
export async function forcedRowsAreMany(
  seed: Seed,
  shares: readonly ShareCondition[],
  grouped: Margins,
  inside: Float64Array,
  teller: CountTeller,
  effort: Effort,
): Promise<boolean> {
  const sides = shares.flatMap((_, column): Side[] =>
    Array.from({ length: grouped.start[column + 1]! - grouped.start[column]! }, (_, i) => {
      const margin = grouped.start[column]! + i
      return { column, margin, target: grouped.targets[margin]! }
    }),
  )
  const large = sides
    .filter(({ target }) => target > 0.5)
    .sort((a, b) => b.target - a.target)
    .slice(0, MOST_COLUMNS)
  const codesOf = (column: number) => seed.codes[shares[column]!.index]!
  const rowsByMargin = shares.map((_, column) => insideByMargin(codesOf(column), grouped.ofCode[column]!, inside))
  const rowsOf = ({ column, margin }: Side) => rowsByMargin[column]!.get(margin) ?? []
  const tally = (groups: number) => new Tally(groups, inside, teller)
  const isFew = (side: Side): boolean => {
    const having = tally(1)
    for (const row of rowsOf(side)) having.add(0, row)
    return !having.isTold(0)
  }
  if (sides.some(isFew)) return false

  // Bit b of a row: whether it has the level of large[b].
  const bits = new Uint16Array(inside.length)
  large.forEach((side, b) => {
    for (const row of rowsOf(side)) bits[row]! |= 1 << b
  })
  const all = tally(1 << large.length)
  for (let row = 0; row < inside.length; row++) all.add(bits[row]!, row)
  if (!(await canBeMet(all, large, seed.rowCount, effort))) return false
  for (const small of sides) {
    if (large.includes(small)) continue
    const isMet = large.map(({ column, target }) => column !== small.column && target + small.target > 1)
    const met = large.filter((_, b) => isMet[b])
    if (met.length === 0) continue
    effort.spend(all.rows.length * met.length)
    const having = tally(all.rows.length)
    for (const row of rowsOf(small)) having.add(bits[row]!, row)
    const rows = patternsWith(all, having, isMet)
    if (!(await canBeMet(rows, [...met, small], seed.rowCount, effort))) return false
  }
  return true
}

/** Rows that are inside, at least in part, by their margin. */
function insideByMargin(codes: Uint16Array, ofCode: Int32Array, inside: Float64Array): Map<number, number[]> {
  const rows = new Map<number, number[]>()
  for (let row = 0; row < inside.length; row++) {
    if (inside[row] === 0) continue
    const margin = ofCode[codes[row]!]!
    const known = rows.get(margin)
    if (known === undefined) rows.set(margin, [row])
    else known.push(row)
  }
  return rows
}

/** Rows by group, with the noise of their counts. */
class Tally {
  readonly rows: Float64Array
  readonly #noise: Float64Array
  readonly #inside: Float64Array
  readonly #teller: CountTeller

  constructor(groups: number, inside: Float64Array, teller: CountTeller) {
    this.rows = new Float64Array(groups)
    this.#noise = new Float64Array(groups)
    this.#inside = inside
    this.#teller = teller
  }

  add(group: number, row: number): void {
    const part = this.#inside[row]!
    this.rows[group]! += part
    if (this.#teller.noiseOfRow !== null) this.#noise[group]! += part * this.#teller.noiseOfRow[row]!
  }

  /** Adds to one group the rows of another, times. */
  move(from: Tally, group: number, to: number, times: number): void {
    this.rows[to]! += times * from.rows[group]!
    this.#noise[to]! += times * from.#noise[group]!
  }

  isTold(group: number): boolean {
    return this.#teller.told({ rows: this.rows[group]!, noise: this.#noise[group]! }) !== null
  }

  /** A tally of the same rows, still empty. */
  empty(groups: number): Tally {
    return new Tally(groups, this.#inside, this.#teller)
  }
}

/**
 * Rows of each combination of large levels that occurs, with the small level as the last bit.
 *
 * @param all Rows of each combination of large levels, by bits.
 * @param having The part of `all` that has the small level.
 */
function patternsWith(all: Tally, having: Tally, isMet: readonly boolean[]): Tally {
  const places = isMet.flatMap((met, b) => (met ? [b] : []))
  const rows = all.empty(2 << places.length)
  for (let pattern = 0; pattern < all.rows.length; pattern++) {
    if (all.rows[pattern] === 0) continue
    let key = 0
    places.forEach((b, bit) => {
      key |= ((pattern >> b) & 1) << bit
    })
    rows.move(all, pattern, key, 1)
    rows.move(having, pattern, key, -1)
    rows.move(having, pattern, key + (1 << places.length), 1)
  }
  return rows
}

/**
 * Whether each side can have its share, and the rest of its column the rest, without combinations of few rows.
 *
 * @param tally Of each combination; bit d says whether it has the side d.
 */
async function canBeMet(tally: Tally, sides: readonly Side[], rowCount: number, effort: Effort): Promise<boolean> {
  if (sides.length === 0) return true
  const columns = sides.map(({ target }) => ({
    codeCount: 2,
    listed: new Map([
      [0, 1 - target],
      [1, target],
    ]),
  }))
  // Code 1 is the side, code 0 the rest: two-level columns. A side of share 1 leaves no rest: rows of the rest are outside.
  const targets = marginsOf(columns)
  const common = Array.from(tally.rows.keys()).filter((pattern) => tally.isTold(pattern))
  const kept = {
    rows: Float64Array.from(common, (pattern) => tally.rows[pattern]!),
    margins: Int32Array.from(common.flatMap((pattern) => sides.map((_, d) => targets.ofCode[d]![(pattern >> d) & 1]!))),
  }
  return (await mixOf(kept, targets, rowCount, effort)) !== null
}
