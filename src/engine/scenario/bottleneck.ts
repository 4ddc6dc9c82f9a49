/**
 * What keeps a scenario from being filled: sets of levels that must meet more often than the seed allows.
 *
 * D  conditioned columns, M  margins, K  cells (see margins.ts)
 *
 * If levels A_d of b columns have shares t(A_d), at least 1 - sum of (1 - t(A_d)) of the rows lie in all of them
 * (Frechet's bound); when the cells in all of them hold at most the mass cap, the fill is at most cap / that share.
 */
import type { Margins } from './margins.ts'

export interface Bottleneck {
  /** Columns by position, each with the margins that have to meet. */
  readonly sets: readonly { readonly column: number; readonly margins: readonly number[] }[]
  /** Smallest share of the rows that must be in all sets; null when the prices give no such simple reason. */
  readonly need: number | null
}

export interface ShortTable {
  readonly margins: Margins
  /** K × D, row-major; -1 throughout for cells that must not occur. */
  readonly cellMargins: Int32Array
  /** Length K */
  readonly cap: Float64Array
  /** s, below 1 */
  readonly fill: number
  /** Length M: y (see Fill). */
  readonly prices: Float64Array
}

/** Prices below this part of the largest are the solver's rounding. */
const PRICE_TOLERANCE = 1e-6
/** A bound this close to the fill explains it. */
const FILL_TOLERANCE = 1e-6
/** Pairs of margins are only searched in tables up to this many margins. */
const MAX_MARGINS = 1_000

/**
 * The simplest reason: one set, else two, else the reason from the prices of the maximal fill.
 *
 * Prices are the dual solution of a degenerate program: they prove the fill, but often through more columns than
 * necessary. Hence the search first.
 */
export function findBottleneck(table: ShortTable): Bottleneck {
  return simplest(table) ?? fromPrices(table)
}

/** Whether column d's set is the margin itself or all the others of its column. */
interface Side {
  readonly column: number
  readonly margin: number
  readonly others: boolean
}

function simplest({ margins, cellMargins, cap, fill }: ShortTable): Bottleneck | null {
  const { start, targets, ofCode, columnCount: D } = margins
  const M = targets.length
  if (M > MAX_MARGINS) return null
  const pairs = new Float64Array(M * M)
  let total = 0
  for (let o = 0; o < cellMargins.length; o += D) {
    if (cellMargins[o]! < 0) continue
    const mass = cap[o / D]!
    total += mass
    for (let a = o; a < o + D; a++) {
      for (let b = o; b < o + D; b++) pairs[cellMargins[a]! * M + cellMargins[b]!]! += mass
    }
  }
  const explains = (need: number, mass: number) => need > 0 && mass / need <= fill * (1 + FILL_TOLERANCE) + 1e-12
  const single = (a: Side) => (a.others ? total - pairs[a.margin * M + a.margin]! : pairs[a.margin * M + a.margin]!)
  const both = (a: Side, b: Side): number => {
    const joint = pairs[a.margin * M + b.margin]!
    if (!a.others && !b.others) return joint
    if (a.others && b.others) return total - single(side(a)) - single(side(b)) + joint
    return single(side(a.others ? b : a)) - joint
  }
  const share = (a: Side) => (a.others ? 1 - targets[a.margin]! : targets[a.margin]!)
  const found = (need: number, sides: Side[]): Bottleneck => ({
    need,
    sets: sides.map(({ column, margin, others }) => ({
      column,
      margins: others ? marginsBut(margins, column, margin) : [margin],
    })),
  })

  const sides: Side[] = []
  for (let column = 0; column < D; column++) {
    // A column of a table without shares of its own says nothing.
    if (start[column + 1]! - start[column]! === 1 && !ofCode[column]!.includes(-1)) continue
    for (let margin = start[column]!; margin < start[column + 1]!; margin++) {
      sides.push({ column, margin, others: false })
      if (start[column + 1]! - start[column]! > 1) sides.push({ column, margin, others: true })
    }
  }
  sides.sort((a, b) => Number(a.others) - Number(b.others))
  for (const a of sides) if (explains(share(a), single(a))) return found(share(a), [a])
  for (const a of sides) {
    for (const b of sides) {
      if (b.column === a.column || (a.others === b.others && b.column < a.column)) continue
      const need = share(a) + share(b) - 1
      // Differences of sums: the rounding error between equal sums counts as nothing.
      const mass = both(a, b)
      if (explains(need, mass < 1e-12 ? 0 : mass)) return found(need, [a, b])
    }
  }
  return null
}

function side({ column, margin }: Side): Side {
  return { column, margin, others: false }
}

function marginsBut({ start }: Margins, column: number, margin: number): number[] {
  const all: number[] = []
  for (let m = start[column]!; m < start[column + 1]!; m++) if (m !== margin) all.push(m)
  return all
}

/**
 * The prices y of a column may be shifted against another's without changing what they prove. Shifted so that each
 * column's smallest is 0, with k the sum of the shifts, the price of a cell is f(c) = k + sum of y, and
 * s = s (k + sum of t y) <= sum of cap(c) f(c) over cells with f(c) > 0: those cells are the bottleneck.
 */
function fromPrices({ margins, prices }: ShortTable): Bottleneck {
  const { start, columnCount: D } = margins
  const scale = prices.reduce((most, price) => Math.max(most, Math.abs(price)), 0)
  const tolerance = scale * PRICE_TOLERANCE
  const sets: { column: number; margins: number[] }[] = []
  const highest: number[] = []
  let shift = 0
  for (let column = 0; column < D; column++) {
    const own = prices.subarray(start[column]!, start[column + 1]!)
    const least = own.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    shift += least
    const raised = marginsBut(margins, column, -1).filter((m) => prices[m]! - least > tolerance)
    if (raised.length === 0) continue
    sets.push({ column, margins: raised })
    highest.push(Math.max(...raised.map((m) => prices[m]! - least)))
  }
  const top = shift + highest.reduce((a, b) => a + b, 0)
  const allMustMeet = highest.every((price) => top - price <= tolerance)
  return { sets, need: allMustMeet && top > tolerance ? 1 / top : null }
}
