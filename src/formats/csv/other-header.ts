import type { ColumnTexts } from '../columns/column-texts.ts'
import { CountedValues } from '../columns/compact-texts.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { cellOf, countFilled, type TextRow } from '../header/cell-texts.ts'
import { isWord } from './end-notes.ts'

/** Most cells of a header that has the names of another one. */
const MOSTLY = 0.6
/** Fewer names may be answers: a ticked box can have the name of its column. */
const MIN_NAMES = 2

/**
 * Whether a row is the header of the same survey in another form: exports of two waves, one below the other, of which the
 * second has its columns in another sequence, or another name for one of them.
 *
 * @param places of the words in the header above.
 * @param isOfValues whether a column held numbers and dates alone so far.
 */
export function isOtherHeader(
  fields: TextRow,
  places: ReadonlyMap<string, number>,
  isOfValues: (column: number) => boolean,
): boolean {
  // Nearly all rows end here.
  if (!places.has(cellOf(fields, 0))) return false
  let names = 0
  let misplaced = 0
  let overValues = 0
  for (let column = 0; column < fields.length; column++) {
    const place = places.get(cellOf(fields, column))
    if (place === undefined) continue
    names++
    if (place !== column) misplaced++
    else if (isOfValues(column)) overValues++
  }
  return names >= MOSTLY * countFilled(fields) && (misplaced >= MIN_NAMES || overValues >= MIN_NAMES)
}

/** Columns by name, without names that are values. */
export function namePlaces(header: TextRow): ReadonlyMap<string, number> {
  return new Map(header.flatMap((name, column) => (isWord(name) ? [[name.trim(), column]] : [])))
}

/** Whether the name of a column is among the texts of a table's first column, which is where a header would begin. */
export function hasNameInFirst(texts: ColumnTexts | undefined, header: TextRow): boolean {
  const names = namePlaces(header)
  if (texts instanceof CountedValues) return texts.others().some(([text]) => names.has(text))
  if (!(texts instanceof TextCounts)) return false
  const lengths = new Set([...names.keys()].map((name) => Buffer.byteLength(name)))
  const counts = texts.counts()
  for (let id = 0; id < texts.size; id++) {
    if (counts[id]! > 0 && lengths.has(texts.endOf(id) - texts.startOf(id)) && names.has(texts.textOf(id))) return true
  }
  return false
}
