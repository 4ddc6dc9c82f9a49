import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { TextDecoder } from 'node:util'
import { chosenRows } from '../chosen-rows.ts'
import { nameColumns } from '../column-names.ts'
import { profileColumns, type SourceColumn } from '../column-profile.ts'
import { DuckDbSession, sqlText } from '../duckdb-session.ts'
import { readRawColumns } from '../raw-columns.ts'
import type { RawTable } from '../raw-table.ts'
import type { ReadTableOptions } from '../read-table.ts'
import { UnreadableFileError } from '../unreadable-file-error.ts'
import { type CsvDialect, DELIMITER_NAMES, NO_DELIMITER } from './csv-dialect.ts'
import { csvSource, type EvenCsv, uniformLineEnd } from './csv-source.ts'
import { detectDialect } from './detect-dialect.ts'
import { type DetectedEncoding, detectEncoding, encodingOfInvalidUtf8 } from './detect-encoding.ts'
import { type CsvLayout, detectHeader } from './detect-header.ts'
import { MAX_RECORD_BYTES, REWRITTEN_DIALECT, type RewriteResult, rewriteRecords } from './rewrite-records.ts'
import { type RecordScan, scanRecords } from './scan-records.ts'
import { splitRecords } from './split-records.ts'
import { transcodeToUtf8 } from './transcode.ts'

const HEAD_BYTES = 1 << 20
const MAX_COLUMNS = 5_000
/** From here on tables are kept on disk. */
const LARGE_BYTES = 64 << 20

/** What is loaded: the file itself or an even copy. */
interface PlainFile extends EvenCsv {
  readonly records: number
  /** The first record is the header. */
  readonly headerInFile: boolean
}

/**
 * Reads delimited text. Encoding, delimiter, quotes and header are judged here and given to DuckDB explicitly; every column
 * comes as text and is typed by all its values; the number of records is held against an own count of the bytes.
 *
 * Order of work: judge the head → transcode where the bytes are not UTF-8 → scan all bytes → rewrite where the records are
 * uneven → load → profile → sample.
 *
 * @throws {UnreadableFileError}
 */
export async function readCsv(path: string, options: ReadTableOptions): Promise<RawTable> {
  const { size } = await stat(path)
  const session = await DuckDbSession.open({ ...options, readPaths: [path], tablesOnDisk: size > LARGE_BYTES })
  try {
    return await new CsvReader(path, options, session).read()
  } finally {
    await session.close()
  }
}

class CsvReader {
  readonly #options: ReadTableOptions
  readonly #session: DuckDbSession
  readonly #notes: string[] = []
  #path: string

  constructor(path: string, options: ReadTableOptions, session: DuckDbSession) {
    this.#path = path
    this.#options = options
    this.#session = session
  }

  async read(): Promise<RawTable> {
    const { head, complete } = await readHead(this.#path)
    let detected = detectEncoding(head, complete)
    if (detected.encoding !== 'utf-8') detected = await this.#transcode(detected)
    let { dialect, layout } = await this.#judge(detected)
    let scan = await scanRecords(this.#path, dialect, detected.bomBytes)
    if (scan.invalidUtf8 !== null) {
      // The head was UTF-8 and the rest is not.
      detected = await this.#transcode({ ...detected, encoding: encodingOfInvalidUtf8(scan.invalidUtf8) })
      ;({ dialect, layout } = await this.#judge(detected))
      scan = await scanRecords(this.#path, dialect, detected.bomBytes)
    }
    this.#noteDialect(dialect)
    refuseBroken(scan, layout)
    const header = layout.header
    const width = header === null ? layout.width : Math.max(layout.width, header.length)
    const named = nameColumns(Array.from({ length: width }, (_, i) => header?.[i] ?? ''))
    if (header === null)
      this.#notes.push('The file has no header line; its columns were called column.1, column.2 and so on.')
    else this.#notes.push(...named.notes)

    const plain = await this.#plainFile(scan, dialect, layout, width, detected.bomBytes)
    const { rowCount, dropped } = await this.#load(plain, header)
    if (rowCount === 0) throw new UnreadableFileError('The file has a header but no rows below it.')

    const columns = named.names.map((name, i): SourceColumn => ({ name, expression: `c${i}`, declared: 'untyped' }))
    const { profiles, remarks } = await profileColumns(this.#session, 'records', rowCount, columns, dialect.delimiter)
    this.#notes.push(...remarks)
    const chosen = await chosenRows(this.#session, 'records', rowCount, this.#options.maxSampleRows)
    const rawColumns = await readRawColumns(this.#session, chosen.source, chosen.rows, profiles)
    return { rowCount, sampleRows: chosen.rows, columns: rawColumns, droppedRows: dropped, notes: this.#notes }
  }

  /** Leaves a UTF-8 copy in the session's folder and reads that from here on. */
  async #transcode(detected: DetectedEncoding): Promise<DetectedEncoding> {
    const target = join(this.#session.folder, 'utf-8.csv')
    const replaced = await transcodeToUtf8(this.#path, target, detected)
    const name = { 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', 'windows-1252': 'Windows-1252' }[
      detected.encoding as string
    ]
    if (name !== undefined) this.#notes.push(`The text is in ${name}.`)
    if (replaced > 0) {
      this.#notes.push(
        `${replaced} ${replaced === 1 ? 'character was' : 'characters were'} not readable and became "\ufffd".`,
      )
    }
    this.#path = target
    return { encoding: 'utf-8', bomBytes: 0 }
  }

  async #judge(detected: DetectedEncoding): Promise<{ dialect: CsvDialect; layout: CsvLayout }> {
    const { head, complete } = await readHead(this.#path)
    let text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(detected.bomBytes))
    // Excel's own hint to itself, which names the delimiter.
    const hint = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(text)
    if (hint !== null) text = text.slice(hint[0].length)
    const dialect = hint === null ? detectDialect(text, complete) : { delimiter: hint[1]!, quote: '"', escape: '"' }
    const { records } = splitRecords(text, dialect, complete)
    if (records.length === 0) {
      if (!complete)
        throw new UnreadableFileError('The first line is longer than 1 MB; this is not a table with a header line.')
      throw new UnreadableFileError('The file holds no text but blanks.')
    }
    const layout = detectHeader(records)
    return { dialect, layout: hint === null ? layout : { ...layout, titleRecords: layout.titleRecords + 1 } }
  }

  #noteDialect(dialect: CsvDialect): void {
    if (dialect.delimiter === NO_DELIMITER) return
    if (dialect.delimiter !== ',') this.#notes.push(`Columns are separated by: ${DELIMITER_NAMES[dialect.delimiter]}.`)
    if (dialect.quote === '') this.#notes.push('Quotation marks in the file quote nothing and were kept as text.')
    else if (dialect.quote !== '"') this.#notes.push("Texts are quoted by single quotes (').")
  }

  /** The file itself where a strict reader takes it as it is; otherwise an even copy. */
  async #plainFile(
    scan: RecordScan,
    dialect: CsvDialect,
    layout: CsvLayout,
    width: number,
    bomBytes: number,
  ): Promise<PlainFile> {
    const newLine = uniformLineEnd(scan)
    const even = scan.widths.size === 1 && scan.widths.has(width)
    const asItIs =
      even &&
      newLine !== null &&
      layout.titleRecords === 0 &&
      scan.strayQuotes === 0 &&
      scan.nulBytes === 0 &&
      scan.blankLines === 0
    if (asItIs) {
      return {
        path: this.#session.readable(this.#path),
        dialect,
        newLine,
        width,
        records: scan.records,
        longestRecordBytes: scan.longestRecordBytes,
        headerInFile: layout.header !== null,
      }
    }
    const target = join(this.#session.folder, 'even.csv')
    const headerRecords = layout.header === null ? 0 : 1
    const rewritten = await rewriteRecords(this.#path, target, {
      dialect,
      bomBytes,
      skipRecords: layout.titleRecords + headerRecords,
      width,
    })
    this.#noteRewriting(rewritten, layout, scan, width)
    if (rewritten.records + rewritten.leftOut.count + layout.titleRecords + headerRecords !== scan.records) {
      throw new Error(`rewriting kept ${rewritten.records} records of ${scan.records}`)
    }
    return {
      path: target,
      dialect: REWRITTEN_DIALECT,
      newLine: '\\n',
      width,
      records: rewritten.records,
      // Doubled quotes and the quotes around every field.
      longestRecordBytes: 2 * scan.longestRecordBytes + 3 * width,
      headerInFile: false,
    }
  }

  #noteRewriting(result: RewriteResult, layout: CsvLayout, scan: RecordScan, width: number): void {
    const { short, trimmed, leftOut } = result
    const rows = (n: number) => (n === 1 ? '1 row' : `${n} rows`)
    const at = (lines: readonly number[], n: number) =>
      `line${n === 1 ? '' : 's'} ${lines.join(', ')}${n > lines.length ? ' …' : ''}`
    if (layout.titleRecords > 0) {
      this.#notes.push(
        `${rows(layout.titleRecords).replace('row', 'line')} above the header ${layout.titleRecords === 1 ? 'was' : 'were'} skipped.`,
      )
    }
    if (leftOut.count > 0) {
      if (leftOut.count > 0.01 * scan.records) {
        throw new UnreadableFileError(
          `${rows(leftOut.count)} of ${scan.records} have more fields than the ${width} of the header (${at(leftOut.lines, leftOut.count)}). ` +
            'A text with the delimiter in it must be in quotation marks.',
        )
      }
      this.#notes.push(
        `${rows(leftOut.count)} with more than ${width} fields left out (${at(leftOut.lines, leftOut.count)}).`,
      )
    }
    if (short.count > 0) {
      this.#notes.push(
        `${rows(short.count)} with fewer than ${width} fields; what is not there was taken as missing (${at(short.lines, short.count)}).`,
      )
    }
    if (trimmed.count > 0) {
      this.#notes.push(
        `${rows(trimmed.count)} with empty fields beyond the ${width} of the header; these were cut (${at(trimmed.lines, trimmed.count)}).`,
      )
    }
    if (scan.nulBytes > 0)
      this.#notes.push(`${scan.nulBytes} NUL ${scan.nulBytes === 1 ? 'byte was' : 'bytes were'} removed.`)
  }

  /** Loads all records as text into the table `records`, without those that are empty or repeat the header. */
  async #load(
    file: PlainFile,
    header: readonly string[] | null,
  ): Promise<{ rowCount: number; dropped: RawTable['droppedRows'] }> {
    const columns = Array.from({ length: file.width }, (_, i) => `c${i}`)
    const empty = columns.map((c) => `(${c} IS NULL OR trim(${c}) = '')`).join(' AND ')
    const repeats =
      header === null
        ? 'false'
        : columns.map((c, i) => `coalesce(${c}, '') = ${sqlText(header[i] ?? '')}`).join(' AND ')
    const select = (parallel: boolean) =>
      `CREATE OR REPLACE TABLE records AS SELECT *, CASE WHEN ${empty} THEN 1 WHEN ${repeats} THEN 2 ELSE 0 END::TINYINT AS kind
       FROM ${csvSource(file, parallel)}`
    let counts = await this.#tryLoad(select(true), file.records)
    counts ??= await this.#tryLoad(select(false), file.records)
    if (counts === null) {
      throw new UnreadableFileError(
        `The file has ${file.records} records by its line ends and quotation marks, but could not be read as that many. ` +
          'Export it again as plain CSV (UTF-8, every text in quotation marks).',
      )
    }
    const [kept, emptyRows, headers] = counts
    if (emptyRows + headers > 0) await this.#session.run('DELETE FROM records WHERE kind <> 0')
    return {
      rowCount: kept,
      dropped: { empty: emptyRows, repeatedHeader: headers - (file.headerInFile ? 1 : 0) },
    }
  }

  /** Rows kept, empty, equal to the header; null when DuckDB disagrees with the own count or refuses the file. */
  async #tryLoad(sql: string, records: number): Promise<readonly [number, number, number] | null> {
    try {
      await this.#session.run(sql)
    } catch (error) {
      if (/out of memory/i.test(String(error))) throw error
      return null
    }
    const kinds: [number, number, number] = [0, 0, 0]
    for (const [kind, n] of await this.#session.rows('SELECT kind, count(*) FROM records GROUP BY kind')) {
      kinds[Number(kind) as 0 | 1 | 2] = Number(n)
    }
    return kinds[0] + kinds[1] + kinds[2] === records ? kinds : null
  }
}

async function readHead(path: string): Promise<{ head: Buffer; complete: boolean }> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return { head: head.subarray(0, bytesRead), complete: bytesRead === size }
  } finally {
    await file.close()
  }
}

function refuseBroken(scan: RecordScan, layout: CsvLayout): void {
  if (scan.openQuoteLine !== null) {
    throw new UnreadableFileError(`The quotation mark opened on line ${scan.openQuoteLine} is never closed.`)
  }
  if (scan.longestRecordBytes > MAX_RECORD_BYTES) {
    throw new UnreadableFileError('A record of the file is longer than 16 MB. Is a quotation mark missing somewhere?')
  }
  if (layout.width > MAX_COLUMNS) {
    throw new UnreadableFileError(`The file has ${layout.width} columns; at most ${MAX_COLUMNS} can be read.`)
  }
  const even = scan.widths.get(layout.width) ?? 0
  if (even < 0.5 * scan.records && scan.records > 1) {
    const found = [...scan.widths].sort((a, b) => b[1] - a[1]).slice(0, 4)
    throw new UnreadableFileError(
      `The rows have different numbers of fields (${found.map(([width, n]) => `${n} with ${width}`).join(', ')}), so that there is no telling which value belongs to which column.`,
    )
  }
}
