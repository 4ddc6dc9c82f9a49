import { cutText } from '../../base/text/fit-text.ts'
import { cellOf, isDistinct, oneLine, type TextRow } from './cell-texts.ts'
import type { ColumnBelow } from './columns-below.ts'
import { isImportIds, isPlainResponse } from './survey-tools.ts'

/** One header made of several rows. */
export interface CombinedHeader {
  /** By column; empty where a column has no name. */
  readonly names: readonly string[]
  /** Question texts by column; empty if no column has one. */
  readonly labels: readonly (string | undefined)[]
  /** `labels`: the first row has the names, the next one the labels. `groups`: the words above a column are its name. */
  readonly form: 'labels' | 'groups'
  /** Whether the last row had import ids, which tell nothing about the columns. */
  readonly hasImportIds: boolean
}

/** A question of a survey has fewer characters. Uploaded files may hold longer ones. */
const MAX_LABEL_LENGTH = 1_000

export interface CombineOptions {
  /** Of the rows below the header. */
  readonly below: readonly ColumnBelow[]
  /** Rows whose merged cells already have their text in every column; the names of other rows of groups are spread. */
  readonly isSpread: (row: number) => boolean
  /** Words above columns are questions and their options. */
  readonly isSurvey: boolean
}

/** Makes one header of the rows of a header, of which there are at least two. */
export function combineRows(rows: readonly TextRow[], options: CombineOptions): CombinedHeader {
  const words = rows.filter((row, at) => at === 0 || !isImportIds(row))
  const hasImportIds = words.length < rows.length
  const [first = [], ...others] = words
  const width = options.below.length
  if (others.length === 0 || (!options.isSurvey && namesAll(first, words, options.below))) {
    const names = Array.from({ length: width }, (_, column) => {
      const name = oneLine(first[column] ?? '')
      return name === '' ? joined(others, column) : name
    })
    return { names, labels: labelsOf(others, names), form: 'labels', hasImportIds }
  }
  const spread = words.map((row, at) =>
    at === words.length - 1 || options.isSpread(at) ? row : spreadNames(row, words.slice(at + 1), options.below),
  )
  const bottom = words.at(-1)!
  const empty = emptyWords(spread)
  const shown = spread.map((row, at) =>
    at < spread.length - 1 ? row : row.map((text) => (empty.has(text) ? '' : text)),
  )
  const names = Array.from({ length: width }, (_, column) => {
    // A merged cell may reach over an empty column.
    const isEmpty = words.every((row, at) => {
      const text = cellOf(row, column)
      return text === '' || (options.isSpread(at) && column > 0 && text === cellOf(row, column - 1))
    })
    return isEmpty && options.below[column]!.filled === 0 ? '' : joined(shown, column)
  })
  const isAnswer = (column: number) => cellOf(bottom, column) !== ''
  const labels = options.isSurvey ? names.map((name, column) => (isAnswer(column) ? label(name) : undefined)) : []
  return { names, labels, form: 'groups', hasImportIds }
}

/** Whether a row alone names the columns: each of them, and by another name. */
function namesAll(first: TextRow, rows: readonly TextRow[], below: readonly ColumnBelow[]): boolean {
  const used = below.flatMap(({ filled }, column) =>
    filled > 0 || rows.some((row) => cellOf(row, column) !== '') ? [column] : [],
  )
  const named = used.filter((column) => cellOf(first, column) !== '').length
  return named >= 0.9 * used.length && isDistinct(first)
}

/** A group has its name above its first column only. It ends at the next name and at an empty column. */
function spreadNames(row: TextRow, lower: readonly TextRow[], below: readonly ColumnBelow[]): string[] {
  let group = ''
  return below.map(({ filled }, column) => {
    const name = cellOf(row, column)
    const isNamedBelow = lower.some((other) => cellOf(other, column) !== '')
    if (name !== '') {
      // A name without another name below it belongs to its column only.
      group = isNamedBelow ? name : ''
      return name
    }
    if (!isNamedBelow && filled === 0) group = ''
    return isNamedBelow ? group : ''
  })
}

/** Words without meaning, such as "Response": the same word is below several names of single columns. */
function emptyWords(rows: readonly TextRow[]): ReadonlySet<string> {
  const bottom = rows.at(-1)!
  const upper = rows.slice(0, -1)
  const above = bottom.map((_, column) => joined(upper, column))
  const counts = new Map<string, number>()
  for (const [column, text] of bottom.entries()) {
    const isAlone = above[column] !== '' && above[column] !== above[column - 1] && above[column] !== above[column + 1]
    if (text.trim() !== '') counts.set(text, (counts.get(text) ?? 0) + (isAlone ? 1 : Number.NEGATIVE_INFINITY))
  }
  return new Set(
    [...counts].filter(([text, count]) => count >= 2 || isPlainResponse(text.trim())).map(([text]) => text),
  )
}

function joined(rows: readonly TextRow[], column: number): string {
  const words: string[] = []
  for (const row of rows) {
    const text = oneLine(row[column] ?? '')
    if (text !== '' && text !== words.at(-1)) words.push(text)
  }
  return words.join(' / ')
}

function labelsOf(rows: readonly TextRow[], names: readonly string[]): (string | undefined)[] {
  const labels = names.map((name, column) => {
    const text = joined(rows, column)
    return text === '' || text === name ? undefined : label(text)
  })
  return labels.some((text) => text !== undefined) ? labels : []
}

function label(text: string): string {
  return text.length <= MAX_LABEL_LENGTH ? text : `${cutText(text, MAX_LABEL_LENGTH - 1)}…`
}
