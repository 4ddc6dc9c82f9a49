/**
 * Whole rows of all margins that do not contradict each other, for tables of cells that share columns: each margin is the row below or
 * above its quota, as near to what was wanted as that allows.
 *
 * D  columns of the margins, M  margins (see margins.ts), G  patterns (see patterns.ts)
 *
 * Two columns agree where the rows of their margins add up alike. What must add up alike shows in the patterns: margins of the two
 * that occur together, directly or through others, hold the same rows. Of `region × size` and `size × wave` these are the sizes.
 */
import { marginEnds } from './integer-margins.ts'
import type { Margins } from './margins.ts'
import { loadSolver } from './solver.ts'

/** Bounds the search by work, not by time: the same table always gets the same answer. */
const MAX_NODES = 2_000

/**
 * Null where the search finds none.
 *
 * @param wanted Length M: what each margin is nearest to.
 * @param patternMargins G × D, row-major.
 */
export async function consistentMargins(
  margins: Margins,
  patternMargins: Int32Array,
  wanted: Int32Array,
  rows: number,
): Promise<Int32Array | null> {
  const M = margins.targets.length
  const { low, high } = marginEnds(margins, rows)
  const sums = sumsThatAgree(margins, patternMargins)
  // Columns: the rows of each margin, and then how far they are from what is wanted.
  const numCols = 2 * M
  const numRows = sums.length + margins.columnCount + 2 * M
  const entries: { readonly row: number; readonly value: number }[][] = Array.from({ length: numCols }, () => [])
  const rowLower = new Float64Array(numRows)
  const rowUpper = new Float64Array(numRows)
  sums.forEach(({ left, right }, row) => {
    for (const m of left) entries[m]!.push({ row, value: 1 })
    for (const m of right) entries[m]!.push({ row, value: -1 })
  })
  for (let d = 0; d < margins.columnCount; d++) {
    const row = sums.length + d
    for (let m = margins.start[d]!; m < margins.start[d + 1]!; m++) entries[m]!.push({ row, value: 1 })
    rowLower[row] = rows
    rowUpper[row] = rows
  }
  for (let m = 0; m < M; m++) {
    // distance ≥ rows - wanted, distance ≥ wanted - rows
    for (const sign of [1, -1]) {
      const row = sums.length + margins.columnCount + 2 * m + (sign > 0 ? 0 : 1)
      entries[m]!.push({ row, value: -sign })
      entries[M + m]!.push({ row, value: 1 })
      rowLower[row] = -sign * wanted[m]!
      rowUpper[row] = Number.POSITIVE_INFINITY
    }
  }
  const starts = new Int32Array(numCols + 1)
  entries.forEach((own, i) => {
    starts[i + 1] = starts[i]! + own.length
  })
  const flat = entries.flat()
  const colCost = new Float64Array(numCols).fill(1, M)
  const colLower = new Float64Array(numCols)
  const colUpper = new Float64Array(numCols).fill(rows)
  colLower.set(low)
  colUpper.set(high)
  const integrality = Array.from({ length: numCols }, (_, i): 0 | 1 => (i < M ? 1 : 0))
  const matrix = {
    ...{ format: 'csc' as const, numRows, numCols, starts },
    indices: Int32Array.from(flat, ({ row }) => row),
    values: Float64Array.from(flat, ({ value }) => value),
  }
  const highs = await loadSolver()
  const model = highs.createModel({
    ...{ numCols, numRows, colCost, colLower, colUpper, rowLower, rowUpper, integrality, matrix },
  })
  try {
    model.options.set({ output_flag: false, mip_max_nodes: MAX_NODES, mip_rel_gap: 0.05 })
    model.run()
    const { colValue } = model.getSolution()
    if (colValue.length !== numCols) return null
    const found = Int32Array.from({ length: M }, (_, m) => Math.round(colValue[m]!))
    const of = (some: readonly number[]) => some.reduce((sum, m) => sum + found[m]!, 0)
    const areRight = found.every((count, m) => count >= low[m]! && count <= high[m]!)
    return areRight && sums.every(({ left, right }) => of(left) === of(right)) ? found : null
  } finally {
    model.dispose()
  }
}

/** Margins of two columns whose rows are the same ones. */
interface SameRows {
  readonly left: readonly number[]
  readonly right: readonly number[]
}

function sumsThatAgree({ columnCount: D, start, targets }: Margins, patternMargins: Int32Array): SameRows[] {
  const result: SameRows[] = []
  const isOne = (d: number): boolean => start[d + 1]! - start[d]! <= 1
  for (let d = 0; d < D; d++) {
    for (let e = d + 1; e < D; e++) {
      if (isOne(d) || isOne(e)) continue
      const parts = new Parts(targets.length)
      for (let o = 0; o < patternMargins.length; o += D) parts.join(patternMargins[o + d]!, patternMargins[o + e]!)
      const groups = new Map<number, { left: number[]; right: number[] }>()
      for (const [column, side] of [
        [d, 'left'],
        [e, 'right'],
      ] as const) {
        for (let m = start[column]!; m < start[column + 1]!; m++) {
          const part = parts.of(m)
          const group = groups.get(part) ?? { left: [], right: [] }
          group[side].push(m)
          groups.set(part, group)
        }
      }
      // The last follows from the others, because both columns sum to all rows.
      result.push(...[...groups.values()].slice(1))
    }
  }
  return result
}

/** Sets that are joined: each is known by one of its members. */
class Parts {
  readonly #parent: Int32Array

  constructor(size: number) {
    this.#parent = Int32Array.from({ length: size }, (_, i) => i)
  }

  of(member: number): number {
    let root = member
    while (this.#parent[root] !== root) root = this.#parent[root]!
    for (let at = member; at !== root; ) {
      const next = this.#parent[at]!
      this.#parent[at] = root
      at = next
    }
    return root
  }

  join(a: number, b: number): void {
    const [first, second] = [this.of(a), this.of(b)]
    if (first !== second) this.#parent[Math.max(first, second)] = Math.min(first, second)
  }
}
