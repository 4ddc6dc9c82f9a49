import { UnreadableFileError } from '../unreadable-file-error.ts'
import type { CsvLayout } from './detect-header.ts'
import type { LineList, ParsedRecords } from './record-parser.ts'

/** A larger share of rows with too many fields means that the file is broken, not a few of its rows. */
const MAX_LEFT_OUT_SHARE = 0.01

/**
 * Says in words what had to be set right in the records of a file. Rows with too few fields get missing values at their end, as
 * spreadsheets mean it; empty fields beyond the last column are cut; rows with too many filled fields are left out.
 *
 * @throws {UnreadableFileError} where the records leave open what belongs to which column.
 */
export function judgeRecords(parsed: ParsedRecords, { titleRecords, width }: CsvLayout): string[] {
  refuseBroken(parsed, titleRecords, width)
  const { short, trimmed, leftOut, nulBytes } = parsed
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

function refuseBroken({ records, widths, openQuoteLine, leftOut }: ParsedRecords, titles: number, width: number): void {
  if (openQuoteLine !== null) {
    throw new UnreadableFileError(`The quotation mark opened on line ${openQuoteLine} is never closed.`)
  }
  if ((widths.get(width) ?? 0) < 0.5 * (records - titles)) {
    const found = [...widths].sort((a, b) => b[1] - a[1]).slice(0, 4)
    throw new UnreadableFileError(
      `The rows have different numbers of fields (${found.map(([fields, n]) => `${n} with ${fields}`).join(', ')}), ` +
        'so that there is no telling which value belongs to which column.',
    )
  }
  if (leftOut.count > MAX_LEFT_OUT_SHARE * records) {
    throw new UnreadableFileError(
      `${rows(leftOut.count)} of ${records} ${leftOut.count === 1 ? 'has' : 'have'} more fields than the ${width} of the header ` +
        `(${at(leftOut)}). A text with the delimiter in it must be in quotation marks.`,
    )
  }
}

function rows(n: number): string {
  return n === 1 ? '1 row' : `${n} rows`
}

function at({ count, lines }: LineList): string {
  return `line${count === 1 ? '' : 's'} ${lines.join(', ')}${count > lines.length ? ' …' : ''}`
}
