/**
 * Margins of the conditioned columns: which cells count towards which target.
 *
 * K  cells of the conditioned categorical columns
 * D  conditioned categorical columns
 * M  margins: per column one for every level that may occur, or one for all its unlisted levels together
 *
 * Missing is a code like any other here, and never listed.
 */

/** A conditioned categorical column of L codes. */
export interface ConditionedColumn {
  /** Length L: share of each code when nothing is conditioned; sums to 1. */
  readonly shares: Float64Array
  /** Code → target share in [0, 1]; summing to at most 1. */
  readonly listed: ReadonlyMap<number, number>
}

/**
 * How the rest of a column (1 - the sum of its listed shares) is spread over the unlisted codes:
 * `unconditional`  every code has its own target, in proportion to its unconditional share;
 * `conditional`    the codes are one group, and keep the proportions they have given the other conditions.
 */
export type UnlistedReading = 'unconditional' | 'conditional'

export interface Margins {
  /** D */
  readonly columnCount: number
  /** Length D + 1: the margins of column d are start[d] … start[d + 1] - 1. */
  readonly start: Int32Array
  /** Length M: shares; every column's sum to 1. */
  readonly targets: Float64Array
  /** Length M: the code of a margin, -1 = the unlisted codes as a group. */
  readonly codes: Int32Array
  /** Length M: 1 if the margin is a listed level. */
  readonly listed: Uint8Array
  /** Per column, length L: margin of each code, -1 = the code must not occur (its target is 0). */
  readonly ofCode: readonly Int32Array[]
}

/** A sum of listed shares this close to 1 is 1. */
const SHARE_SUM_TOLERANCE = 1e-9

/**
 * Margins and targets of all conditioned columns.
 *
 * @param reading How the unlisted rest is read, for all columns or for each.
 * @throws RangeError when a share lies outside [0, 1], a column's shares sum to more than 1,
 *   a listed code is not one of the column's, or something is left and there is no unlisted code to take it.
 */
export function marginsOf(
  columns: readonly ConditionedColumn[],
  reading: UnlistedReading | readonly UnlistedReading[],
): Margins {
  const start = new Int32Array(columns.length + 1)
  const targets: number[] = []
  const codes: number[] = []
  const listedFlags: number[] = []
  const ofCode: Int32Array[] = []

  columns.forEach((column, d) => {
    const { shares, listed } = column
    const { scale, rest } = sharesLeft(column)
    const margin = new Int32Array(shares.length).fill(-1)
    const add = (code: number, target: number, isListed: boolean): number => {
      targets.push(target)
      codes.push(code)
      listedFlags.push(isListed ? 1 : 0)
      return targets.length - 1
    }
    for (const [code, share] of [...listed].sort(([a], [b]) => a - b)) {
      if (share > 0) margin[code] = add(code, share * scale, true)
    }
    if (rest > 0) {
      const unlisted = Array.from(shares.keys()).filter((code) => !listed.has(code))
      if (unlisted.length === 0) {
        throw new RangeError(
          `shares of column ${d} sum to ${1 - rest}, and there is no other level to take the remainder`,
        )
      }
      const mass = unlisted.reduce((sum, code) => sum + shares[code]!, 0)
      if ((typeof reading === 'string' ? reading : reading[d]) === 'conditional' || mass <= 0) {
        const group = add(-1, rest, false)
        for (const code of unlisted) margin[code] = group
      } else {
        for (const code of unlisted) {
          if (shares[code]! > 0) margin[code] = add(code, (rest * shares[code]!) / mass, false)
        }
      }
    }
    ofCode.push(margin)
    start[d + 1] = targets.length
  })
  return {
    columnCount: columns.length,
    start,
    targets: Float64Array.from(targets),
    codes: Int32Array.from(codes),
    listed: Uint8Array.from(listedFlags),
    ofCode,
  }
}

function sharesLeft({ shares, listed }: ConditionedColumn): { scale: number; rest: number } {
  let sum = 0
  for (const [code, share] of listed) {
    if (!(share >= 0 && share <= 1)) throw new RangeError(`share ${share} is not in [0, 1]`)
    if (!(code >= 0 && code < shares.length)) throw new RangeError(`code ${code} is not one of ${shares.length}`)
    sum += share
  }
  if (sum > 1 + SHARE_SUM_TOLERANCE) throw new RangeError(`shares sum to ${sum}, more than 1`)
  const isWhole = sum >= 1 - SHARE_SUM_TOLERANCE
  return { scale: isWhole ? 1 / sum : 1, rest: isWhole ? 0 : 1 - sum }
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
