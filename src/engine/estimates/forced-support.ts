/**
 * Whether shares force rows into combinations that too few of the seed's rows have.
 *
 * If levels of several columns have shares t, at least 1 - sum of (1 - t) of the weight lies on rows that have all of them
 * (Frechet's bound). Where no row has them all, there are no weights; where one has, it takes all of that. So whoever asks for
 * a person's traits with large shares would learn from "answered or not" whether that person is there. Only levels that
 * are to have more than half can meet by force, and one smaller one with them: these are looked at, one smaller level
 * at a time, and the shares must be possible without combinations that fewer than 10 rows have. Quotas of many columns, whose
 * every combination is rare, force nothing and pass.
 */
import type { ShareCondition } from '../scenario/conditions.ts'
import { type Margins, marginsOf } from '../scenario/margins.ts'
import { LEAST_ROWS } from '../told-counts.ts'
import { mixOf, patternsOf, type Seed } from './seed-patterns.ts'

/** More columns than this with a level of more than half are not looked at together. */
const MOST_COLUMNS = 12

/** A level, or all unlisted levels of a column, against the rest of the column. */
interface Side {
  readonly column: number
  readonly margin: number
  readonly target: number
}

/**
 * @param grouped Margins with the unlisted levels of each column as one group.
 * @param inside Length n: part of each row inside everything that is allowed.
 */
export async function forcedRowsAreMany(
  seed: Seed,
  shares: readonly ShareCondition[],
  grouped: Margins,
  inside: Float64Array,
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
  const rows = rowsOfMargins(seed, shares, grouped, inside)
  if (sides.some(({ margin }) => rows[margin]! < LEAST_ROWS)) return false
  if (!(await canBeMet(seed, shares, grouped, inside, large))) return false
  for (const small of sides) {
    if (large.includes(small)) continue
    const met = large.filter(({ column, target }) => column !== small.column && target + small.target > 1)
    if (met.length > 0 && !(await canBeMet(seed, shares, grouped, inside, [small, ...met]))) return false
  }
  return true
}

function rowsOfMargins(
  seed: Seed,
  shares: readonly ShareCondition[],
  grouped: Margins,
  inside: Float64Array,
): Float64Array {
  const rows = new Float64Array(grouped.targets.length)
  shares.forEach(({ index }, d) => {
    const codes = seed.codes[index]!
    const ofCode = grouped.ofCode[d]!
    for (let row = 0; row < inside.length; row++) if (inside[row]! > 0) rows[ofCode[codes[row]!]!]! += inside[row]!
  })
  return rows
}

/** Whether each side can have its share, and the rest of its column the rest, without combinations of few rows. */
async function canBeMet(
  seed: Seed,
  shares: readonly ShareCondition[],
  grouped: Margins,
  inside: Float64Array,
  sides: readonly Side[],
): Promise<boolean> {
  const codes = sides.map(({ column }) => seed.codes[shares[column]!.index]!)
  // Code 1 is the side, code 0 the rest: two-level columns.
  const isSide = sides.map(({ column, margin }) => grouped.ofCode[column]!.map((of) => (of === margin ? 1 : 0)))
  const { margins, rows } = patternsOf(codes, isSide, inside)
  const columns = sides.map(({ target }) => ({
    shares: Float64Array.of(0.5, 0.5),
    listed: new Map([
      [0, 1 - target],
      [1, target],
    ]),
  }))
  const targets = marginsOf(columns, 'conditional')
  const common = Array.from(rows.keys()).filter((k) => rows[k]! >= LEAST_ROWS)
  const D = sides.length
  const kept = {
    rows: Float64Array.from(common, (k) => rows[k]!),
    margins: Int32Array.from(common.flatMap((k) => sides.map((_, d) => targets.ofCode[d]![margins[k * D + d]!]!))),
  }
  // A side of share 1 leaves no rest: rows of the rest are outside.
  return (await mixOf(kept, targets, seed.rowCount)) !== null
}
