/**
 * Rules by which a column is dropped, each with the figures that decided it.
 *
 * N  clean rows of the whole seed (`rowCount`);  present = N - missing
 *
 * Near-zero variance as in predictive modelling (Kuhn 2008, "Building predictive models in R using the caret package"): one value
 * in nearly all rows. Identifiers and free text would be memorised, not modelled.
 */

import { Buffer } from 'node:buffer'
import type { RawColumn, RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'
import { countText } from '../../base/text/amount-text.ts'
import { isLonger } from '../../base/text/fit-text.ts'
import type { DropReason } from './cleaning-report.ts'
import { headerWords } from './header-words.ts'
import type { Levels } from './levels.ts'
import { rowNumbersOf } from './numbered-rows.ts'
import { MAX_LEVEL_BYTES, MAX_NAME_BYTES } from './size-bounds.ts'

export interface Drop {
  readonly reason: DropReason
  /**
   * A sentence for a researcher, with the figures. It quotes no value, because many columns are dropped for being
   * private.
   */
  readonly detail: string
}

const NEAR_ZERO_SHARE = 0.99
const MISSING_SHARE = 0.95
const IDENTIFIER_SHARE = 0.99
const FREE_TEXT_WORDS = 3
/** Most levels of a column in a model, which stores codes of levels in 16 bits. */
export const MAX_LEVELS = 10_000

/**
 * Why a column has (nearly) no information because (nearly) all rows are equal in it; null when they are not.
 * `rowCount` is N, the clean rows of the whole seed. Missing counts as a value, so that a box ticked by some rows is
 * not constant.
 */
export function dropUniform(column: RawColumn, rowCount: number): Drop | null {
  const { missing, distinct } = column
  if (missing >= MISSING_SHARE * rowCount) {
    const detail =
      missing >= rowCount
        ? 'Every value is missing.'
        : `${countText(missing)} of ${countText(rowCount)} values are missing.`
    return { reason: 'mostly_missing', detail }
  }
  if (distinct <= 1 && missing === 0) return { reason: 'constant', detail: 'Every row has the same value.' }
  const most = rowsOfMode(column, rowCount)
  if (most >= NEAR_ZERO_SHARE * rowCount) {
    const detail = `${countText(most)} of ${countText(rowCount)} rows have the same value.`
    return { reason: 'near_zero_variance', detail }
  }
  return null
}

/** Why a column holds only names; null when it stays. */
export function dropNames(column: RawColumn, levels: Levels | null, rowCount: number): Drop | null {
  const { missing, distinct } = column
  const present = rowCount - missing
  const identifier = identifies(column, rowCount)
  if (identifier !== null) return { reason: 'identifier', detail: identifier }
  if (column.type === 'text' && distinct > present / 2 && column.meanWords > FREE_TEXT_WORDS) {
    return {
      reason: 'free_text',
      detail: `${countText(distinct)} different texts in ${countText(present)} answers, of ${column.meanWords.toFixed(1)} words on average.`,
    }
  }
  if (levels !== null && levels.keptRows < present / 2) {
    return {
      reason: 'too_many_levels',
      detail:
        `${countText(distinct)} different values; the values that at least ${countText(levels.threshold)} rows have cover ` +
        `${countText(levels.keptRows)} of ${countText(present)} answers, less than half.`,
    }
  }
  return null
}

/** Why a column's header, which every condition on it would repeat, is none; null when it is one. */
export function dropLongName({ name }: RawColumn): Drop | null {
  if (!isLonger(name, MAX_NAME_BYTES)) return null
  return {
    reason: 'unmodelled',
    detail: `Its name has ${countText(Buffer.byteLength(name))} bytes; at most ${countText(MAX_NAME_BYTES)} can be read.`,
  }
}

/** Why the kept levels are too long; null when they are not. Rare levels do not count, because they are not kept. */
export function dropLongLevels(levels: Levels | null, reason: DropReason): Drop | null {
  const long = levels?.kept.filter((level) => isLonger(level, MAX_LEVEL_BYTES)) ?? []
  if (long.length === 0) return null
  const longest = long.reduce((bytes, level) => Math.max(bytes, Buffer.byteLength(level)), 0)
  return {
    reason,
    detail:
      `${countText(long.length)} of its texts ${long.length === 1 ? 'is' : 'are'} longer than the ${countText(MAX_LEVEL_BYTES)} bytes of a level: ` +
      `the longest has ${countText(longest)}.`,
  }
}

/** Columns that cannot be modelled, whatever the settings. */
export function cannotModel(column: RawColumn, levels: Levels | null, rowCount: number): Drop | null {
  const distinct = countText(column.distinct)
  if (column.missing >= rowCount) return { reason: 'unmodelled', detail: 'Every value is missing.' }
  if (levels !== null && levels.kept.length === 0) {
    return {
      reason: 'unmodelled',
      detail: `${distinct} different values, none of them in at least ${countText(levels.threshold)} rows.`,
    }
  }
  if (levels !== null && levels.keptRows < (rowCount - column.missing) / 2) {
    return {
      reason: 'unmodelled',
      detail: `${distinct} different texts; at most ${countText(MAX_LEVELS)} can be modelled.`,
    }
  }
  return null
}

/**
 * Texts with a different value in (nearly) every row, and whole numbers that number the rows (numbered-rows.ts) or that
 * differ in every row under the header of an identifier. Decimals and dates may differ in every row without naming
 * anyone. E-mail addresses identify people however often they occur.
 */
function identifies(column: RawColumn, rowCount: number): string | null {
  const { distinct, missing } = column
  const rows = `${countText(distinct)} different values in ${countText(rowCount)} rows`
  if (column.type === 'text') {
    if (holdsMailAddresses(column)) return `${countText(distinct)} different e-mail addresses, which identify people.`
    return distinct >= IDENTIFIER_SHARE * rowCount ? `${rows}.` : null
  }
  if (column.type !== 'number' || column.decimals > 0) return null
  const values =
    missing === 0 ? rows : `${countText(distinct)} different values in ${countText(rowCount - missing)} answers`
  const numbers = rowNumbersOf(column, rowCount)
  if (numbers === 'consecutive') return `${values}, which only count up.`
  if (isIdentifierName(column.name) && distinct >= IDENTIFIER_SHARE * rowCount) {
    return `${values}, and a name that marks an identifier.`
  }
  if (numbers === 'long') return `${values}, all of ${String(column.max).length} digits.`
  if (numbers === null) return null
  const range = countText(column.max - column.min + 1)
  return `${values}, from a range of ${range} whole numbers. A measure would have repeated some.`
}

/** In how many rows of the whole seed the most frequent value stands. */
function rowsOfMode(column: RawColumn, rowCount: number): number {
  if ('codes' in column) return largest(column.counts)
  return column.counts === null ? modeBySample(column, rowCount) : largest(column.counts.values())
}

/** When there are more distinct values than are counted, the sampled rows represent the file. */
function modeBySample(column: RawNumberColumn, rowCount: number): number {
  const counts = new Map<number, number>()
  for (let row = 0; row < column.values.length; row++) {
    if (column.valid[row] === 1) counts.set(column.values[row]!, (counts.get(column.values[row]!) ?? 0) + 1)
  }
  return Math.round((largest(counts.values()) / Math.max(1, column.values.length)) * rowCount)
}

function largest(counts: Iterable<number>): number {
  let most = 0
  for (const count of counts) if (count > most) most = count
  return most
}

/** Words of a header that mark numbers as identifiers of respondents, households or devices. */
const ID_WORDS = new Set([
  'id',
  'ids',
  'identifier',
  'uuid',
  'guid',
  'idcode',
  'idnumber',
  'caseid',
  'customerid',
  'recordid',
  'respid',
  'respondentid',
  'responseid',
  'sessionid',
  'userid',
  'phone',
  'telephone',
  'mobile',
  'serial',
])

/** `RespondentID`, `user_id`, `Phone number`: whether a header has the word of an identifier. */
export function isIdentifierName(header: string): boolean {
  return headerWords(header).some((word) => ID_WORDS.has(word))
}

const MAIL_SHARE = 0.9
const MAIL = /^[^\s@]{1,64}@[^\s@]{1,250}\.[^\s@.]{2,}$/

/** Whether (nearly) all texts of a column are e-mail addresses, which name people however often they come. */
function holdsMailAddresses({ dictionary, counts }: RawTextColumn): boolean {
  if (dictionary.length < 2 || !dictionary[0]!.concat(dictionary[1]!).includes('@')) return false
  let mails = 0
  let all = 0
  for (let i = 0; i < dictionary.length; i++) {
    all += counts[i]!
    if (MAIL.test(dictionary[i]!)) mails += counts[i]!
  }
  return mails >= MAIL_SHARE * all
}
