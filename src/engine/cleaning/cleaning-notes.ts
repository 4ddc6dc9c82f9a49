/** Notes for a researcher about values that cleaning left unchanged because their meaning is unknown. */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { noAnswerCodes, noAnswerTexts } from '../scales/no-answer-values.ts'
import { mayNumberRows } from './numbered-rows.ts'
import { quoted } from './quoted-text.ts'
import { rangeAsDate } from './ranges-as-dates.ts'

/** Most notes of a report: nobody would read more. */
const MAX_NOTES = 100
/** Texts of a column beyond which its spellings are not compared. */
const MAX_COMPARED = 10_000

/**
 * Notes for a researcher to check: values that may mean "no answer", columns of numbers with a few words, levels that
 * differ only in case, numbers that may number the rows. Cleaning leaves all of them unchanged, because it cannot know their meaning.
 *
 * Values of columns that are not modelled are not quoted, because many columns are dropped for naming people. Values of
 * the others are quoted if `LEAST_ROWS` rows have them.
 *
 * @param kept the columns of `raw` that are modelled.
 */
export function cleaningNotes(raw: RawTable, kept: ReadonlySet<RawColumn>): { notes: string[]; omitted: number } {
  const codes: string[] = []
  const texts: string[] = []
  const nearlyNumbers: string[] = []
  const nearlyDates: string[] = []
  const ranges: string[] = []
  const spellings: string[] = []
  const numbered: string[] = []
  for (const column of raw.columns) {
    const name = quoted(column.name)
    if ('codes' in column) {
      if (column.type !== 'text') continue
      const isKept = kept.has(column)
      const numbers = othersAmong(NUMBER, column, isKept)
      const dates = numbers === null ? othersAmong(DATE, column, isKept) : null
      if (numbers !== null) nearlyNumbers.push(`${name} (${numbers})`)
      if (dates !== null) nearlyDates.push(`${name} (${dates})`)
      if (!isKept) continue
      const range = rangeAsDate(column)
      if (range !== null) ranges.push(range === '' ? name : `${name} (${range})`)
      const marks = noAnswerTexts(column)
      if (marks.length > 0) texts.push(`${name} (${listText(marks.map(quoted), 3)})`)
      const pair = spellingsOfOne(column)
      if (pair !== null) spellings.push(pair === '' ? name : `${name} (${pair})`)
    } else if (kept.has(column)) {
      const found = noAnswerCodes(column)
      if (found.length > 0) codes.push(`${name} (${listText(found.map(String), 3)})`)
      if (mayNumberRows(column, raw.rowCount)) numbered.push(name)
    }
  }
  const own = [
    ...about(
      codes,
      'Numbers that may mean "no answer" were kept; if they do, declare them in "missing", or empty those cells',
    ),
    ...about(
      texts,
      'Texts that may mean "no answer" were kept as levels; if they do, declare them in "missing", or empty those cells',
    ),
    ...about(
      nearlyNumbers,
      'Columns of numbers with a few other values were kept as text; to read them as numbers, empty those cells or declare their values in "missing"',
    ),
    ...about(
      nearlyDates,
      'Columns of dates with a few other values were kept as text; to read them as dates, empty those cells or declare their values in "missing"',
    ),
    ...about(
      ranges,
      'Texts beside ranges look like ranges that a spreadsheet turned into dates; correct them in the file',
    ),
    ...about(spellings, 'Levels that differ only in case were kept separate'),
    ...about(
      numbered,
      'Whole numbers that differ in nearly every row were kept as measurements; leave the columns out if they number people or records',
    ),
  ]
  const notes = [...raw.notes.slice(0, MAX_NOTES - own.length), ...own]
  return { notes, omitted: raw.notes.length + own.length - notes.length }
}

function about(columns: readonly string[], sentence: string): string[] {
  return columns.length === 0 ? [] : [`${sentence}: ${listText(columns, 10)}.`]
}

/** Digits with the signs that surround them: "-1,5", "$3", "(3)", "12%". */
const NUMBER = /^[-+'=("$€£¥]*\d+(?:[.,]\d+)*(?: ?[%€)"])*$/
const DATE =
  /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/. ])(?:\d{1,2}|[A-Za-z]{3,9})\2(?:\d{4}|\d{2}))(?:[T ]\d{1,2}:\d{2}.*)?$/
const LIKE_SHARE = 0.9
/** A column is likely to be one of numbers or dates if one of these shares of its texts is. */
const PROBES = [0, 0.25, 0.5, 0.75]

/** The other values of a column of which nine tenths are different numbers or dates; null for other columns. */
function othersAmong(like: RegExp, { dictionary, counts }: RawTextColumn, isKept: boolean): string | null {
  if (!PROBES.some((share) => like.test(dictionary[Math.floor(share * dictionary.length)] ?? ''))) return null
  const quotable: string[] = []
  let others = 0
  let rows = 0
  let alike = 0
  let zeros = false
  for (let i = 0; i < dictionary.length; i++) {
    rows += counts[i]!
    const text = dictionary[i]!
    if (like.test(text)) alike += counts[i]!
    else {
      others++
      if (isKept && counts[i]! >= LEAST_ROWS) quotable.push(text)
    }
    zeros ||= like === NUMBER && /^0\d/.test(text)
  }
  const few = others > 0 && dictionary.length - others > 10
  if (!few || zeros || alike < LIKE_SHARE * rows) return null
  const named =
    quotable.length === 0
      ? ''
      : `${listText(quotable.map(quoted), 3)}${quotable.length < others ? ' and others' : ''} in `
  return `${named}${countText(rows - alike)} of ${countText(rows)} answers`
}

/** Two levels of a column that differ only in case, empty if too few rows have them, or null. */
function spellingsOfOne({ dictionary, counts }: RawTextColumn): string | null {
  if (dictionary.length > MAX_COMPARED) return null
  const first = new Map<string, number>()
  let found: string | null = null
  for (const [i, text] of dictionary.entries()) {
    const folded = text.toLowerCase()
    const other = first.get(folded)
    if (other === undefined) first.set(folded, i)
    else if (Math.min(counts[other]!, counts[i]!) >= LEAST_ROWS)
      return `${quoted(dictionary[other]!)} and ${quoted(text)}`
    else found = ''
  }
  return found
}
