import { listText } from '../../base/text/amount-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { TableHeader } from './table-header.ts'

/**
 * Notes for the author of a file on a header of several rows, and on a row that may belong to the header.
 *
 * @param rowNumbers of the header's rows and of the row below, from 1 in the file or sheet.
 * @param names of the columns as they are read.
 */
export function headerNotes(header: TableHeader, rowNumbers: readonly number[], names: readonly string[]): string[] {
  return [...aboveNotes(header), ...rowsNotes(header, rowNumbers, names)]
}

/** Names of the columns of another table that a note shows. */
const MOST_NAMES = 3
const MOST_LETTERS = 40

function aboveNotes({ above }: TableHeader): string[] {
  if (above === undefined) return []
  const names = listText(
    above.names.map((name) => `"${cutText(name, MOST_LETTERS)}"`),
    MOST_NAMES,
  )
  return [
    `The skipped rows above the header look like a table of their own (${names}, with ${above.rows} rows), which was not read. ` +
      'Put it into a file of its own if its rows are data.',
  ]
}

function rowsNotes(header: TableHeader, rowNumbers: readonly number[], names: readonly string[]): string[] {
  const { headerRows, combined, basis, isDoubtful, hasImportIds } = header
  const next = rowNumbers[headerRows]
  if (isDoubtful) {
    return [
      `Row ${next} looks like a second header, but was read as data. If it belongs to the header, declare ` +
        `"header_rows: ${headerRows + 1}" in the dataset's entry of the study.`,
    ]
  }
  if (combined === null) return []
  const first = rowNumbers[0]!
  const last = rowNumbers[headerRows - 1]!
  const notes = [`The header spans ${last - first + 1} rows, from row ${first} on; ${formText(header, names)}.`]
  if (hasImportIds) notes.push("The row of import ids, which are Qualtrics' own, was left out.")
  if (basis === 'inferred') {
    notes.push(
      `This was inferred from their texts; "header_rows: ${headerRows}" in the dataset's entry of the study would declare it. ` +
        `If row ${last} is data, declare "header_rows: ${headerRows - 1}" there.`,
    )
  }
  return notes
}

function formText({ combined, labels }: TableHeader, names: readonly string[]): string {
  if (combined === 'labels') {
    return `the first of them has the names${labels.length === 0 ? '' : ', and the text below a name is the label of the column'}`
  }
  const example = names.find((name) => name.includes(' / '))
  return `the words above each column were joined${example === undefined ? '' : `, as in "${example}"`}`
}
