/**
 * Margins of the conditioned columns: which cells count towards which target.
 *
 * K  cells of the conditioned categorical columns
 * D  conditioned categorical columns
 * M  margins: per column one for every listed level that may occur, and one for all its unlisted levels together
 *
 * What a scenario does not state changes as little as possible given all that it states. So the unlisted levels of a column are
 * one group that has what the listed ones leave: inside it they keep the proportions they have given the other conditions.
 * Missing is a code like any other here, and never listed.
 */

/** A conditioned categorical column of L codes. */
export interface ConditionedColumn {
  /** L */
  readonly codeCount: number
  /** Code → target share in [0, 1]; summing to at most 1. */
  readonly listed: ReadonlyMap<number, number>
}

export interface Margins {
  /** D */
  readonly columnCount: number
  /** Length D + 1: the margins of column d are start[d] … start[d + 1] - 1. */
  readonly start: Int32Array
  /** Length M: shares; every column's sum to 1. */
  readonly targets: Float64Array
  /** Length M: the code of a margin, -1 = the unlisted codes as a group. */
  readonly codes: Int32Array
  /** Per column, length L: margin of each code, -1 = the code must not occur (its target is 0). */
  readonly ofCode: readonly Int32Array[]
}

/** A sum of listed shares this close to 1 is 1. */
const SHARE_SUM_TOLERANCE = 1e-9

/**
 * Margins and targets of all conditioned columns.
 *
 * @throws RangeError when a share lies outside [0, 1], a column's shares sum to more than 1,
 *   a listed code is not one of the column's, or something is left and there is no unlisted code to take it.
 */
export function marginsOf(columns: readonly ConditionedColumn[]): Margins {
  const start = new Int32Array(columns.length + 1)
  const targets: number[] = []
  const codes: number[] = []
  const ofCode: Int32Array[] = []

  columns.forEach((column, d) => {
    const { codeCount, listed } = column
    const { scale, rest } = sharesLeft(column)
    const margin = new Int32Array(codeCount).fill(-1)
    const add = (code: number, target: number): number => {
      targets.push(target)
      codes.push(code)
      return targets.length - 1
    }
    for (const [code, share] of [...listed].sort(([a], [b]) => a - b)) {
      if (share > 0) margin[code] = add(code, share * scale)
    }
    if (rest > 0) {
      if (listed.size === codeCount) {
        throw new RangeError(
          `shares of column ${d} sum to ${1 - rest}, and there is no other level to take the remainder`,
        )
      }
      const group = add(-1, rest)
      for (let code = 0; code < codeCount; code++) if (!listed.has(code)) margin[code] = group
    }
    ofCode.push(margin)
    start[d + 1] = targets.length
  })
  return {
    columnCount: columns.length,
    start,
    targets: Float64Array.from(targets),
    codes: Int32Array.from(codes),
    ofCode,
  }
}

function sharesLeft({ codeCount, listed }: ConditionedColumn): { scale: number; rest: number } {
  let sum = 0
  for (const [code, share] of listed) {
    if (!(share >= 0 && share <= 1)) throw new RangeError(`share ${share} is not in [0, 1]`)
    if (!(code >= 0 && code < codeCount)) throw new RangeError(`code ${code} is not one of ${codeCount}`)
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
