import { createHash } from 'node:crypto'
import type { RecordSink } from '../coded/coded-rows.ts'
import { textAt } from '../columns/read-value.ts'
import { isValue, type TextRow } from '../header/cell-texts.ts'
import { SecondTable, type WatchedCell } from '../header/second-table.ts'
import type { TableHeader } from '../header/table-header.ts'
import type { TotalsRows } from '../totals/totals-note.ts'
import type { ColumnNumbers } from './column-numbers.ts'
import { areNotes, couldBeNote, isBlankLed, isSentence, isWord, MAX_NOTES, type SparseRecord } from './end-notes.ts'
import type { InferredFile } from './infer-file.ts'
import { isOtherHeader, namePlaces } from './other-header.ts'
import { OtherTable } from './other-table.ts'
import type { LineList } from './parsed-records.ts'
import { readRecords } from './read-records.ts'
import { RecordTotals } from './record-totals.ts'

/** What a text file has beside the rows of its table. Lines are counted from 1. */
export interface WatchedRows {
  /** Where the header, or the table without one, begins. */
  readonly firstLine: number
  readonly secondTableLine: number | null
  /** Where a copy of the whole table begins, header included. */
  readonly copyLine: number | null
  /** Lines below the header that repeat it. */
  readonly repeated: LineList
  /** Records at the end that look like notes, but are rows for all that is known. */
  readonly keptSparse: number
  /** The record with which the end begins that is no data, among all records of the file; null: there is none. */
  readonly end: number | null
  /** Rows of totals, by their lines; null: there are none. */
  readonly totals: TotalsRows | null
  /** Records at the end that are notes. */
  readonly notes: {
    readonly count: number
    readonly line: number
    readonly text: string
  } | null
}

interface WatchOptions {
  /** Whether blank lines are so frequent that they set nothing apart. */
  readonly hasManyGaps: boolean
  /** Whether a row repeats the header, below which there may be a copy. */
  readonly hasRepeats: boolean
  /** Of the columns where rows may be totals; null: no row may. */
  readonly numbers: ColumnNumbers | null
  readonly signal: AbortSignal | undefined
}

/** More fields than any record has: none is left out. */
const MAX_FIELDS = 2 ** 30 - 1

/**
 * Looks for other tables, copies and notes below a table, in a pass of its own that is slower than the reading of rows.
 * Only files that have blank lines, uneven or repeated rows need it.
 *
 * @returns null for bytes that are not UTF-8.
 */
export async function watchRows(
  file: Pick<InferredFile, 'path' | 'bomBytes' | 'dialect' | 'header' | 'rowsAbove'>,
  { signal, ...options }: WatchOptions,
): Promise<WatchedRows | null> {
  const watch = new RowWatch(file, options)
  const parsed = await readRecords(file.path, watch, {
    ...file,
    skipRecords: 0,
    width: MAX_FIELDS,
    ...(signal === undefined ? {} : { signal }),
    onPiece: () => {},
  })
  return parsed === null ? null : watch.end()
}

const EMPTY: WatchedCell = { kind: 'empty', text: '' }
/** The most usual values, found fast. */
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** Rows that two tables have in common by chance are fewer. */
const MIN_COPIED_ROWS = 5

/** The rows below one header line, so far. */
interface Part {
  readonly line: number
  readonly hash: ReturnType<typeof createHash>
  rows: number
}

class RowWatch implements RecordSink {
  readonly #header: TableHeader
  readonly #rowsAbove: number
  readonly #delimiter: string
  readonly #options: Omit<WatchOptions, 'signal'>
  readonly #places: ReadonlyMap<string, number>
  readonly #isOfValues = (column: number): boolean => this.#hasValues[column] === true && !this.#hasWords[column]
  readonly #secondTable: SecondTable
  readonly #otherTable: OtherTable
  readonly #hasWords: boolean[]
  readonly #hasValues: boolean[]
  #fields: string[] = []
  #index = -1
  #firstLine = 1
  #isBelowGap = false
  #areBlankLed = false
  #rows = 0
  /** Records that may be notes or totals, as long as no ordinary row follows. */
  #sparse: SparseRecord[] = []
  readonly #totals: RecordTotals | null
  /** Rows of totals at the end. */
  #lastTotals: readonly SparseRecord[] = []
  /** Rows of the table that could have been notes. */
  #sparseRows = 0
  #part: Part = { line: 1, hash: createHash('sha256'), rows: 0 }
  /** Hashes of the parts before. */
  readonly #parts = new Set<string>()
  #copyLine: number | null = null
  readonly #repeated = { count: 0, lines: [] as number[] }
  #otherHeaderLine: number | null = null

  constructor(
    { header, rowsAbove, dialect }: Pick<InferredFile, 'header' | 'rowsAbove' | 'dialect'>,
    options: Omit<WatchOptions, 'signal'>,
  ) {
    this.#header = header
    this.#rowsAbove = rowsAbove
    this.#delimiter = dialect.delimiter
    this.#options = options
    this.#places = namePlaces(header.repeated ?? [])
    this.#secondTable = new SecondTable(header.width, header.repeated)
    this.#otherTable = new OtherTable(header.width)
    this.#totals = options.numbers === null ? null : new RecordTotals(options.numbers, header.width)
    this.#hasWords = Array.from({ length: header.width }, () => false)
    this.#hasValues = Array.from({ length: header.width }, () => false)
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    while (this.#fields.length < column) this.#fields.push('')
    // Much faster than a view of the bytes, which other sinks need.
    this.#fields.push(Buffer.isBuffer(bytes) ? bytes.toString('utf8', start, end) : textAt(bytes, start, end))
  }

  /** A blank line: no record has too many fields here. */
  dropRecord(): void {
    this.#isBelowGap = true
    this.#fields = []
  }

  endRecord(count: number, line: number): void {
    const fields = this.#fields
    while (fields.length < count) fields.push('')
    this.#fields = []
    this.#index++
    const { titleRows, repeated, width } = this.#header
    if (this.#index <= titleRows) this.#firstLine = line
    if (this.#index === titleRows) this.#begin(line)
    if (this.#index < this.#rowsAbove) {
      this.#isBelowGap = false
      return
    }
    if (!fields.some((text) => text.trim() !== '')) {
      this.#isBelowGap = true
      return
    }
    if (repeated !== null && repeats(repeated, fields, width)) return this.#repeat(line)
    const record = { index: this.#index, line, isBelowGap: this.#isBelowGap && !this.#options.hasManyGaps, fields }
    this.#isBelowGap = false
    if (couldBeNote(fields, width, this.#areBlankLed) || this.#totals?.couldBe(record)) {
      this.#sparse.push(record)
      if (this.#sparse.length > MAX_NOTES) this.#release()
      return
    }
    this.#release()
    this.#take(record)
  }

  #repeat(line: number): void {
    this.#isBelowGap = false
    // Titles between two tables.
    if (this.#sparse.length > 0) this.#otherHeaderLine ??= this.#sparse[0]!.line
    this.#release()
    this.#repeated.count++
    if (this.#repeated.lines.length < 5) this.#repeated.lines.push(line)
    this.#begin(line)
  }

  #begin(line: number): void {
    const { line: partLine, hash, rows } = this.#part
    if (rows >= MIN_COPIED_ROWS) {
      const digest = hash.digest('hex')
      if (this.#parts.has(digest)) this.#copyLine ??= partLine
      this.#parts.add(digest)
    }
    this.#part = { line, hash: createHash('sha256'), rows: 0 }
  }

  #release(): void {
    this.#sparseRows += this.#sparse.length
    for (const record of this.#sparse) this.#take(record)
    this.#sparse = []
  }

  #settleTotals(): void {
    if (this.#totals === null) return
    const { data, totals, rest } = this.#totals.settle(this.#sparse)
    this.#sparse = [...data]
    this.#release()
    this.#sparse = [...rest]
    this.#lastTotals = totals
  }

  #take(record: SparseRecord): void {
    const { fields, line, isBelowGap } = record
    const { width } = this.#header
    this.#totals?.add(record)
    if (isOtherHeader(fields, this.#places, this.#isOfValues)) this.#otherHeaderLine ??= line
    this.#rows++
    this.#areBlankLed ||= fields.length >= width && isBlankLed(fields)
    this.#part.rows++
    if (this.#options.hasRepeats) this.#part.hash.update(`${fields.join('\x1f')}\n`)
    const mayBegin = isBelowGap && (this.#areBlankLed || !isBlankLed(fields))
    this.#otherTable.add(fields, line, mayBegin, this.#isOfValues)
    const cells: WatchedCell[] = []
    for (let column = 0; column < width; column++) cells.push(this.#cell(fields[column] ?? '', column))
    this.#secondTable.add(cells, line, isBelowGap)
  }

  #cell(text: string, column: number): WatchedCell {
    if (text === '') return EMPTY
    // Whether a text in a column of texts is a value as well, nobody asks.
    if (this.#hasWords[column] && this.#hasValues[column]) return { kind: 'text', text }
    if (PLAIN_NUMBER.test(text) || isValue(text.trim())) {
      this.#hasValues[column] = true
      return { kind: 'number', text }
    }
    if (isWord(text)) this.#hasWords[column] = true
    return text.trim() === '' ? EMPTY : { kind: 'text', text }
  }

  end(): WatchedRows {
    this.#settleTotals()
    const sparse = this.#sparse
    const first = sparse[0]
    const totals = this.#lastTotals
    // Nothing below a row of totals is data.
    const isNoted = first !== undefined && (totals.length > 0 || (this.#rows > 0 && areNotes(sparse, this.#hasWords)))
    // In a table of ticked boxes all rows are like that.
    const areUsual = 3 * this.#sparseRows > this.#rows
    const keptSparse = isNoted || areUsual || !sparse.some(({ fields }) => isSentence(fields)) ? 0 : sparse.length
    if (!isNoted) this.#release()
    this.#secondTable.end()
    this.#begin(0)
    return {
      firstLine: this.#firstLine,
      secondTableLine: least([this.#otherHeaderLine, this.#secondTable.firstRow, this.#otherTable.firstLine]),
      copyLine: this.#copyLine,
      repeated: this.#repeated,
      keptSparse,
      end: totals[0]?.index ?? (isNoted ? first.index : null),
      totals: this.#totals?.rows(totals) ?? null,
      notes: isNoted
        ? {
            count: sparse.length,
            line: first.line,
            text: first.fields.join(this.#delimiter).replace(/[\s,;|]+$/, ''),
          }
        : null,
    }
  }
}

/** A header may come again behind the byte order mark of a file that was put below another one. */
function repeats(header: TextRow, fields: TextRow, width: number): boolean {
  for (let at = 0; at < Math.max(width, fields.length); at++) {
    const text = at === 0 ? withoutMark(fields[0] ?? '') : (fields[at] ?? '')
    if (text.trim() !== (header[at] ?? '').trim()) return false
  }
  return true
}

function withoutMark(text: string): string {
  if (!text.startsWith('\ufeff')) return text
  return /^\ufeff"(.*)"$/s.exec(text)?.[1]?.replaceAll('""', '"') ?? text.slice(1)
}

function least(lines: readonly (number | null)[]): number | null {
  const found = lines.filter((line) => line !== null)
  return found.length === 0 ? null : Math.min(...found)
}
