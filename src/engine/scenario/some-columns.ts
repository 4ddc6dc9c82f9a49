/**
 * Some columns of the margins alone.
 *
 * D  columns of the margins, M  margins (see margins.ts), G  patterns (see patterns.ts)
 */

import type { Margins } from './margins.ts'
import type { RepairProblem } from './repair-margins.ts'

interface ChosenColumns {
  /** G × width, row-major: margins; the chosen columns come first. */
  readonly patternMargins: Int32Array
  readonly width: number
  /** Columns of the margins, in the sequence in which the patterns have them. */
  readonly columns: readonly number[]
  readonly margins: Margins
  /** Length M */
  readonly wanted: Int32Array
}

/** The same margins, numbered anew, without those of the other columns. */
export function someColumns({ patternMargins, width, columns, margins, wanted }: ChosenColumns) {
  const { start, targets, codes, ofCode } = margins
  const D = columns.length
  const own = columns.flatMap((d) => Array.from({ length: start[d + 1]! - start[d]! }, (_, i) => start[d]! + i))
  const place = new Map(own.map((m, i) => [m, i]))
  const starts = new Int32Array(D + 1)
  columns.forEach((d, i) => {
    starts[i + 1] = starts[i]! + start[d + 1]! - start[d]!
  })
  const G = patternMargins.length / width
  const ofPatterns = new Int32Array(G * D)
  for (let g = 0; g < G; g++) {
    for (let i = 0; i < D; i++) ofPatterns[g * D + i] = place.get(patternMargins[g * width + i]!)!
  }
  return {
    patternMargins: ofPatterns,
    margins: {
      columnCount: D,
      start: starts,
      targets: Float64Array.from(own, (m) => targets[m]!),
      bounds: null,
      codes: Int32Array.from(own, (m) => codes[m]!),
      ofCode: columns.map((d) => ofCode[d]!),
      tables: [],
    } satisfies Margins,
    wanted: Int32Array.from(own, (m) => wanted[m]!),
  }
}

/**
 * The problem without the columns whose margins follow from those of a table, as they do where all its cells are listed. A row that
 * moves between two cells would change both columns at once, and seem to need a detour.
 */
export function withoutImplied(problem: RepairProblem): RepairProblem {
  const { margins, patternMargins, wanted } = problem
  const D = margins.columnCount
  const G = problem.ideal.length
  const implied = new Set<number>()
  for (const { column, members } of margins.tables) {
    for (const d of members) {
      const follows = new Map<number, number>()
      let isImplied = true
      for (let g = 0; g < G && isImplied; g++) {
        const [from, to] = [patternMargins[g * D + column]!, patternMargins[g * D + d]!]
        isImplied = (follows.get(from) ?? to) === to
        follows.set(from, to)
      }
      const sums = new Map<number, number>()
      for (const [from, to] of follows) sums.set(to, (sums.get(to) ?? 0) + wanted[from]!)
      if (isImplied && [...sums].every(([m, rows]) => wanted[m] === rows)) implied.add(d)
    }
  }
  if (implied.size === 0) return problem
  const columns = Array.from({ length: D }, (_, d) => d).filter((d) => !implied.has(d))
  const ordered = new Int32Array(G * columns.length)
  for (let g = 0; g < G; g++) {
    columns.forEach((d, i) => {
      ordered[g * columns.length + i] = patternMargins[g * D + d]!
    })
  }
  return { ...problem, ...someColumns({ patternMargins: ordered, width: columns.length, columns, margins, wanted }) }
}
