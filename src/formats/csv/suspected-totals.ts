import { open } from 'node:fs/promises'
import { TextCounts } from '../columns/text-counts.ts'
import { cellOf, countFilled, type TextRow } from '../header/cell-texts.ts'
import { areFiguresOf, areSumsAlone, areSumsBesideText, type TotalsCell } from '../totals/figures.ts'
import { Subtotals } from '../totals/subtotals.ts'
import { namesTotals, totalsLabel } from '../totals/totals-words.ts'
import { ColumnNumbers } from './column-numbers.ts'
import { couldBeNote, MAX_NOTES } from './end-notes.ts'
import type { InferredFile } from './infer-file.ts'
import type { LoadedRows } from './load-rows.ts'
import { splitRecords } from './split-records.ts'

/** Of each end of a file. */
const END_BYTES = 1 << 16
/** Rows below the first one that show what columns hold. */
const MAX_OTHERS = 200
/** Of these, rows of totals and notes at the end of a short file. */
const MAX_EXCEPTIONS = 3
/** Rows of totals one below the other. */
const MAX_TOTALS = 10
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

export interface SuspectedTotals {
  /** Of the columns, where rows may be totals; null: none is. */
  readonly numbers: ColumnNumbers | null
  /** The label of totals of a row at the end whose figures are others; null: there is none. */
  readonly otherLabel: string | null
}

/**
 * Whether a text file may have rows of totals below its header, at its end, or among the first rows; all rows must then
 * be looked at. Reads both ends of the file, and counts the columns by their distinct texts.
 */
export async function suspectTotals(inferred: InferredFile, { table }: LoadedRows): Promise<SuspectedTotals> {
  const { header, dialect } = inferred
  if (header.width < 2) return { numbers: null, otherLabel: null }
  const numbers = new ColumnNumbers(table, dialect.delimiter)
  const { head, tail, isWhole } = await endsOf(inferred)
  const rows = head.slice(inferred.rowsAbove)
  const others = rows.slice(1, MAX_OTHERS)
  const last = lastRows(tail, header.width)
  const has = [last, firstRows(rows)].some((block) => hasTotalsAt(numbers, block, others))
  const isSuspected = has || mayHaveSubtotals(numbers, isWhole ? rows : rows.slice(0, -1))
  return { numbers: isSuspected ? numbers : null, otherLabel: otherLabelIn(last, table) }
}

/** The label of a row that has a number, where no other row has that text in its column. */
function otherLabelIn(rows: readonly TextRow[], { texts }: LoadedRows['table']): string | null {
  for (const row of rows) {
    const label = firstText(row)
    const column = texts[row.findIndex((text) => text.trim() !== '')]
    const hasNumber = row.some((text) => PLAIN_NUMBER.test(text.trim()))
    if (totalsLabel(label) === null || !hasNumber || !(column instanceof TextCounts)) continue
    const counts = column.counts()
    let times = 0
    for (let id = 0; id < column.size; id++) if (column.textOf(id).trim() === label) times += counts[id]!
    if (times === 1) return label
  }
  return null
}

/** @param others rows that show what the columns hold, so that hardly any column has to be counted. */
function hasTotalsAt(numbers: ColumnNumbers, rows: readonly TextRow[], others: readonly TextRow[]): boolean {
  const figures = numbers.figuresWithout(rows)
  return rows.some((row) => {
    const label = totalsLabel(firstText(row))
    if (label !== null) return areFiguresOf(figures, numbers.cellsOf(row), label)
    if (couldBeSumsBesideText(row, others)) return areSumsBesideText(figures, numbers.cellsOf(row))
    return couldBeSumsAlone(row, others) && areSumsAlone(figures, numbers.cellsOf(row))
  })
}

/** Whether a row begins with its only word, and no other row has a larger number in a column of plain ones. */
function couldBeSumsBesideText(row: TextRow, others: readonly TextRow[]): boolean {
  const filled = row.flatMap((text, at) => (text.trim() === '' ? [] : [at]))
  const [first, ...rest] = filled
  if (first === undefined || rest.length === 0 || hasDigit(row, first) || !rest.every((at) => hasDigit(row, at)))
    return false
  return rest.every((at) => {
    const sum = cellOf(row, at)
    return !PLAIN_NUMBER.test(sum) || !others.some((other) => Number(cellOf(other, at)) >= Number(sum) && other !== row)
  })
}

/** Whether a row has no word, and nothing in a column of words, or nothing but larger numbers than others. */
function couldBeSumsAlone(row: TextRow, others: readonly TextRow[]): boolean {
  if (row.some((text, at) => text.trim() !== '' && !hasDigit(row, at))) return false
  const isLarger = (_: string, at: number) =>
    cellOf(row, at) === '' ||
    !others.some((other) => Number(cellOf(other, at)) >= Number(cellOf(row, at)) && other !== row)
  if (row.every(isLarger)) return true
  const isWord = (text: string) => text !== '' && !PLAIN_NUMBER.test(text)
  return row.some(
    (text, at) => text.trim() === '' && others.filter((other) => !isWord(cellOf(other, at))).length <= MAX_EXCEPTIONS,
  )
}

const hasDigit = (row: TextRow, at: number): boolean => /\p{Nd}/u.test(cellOf(row, at))

/** The rows with labels at the end, among notes and above them; without one the last row. */
function lastRows(tail: readonly TextRow[], width: number): readonly TextRow[] {
  const labelled: TextRow[] = []
  let last: TextRow | null = null
  for (const row of tail.slice(-MAX_NOTES).reverse()) {
    if (totalsLabel(firstText(row)) !== null) labelled.push(row)
    else if (!couldBeNote(row, width, false)) {
      last = row
      break
    }
    if (labelled.length === MAX_TOTALS) break
  }
  return labelled.length > 0 || last === null ? labelled : [last]
}

/** The rows with labels under the header; without one the first row. */
function firstRows(rows: readonly TextRow[]): readonly TextRow[] {
  const end = rows.findIndex((row) => totalsLabel(firstText(row)) === null)
  return rows.slice(0, Math.min(MAX_TOTALS, Math.max(1, end)))
}

function mayHaveSubtotals(numbers: ColumnNumbers, rows: readonly TextRow[]): boolean {
  const labels = rows.map((row) => namesTotals(firstText(row)))
  const isLabelled = labels.includes(true)
  // A subtotal without a label leaves cells empty that other rows fill.
  const gaps = rows.map((row) => row.length - countFilled(row))
  if (!isLabelled && gaps.every((count) => count === gaps[0])) return false
  const subtotals = new Subtotals(rows.reduce((most, row) => Math.max(most, row.length), 0))
  for (const [i, row] of rows.entries()) {
    const cells = isLabelled ? numbers.cellsOf(row) : row.map(plainCell)
    subtotals.add(cells, i, labels[i]!)
  }
  return subtotals.isLikely
}

function plainCell(written: string): TotalsCell {
  const text = written.trim()
  return { kind: text === '' ? 'empty' : PLAIN_NUMBER.test(text) ? 'number' : 'text', text }
}

function firstText(row: TextRow): string {
  return cellOf(
    row,
    row.findIndex((text) => text.trim() !== ''),
  )
}

/** The records of both ends; the first one of the tail may lack its beginning, and is left out. */
async function endsOf({
  path,
  bomBytes,
  dialect,
}: InferredFile): Promise<{ head: readonly TextRow[]; tail: readonly TextRow[]; isWhole: boolean }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const read = async (from: number) => {
      const bytes = Buffer.alloc(Math.min(END_BYTES, size - from))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return bytes.subarray(0, bytesRead).toString('utf8').replaceAll('\0', '')
    }
    const start = await read(bomBytes)
    const isWhole = size - bomBytes <= END_BYTES
    const head = splitRecords(start, dialect, isWhole, END_BYTES).records
    if (isWhole) return { head, tail: head, isWhole }
    const end = await read(size - END_BYTES)
    const tail = splitRecords(end.slice(end.search(/[\r\n]/) + 1), dialect, true, END_BYTES).records
    return { head, tail, isWhole }
  } finally {
    await file.close()
  }
}
