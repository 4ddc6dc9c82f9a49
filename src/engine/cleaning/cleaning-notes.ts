/** Notes for a researcher about values that cleaning left unchanged because their meaning is unknown. */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { listText } from '../../base/text/amount-text.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { noAnswerTexts } from '../scales/no-answer-values.ts'
import { aboutColumns } from './about-columns.ts'
import { type NearlyKind, nearlyValues } from './nearly-values.ts'
import { looksLikeDays, noAnswersOf } from './number-doubts.ts'
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
  const nearly: Record<NearlyKind, string[]> = { numbers: [], open: [], behind: [], dates: [], times: [] }
  const ranges: string[] = []
  const spellings: string[] = []
  const numbered: string[] = []
  const days: string[] = []
  const noAnswers = noAnswersOf(raw.columns.filter((column) => kept.has(column)))
  for (const column of raw.columns) {
    const name = quoted(column.name)
    if ('codes' in column) {
      if (column.type !== 'text') continue
      const isKept = kept.has(column)
      const found = nearlyValues(column, isKept)
      if (found !== null) nearly[found.kind].push(`${name} (${found.others})`)
      if (!isKept) continue
      const range = rangeAsDate(column)
      if (range !== null) ranges.push(range === '' ? name : `${name} (${range})`)
      const marks = noAnswerTexts(column)
      if (marks.length > 0) texts.push(`${name} (${listText(marks.map(quoted), 3)})`)
      const pair = spellingsOfOne(column)
      if (pair !== null) spellings.push(pair === '' ? name : `${name} (${pair})`)
    } else if (kept.has(column)) {
      const found = noAnswers.get(column) ?? []
      if (looksLikeDays(column)) days.push(name)
      if (found.length > 0) codes.push(`${name} (${listText(found.map(String), 3)})`)
      if (mayNumberRows(column, raw.rowCount)) numbered.push(name)
    }
  }
  const own = [
    ...aboutColumns(
      codes,
      'Numbers that may mean "no answer" were kept; if they do, declare them in "missing", or empty those cells',
    ),
    ...aboutColumns(
      texts,
      'Texts that may mean "no answer" were kept as levels; if they do, declare them in "missing", or empty those cells',
    ),
    ...aboutColumns(nearly.numbers, asText('numbers')),
    ...aboutColumns(
      nearly.open,
      'Columns of numbers with values such as "85+" or "<5" were kept as text; to read them as numbers, give each of those values a number in "recode", such as "85", or declare them in "missing"',
    ),
    ...aboutColumns(
      nearly.behind,
      'Whole numbers with a minus behind them, such as "321-", were kept as text, because it may be an open end; where it is a sign, write it in front in the file, "-321"',
    ),
    ...aboutColumns(nearly.dates, asText('dates')),
    ...aboutColumns(nearly.times, asText('times')),
    ...aboutColumns(
      ranges,
      'Texts beside ranges look like ranges that a spreadsheet turned into dates; correct them in the file',
    ),
    ...aboutColumns(
      days,
      'Numbers that look like dates were kept as numbers; to read them as dates, declare their form in "dates", such as "YYYYMMDD"',
    ),
    ...aboutColumns(spellings, 'Levels that differ only in case were kept separate'),
    ...aboutColumns(
      numbered,
      'Whole numbers that differ in nearly every row were kept as measurements; leave the columns out if they number people or records',
    ),
  ]
  const notes = [...raw.notes.slice(0, MAX_NOTES - own.length), ...own]
  return { notes, omitted: raw.notes.length + own.length - notes.length }
}

function asText(kind: NearlyKind): string {
  return `Columns of ${kind} with a few other values were kept as text; to read them as ${kind}, empty those cells or declare their values in "missing"`
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
