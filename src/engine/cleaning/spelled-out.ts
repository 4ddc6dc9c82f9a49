/**
 * A question with several answers that a file has twice: as boxes, "media/tv" and "media/web", and spelled out, "tv web" under
 * "media". The boxes decide; modelled beside them, the texts would contradict some of them.
 */

import type { RawColumn, RawNumberColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { isBox } from './boxes.ts'
import { quoted } from './quoted-text.ts'

/** Between the name of a question and that of an option, as survey programs write them. */
const JOINTS = ['/', ' / ', '.', '_', ':', ' ']
/** Between answers. */
const SEPARATORS = [/ +/, / *, */, / *; */]

/** The table without columns that spell out boxes, and a note on each. */
export function dropSpelledOut(raw: RawTable): RawTable {
  const boxes = raw.columns.filter(isBox)
  const notes: string[] = []
  const columns = raw.columns.filter((column) => {
    const own = isText(column) ? boxesOf(column, boxes) : []
    if (own.length < 2 || !isText(column) || !SEPARATORS.some((separator) => spellsOut(column, own, separator)))
      return true
    notes.push(
      `Column ${quoted(column.name)} spells out the ${own.length} columns of its options and was left out; they hold the same answers.`,
    )
    return false
  })
  return notes.length === 0 ? raw : { ...raw, columns, notes: [...raw.notes, ...notes] }
}

interface Option {
  readonly text: string
  readonly box: RawNumberColumn
}

const isText = (column: RawColumn): column is RawTextColumn =>
  column.type === 'text' && column.declaredType === undefined

function boxesOf({ name }: RawTextColumn, boxes: readonly RawNumberColumn[]): Option[] {
  for (const joint of JOINTS) {
    const own = boxes.filter((box) => box.name.startsWith(`${name}${joint}`))
    if (own.length >= 2) return own.map((box) => ({ text: box.name.slice(name.length + joint.length), box }))
  }
  return []
}

/** Whether each row names exactly the options whose boxes are ticked, and some row names two. */
function spellsOut({ codes, dictionary }: RawTextColumn, options: readonly Option[], separator: RegExp): boolean {
  const known = new Set(options.map(({ text }) => text))
  const named = dictionary.map((text) => new Set(text.split(separator).filter((part) => part !== '')))
  if (!named.some((parts) => parts.size > 1) || named.some((parts) => [...parts].some((part) => !known.has(part))))
    return false
  for (const [row, code] of codes.entries()) {
    for (const { text, box } of options) {
      const isTicked = box.valid[row] !== 0 && box.values[row] === 1
      if (isTicked !== (code >= 0 && named[code]!.has(text))) return false
    }
  }
  return true
}
