/** Notes for a researcher about columns that hold numbers, dates or months for a reader, and were dropped or lost rare ones. */

import type { RawColumn, RawTextColumn } from '../../base/raw-table.ts'
import { countText } from '../../base/text/amount-text.ts'
import { monthIn } from '../../base/text/months.ts'
import { unitsOf } from '../../base/text/number-units.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { aboutColumns } from './about-columns.ts'
import type { DropReason } from './cleaning-report.ts'
import { areDaysWithoutYear } from './days-without-year.ts'
import { isDateText, nearlyValues } from './nearly-values.ts'
import { quoted } from './quoted-text.ts'

/** Columns that are dropped for these reasons were read as texts, and may be numbers. */
const AS_TEXT: ReadonlySet<DropReason> = new Set(['identifier', 'free_text', 'too_many_levels', 'unmodelled'])

/** A column is likely to be one of numbers if one of these shares of its texts is. */
const PROBES = [0, 0.25, 0.5, 0.75]
/** Least share of rows whose text is a number with a unit. */
const UNIT_SHARE = 0.9
/** Least share of rows whose text is a number, where the others are words. */
const NUMBER_SHARE = 0.3
/** Least share of rows whose text is a date, where the others are words. */
const DATE_SHARE = 0.5
/** Fewer different numbers are codes. */
const MIN_NUMBERS = 11
/** More different units are none. */
const MAX_UNITS = 4

const NUMBER = /^[-+$€£¥(]*\d+(?:[.,]\d+)*(?: ?[%€)])*$/
const ZERO_FIRST = /^0\d/
/** `34:52`: hours and minutes, or minutes and seconds. */
const TWO_PARTS = /^-?\d{1,4}:[0-5]\d(?:[.,]\d+)?$/
const OF_A_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d$/
/** `2024-06`, `6/2024`, `Jun 2024`: beside other texts they are no dates. In `Jun-24` the number may be a day. */
const isMonth = (text: string): boolean => monthIn(text) !== null || NAME_AND_NUMBER.test(text)
const NAME_AND_NUMBER = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d\d$/i

/** `2024-W49`, `W49 2024`, `2024Q3`, `Q3/2024`: no form of a date, and more of them than levels can be. */
const PERIOD = /^(?:\d{4}[-/ ]?(?:W\d{1,2}|Q[1-4])|(?:W|KW ?|CW ?|week )\d{1,2}[-/ ]?\d{4}|Q[1-4][-/ ]?\d{4})$/i

/** `100-105`, `2,000 to 2,500`: a pair of numbers. */
const PAIR = /^(\d+(?:[.,]\d+)*) ?(?:[-–]|to|bis|a|à) ?(\d+(?:[.,]\d+)*)$/

/** Whether a pair may be a range: numbers of telephones and cases have further parts apart. */
function isRange(text: string): boolean {
  const [, low, high] = PAIR.exec(text) ?? []
  if (low === undefined || high === undefined || ZERO_FIRST.test(low) || ZERO_FIRST.test(high)) return false
  const [from, to] = [low, high].map((number) => Number(number.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.')))
  return from! < to! && to! <= 3 * from! + 100
}

/**
 * @param reasons of dropped columns.
 * @param thinned kept as levels, of which rare ones became missing.
 * @returns notes that name units, numbers of rows, and no other value.
 */
export function lostNumbers(
  columns: readonly RawColumn[],
  reasons: ReadonlyMap<RawColumn, DropReason>,
  thinned: ReadonlySet<RawColumn>,
): string[] {
  const units: string[] = []
  const levels: string[] = []
  const several: string[] = []
  const severalLevels: string[] = []
  const mixed: string[] = []
  const mixedLevels: string[] = []
  const dates: string[] = []
  const durations: string[] = []
  const months: string[] = []
  const days: string[] = []
  const dayLevels: string[] = []
  const periods: string[] = []
  const ranges: string[] = []
  const signs: string[] = []
  for (const column of columns) {
    const reason = reasons.get(column)
    if (!('codes' in column) || column.type !== 'text') continue
    const name = quoted(column.name)
    if (thinned.has(column) && column.declaredType === undefined) {
      if (areDaysWithoutYear(column)) {
        dayLevels.push(name)
        continue
      }
      const found = unitsIn(column)
      if (found !== null) (found.isOne ? levels : severalLevels).push(`${name} (${found.text})`)
      const numbers = found === null ? numbersAmongTexts(column) : null
      if (numbers !== null) mixedLevels.push(`${name} (${numbers})`)
    }
    if (reason === undefined || !AS_TEXT.has(reason)) continue
    const found = unitsIn(column)
    if (areDurations(column)) durations.push(name)
    else if (areAll(column, isMonth)) months.push(name)
    else if (areDaysWithoutYear(column)) days.push(name)
    else if (areAll(column, (text) => PERIOD.test(text))) periods.push(name)
    else if (areAll(column, isRange)) ranges.push(name)
    else if (nearlyValues(column, false) !== null) continue
    else if (found !== null) {
      const list = found.isOne ? units : several
      list.push(`${name} (${found.text})`)
    } else {
      const among = datesAmongTexts(column)
      if (among !== null) {
        dates.push(`${name} (${among})`)
        continue
      }
      const isNamed = reason === 'identifier'
      const numbers = isNamed ? null : numbersAmongTexts(column)
      if (isNamed && !areAmounts(column)) continue
      if (numbers !== null) mixed.push(`${name} (${numbers})`)
      else if (areSigned(column)) signs.push(name)
    }
  }
  return [
    ...aboutColumns(
      durations,
      'Columns of durations in two parts were dropped as texts, because 34:52 may be hours and minutes or minutes and seconds; to read them, write three parts in the file, such as 34:52:00 or 0:34:52',
    ),
    ...aboutColumns(
      months,
      'Columns of months without a day were dropped as texts; to read them as dates, each as the first day of its month, declare their form in "dates", such as YYYY-MM or MMM-YY',
    ),
    ...aboutColumns(
      days,
      'Columns of days without a year were dropped as texts; to read them as dates, write the year in the file, such as 2024-07-05',
    ),
    ...aboutColumns(
      dayLevels,
      'Columns of days without a year were kept as levels, of which rare ones became missing; to read them as dates, write the year in the file, such as 2024-07-05',
    ),
    ...aboutColumns(
      periods,
      'Columns of weeks or quarters were dropped as texts; to read them as dates, write the first day of each in the file; to have levels, map them to longer periods in "recode"',
    ),
    ...aboutColumns(
      ranges,
      'Columns of ranges were dropped as texts; to have levels, map them to fewer ranges in "recode"; to have numbers, write one in each cell of the file, such as the middle',
    ),
    ...aboutColumns(
      units,
      'Columns of numbers with a unit were dropped as texts; to read the numbers, declare them "numeric" in "types"',
    ),
    ...aboutColumns(
      levels,
      'Columns of numbers with a unit were kept as levels, of which rare ones became missing; to read the numbers, declare them "numeric" in "types"',
    ),
    ...aboutColumns(
      several,
      'Columns of numbers with several units were dropped as texts; to read the numbers, write all of them in one unit in the file',
    ),
    ...aboutColumns(
      severalLevels,
      'Columns of numbers with several units were kept as levels, of which rare ones became missing; to read the numbers, write all of them in one unit in the file',
    ),
    ...aboutColumns(
      signs,
      'Columns of numbers with several signs, or with signs that are not read, were dropped as texts; to read the numbers, write all of them in one form in the file',
    ),
    ...aboutColumns(
      mixed,
      'Columns with numbers beside other texts were dropped; to read the numbers, declare the other texts in "missing", or empty those cells',
    ),
    ...aboutColumns(
      mixedLevels,
      'Columns with numbers beside other texts were kept as levels, of which rare ones became missing; to read the numbers, declare the other texts in "missing", or empty those cells',
    ),
    ...aboutColumns(
      dates,
      'Columns with dates beside other texts were dropped; to read the dates, declare the other texts in "missing", or empty those cells',
    ),
  ]
}

function isLikely({ dictionary }: RawTextColumn, fits: (text: string) => boolean): boolean {
  return PROBES.some((share) => fits(dictionary[Math.floor(share * dictionary.length)] ?? ''))
}

function areDurations(column: RawTextColumn): boolean {
  const { dictionary, counts } = column
  if (!isLikely(column, (text) => TWO_PARTS.test(text))) return false
  let rows = 0
  let durations = 0
  let areTimes = true
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (!TWO_PARTS.test(text)) continue
    durations += counts[i]!
    if (!OF_A_DAY.test(text)) areTimes = false
  }
  return durations >= UNIT_SHARE * rows && !areTimes
}

function areAll(column: RawTextColumn, fits: (text: string) => boolean): boolean {
  const { dictionary, counts } = column
  if (dictionary.length < MIN_NUMBERS || !isLikely(column, fits)) return false
  let rows = 0
  let fitting = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (fits(text)) fitting += counts[i]!
  }
  return fitting >= UNIT_SHARE * rows
}

/** `'12`, `~50`, `ca. 50`, `€5` beside `5 $`: a number, and what stands around it. */
const SIGNED =
  /^(?:(?:ca|approx|about|etwa|circa|env|vers)\.? ?|[^\d\p{L}]{0,3})(?:[A-Z]{3} )?\d+(?:[.,'\u2019 \u00a0\u202f]\d+)*(?: [A-Z]{3})?[^\d\p{L}]{0,3}$/iu

/** Of a computer. */
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Whether most texts are numbers between signs, of which no other note speaks. */
function areSigned(column: RawTextColumn): boolean {
  const { dictionary, counts } = column
  if (!isLikely(column, (text) => SIGNED.test(text)) || dictionary.length < MIN_NUMBERS) return false
  let rows = 0
  let signed = 0
  let plain = 0
  for (const [i, text] of dictionary.entries()) {
    if (/\b0\d/.test(text) || ADDRESS.test(text)) return false
    rows += counts[i]!
    if (SIGNED.test(text)) signed += counts[i]!
    if (/^\d+$/.test(text)) plain += counts[i]!
  }
  return signed >= UNIT_SHARE * rows && plain < UNIT_SHARE * rows
}

/** With a currency or decimals: numbers of cases and houses have none. */
const AMOUNT = /\p{Sc}|%|[.,]\d{1,2}(?!\d)/u

function areAmounts({ dictionary }: RawTextColumn): boolean {
  return dictionary.every((text) => AMOUNT.test(text) || !SIGNED.test(text))
}

interface Units {
  /** All numbers have the same, a single word. */
  readonly isOne: boolean
  /** Most frequent first; those of few rows are not named. */
  readonly text: string
}

/** The units of a column; null where its texts are no numbers with units. */
function unitsIn(column: RawTextColumn): Units | null {
  const { dictionary, counts } = column
  if (!isLikely(column, (text) => unitsOf(text) !== null)) return null
  const rowsOf = new Map<string, number>()
  let rows = 0
  let measures = 0
  let different = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    const units = unitsOf(text)
    if (units === null) continue
    different++
    measures += counts[i]!
    rowsOf.set(units, (rowsOf.get(units) ?? 0) + counts[i]!)
  }
  const found = [...rowsOf].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const areUnits = measures >= UNIT_SHARE * rows && different >= MIN_NUMBERS && found.length <= MAX_UNITS
  // Numbers of houses have a letter: 12a, 14b. Ages have years, in which few are counted in months: 70Y, 6M.
  const areHouses = found.length > 1 && found.every(([unit]) => /^\p{L}$/u.test(unit)) && !/^y$/i.test(found[0]![0])
  const named = found.filter(([, count]) => count >= LEAST_ROWS).map(([unit]) => unit)
  if (!areUnits || areHouses || named.length === 0) return null
  const others = named.length < found.length ? [`others of fewer than ${LEAST_ROWS} rows`] : []
  return {
    isOne: found.length === 1 && !named[0]!.includes(' '),
    text: [...named.map(quoted), ...others].join(', '),
  }
}

function numbersAmongTexts(column: RawTextColumn): string | null {
  const { dictionary, counts } = column
  if (!isLikely(column, (text) => NUMBER.test(text))) return null
  let rows = 0
  let numbers = 0
  let different = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (!NUMBER.test(text)) continue
    if (ZERO_FIRST.test(text)) return null
    different++
    numbers += counts[i]!
  }
  // Above nine tenths another note names the others.
  if (numbers < NUMBER_SHARE * rows || numbers >= UNIT_SHARE * rows || different < MIN_NUMBERS) return null
  return `${countText(numbers)} numbers in ${countText(rows)} answers`
}

function datesAmongTexts(column: RawTextColumn): string | null {
  const { dictionary, counts } = column
  if (!isLikely(column, isDateText)) return null
  let rows = 0
  let dates = 0
  for (const [i, text] of dictionary.entries()) {
    rows += counts[i]!
    if (isDateText(text)) dates += counts[i]!
  }
  // Where all are dates, the reader said why it could not read them.
  if (dates < DATE_SHARE * rows || dates === rows) return null
  return `${countText(dates)} dates in ${countText(rows)} answers`
}
