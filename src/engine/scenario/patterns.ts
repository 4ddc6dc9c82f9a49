/**
 * Cells gathered by their combination of margins.
 *
 * K  cells, D  conditioned columns, G  patterns
 */

export interface Patterns {
  /** Length K': the cells of positive mass, pattern by pattern, in cell order within each. */
  readonly cells: Int32Array
  /** Length G + 1: cells[start[g] … start[g + 1] - 1] are those of pattern g. */
  readonly start: Int32Array
  /** G × D, row-major; patterns ascend lexicographically. */
  readonly margins: Int32Array
  /** Length G */
  readonly masses: Float64Array
}

/** Patterns of the cells of positive mass whose margins are not -1. */
export function patternsOf(masses: Float64Array, cellMargins: Int32Array, columnCount: number): Patterns {
  const D = columnCount
  const kept: number[] = []
  for (let c = 0; c < masses.length; c++) if (masses[c]! > 0 && (D === 0 || cellMargins[c * D]! >= 0)) kept.push(c)
  const compare = (a: number, b: number): number => {
    for (let d = 0; d < D; d++) {
      const difference = cellMargins[a * D + d]! - cellMargins[b * D + d]!
      if (difference !== 0) return difference
    }
    return 0
  }
  const cells = Int32Array.from(kept.sort((a, b) => compare(a, b) || a - b))
  const starts: number[] = []
  cells.forEach((c, i) => {
    if (i === 0 || compare(cells[i - 1]!, c) !== 0) starts.push(i)
  })
  const start = Int32Array.from([...starts, cells.length])
  const margins = new Int32Array(starts.length * D)
  const sums = new Float64Array(starts.length)
  for (let g = 0; g < starts.length; g++) {
    const first = cells[start[g]!]!
    for (let d = 0; d < D; d++) margins[g * D + d] = cellMargins[first * D + d]!
    for (let i = start[g]!; i < start[g + 1]!; i++) sums[g]! += masses[cells[i]!]!
  }
  return { cells, start, margins, masses: sums }
}

/**
 * Groups of patterns that agree in every column but one.
 *
 * @param patternMargins G × D, row-major, pairwise different.
 * @returns Length G: the patterns sorted by group (`order`), and the starts of the groups, G' + 1 of them.
 */
export function contextsOf(
  patternMargins: Int32Array,
  columnCount: number,
  column: number,
): { order: Int32Array; start: Int32Array } {
  const D = columnCount
  const compare = (a: number, b: number): number => {
    for (let d = 0; d < D; d++) {
      if (d === column) continue
      const difference = patternMargins[a * D + d]! - patternMargins[b * D + d]!
      if (difference !== 0) return difference
    }
    return 0
  }
  const order = Int32Array.from({ length: patternMargins.length / D }, (_, g) => g)
  order.sort((a, b) => compare(a, b) || a - b)
  const starts: number[] = []
  order.forEach((g, i) => {
    if (i === 0 || compare(order[i - 1]!, g) !== 0) starts.push(i)
  })
  return { order, start: Int32Array.from([...starts, order.length]) }
}
