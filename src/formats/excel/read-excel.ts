import { readFile, stat } from 'node:fs/promises'
import { MIN_CLEAN_ROWS } from '../../base/min-clean-rows.ts'
import type { RawTable } from '../../base/raw-table.ts'
import { areCopies } from '../coded/copied-rows.ts'
import { type CodedColumn, readCodedColumns } from '../coded/read-coded-columns.ts'
import { nameColumns } from '../columns/column-names.ts'
import { TEXT } from '../columns/column-type.ts'
import { type CompactType, CountedValues } from '../columns/compact-texts.ts'
import { labelColumns } from '../header/table-header.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { xlsbSheets, xlsSheets } from './binary-sheets.ts'
import { contentOf, filledCells, namedSheet } from './choose-sheet.ts'
import { sheetNotes } from './sheet-notes.ts'
import {
  MAX_BINARY_WORKBOOK_BYTES,
  MAX_SHEET_CELLS,
  MAX_SHEET_COLUMNS,
  MAX_WORKBOOK_BYTES,
  type SheetExtent,
  type SheetSource,
} from './sheet-source.ts'
import { type ColumnTraits, type StagedSheet, stageSheet } from './stage-sheet.ts'
import { xlsxSheets } from './xlsx-sheets.ts'
import { DAMAGED, ZipParts } from './zip-parts.ts'

/**
 * Reads the sheet that is named; without a name the first visible one with a table of enough rows to learn from and no
 * shorter but wider one before it, else the first with a table, or with any content where none has one. Types are inferred from all values; a column whose cells are
 * all numbers, dates or booleans keeps Excel's type.
 *
 * Limits: 200 MB (.xls and .xlsb: 64 MB), 4 GB of a sheet and 256 MB of another part when unpacked (beyond 64 MB: 100
 * times its packed size), 1,048,576 rows, 5,000 columns, 2 GB of text, 100 million cells in use (.xls: 20 million,
 * .xlsb: 10 million).
 *
 * @throws {UnreadableFileError}
 */
export async function readExcel(
  path: string,
  format: 'xlsx' | 'xls' | 'xlsb',
  options: ReadTableOptions,
): Promise<RawTable> {
  try {
    return await readFrom(await openSheets(path, format, options.signal), options)
  } catch (error) {
    options.signal?.throwIfAborted()
    throw inWords(error)
  }
}

async function openSheets(path: string, format: 'xlsx' | 'xls' | 'xlsb', signal?: AbortSignal): Promise<SheetSource[]> {
  const most = format === 'xlsx' ? MAX_WORKBOOK_BYTES : MAX_BINARY_WORKBOOK_BYTES
  if ((await stat(path)).size > most) {
    throw new UnreadableFileError(
      `The workbook has more than ${most / 2 ** 20} MB, the limit for an .${format} file. ` +
        'Export the sheet as CSV or Parquet and send that.',
    )
  }
  const bytes = await readFile(path)
  if (format === 'xls') return xlsSheets(bytes)
  const zip = new ZipParts(bytes)
  return format === 'xlsx' ? xlsxSheets(bytes, zip, signal) : xlsbSheets(bytes, zip, signal)
}

async function readFrom(sheets: readonly SheetSource[], options: ReadTableOptions): Promise<RawTable> {
  if (options.sheet !== undefined) {
    const sheet = namedSheet(sheets, options.sheet)
    const opened = await openSheet(sheet, options)
    if (opened === null) throw new UnreadableFileError(`Sheet "${sheet.name}" has no cells with values.`)
    return readStaged(opened, sheets, options)
  }
  const visible = sheets.filter((sheet) => !sheet.hidden)
  if (visible.length === 0) {
    throw new UnreadableFileError(
      'The workbook has no visible sheet of cells. Unhide the sheet with the table and save it again.',
    )
  }
  /** The first sheet with content, and the first with a table of few rows, which a list of codes often is. */
  let first: OpenSheet | null = null
  let short: OpenSheet | null = null
  for (const sheet of visible) {
    const opened = await openSheet(sheet, options)
    if (opened === null) continue
    if (contentOf(sheet, opened.staged) !== 'table') first ??= opened
    else if (isLong(opened) && !isWider(short, opened)) return readStaged(likelier(first, opened), sheets, options)
    else short ??= opened
  }
  if (short !== null) return readStaged(likelier(first, short), sheets, options)
  if (first !== null) return readStaged(first, sheets, options)
  const hidden = sheets.length - visible.length
  throw new UnreadableFileError(
    `The workbook has no cells with values${hidden > 0 ? ' except in hidden sheets, which are not read; unhide the sheet to use' : ''}.`,
  )
}

const isLong = ({ staged }: OpenSheet): boolean => staged.rows.rowCount >= MIN_CLEAN_ROWS

/** A list of codes has no more columns than the table that it explains. */
function isWider(short: OpenSheet | null, { staged }: OpenSheet): boolean {
  return short !== null && short.staged.kinds.length > staged.kinds.length
}

/** A sheet like a list of codes gives way to a larger table only. */
function likelier(first: OpenSheet | null, table: OpenSheet): OpenSheet {
  if (first === null || contentOf(first.sheet, first.staged) === 'texts') return table
  return filledCells(table.staged) > filledCells(first.staged) ? table : first
}

interface OpenSheet {
  readonly sheet: SheetSource
  readonly extent: SheetExtent
  readonly staged: StagedSheet
}

/** Null: the sheet has no content. */
async function openSheet(sheet: SheetSource, options: ReadTableOptions): Promise<OpenSheet | null> {
  const extent = await sheet.extent()
  const { columns } = extent
  if (columns === null) return null
  checkSize(sheet, extent)
  const staged = await stage(sheet, { ...extent, columns }, options)
  if (staged === null) return null
  if (extent.rows === null || staged.parsedRows === extent.rows) return { sheet, extent, staged }
  throw new UnreadableFileError(
    `Sheet "${sheet.name}" has ${extent.rows} rows in its file, but not all of them could be read. ` +
      'Save the workbook again from Excel, or export CSV.',
  )
}

/**
 * Takes a sheet, and again when a column is of another type than it had when its texts were replaced by values, or when
 * rows among the data prove to be totals.
 */
async function stage(
  sheet: SheetSource,
  extent: Parameters<typeof stageSheet>[1],
  options: ReadTableOptions,
): Promise<StagedSheet | null> {
  const decided = new Map<number, CompactType>()
  let totals: ReadonlySet<number> = new Set()
  for (;;) {
    const staged = await stageSheet(sheet.rows(), extent, { ...options, decided, totals })
    if (staged === null) return null
    if (totals.size === 0 && staged.totalsAmongData.length > 0) {
      totals = new Set(staged.totalsAmongData)
      continue
    }
    const mistaken = staged.rows.mistaken()
    const { first, names } = namedColumns(staged)
    for (const [at, trait] of staged.traits.entries()) {
      const isText = isMixed(trait) || options.textColumns?.has(names[at - first] ?? '') === true
      if (isText && staged.rows.columns[at] instanceof CountedValues) mistaken.set(at, TEXT)
    }
    if (mistaken.size === 0) return staged
    for (const [column, type] of mistaken) decided.set(column, decided.has(column) ? TEXT : type)
  }
}

function checkSize(sheet: SheetSource, { rows, columns }: SheetExtent): void {
  const width = columns === null ? 0 : columns.last - columns.first + 1
  if (width > MAX_SHEET_COLUMNS) {
    throw new UnreadableFileError(
      `Sheet "${sheet.name}" has ${width} columns; at most ${MAX_SHEET_COLUMNS} can be read.`,
    )
  }
  if ((rows ?? 0) * ((columns?.last ?? 0) + 1) > MAX_SHEET_CELLS) {
    throw new UnreadableFileError(
      `Sheet "${sheet.name}" has more than ${MAX_SHEET_CELLS / 1e6} million cells, the limit for an Excel file. ` +
        'Export it as CSV or Parquet and send that.',
    )
  }
}

function readStaged(
  { staged, sheet, extent }: OpenSheet,
  sheets: readonly SheetSource[],
  options: ReadTableOptions,
): RawTable {
  const { header, rows, secondTableRow } = staged
  const { rowCount, dropped, columns: texts } = rows
  if (secondTableRow !== null) {
    throw new UnreadableFileError(
      `Another table begins in row ${secondTableRow} of sheet "${sheet.name}", below the one that begins in row ${staged.firstRow}. ` +
        'Move each table to a sheet of its own, the one to read first.',
    )
  }
  if (rowCount === 0) throw new UnreadableFileError(`Sheet "${sheet.name}" has a header but no rows below it.`)
  const sampledIds = rows.sampledIds()
  const isWhole = sampledIds[0]!.length === rowCount
  if (dropped.repeatedHeader > 0 && isWhole && areCopies(sampledIds, dropped.repeatedHeader + 1)) {
    throw new UnreadableFileError(
      `The table of sheet "${sheet.name}" comes a second time below itself, row for row the same. Every answer would count twice. Remove the copy.`,
    )
  }
  const named = namedColumns(staged)
  const { first } = named
  const columns = named.names.map((name, i) => sourceColumn(name, first + i, staged, dropped.repeatedHeader, options))
  const read = readCodedColumns({ rowCount, texts, sampledIds }, columns, { ...options, delimiter: ',' })
  return {
    rowCount,
    sampleRows: sampledIds[0]!.length,
    columns: labelColumns(read.columns, header.labels.slice(first)),
    sheet: { name: sheet.name, others: sheets.filter((other) => other !== sheet).map(({ name }) => name) },
    droppedRows: { empty: dropped.empty + staged.emptyRows, repeatedHeader: dropped.repeatedHeader },
    notes: [
      ...sheetNotes(sheet, sheets, staged, extent, named.names, first, options.sheet !== undefined),
      ...(header.names === null ? [NO_HEADER] : named.notes),
      ...read.remarks,
    ],
  }
}

const NO_HEADER = 'The sheet has no header row; its columns are called column.1, column.2 and so on.'

/** The columns of the table by name, from the sheet's column `first` on. */
function namedColumns(staged: StagedSheet): ReturnType<typeof nameColumns> & { readonly first: number } {
  const { first, last } = withoutMargin(staged)
  const headers = Array.from({ length: last - first + 1 }, (_, i) => staged.header.names?.[first + i] ?? '')
  return { ...nameColumns(headers), first }
}

/** Outer columns with content only in title rows are not part of the table. */
function withoutMargin({ header, kinds }: StagedSheet): { readonly first: number; readonly last: number } {
  const isUsed = (i: number) => {
    const { empty: _, ...filled } = kinds[i]!
    return (header.names?.[i] ?? '') !== '' || Object.values(filled).some((n) => n > 0)
  }
  let first = 0
  let last = kinds.length - 1
  while (first < last && !isUsed(first)) first++
  while (last > first && !isUsed(last)) last--
  return { first, last }
}

/** The common type of a column's cells; if they disagree, their texts decide, as in a CSV file. */
function sourceColumn(
  name: string,
  i: number,
  staged: StagedSheet,
  repeatedHeaders: number,
  { textColumns }: ReadTableOptions,
): CodedColumn {
  const kinds = staged.kinds[i]!
  const traits = staged.traits[i]!
  const { number, boolean, date, time } = kinds
  // Repeats of the header are texts among the cells, unless the column's name is a number or a date.
  const text = kinds.text - (/^[\d.+-]/.test(staged.header.repeated?.[i] ?? '') ? 0 : repeatedHeaders)
  if (text <= 0) {
    if (number > 0 && boolean + date + time === 0) {
      return { name, at: i, declared: staged.percents[i] === 'all' ? 'percent' : 'number' }
    }
    if (date > 0 && number + boolean + time === 0) return { name, at: i, declared: 'time' }
  }
  return { name, at: i, declared: isMixed(traits) || textColumns?.has(name) ? 'text' : 'untyped' }
}

/** "1,234" as text and 1.234 as a number: one rule would misread one of them. */
function isMixed({ fraction, commaText }: ColumnTraits): boolean {
  return fraction && commaText
}

/** Describes faults of the parser and of this reader that a file can cause. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnreadableFileError) return error
  if (error.name === 'EncryptedFileError') {
    return new UnreadableFileError('The workbook has a password. Save it without a password, or export CSV.', {
      cause: error,
    })
  }
  if (/Unsupported XLS version/.test(error.message)) {
    return new UnreadableFileError('The workbook is of Excel 95 or older. Save it as .xlsx or CSV and send that.', {
      cause: error,
    })
  }
  if (/over the \d+ limit|exceed|too large|Invalid string length/i.test(error.message)) {
    return new UnreadableFileError(
      'The workbook exceeds the limits for an Excel file. Export the sheet as CSV or Parquet and send that.',
      { cause: error },
    )
  }
  const isParsing = ['ParseError', 'ZipError', 'XmlError', 'RangeError', 'TypeError'].includes(error.name)
  return isParsing ? new UnreadableFileError(DAMAGED, { cause: error }) : error
}
