/**
 * Margins of the conditioned columns: which cells count towards which target.
 *
 * K  cells of the conditioned categorical columns
 * D  conditioned categorical columns, and tables of cells after them
 * M  margins: per column one for every listed level that may occur, and one for all its unlisted levels together
 *
 * What a scenario does not state changes as little as possible given all that it states. So the unlisted levels of a column are
 * one group that has what the listed ones leave: inside it they keep the proportions they have given the other conditions.
 * Missing is a code like any other here, and never listed. A level with bounds has a margin of its own.
 */

import type { ShareBounds } from './scenario.ts'

/** A conditioned categorical column of L codes, or a table of cells, whose codes stand for combinations (conditions.ts). */
export interface ConditionedColumn {
  /** Of a column: which it is. */
  readonly index?: number
  /** Of a table: which columns it combines. */
  readonly members?: readonly number[]
  /** L */
  readonly codeCount: number
  /** Code → target share in [0, 1]; summing to at most 1. */
  readonly listed: ReadonlyMap<number, number>
  /** Code → bounds of its share; none of the listed codes. */
  readonly bounded?: ReadonlyMap<number, ShareBounds>
}

export interface Margins {
  /** D */
  readonly columnCount: number
  /** Length D + 1: the margins of column d are start[d] … start[d + 1] - 1. */
  readonly start: Int32Array
  /** Length M: shares; every column's sum to 1. Where there are bounds, `settleBounds` sets them. */
  readonly targets: Float64Array
  /** Null where no column has bounds. */
  readonly bounds: MarginBounds | null
  /** Length M: the code of a margin, -1 = the unlisted codes as a group. */
  readonly codes: Int32Array
  /** Per column, length L: margin of each code, -1 = the code must not occur (its target is 0). */
  readonly ofCode: readonly Int32Array[]
  /** The columns that are tables, each with the columns that it combines. */
  readonly tables: readonly { readonly column: number; readonly members: readonly number[] }[]
}

/** Where a margin of a column with bounds may lie; both are its target where that is stated. */
export interface MarginBounds {
  /** Length M */
  readonly least: Float64Array
  /** Length M */
  readonly most: Float64Array
}

/** A sum of listed shares this close to 1 is 1. */
const SHARE_SUM_TOLERANCE = 1e-9

/**
 * Margins and targets of all conditioned columns.
 *
 * @param isOpen Whether codes that must not occur have margins like others, with the target 0.
 * @throws RangeError when a share lies outside [0, 1], a column's shares sum to more than 1,
 *   a listed code is not one of the column's, or something is left and there is no other code to take it.
 */
export function marginsOf(columns: readonly ConditionedColumn[], isOpen = false): Margins {
  const start = new Int32Array(columns.length + 1)
  const targets: number[] = []
  const least: number[] = []
  const most: number[] = []
  const codes: number[] = []
  const ofCode: Int32Array[] = []

  columns.forEach((column, d) => {
    const { codeCount, listed } = column
    const { scale, rest, bounded } = sharesLeft(column)
    const margin = new Int32Array(codeCount).fill(-1)
    const add = (code: number, target: number, min = target, max = target): number => {
      targets.push(target)
      least.push(min)
      most.push(max)
      codes.push(code)
      return targets.length - 1
    }
    for (const [code, share] of [...listed].sort(([a], [b]) => a - b)) {
      if (share > 0 || isOpen) margin[code] = add(code, share * scale)
    }
    if (isOpen && rest === 0) {
      const others = [...margin.keys()].filter((code) => !listed.has(code))
      const group = others.length > 0 ? add(-1, 0) : -1
      for (const code of others) margin[code] = group
    }
    if (rest > 0) {
      const free = codeCount - listed.size - bounded.size
      const sums = sumsOf(bounded.values())
      if (free === 0 && sums.max < rest - SHARE_SUM_TOLERANCE) {
        throw new RangeError(
          `shares of column ${d} sum to ${1 - rest + sums.max}, and there is no other level to take the remainder`,
        )
      }
      // A beginning: the part that a level has if all have the same.
      const part = rest / (free + bounded.size)
      for (const [code, { min, max }] of [...bounded].sort(([a], [b]) => a - b)) {
        if (max > 0 || isOpen) margin[code] = add(code, part, min, Math.min(max, rest - sums.min + min))
      }
      if (free > 0) {
        const group = add(-1, part * free, Math.max(0, rest - sums.max), rest - sums.min)
        for (let code = 0; code < codeCount; code++) {
          if (!listed.has(code) && !bounded.has(code)) margin[code] = group
        }
      }
    }
    ofCode.push(margin)
    start[d + 1] = targets.length
  })
  const isBounded = least.some((min, m) => min !== most[m])
  return {
    columnCount: columns.length,
    start,
    targets: Float64Array.from(targets),
    bounds: isBounded ? { least: Float64Array.from(least), most: Float64Array.from(most) } : null,
    codes: Int32Array.from(codes),
    ofCode,
    tables: columns.flatMap(({ members }, column) =>
      members === undefined
        ? []
        : [{ column, members: members.map((index) => columns.findIndex((one) => one.index === index)) }],
    ),
  }
}

interface SharesLeft {
  /** What listed shares are multiplied by, so that those that sum to nearly 1 sum to 1. */
  readonly scale: number
  /** What they leave. */
  readonly rest: number
  /** The bounds of what takes a part of it; empty where nothing is left. */
  readonly bounded: ReadonlyMap<number, ShareBounds>
}

function sharesLeft({ codeCount, listed, bounded = new Map() }: ConditionedColumn): SharesLeft {
  let sum = 0
  for (const [code, share] of listed) {
    if (!(share >= 0 && share <= 1)) throw new RangeError(`share ${share} is not in [0, 1]`)
    if (!(code >= 0 && code < codeCount)) throw new RangeError(`code ${code} is not one of ${codeCount}`)
    sum += share
  }
  for (const [code, { min, max }] of bounded) {
    if (!(min >= 0 && max <= 1 && min <= max)) throw new RangeError(`a share from ${min} to ${max} is not in [0, 1]`)
    if (!(code >= 0 && code < codeCount)) throw new RangeError(`code ${code} is not one of ${codeCount}`)
    if (listed.has(code)) throw new RangeError(`code ${code} has a share and bounds`)
  }
  const least = sumsOf(bounded.values()).min
  if (sum + least > 1 + SHARE_SUM_TOLERANCE) throw new RangeError(`shares sum to ${sum + least}, more than 1`)
  const isWhole = sum >= 1 - SHARE_SUM_TOLERANCE
  return { scale: isWhole ? 1 / sum : 1, rest: isWhole ? 0 : 1 - sum, bounded: isWhole ? new Map() : bounded }
}

function sumsOf(bounds: Iterable<ShareBounds>): ShareBounds {
  let [min, max] = [0, 0]
  for (const bound of bounds) {
    min += bound.min
    max += bound.max
  }
  return { min, max }
}

/**
 * Margin of every cell in every column.
 *
 * @param cellCodes K × D, row-major: codes of the cells.
 * @returns K × D, row-major: margins; a whole row is -1 where any code must not occur.
 */
export function cellMargins(cellCodes: Int32Array, margins: Margins): Int32Array {
  const d = margins.columnCount
  const result = new Int32Array(cellCodes.length)
  for (let o = 0; o < cellCodes.length; o += d) {
    let allowed = true
    for (let j = 0; j < d; j++) {
      const margin = margins.ofCode[j]![cellCodes[o + j]!]!
      result[o + j] = margin
      if (margin < 0) allowed = false
    }
    if (!allowed) result.fill(-1, o, o + d)
  }
  return result
}
