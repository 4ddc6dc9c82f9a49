import type { RawColumn, RawNumberColumn } from '../raw-table.ts'
import type { DropReason } from './cleaning-report.ts'
import type { Levels } from './levels.ts'

export interface Drop {
  readonly reason: DropReason
  readonly detail: string
}

const NEAR_ZERO_SHARE = 0.99
const MISSING_SHARE = 0.95
const IDENTIFIER_SHARE = 0.99
const FREE_TEXT_WORDS = 3
/** More than this no model of ours holds: codes of levels are kept in 16 bits. */
export const MAX_LEVELS = 10_000

/**
 * Why a column has too little, or nothing but names, to say; null when it stays. `rowCount` is N, the clean rows of the whole
 * seed; missing counts as a value of its own, so that a box ticked by some is no constant.
 */
export function dropColumn(column: RawColumn, levels: Levels | null, rowCount: number): Drop | null {
  const { missing, distinct } = column
  const present = rowCount - missing
  if (missing >= MISSING_SHARE * rowCount) {
    return { reason: 'mostly_missing', detail: `${missing} of ${rowCount} values are missing.` }
  }
  if (distinct <= 1 && missing === 0) return { reason: 'constant', detail: 'Every row has the same value.' }
  const mode = countOfMode(column, rowCount)
  if (mode >= NEAR_ZERO_SHARE * rowCount) {
    return { reason: 'near_zero_variance', detail: `${mode} of ${rowCount} rows have the same value.` }
  }
  if (distinct >= IDENTIFIER_SHARE * rowCount && couldIdentify(column)) {
    return { reason: 'identifier', detail: `${distinct} distinct values in ${rowCount} rows.` }
  }
  if (column.type === 'text' && distinct > present / 2 && column.meanWords > FREE_TEXT_WORDS) {
    return {
      reason: 'free_text',
      detail: `${distinct} distinct values in ${present}, of ${column.meanWords.toFixed(1)} words on average.`,
    }
  }
  if (levels !== null && levels.keptRows < present / 2) {
    return {
      reason: 'too_many_levels',
      detail: `${distinct} levels; those with at least ${levels.threshold} rows cover ${levels.keptRows} of ${present} values.`,
    }
  }
  return null
}

/** What cannot be modelled whatever is asked for. */
export function cannotModel(column: RawColumn, levels: Levels | null, rowCount: number): Drop | null {
  if (column.missing >= rowCount) return { reason: 'unmodelled', detail: 'Every value is missing.' }
  if (levels !== null && levels.kept.length === 0) {
    return { reason: 'unmodelled', detail: `None of ${column.distinct} levels has ${levels.threshold} rows.` }
  }
  if (levels !== null && levels.keptRows < (rowCount - column.missing) / 2) {
    return { reason: 'unmodelled', detail: `${column.distinct} distinct texts; at most ${MAX_LEVELS} can be modelled.` }
  }
  return null
}

/** Decimals and dates may well differ in every row without naming anyone; whole numbers only when they just count up. */
function couldIdentify(column: RawColumn): boolean {
  if (column.type === 'text') return true
  if (column.type !== 'number' || column.decimals > 0) return false
  return (column.max - column.min + 1) * IDENTIFIER_SHARE <= column.distinct
}

function countOfMode(column: RawColumn, rowCount: number): number {
  if ('codes' in column) return largest(column.counts)
  return column.counts === null ? modeBySample(column, rowCount) : largest(column.counts.values())
}

/** With more distinct values than are counted, the rows held stand for the file. */
function modeBySample(column: RawNumberColumn, rowCount: number): number {
  const counts = new Map<number, number>()
  for (let row = 0; row < column.values.length; row++) {
    if (column.valid[row] === 1) counts.set(column.values[row]!, (counts.get(column.values[row]!) ?? 0) + 1)
  }
  return Math.round((largest(counts.values()) / Math.max(1, column.values.length)) * rowCount)
}

function largest(counts: Iterable<number>): number {
  let max = 0
  for (const count of counts) if (count > max) max = count
  return max
}
