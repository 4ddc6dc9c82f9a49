/**
 * Finds sums that never exceed a number or another column: percentages of one whole, parts and their total.
 *
 * d  numeric columns     S  sampled rows     n  rows     M  the number
 *
 * The parts of a sum stand side by side in a table: runs of neighbouring columns are tried, and in narrow tables all pairs. A sum
 * counts if its parts, combined at random, would often exceed the limit. The cost is about 12 d S for numbers, and 8 d² for
 * columns, most of which fail within a few rows.
 */

import type { Table } from '../cleaning/table.ts'
import { decimalsOf, numberReader } from '../encoding/numbers.ts'
import type { Formula } from '../model/derivation.ts'
import type { Bound } from '../model/relation.ts'

const SAMPLE_ROWS = 512
const SAMPLE_ROWS_WIDE = 128
const SAMPLED_CELLS = 100_000
/** Most parts of a sum below a number, and of a sum below a column. */
const MOST_PARTS = 12
const MOST_PARTS_OF_COLUMN = 8
/** Most sums that stay below a column in all sampled rows and are tested further; most sums that are kept. */
const MOST_DRAFTS = 1_000
const MOST_FOUND = 50
/** With at most this many columns, all pairs of them are tried as parts. */
const MOST_COLUMNS_IN_PAIRS = 40
/** Least share of sampled rows that would exceed the limit if parts were combined at random, and least number of the table's rows. */
const LEAST_EXCEEDED = 0.05
const LEAST_EXCEEDED_ROWS = 12
/** Least share of rows whose sum equals the limit: such a limit is not due to chance. */
const LEAST_AT_LIMIT = 0.02
/** Limits that are accepted without rows at them, and how near the largest sum must be. */
const WHOLES = [1, 100]
const NEAR_WHOLE = 0.97
/** Decimals that sums are rounded to. */
const NOISE = 1e-6

interface Part {
  readonly column: number
  readonly unit: string
  readonly decimals: number
  readonly isNumeric: boolean
  readonly values: Float64Array
}

/**
 * @param formulas Their sums are skipped.
 * @param ranked Columns of rankings; their sums add nothing.
 */
export function findSums(table: Table, formulas: readonly Formula[], ranked: ReadonlySet<number>): Bound[] {
  const parts = sampleParts(table).filter(({ column }) => !ranked.has(column))
  const found: Bound[] = []
  const add = (columns: readonly Part[], whole: Part | null, most: number) => {
    const all = [...columns, ...(whole ? [whole] : [])].map(({ column }) => column)
    const isKnown = found.some(({ terms }) => all.every((column) => terms.some((term) => term.column === column)))
    const isGiven = formulas.some(({ target, sources }) =>
      all.every((column) => column === target || sources.some((source) => source.column === column)),
    )
    if (isKnown || isGiven || !holds(table, columns, whole, most)) return
    const terms = columns.map(({ column }) => ({ column, weight: 1 }))
    const strict = false
    found.push({
      kind: 'bound',
      terms: whole ? [...terms, { column: whole.column, weight: -1 }] : terms,
      most,
      strict,
      difference: null,
    })
  }
  const runs = runsOf(parts)
  for (const run of runs) {
    // Two answers that never occur together are not a sum.
    if (run.length < 3 && !run[0]!.isNumeric) continue
    const most = limitOf(table, run)
    if (most !== null && (run[0]!.isNumeric || most <= 1 || isOneQuestion(table, run))) add(run, null, most)
  }
  const numeric = parts.filter(({ isNumeric }) => isNumeric)
  const sets = [...runsOf(numeric).filter((run) => run.length <= MOST_PARTS_OF_COLUMN), ...pairsOf(numeric)]
  let drafts = 0
  for (const set of sets) {
    for (const whole of numeric) {
      if (whole.unit !== set[0]!.unit || set.includes(whole) || !isBelow(set, whole)) continue
      if (++drafts > MOST_DRAFTS || found.length >= MOST_FOUND) return found
      if (isTight(table, set, whole)) add(set, whole, 0)
    }
  }
  return found
}

/** Answers of different questions that happen to stand side by side have no common limit, unless one excludes the others. */
function isOneQuestion({ columns }: Table, run: readonly Part[]): boolean {
  const stems = run.map(({ column }) => columns[column]!.sourceName.replace(/(?: ?[/:[(].*|\d+[a-z]?)$/i, ''))
  return stems.every((stem) => stem === stems[0])
}

/** Columns that are never negative. */
function sampleParts(table: Table): Part[] {
  const n = table.rowCount
  const size = Math.min(n, SAMPLE_ROWS, Math.max(SAMPLE_ROWS_WIDE, Math.floor(SAMPLED_CELLS / table.columns.length)))
  return table.columns.flatMap((source, column): Part[] => {
    const read = numberReader(source)
    if (!read || (source.kind === 'numeric' && source.format !== null)) return []
    const values = Float64Array.from({ length: size }, (_, i) => read(Math.floor((i * n) / size)))
    const present = values.filter((value) => !Number.isNaN(value))
    if (present.some((value) => value < 0) || present.every((value) => value === present[0])) return []
    const isNumeric = source.kind === 'numeric'
    const decimals = isNumeric ? decimalsOf(source) : 0
    return [{ column, unit: `${isNumeric} ${decimals}`, decimals, isNumeric, values }]
  })
}

/** Runs of neighbouring columns with one unit, the longest first: shorter ones follow from them. */
function runsOf(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = []
  parts.forEach((first, i) => {
    for (let j = i + 1; j < parts.length && j - i < MOST_PARTS; j++) {
      if (parts[j]!.unit !== first.unit || parts[j]!.column !== first.column + j - i) break
      runs.push(parts.slice(i, j + 1))
    }
  })
  return runs.sort((a, b) => b.length - a.length)
}

function pairsOf(parts: readonly Part[]): Part[][] {
  if (parts.length > MOST_COLUMNS_IN_PAIRS) return []
  return parts.flatMap((a, i) => parts.slice(i + 1).flatMap((b) => (a.unit === b.unit ? [[a, b]] : [])))
}

/** Sums of a set by sampled row, NaN where a part is missing. `shift` combines each part with other rows' parts. */
function sums(set: readonly Part[], shift: number): Float64Array {
  const size = set[0]!.values.length
  return Float64Array.from({ length: size }, (_, i) =>
    set.reduce((sum, { values }, j) => sum + values[(i + j * shift) % size]!, 0),
  )
}

/** Coprime to most sizes, and far from 1: rows near each other may be alike. */
const SHIFT = 37

const slackOf = ({ decimals }: Part) => NOISE * 10 ** -decimals

/** The number that the sums of a run reach and never exceed; null if there is none. */
function limitOf({ rowCount }: Table, run: readonly Part[]): number | null {
  const there = sums(run, 0).filter((sum) => !Number.isNaN(sum))
  const largest = there.reduce((most, sum) => Math.max(most, sum), Number.NEGATIVE_INFINITY)
  const slack = slackOf(run[0]!)
  const whole = WHOLES.find((number) => largest <= number + slack && largest >= NEAR_WHOLE * number)
  const most = whole ?? Number(largest.toFixed(Math.min(15, run[0]!.decimals)))
  const atLimit = there.filter((sum) => sum >= most - slack).length
  // A sum that is constant is a formula. A limit that no row reaches is chance, except for wholes.
  if (atLimit === there.length || (whole === undefined && atLimit < LEAST_AT_LIMIT * there.length)) return null
  const mixed = sums(run, SHIFT).filter((sum) => !Number.isNaN(sum))
  const exceeded = mixed.filter((sum) => sum > most + slack).length / Math.max(1, mixed.length)
  return exceeded >= LEAST_EXCEEDED && exceeded * rowCount >= LEAST_EXCEEDED_ROWS ? most : null
}

/** Whether the sum of a set exceeds a column in no sampled row. */
function isBelow(set: readonly Part[], whole: Part): boolean {
  const slack = slackOf(whole)
  const limit = whole.values
  const size = limit.length
  for (let i = 0; i < size; i++) {
    let sum = 0
    for (let j = 0; j < set.length; j++) sum += set[j]!.values[i]!
    if (sum > limit[i]! + slack) return false
  }
  return true
}

/** Whether the sum would exceed the column at random and comes near to it, although each part alone leaves room for others. */
function isTight({ rowCount }: Table, set: readonly Part[], whole: Part): boolean {
  const slack = slackOf(whole)
  const limit = whole.values
  const size = limit.length
  let possible = 0
  let exceeded = 0
  let nearest = 0
  for (let i = 0; i < size; i++) {
    const most = limit[i]! + slack
    const alone = set.map(({ values }, j) => values[(i + j * SHIFT) % size]!)
    const filled = set.reduce((sum, { values }) => sum + values[i]!, 0) / limit[i]!
    // Not a number when a cell is missing, or when both part and whole are zero: these rows show nothing.
    if (filled > nearest) nearest = filled
    if (!alone.every((value) => value <= most)) continue
    possible++
    if (alone.reduce((sum, value) => sum + value, 0) > most) exceeded++
  }
  const share = exceeded / Math.max(1, possible)
  return nearest >= NEAR_WHOLE && share >= LEAST_EXCEEDED && (share * possible * rowCount) / size >= LEAST_EXCEEDED_ROWS
}

function holds(table: Table, set: readonly Part[], whole: Part | null, most: number): boolean {
  const read = set.map(({ column }) => numberReader(table.columns[column]!)!)
  const readWhole = whole && numberReader(table.columns[whole.column]!)!
  const slack = slackOf(set[0]!)
  for (let row = 0; row < table.rowCount; row++) {
    let sum = readWhole ? -readWhole(row) : 0
    for (let j = 0; j < read.length; j++) sum += read[j]!(row)
    if (sum > most + slack) return false
  }
  return true
}
