/**
 * Questions with several answers that were exported as a column per option, under one header: "Media / TV", "Media / Web". A
 * row without any tick says "none of these", or that the person was not asked.
 *
 * n  rows held     N  rows of the file
 */

import type { RawColumn, RawNumberColumn, RawTable } from '../../base/raw-table.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { wordsOf } from '../../base/text/folded-words.ts'
import { quoted } from './quoted-text.ts'
import { isBox, optionOf, questionOf } from './single-choice.ts'

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
  for (const [question, columns] of questionsOf(raw.columns)) {
    const boxes = columns.filter(isBox)
    if (boxes.length < MIN_BOXES || boxes.length < columns.length) continue
    const isUnticked = untickedRows(boxes, raw.sampleRows)
    const rows = isUnticked.reduce((sum, flag) => sum + flag, 0)
    if (rows === 0 || rows === raw.sampleRows) continue
    const share = raw.sampleRows === raw.rowCount ? '' : ` of ${countText(raw.sampleRows)} rows looked at`
    const none = boxes.find((box) => isNoneOf(optionOf(box)))
    const has = `${plural(rows, 'row')}${share} ${rows === 1 ? 'has' : 'have'} no tick in question ${quoted(question)}`
    if (none === undefined || raw.sampleRows < raw.rowCount) {
      notes.push(`${has}; its options are 0 there, as for people who chose none.`)
      continue
    }
    notes.push(
      `${has}, not even in ${quoted(optionOf(none))}: they were read as not asked, and its options are missing there.`,
    )
    for (const box of boxes) replaced.set(box, withoutRows(box, isUnticked, rows))
  }
  if (notes.length === 0) return raw
  return {
    ...raw,
    columns: raw.columns.map((column) => replaced.get(column) ?? column),
    notes: [...raw.notes, ...notes],
  }
}

/** Neighbouring columns of one question. */
function* questionsOf(columns: readonly RawColumn[]): Generator<readonly [string, readonly RawColumn[]]> {
  for (let start = 0, end = 0; start < columns.length; start = end) {
    const question = questionOf(columns[start]!)
    end = start + 1
    while (question !== null && end < columns.length && questionOf(columns[end]!) === question) end++
    if (question !== null) yield [question, columns.slice(start, end)]
  }
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
