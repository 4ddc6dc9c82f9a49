/**
 * Questions with several answers that were exported as a column per option, under one header: "Media / TV", "Media / Web", or
 * "media/tv", "media/web" as KoBo and ODK write them. A row without any tick says "none of these", or that the person was not asked.
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
  for (let start = 0, end = 0; start < columns.length; start = end) {
    const text = questionOf(columns[start]!) ?? pathOf(columns[start]!)
    end = start + 1
    if (text === null) continue
    const isPath = questionOf(columns[start]!) === null
    const own = isPath ? pathOf : questionOf
    while (end < columns.length && own(columns[end]!) === text) end++
    const run = columns.slice(start, end)
    // "household/age" and "household/phone" are questions of a group, of which not all have boxes.
    if (isPath && columns.filter(({ name }) => name.startsWith(`${text}/`)).length > run.length) continue
    yield {
      text,
      columns: run,
      options: run.map((column) => (isPath ? column.name.slice(text.length + 1) : optionOf(column))),
    }
  }
}

/** What stands above the last part of a path such as "media/tv"; null: the name is none. */
function pathOf({ name }: RawColumn): string | null {
  const at = name.lastIndexOf('/')
  return at <= 0 || at === name.length - 1 || name.includes(' / ') ? null : name.slice(0, at)
}

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
