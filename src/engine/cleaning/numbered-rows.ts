/**
 * Whole numbers that number the rows: respondents, households, orders, devices. Their header may say nothing of it.
 *
 * n  values, D  distinct ones, R  whole numbers from the smallest to the largest value
 *
 * People answer independently of each other, so whole numbers of a measure repeat. Whatever its distribution, n
 * independent draws from R numbers have at least λ = n (n - 1) / 2R equal pairs on average (the birthday problem: a
 * uniform distribution has the fewest). A column with D ≈ n although λ is large was made to differ in every row. Nothing
 * depends on the order of rows, nor on the order of columns.
 *
 * Measured on all 393 numeric columns of the shared tables, whole and cut to 50 to 5,000 rows from the top or at random,
 * decimals multiplied to whole numbers: 3,458 cases, in 344 of which all values differ. No measure was taken for numbers
 * of rows. Of the 11 columns that number rows, all were found in the whole table. In a random part of a few percent of the
 * rows nothing decides, and a note names the column.
 *
 * Some measures differ in every row by their nature: the time, place or depth at which a row was taken. They stay.
 */

import type { RawNumberColumn } from '../../base/raw-table.ts'
import { headerWords } from './header-words.ts'

/** Share of the values that must be distinct. */
const DISTINCT_SHARE = 0.99
/** Least number of equal pairs to expect of a measurement. It then has none by chance once in e^15, or three million, cases. */
const LEAST_PAIRS = 15
/** Share of these pairs that may occur nevertheless, for respondents who were entered twice. */
const PAIRS_FOUND = 0.1

/** How a column was recognized; `null`: it was not. */
export type RowNumbers = 'consecutive' | 'dense' | 'long' | null

/**
 * Whether the numbers of a column number the rows.
 *
 * - `consecutive`: they leave out hardly a number of their range.
 * - `dense`: a measure of their range would have repeated some.
 * - `long`: they all have the same nine digits or more, which no measure has.
 */
export function rowNumbersOf(column: RawNumberColumn, rowCount: number): RowNumbers {
  if (!differsByRow(column, rowCount) || isAlongAnAxis(column)) return null
  const range = column.max - column.min + 1
  if (range * DISTINCT_SHARE <= column.distinct) return 'consecutive'
  if (isEvenlySpaced(column, rowCount)) return null
  const values = rowCount - column.missing
  const pairs = (values * (values - 1)) / (2 * range)
  if (pairs >= LEAST_PAIRS && values - column.distinct <= PAIRS_FOUND * pairs) return 'dense'
  return hasLongNumbers(column) ? 'long' : null
}

/** Whether the numbers of a kept column may number the rows, although nothing decides it. */
export function mayNumberRows(column: RawNumberColumn, rowCount: number): boolean {
  if (!differsByRow(column, rowCount) || isAlongAnAxis(column)) return false
  return isEvenlySpaced(column, rowCount) || (digitsOf(column) >= DOUBTFUL_DIGITS && !isRounded(column))
}

/** Whole numbers that (nearly) all differ, where at least half of the rows have one. */
function differsByRow({ type, decimals, distinct, missing }: RawNumberColumn, rowCount: number): boolean {
  const values = rowCount - missing
  return type === 'number' && decimals === 0 && 2 * values >= rowCount && distinct >= DISTINCT_SHARE * values
}

/** From the year 1800 on, without a word in the header that says so. */
const FIRST_YEAR = 1800
const LAST_YEAR = 2050

/** Years, dates, and numbers whose header names a time, a place or another axis along which rows are taken. */
function isAlongAnAxis(column: RawNumberColumn): boolean {
  const { name, min, max } = column
  if (min >= FIRST_YEAR && max <= LAST_YEAR) return true
  if (headerWords(name).some((word) => AXIS_WORDS.has(word) || AXIS_ENDING.test(word))) return true
  return everyValue(column, isCalendarNumber)
}

/** Times, dates and coordinates in the languages of the scales. */
const AXIS_WORDS = new Set(
  `time times timestamp datetime date dates year years yr month months week weeks day days hour hours minute minutes min
  second seconds sec secs ms millis milliseconds epoch unix period quarter elapsed duration clock
  tiempo fecha hora horas año anio mes semana día dia minuto minutos segundo segundos periodo
  temps any anys setmana segon segons
  zeit zeitpunkt datum jahr jahre monat woche tag tage stunde stunden sekunde sekunden dauer
  année annee mois semaine jour heure seconde secondes
  tempo anno mese settimana giorno ora secondi
  ano mês horário
  tijd jaar maand dag dagen uur seconden
  czas rok miesiąc tydzień dzień godzina sekunda
  lat latitude latitud latitudine szerokość breite lon lng long longitude longitud longitudine długość länge
  x y z easting northing utm coord coordinate coordinates altitude elevation depth distance wavelength frequency`
    .split(/\s+/)
    .map((word) => word.normalize('NFC')),
)
const AXIS_ENDING = /(?:timestamp|datetime|zeitpunkt|datum|jahr)$/u

/** 202403, 20240131, 202401311530 and the like: year, month, day, hour, minute, second. */
const CALENDAR = /^(?:1[89]|20)\d\d(?:0[1-9]|1[0-2])(?:(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])(?:[0-5]\d){0,2})?)?$/

function isCalendarNumber(value: number): boolean {
  return CALENDAR.test(String(value))
}

/**
 * Steps that are all equal, and more than one, or nearly equal: the times or doses of a series of measurements. The gaps
 * between numbers of people are as irregular as the people who are absent.
 */
function isEvenlySpaced(column: RawNumberColumn, rowCount: number): boolean {
  const sorted = sortedValues(column)
  const last = sorted.length - 1
  if (last < 2) return false
  let divisor = 0
  for (let i = 1; i <= last; i++) divisor = greatestCommonDivisor(sorted[i]! - sorted[i - 1]!, divisor)
  const places = (column.max - column.min) / divisor + 1
  if (divisor > 1 && places * DISTINCT_SHARE <= column.distinct) return true
  // The gaps of a sample say nothing about those of the file.
  if (column.values.length < rowCount) return false
  const mean = (sorted[last]! - sorted[0]!) / last
  if (mean < 2) return false
  let squares = 0
  for (let i = 1; i <= last; i++) squares += (sorted[i]! - sorted[i - 1]! - mean) ** 2
  return Math.sqrt(squares / last) <= MOST_SPREAD * mean
}

/** Standard deviation of the gaps in proportion to their mean; of a random half of the numbers it is 0.7. */
const MOST_SPREAD = 0.5

function greatestCommonDivisor(a: number, b: number): number {
  let [one, other] = [a, b]
  while (other !== 0) [one, other] = [other, one % other]
  return one
}

const LONG_DIGITS = 9
/** Numbers with fewer digits may be a price, a weight or a year's income. */
const DOUBTFUL_DIGITS = 5
/** Seconds and milliseconds since 1970 of the years 2001 to 2036. */
const TIMESTAMPS = [
  [1e9, 2.1e9],
  [1e12, 2.1e12],
] as const

function hasLongNumbers(column: RawNumberColumn): boolean {
  const { min, max } = column
  const isTime = TIMESTAMPS.some(([from, to]) => min >= from && max <= to)
  return digitsOf(column) >= LONG_DIGITS && !isTime && !isRounded(column)
}

/** Digits that all values have; 0 where they have not the same number of them, or are below zero. */
function digitsOf({ min, max }: RawNumberColumn): number {
  return min > 0 && String(min).length === String(max).length && max < 1e21 ? String(max).length : 0
}

/** Amounts are rounded more often than a tenth of them ends in 0. */
const ROUNDED_SHARE = 0.25

function isRounded(column: RawNumberColumn): boolean {
  let rounded = 0
  let values = 0
  for (let row = 0; row < column.values.length; row++) {
    if (column.valid[row] === 0) continue
    values++
    if (column.values[row]! % 10 === 0) rounded++
  }
  return rounded > ROUNDED_SHARE * values
}

function everyValue({ values, valid }: RawNumberColumn, is: (value: number) => boolean): boolean {
  for (let row = 0; row < values.length; row++) if (valid[row] === 1 && !is(values[row]!)) return false
  return true
}

/** The distinct values held, ascending. */
function sortedValues({ values, valid }: RawNumberColumn): Float64Array {
  const present = values.filter((_, row) => valid[row] === 1).sort()
  return present.filter((value, i) => i === 0 || value !== present[i - 1])
}
