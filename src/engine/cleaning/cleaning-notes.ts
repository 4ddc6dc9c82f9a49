/** Remarks for a researcher about values that cleaning left alone because it cannot know what they mean. */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { countText, listText } from '../../base/text/amount-text.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { noAnswerCodes, noAnswerTexts } from '../scales/no-answer-values.ts'
import { quoted } from './quoted-text.ts'

/** More notes than this nobody reads. */
const MAX_NOTES = 100
/** Texts of a column beyond which its spellings are not compared. */
const MAX_COMPARED = 10_000

/**
 * What a researcher should look at: values that may stand for no answer, columns that are numbers but for a few words, levels that
 * differ in case only. Cleaning leaves all of them as they are, for it cannot know.
 *
 * Values of columns that are not modelled are not quoted: a column is dropped for naming people as often as for being empty. Of
 * the others those are quoted that `LEAST_ROWS` rows have.
 *
 * @param kept the columns of `raw` that are modelled.
 */
export function cleaningNotes(raw: RawTable, kept: ReadonlySet<RawColumn>): { notes: string[]; omitted: number } {
  const codes: string[] = []
  const texts: string[] = []
  const nearly: string[] = []
  const spellings: string[] = []
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
    }
  }
  const own = [
    ...about(
      codes,
      'Numbers that may be codes for no answer were kept as they are; empty them in the file if they are',
    ),
    ...about(texts, 'Marks that may stand for no answer were kept as levels; empty them in the file if they do'),
    ...about(nearly, 'Columns of numbers but for a few values were kept as text; empty those values to have numbers'),
    ...about(spellings, 'Levels that differ in capital letters only were kept apart'),
  ]
  const notes = [...raw.notes.slice(0, MAX_NOTES - own.length), ...own]
  return { notes, omitted: raw.notes.length + own.length - notes.length }
}

function about(columns: readonly string[], sentence: string): string[] {
  return columns.length === 0 ? [] : [`${sentence}: ${listText(columns, 10)}.`]
}

const NUMBER = /^[+-]?\d+([.,]\d+)*$/
const NUMBER_SHARE = 0.9

/** What else there is in a column of which nine tenths are different numbers; null where it is another kind of column. */
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

/** Two levels of a column that are one but for capital letters, empty where too few rows have them, or null. */
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
