/** Notes for a researcher about values that cleaning left unchanged because their meaning is unknown. */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { noAnswerCodes, noAnswerTexts } from '../scales/no-answer-values.ts'
import { mayNumberRows } from './numbered-rows.ts'
import { quoted } from './quoted-text.ts'

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
  const nearly: string[] = []
  const spellings: string[] = []
  const numbered: string[] = []
  for (const column of raw.columns) {
    const name = quoted(column.name)
    if ('codes' in column) {
      if (column.type !== 'text') continue
      const words = wordsAmongNumbers(column, kept.has(column))
      if (words !== null) nearly.push(`${name} (${words})`)
      if (!kept.has(column)) continue
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
    ...about(codes, 'Numbers that may mean "no answer" were kept; empty those cells in the file if they do'),
    ...about(texts, 'Texts that may mean "no answer" were kept as levels; empty those cells in the file if they do'),
    ...about(
      nearly,
      'Columns of numbers with a few other values were kept as text; empty those cells to read them as numbers',
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

const NUMBER = /^[+-]?\d+([.,]\d+)*$/
const NUMBER_SHARE = 0.9

/** The other values of a column of which nine tenths are different numbers; null for other columns. */
function wordsAmongNumbers({ dictionary, counts }: RawTextColumn, isKept: boolean): string | null {
  if (!NUMBER.test(dictionary[0] ?? '') && !NUMBER.test(dictionary[dictionary.length >> 1] ?? '')) return null
  const quotable: string[] = []
  let words = 0
  let rows = 0
  let numbers = 0
  let zeros = false
  for (let i = 0; i < dictionary.length; i++) {
    rows += counts[i]!
    const text = dictionary[i]!
    if (NUMBER.test(text)) numbers += counts[i]!
    else {
      words++
      if (isKept && counts[i]! >= LEAST_ROWS) quotable.push(text)
    }
    zeros ||= /^0\d/.test(text)
  }
  const few = words > 0 && dictionary.length - words > 10
  if (!few || zeros || numbers < NUMBER_SHARE * rows) return null
  const named =
    quotable.length === 0
      ? ''
      : `${listText(quotable.map(quoted), 3)}${quotable.length < words ? ' and others' : ''} in `
  return `${named}${countText(rows - numbers)} of ${countText(rows)} answers`
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
