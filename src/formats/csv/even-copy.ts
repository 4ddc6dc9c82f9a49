import { UnreadableFileError } from '../unreadable-file-error.ts'
import type { JudgedFile } from './judge-file.ts'
import type { LoadableCsv } from './load-records.ts'
import { type LineList, REWRITTEN_DIALECT, type RewriteResult, rewriteRecords } from './rewrite-records.ts'

/** A larger share of rows with too many fields means that the file is broken, not a few of its rows. */
const MAX_LEFT_OUT_SHARE = 0.01

/**
 * Writes the data records of a judged file to `target` so that any reader agrees on them; gives back what had to be set right, in
 * words.
 *
 * Rows with too few fields get missing values at their end, as spreadsheets mean it; empty fields beyond the last column are cut; rows
 * with too many filled fields are left out, or make the file unreadable when they are many.
 *
 * @throws {UnreadableFileError}
 */
export async function evenCopy(judged: JudgedFile, target: string): Promise<{ file: LoadableCsv; notes: string[] }> {
  const { scan, layout } = judged
  const { width, titleRecords } = layout
  const skipRecords = titleRecords + (layout.header === null ? 0 : 1)
  const { dialect, bomBytes } = judged
  const rewritten = await rewriteRecords(judged.path, target, { dialect, bomBytes, skipRecords, width })
  if (rewritten.records + rewritten.leftOut.count + skipRecords !== scan.records) {
    throw new Error(
      `rewriting found ${rewritten.records + rewritten.leftOut.count + skipRecords} records, the scan ${scan.records}`,
    )
  }
  const { leftOut } = rewritten
  if (leftOut.count > MAX_LEFT_OUT_SHARE * scan.records) {
    throw new UnreadableFileError(
      `${rows(leftOut.count)} of ${scan.records} ${leftOut.count === 1 ? 'has' : 'have'} more fields than the ${width} of the header ` +
        `(${at(leftOut)}). A text with the delimiter in it must be in quotation marks.`,
    )
  }
  return {
    file: {
      path: target,
      dialect: REWRITTEN_DIALECT,
      newLine: '\\n',
      width,
      records: rewritten.records,
      // Doubled quotes and the quotes around every field.
      longestRecordBytes: 2 * scan.longestRecordBytes + 3 * width,
      headerInFile: false,
    },
    notes: notesOf(rewritten, titleRecords, scan.nulBytes, width),
  }
}

function notesOf(result: RewriteResult, titleRecords: number, nulBytes: number, width: number): string[] {
  const { short, trimmed, leftOut } = result
  const notes: string[] = []
  if (titleRecords === 1) notes.push('1 line above the header was skipped.')
  if (titleRecords > 1) notes.push(`${titleRecords} lines above the header were skipped.`)
  if (leftOut.count > 0) notes.push(`${rows(leftOut.count)} with more than ${width} fields left out (${at(leftOut)}).`)
  if (short.count > 0) {
    notes.push(
      `${rows(short.count)} with fewer than ${width} fields; what is not there was taken as missing (${at(short)}).`,
    )
  }
  if (trimmed.count > 0) {
    notes.push(
      `${rows(trimmed.count)} with empty fields beyond the ${width} of the header; these were cut (${at(trimmed)}).`,
    )
  }
  if (nulBytes > 0) notes.push(`${nulBytes} NUL ${nulBytes === 1 ? 'byte was' : 'bytes were'} removed.`)
  return notes
}

function rows(n: number): string {
  return n === 1 ? '1 row' : `${n} rows`
}

function at({ count, lines }: LineList): string {
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ' …' : ''}`
}
