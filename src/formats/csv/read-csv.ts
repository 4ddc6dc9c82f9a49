import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RawTable } from '../../base/raw-table.ts'
import { type CodedColumn, readCodedColumns } from '../coded/read-coded-columns.ts'
import { headerNotes } from '../header/header-notes.ts'
import { labelColumns, type TableHeader } from '../header/table-header.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { InferredFile } from './infer-file.ts'
import { lineText } from './line-text.ts'
import { loadTable, namedColumns, textOr } from './load-table.ts'
import type { ParsedRecords } from './parsed-records.ts'
import { doubtNotes, type KeptWords, wordNotes } from './quoted-words.ts'

/**
 * Reads delimited text. Encoding, delimiter, quotes and header are inferred from the beginning; one pass over the bytes
 * counts the distinct texts of every column and samples the rows; column types are inferred from all their texts.
 *
 * Steps: infer from the head → transcode if the bytes are not UTF-8 → load → look for other tables and notes → check the
 * records → infer the column types.
 *
 * @throws {UnreadableFileError}
 */
export async function readCsv(path: string, options: ReadTableOptions): Promise<RawTable> {
  return inScratchFolder(options.tempDir, async (folder) => {
    const { inferred, loaded, notes } = await loadTable(folder, path, options)
    const { header } = inferred
    const { table, parsed, dropped, keptWords, doubtedWords } = loaded
    const recordNotes = checkRecords(parsed, inferred)
    if (table.rowCount === 0) throw new UnreadableFileError('The file has a header but no rows below it.')

    const named = namedColumns(header)
    const columns = named.names.map((name, at): CodedColumn => ({ name, at, declared: textOr(name, options) }))
    const read = readCodedColumns(table, columns, {
      ...options,
      delimiter: inferred.dialect.delimiter,
      levelsOf: levelsIn(keptWords, named.names, options.levelsOf),
    })
    return {
      rowCount: table.rowCount,
      sampleRows: table.sampledIds[0]!.length,
      columns: labelColumns(read.columns, header.labels),
      droppedRows: dropped,
      notes: [
        ...inferred.notes,
        ...headerNotes(header, rowNumbers(header), named.names),
        ...(header.names === null ? [NO_HEADER] : named.notes),
        ...recordNotes,
        ...notes,
        ...wordNotes(keptWords, named.names),
        ...doubtNotes(doubtedWords, named.names, options.levelsOf),
        ...read.remarks,
      ],
    }
  })
}

/** The levels that a study names, and words in quotes that are levels. */
function levelsIn(
  kept: KeptWords,
  names: readonly string[],
  levelsOf: ReadTableOptions['levelsOf'],
): ReadTableOptions['levelsOf'] {
  if (kept.size === 0) return levelsOf
  const words = new Map([...kept].map(([column, found]) => [names[column], found]))
  return (name) => {
    const found = words.get(name)
    return found === undefined ? levelsOf?.(name) : new Set([...(levelsOf?.(name) ?? []), ...found.keys()])
  }
}

/** Calls `use` with a new folder in `parent`, which may be new too; the folder is removed afterwards. */
async function inScratchFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'tables-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of the header and of the row below, from 1; empty lines do not count. */
function rowNumbers({ titleRows, headerRows }: TableHeader): number[] {
  return Array.from({ length: headerRows + 1 }, (_, at) => titleRows + at + 1)
}

const NO_HEADER = 'The file has no header line; its columns are called column.1, column.2 and so on.'

/** A larger share of rows with too many fields means that the whole file is broken. */
const MAX_LEFT_OUT_SHARE = 0.01

/**
 * Describes the corrections to the records of a file. Rows with too few fields get missing values at their end, as in
 * spreadsheets; empty fields beyond the last column are cut; rows with too many filled fields are left out.
 *
 * @throws {UnreadableFileError} when the assignment of values to columns is ambiguous.
 */
function checkRecords(parsed: ParsedRecords, inferred: InferredFile): string[] {
  refuseBroken(parsed, inferred)
  const { titleRows, width } = inferred.header
  const { short, trimmed, leftOut, nulBytes } = parsed
  const notes: string[] = []
  if (titleRows === 1) notes.push('1 line above the header was skipped.')
  if (titleRows > 1) notes.push(`${titleRows} lines above the header were skipped.`)
  if (leftOut.count > 0)
    notes.push(`${rows(leftOut.count)} with more than ${width} fields left out (${lineText(leftOut)}).`)
  if (short.count > 0) {
    notes.push(
      `${rows(short.count)} with fewer than ${width} fields; the absent fields were read as missing (${lineText(short)}).`,
    )
  }
  if (trimmed.count > 0) {
    notes.push(
      `${rows(trimmed.count)} with empty fields beyond the ${width} of the header; these were removed (${lineText(trimmed)}).`,
    )
  }
  if (nulBytes > 0) notes.push(`${nulBytes} NUL ${nulBytes === 1 ? 'byte was' : 'bytes were'} removed.`)
  return notes
}

function refuseBroken(parsed: ParsedRecords, { header, hasTrailingSeparators }: InferredFile): void {
  const { titleRows: titles, width } = header
  const { records, widths, openQuoteLine, straddlingQuoteLine, trimmed, leftOut } = parsed
  if (openQuoteLine !== null) {
    throw new UnreadableFileError(
      `The quotation mark opened on line ${openQuoteLine} is never closed. Close it where its text ends, or write it twice ("") if it belongs to the text.`,
    )
  }
  if (straddlingQuoteLine !== null) {
    throw new UnreadableFileError(
      `The quotation mark opened on line ${straddlingQuoteLine} is not closed where its text ends: the next one, on a later line, ` +
        'is in the middle of a text, so the lines between would be lost. Close it, or write it twice ("") if it belongs to the text.',
    )
  }
  if (hasTrailingSeparators && leftOut.count > 0) {
    throw new UnreadableFileError(
      `The header has ${width} names, and the field behind them is empty in the first rows but filled in ${lineText(leftOut)}, ` +
        'so the column of each value cannot be determined. Give every column a name in the header.',
    )
  }
  // Rows that are cut to the columns are as good as others.
  if ((widths.get(width) ?? 0) + trimmed.count < 0.5 * (records - titles)) {
    const found = [...widths].sort((a, b) => b[1] - a[1]).slice(0, 4)
    throw new UnreadableFileError(
      `The rows have different numbers of fields (${found.map(([fields, n]) => `${n} with ${fields}`).join(', ')}), ` +
        'so the column of each value cannot be determined.',
    )
  }
  if (leftOut.count > MAX_LEFT_OUT_SHARE * records) {
    throw new UnreadableFileError(
      `${rows(leftOut.count)} of ${records} ${leftOut.count === 1 ? 'has' : 'have'} more fields than the ${width} of the header ` +
        `(${lineText(leftOut)}). A text that contains the delimiter must be in quotation marks.`,
    )
  }
}

function rows(n: number): string {
  return n === 1 ? '1 row' : `${n} rows`
}
