/**
 * Finds categorical columns that never share a level in a row: ranks, or the first, second and third choice of the same things.
 *
 * d  categorical columns     S  sampled rows     n  rows
 *
 * Most pairs of columns share a level within a few sampled rows: about d² operations, and n per pair that shares none.
 */

import type { CategoricalColumn, Table } from '../cleaning/table.ts'
import type { Distinct } from '../model/relation.ts'

const SAMPLE_ROWS = 512
const LEAST_LEVELS = 3
/** Least number of rows in which a column would share a level with another one if levels were combined at random. */
const LEAST_EXPECTED_ROWS = 10

/** In the table's order of their first columns. */
export function findRanks(table: Table): Distinct[] {
  const labels = labelCodes(table)
  const families = familiesOf(labels)
  const areApart = neverEqualPairs(labels)
  const groups = table.columns.map((_, first) => {
    const group = labels[first] ? [first] : []
    for (let c = first + 1; c < table.columns.length && group.length > 0; c++) {
      if (!labels[c] || families[c] !== families[first]) continue
      if (group.every((other) => areApart(other, c))) group.push(c)
    }
    return group
  })
  const found: Distinct[] = []
  const taken = new Set<number>()
  // A column outside the ranking may never equal some of its columns, so the largest group is the ranking.
  for (const group of groups.sort((a, b) => b.length - a.length || a[0]! - b[0]!)) {
    const left = group.filter((c) => !taken.has(c))
    // Ranks at the two ends of a scale hardly ever coincide, so the count includes every other column of the group.
    const ranked = left.filter((c) => expectedRows(table, labels, left, c) >= LEAST_EXPECTED_ROWS)
    // Two columns that are never equal, such as sex and sex of the partner, are no ranking.
    if (ranked.length < 3) continue
    for (const column of ranked) taken.add(column)
    found.push({ kind: 'distinct', columns: ranked, isPermutation: isPermutation(table, ranked, labels) })
  }
  return found.sort((a, b) => a.columns[0]! - b.columns[0]!)
}

interface Labels {
  /** Length n: a number for every label of the table, -1 when missing. */
  readonly rows: Int32Array
  readonly shares: ReadonlyMap<number, number>
}

/** Null for columns that are not categorical, or have too few levels. */
function labelCodes(table: Table): (Labels | null)[] {
  const numbers = new Map<string, number>()
  const numberOf = (label: string) => {
    const known = numbers.get(label)
    if (known !== undefined) return known
    numbers.set(label, numbers.size)
    return numbers.size - 1
  }
  return table.columns.map((column) => {
    if (column.kind !== 'categorical' || column.levels.length < LEAST_LEVELS) return null
    const ofLevel = column.levels.map(numberOf)
    const { codes } = column
    const counts = new Int32Array(column.levels.length)
    const rows = new Int32Array(codes.length)
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      rows[row] = code < 0 ? -1 : ofLevel[code]!
      if (code >= 0) counts[code]!++
    }
    return { rows, shares: new Map(ofLevel.map((label, level) => [label, counts[level]! / codes.length])) }
  })
}

function expectedRows({ rowCount }: Table, labels: readonly (Labels | null)[], group: readonly number[], c: number) {
  let shared = 0
  for (const other of group) {
    if (other === c) continue
    for (const [label, share] of labels[other]!.shares) shared += share * (labels[c]!.shares.get(label) ?? 0)
  }
  return shared * rowCount
}

/**
 * By column: a number that is common to columns that share labels, directly or through other columns. The first and the last of
 * ten ranks may share none directly.
 */
function familiesOf(labels: readonly (Labels | null)[]): number[] {
  const families = labels.map((_, c) => c)
  const rootOf = (c: number): number => (families[c] === c ? c : rootOf(families[c]!))
  const holders = new Map<number, number>()
  labels.forEach((own, c) => {
    for (const label of own?.shares.keys() ?? []) {
      const holder = holders.get(label)
      if (holder === undefined) holders.set(label, c)
      else families[rootOf(c)] = rootOf(holder)
    }
  })
  return families.map((_, c) => rootOf(c))
}

/** Whether two columns, the first before the second, never share a level. Each pair is compared once; the result is kept. */
function neverEqualPairs(labels: readonly (Labels | null)[]): (first: number, second: number) => boolean {
  const known = new Map<number, boolean>()
  return (first, second) => {
    const pair = first * labels.length + second
    let isApart = known.get(pair)
    if (isApart === undefined) {
      isApart = neverEqual(labels[first]!, labels[second]!)
      known.set(pair, isApart)
    }
    return isApart
  }
}

function neverEqual({ rows: one }: Labels, { rows: other }: Labels): boolean {
  const equalAt = (row: number) => one[row]! >= 0 && one[row] === other[row]
  const step = Math.max(1, Math.floor(one.length / SAMPLE_ROWS))
  for (let row = 0; row < one.length; row += step) if (equalAt(row)) return false
  for (let row = 0; row < one.length; row++) if (equalAt(row)) return false
  return true
}

function isPermutation(table: Table, group: readonly number[], labels: readonly (Labels | null)[]): boolean {
  const all = new Set(group.flatMap((c) => [...labels[c]!.shares.keys()]))
  return all.size === group.length && group.every((c) => !(table.columns[c] as CategoricalColumn).codes.includes(-1))
}
