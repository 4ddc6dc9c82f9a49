/**
 * A question with several answers that a file has twice: as boxes, "media/tv" and "media/web", and spelled out, "tv web" under
 * "media". The boxes decide; modelled beside them, the texts would contradict some of them.
 */

import type { RawColumn, RawTable, RawTextColumn } from '../../base/raw-table.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { type Ticks, ticksOf } from './boxes.ts'
import { quoted } from './quoted-text.ts'

/** Between the name of a question and that of an option, as survey programs write them. */
const JOINTS = ['/', ' / ', '.', '_', ':', ' ']
/** Between answers. */
const SEPARATORS = [/ +/, / *, */, / *; */]
/** Share of rows in which the text may say something else than the boxes: somebody corrected one of both. */
const MAX_OTHER_SHARE = 0.01
/** The same of a text that stays beside boxes of its options: above it, the two are hardly one question. */
const MAX_NOTED_SHARE = 0.5
/** Options that are matched with boxes by their rows, and rows that are looked at for it. */
const MOST_MATCHED = 20
const MATCHED_ROWS = 5_000

/** The table without columns that spell out boxes, and a note on each, also on those that say something else in many rows and stay. */
export function dropSpelledOut(raw: RawTable): RawTable {
  const boxes = raw.columns.flatMap((column) => {
    const ticks = ticksOf(column)
    return ticks === null ? [] : [{ name: column.name, ticks }]
  })
  const notes: string[] = []
  const columns = raw.columns.filter((column) => {
    const own = isText(column) ? boxesOf(column, boxes) : []
    if (own.length < 2 || !isText(column)) return true
    const rows = rowsSaidOtherwise(column, own)
    if (rows === null) return true
    const held = raw.sampleRows === raw.rowCount ? '' : ` of ${countText(raw.sampleRows)} rows looked at`
    const end = rows === 0 ? 'they hold the same answers' : `it says something else in ${plural(rows, 'row')}${held}`
    if (rows > MAX_OTHER_SHARE * raw.sampleRows) {
      notes.push(
        `Column ${quoted(column.name)} names the options of ${own.length} columns, and ${end}; all were kept, so generated rows can contradict themselves as the file does. If one of the two is right, leave out the other with "drop".`,
      )
      return true
    }
    notes.push(
      `Column ${quoted(column.name)} spells out the ${own.length} columns of its options and was left out; ${end}.`,
    )
    return false
  })
  return notes.length === 0 ? raw : { ...raw, columns, notes: [...raw.notes, ...notes] }
}

interface Box {
  readonly name: string
  readonly ticks: Ticks
}

interface Option {
  readonly text: string
  readonly ticks: Ticks
}

const isText = (column: RawColumn): column is RawTextColumn =>
  column.type === 'text' && column.declaredType === undefined

function boxesOf({ name }: RawTextColumn, boxes: readonly Box[]): Option[] {
  for (const joint of JOINTS) {
    const own = boxes.filter((box) => box.name.startsWith(`${name}${joint}`))
    if (own.length >= 2)
      return own.map(({ name: path, ticks }) => ({ text: path.slice(name.length + joint.length), ticks }))
  }
  return []
}

/** Rows held in which the column does not name exactly the options that are ticked; null: the two are no one question. */
function rowsSaidOtherwise(column: RawTextColumn, boxes: readonly Option[]): number | null {
  const { codes, dictionary } = column
  for (const separator of SEPARATORS) {
    const named = dictionary.map((text) => new Set(text.split(separator).filter((part) => part !== '')))
    if (!named.some((parts) => parts.size > 1)) continue
    const isNamed = byName(named, boxes)
    const options = isNamed ? boxes : byRows(named, column, boxes)
    if (options === null) continue
    let others = 0
    for (const [row, code] of codes.entries()) {
      const isSame = options.every(
        ({ text, ticks }) => (ticks.at(row) === true) === (code >= 0 && named[code]!.has(text)),
      )
      if (!isSame) others++
    }
    if (others <= (isNamed ? MAX_NOTED_SHARE : MAX_OTHER_SHARE) * codes.length) return others
  }
  return null
}

type Named = readonly ReadonlySet<string>[]

/** Whether every option that a text names has a box. */
function byName(named: Named, boxes: readonly Option[]): boolean {
  const known = new Set(boxes.map(({ text }) => text))
  return named.every((parts) => [...parts].every((part) => known.has(part)))
}

/** Options under their words, where boxes are named by codes: each is ticked in the rows that name it. Null: they are not. */
function byRows(named: Named, { codes }: RawTextColumn, boxes: readonly Option[]): readonly Option[] | null {
  const texts = [...new Set(named.flatMap((parts) => [...parts]))]
  if (texts.length !== boxes.length || texts.length > MOST_MATCHED) return null
  const rows = Math.min(codes.length, MATCHED_ROWS)
  const left = new Set(boxes)
  const options: Option[] = []
  for (const text of texts) {
    const box = [...left].find(({ ticks }) => {
      let others = 0
      for (let row = 0; row < rows && others <= MAX_OTHER_SHARE * rows; row++) {
        const code = codes[row]!
        if ((ticks.at(row) === true) !== (code >= 0 && named[code]!.has(text))) others++
      }
      return others <= MAX_OTHER_SHARE * rows
    })
    if (box === undefined) return null
    left.delete(box)
    options.push({ text, ticks: box.ticks })
  }
  return options
}
