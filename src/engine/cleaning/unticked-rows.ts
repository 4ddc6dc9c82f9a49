/**
 * Questions with several answers that were exported as a column per option, under one header: "Media / TV", "Media / Web", or
 * with names that begin alike: "media/tv" as KoBo and ODK write them, "media[tv]", "Media: TV", "media_tv". A row without any tick
 * says "none of these", or that the person was not asked.
 *
 * n  rows held     N  rows of the file
 */

import type { RawColumn, RawNumberColumn, RawTable } from '../../base/raw-table.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { wordsOf } from '../../base/text/folded-words.ts'
import { isBox, optionOf, questionOf } from './boxes.ts'
import { quoted } from './quoted-text.ts'

const MIN_BOXES = 3

/** Options that exclude all others, in nine languages, without accents. */
const NONE_OF_THESE = new Set(
  `none, none of these, none of the above, none of them, nothing, no one,
  ninguno, ninguna, ninguno de estos, ninguna de estas, ninguno de los anteriores, ninguna de las anteriores, nada,
  cap, cap d aquests, cap dels anteriors, cap de les anteriors, keine, keines, keiner, keine davon, keines davon, nichts davon,
  keine der genannten, nichts, aucun, aucune, aucun de ceux ci, aucune de ces reponses, rien,
  nessuno, nessuna, nessuno di questi, nessuna di queste, nessuna delle precedenti, niente,
  nenhum, nenhuma, nenhum destes, nenhuma das anteriores, geen, geen van deze, geen van bovenstaande,
  zaden, zadna, zadne, zadne z powyzszych, zadna z powyzszych`
    .split(',')
    .map((phrase) => phrase.trim()),
)

/**
 * The table with a note on each question of which rows have no tick. Where one of the options is "none of these", such rows
 * have no answer, and their boxes are missing.
 */
export function noteUnticked(raw: RawTable): RawTable {
  const notes: string[] = []
  const replaced = new Map<RawColumn, RawColumn>()
  for (const { text: question, columns, options } of questionsOf(raw.columns)) {
    const boxes = columns.filter(isBox)
    if (boxes.length < MIN_BOXES || boxes.length < columns.length) continue
    const isUnticked = untickedRows(boxes, raw.sampleRows)
    const rows = isUnticked.reduce((sum, flag) => sum + flag, 0)
    if (rows === 0 || rows === raw.sampleRows) continue
    const share = raw.sampleRows === raw.rowCount ? '' : ` of ${countText(raw.sampleRows)} rows looked at`
    const none = options.find(isNoneOf)
    const has = `${plural(rows, 'row')}${share} ${rows === 1 ? 'has' : 'have'} no tick in question ${quoted(question)}`
    if (none === undefined || raw.sampleRows < raw.rowCount) {
      notes.push(`${has}; its options are 0 there, as for people who chose none.`)
      continue
    }
    notes.push(`${has}, not even in ${quoted(none)}: they were read as not asked, and its options are missing there.`)
    for (const box of boxes) replaced.set(box, withoutRows(box, isUnticked, rows))
  }
  if (notes.length === 0) return raw
  return {
    ...raw,
    columns: raw.columns.map((column) => replaced.get(column) ?? column),
    notes: [...raw.notes, ...notes],
  }
}

interface Question {
  readonly text: string
  readonly columns: readonly RawColumn[]
  /** By place in `columns`. */
  readonly options: readonly string[]
}

/** Neighbouring columns of one question. */
function* questionsOf(columns: readonly RawColumn[]): Generator<Question> {
  for (let start = 0; start < columns.length; ) {
    const question = headedFrom(columns, start) ?? namedFrom(columns, start)
    if (question !== null) yield question
    start += question?.columns.length ?? 1
  }
}

/** Columns under one header of two rows. */
function headedFrom(columns: readonly RawColumn[], start: number): Question | null {
  const text = questionOf(columns[start]!)
  if (text === null) return null
  let end = start + 1
  while (end < columns.length && questionOf(columns[end]!) === text) end++
  const run = columns.slice(start, end)
  return { text, columns: run, options: run.map(optionOf) }
}

/** Boxes whose names begin alike, where no other column has that beginning. The longest beginning is the question. */
function namedFrom(columns: readonly RawColumn[], start: number): Question | null {
  const { name } = columns[start]!
  if (!isBox(columns[start]!)) return null
  const joints = [...name.matchAll(NAME_JOINTS)].filter(({ index }) => index > 0)
  for (const { 0: joint, index } of joints.reverse()) {
    const [text, beginning] = [name.slice(0, index), name.slice(0, index + joint.length)]
    if (FLAGS.has(text.toLowerCase())) continue
    let end = start
    while (end < columns.length && columns[end]!.name.startsWith(beginning) && isBox(columns[end]!)) end++
    // "household/age" and "household/phone" are questions of a group, of which not all have boxes.
    const own = columns.reduce((count, column) => count + (column.name.startsWith(beginning) ? 1 : 0), 0)
    if (end - start < MIN_BOXES || own > end - start) continue
    const run = columns.slice(start, end)
    const options = run.map((column) => column.name.slice(beginning.length).replace(/\]$/, ''))
    return { text, columns: run, options }
  }
  return null
}

/** What stands between a question and its option, as survey programs write them. A slash of a header stands between blanks. */
const NAME_JOINTS = /\s*:\s*|\s+-\s+|\s*\[|(?<! )\/(?! )|_+|\.+/g

/** Beginnings of names that say that a column is one of ticks, and of no question. */
const FLAGS = new Set(['is', 'has', 'had', 'was', 'did', 'any', 'flag', 'ind', 'dummy', 'bin'])

/** Whether all boxes of a row are 0. */
function untickedRows(boxes: readonly RawNumberColumn[], rows: number): Uint8Array {
  const isUnticked = new Uint8Array(rows).fill(1)
  for (const { values, valid } of boxes)
    for (let row = 0; row < rows; row++) if (valid[row] === 0 || values[row] !== 0) isUnticked[row] = 0
  return isUnticked
}

function isNoneOf(option: string): boolean {
  return NONE_OF_THESE.has(wordsOf(option).join(' '))
}

/** @param rows that are taken away; all of them are 0. */
function withoutRows(box: RawNumberColumn, isGone: Uint8Array, rows: number): RawNumberColumn {
  const counts = new Map(box.counts)
  const zeros = (counts.get(0) ?? 0) - rows
  if (zeros > 0) counts.set(0, zeros)
  else counts.delete(0)
  return {
    ...box,
    valid: box.valid.map((flag, row) => (isGone[row] === 1 ? 0 : flag)),
    missing: box.missing + rows,
    distinct: counts.size,
    min: Math.min(...counts.keys()),
    counts,
  }
}
