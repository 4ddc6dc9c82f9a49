import type { RawTable } from '../../base/raw-table.ts'
import type { ColumnTexts } from '../columns/column-texts.ts'
import { type CompactType, CountedValues, compactTexts, HashedTexts } from '../columns/compact-texts.ts'
import { textAt } from '../columns/read-value.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { CodedSample, NO_TEXT } from './coded-sample.ts'

/** Takes the fields of data records as they are parsed. */
export interface RecordSink {
  /**
   * A field that is not empty.
   *
   * @param bytes valid during the call only; `start` inclusive, `end` exclusive.
   */
  field(column: number, bytes: Uint8Array, start: number, end: number): void
  /**
   * The fields since the last record form a record; columns without a field are empty.
   *
   * @param fields of the record, empty ones included.
   * @param line of the file on which the record begins, from 1.
   */
  endRecord(fields: number, line: number): void
  /** The fields since the last record form no row: a blank line, or more filled fields than the table has columns. */
  dropRecord(): void
}

/** Memory for distinct texts. When it is exceeded, the column with the most keeps values or hashes instead. */
const MAX_TEXT_BYTES = 192 * 2 ** 20
/** Columns of fewer texts take hardly any memory. */
const MIN_TEXTS = 3
/** A column whose texts do not decide its type is asked again when it has grown by this factor. */
const ASK_AGAIN = 1.5

export interface CodedRowsOptions {
  readonly width: number
  /** A row that equals it is not a data row; null: there is no header. */
  readonly header: readonly string[] | null
  /** Rows held at most. */
  readonly maxSampleRows: number
  /** Types of columns, by place, whose texts would mislead when they have to go; default none. */
  readonly decided?: ReadonlyMap<number, CompactType>
  /** Rows without a text are rows: other columns have their values. Default false. */
  readonly keepsEmpty?: boolean
}

/**
 * Takes the rows of a table as they are parsed, without rows that are entirely empty or repeat the header. Counts the
 * distinct texts of each column, and holds a sample of the rows as ids of these texts.
 */
export class CodedRows implements RecordSink {
  readonly #columns: ColumnTexts[]
  readonly #sample: CodedSample
  readonly #header: readonly Buffer[] | null
  readonly #headerIds: Int32Array
  /** Of the first column's name behind a byte order mark, bare and in quotes: where a file was put below another one. */
  #markedIds: readonly number[] = []
  readonly #decided: ReadonlyMap<number, CompactType>
  readonly #keepsEmpty: boolean
  /** Bytes from which on the texts of a column are asked again for its type. */
  readonly #askFrom: Float64Array
  /** Places of the current row's texts. */
  readonly #places: Int32Array
  #hasText = false
  #filled = 0
  #sparseEnd = 0
  #mayHold = true
  #empty = 0
  #repeatedHeader = 0

  constructor({ width, header, maxSampleRows, decided, keepsEmpty = false }: CodedRowsOptions) {
    this.#keepsEmpty = keepsEmpty
    this.#columns = Array.from({ length: width }, () => new TextCounts())
    this.#sample = new CodedSample(maxSampleRows, width)
    this.#places = new Int32Array(width).fill(NO_TEXT)
    this.#header = header === null ? null : Array.from({ length: width }, (_, i) => Buffer.from(header[i] ?? ''))
    this.#headerIds = new Int32Array(width)
    this.#decided = decided ?? new Map()
    this.#askFrom = new Float64Array(width)
    for (let column = 0; column < width; column++) this.#readHeader(column)
  }

  /** Without the dropped rows. */
  get rowCount(): number {
    return this.#sample.rowCount
  }

  get dropped(): RawTable['droppedRows'] {
    return { empty: this.#empty, repeatedHeader: this.#repeatedHeader }
  }

  /** How many rows at the end have texts in at most a third of the columns. */
  get sparseEnd(): number {
    return this.#sparseEnd
  }

  get columns(): readonly ColumnTexts[] {
    return this.#columns
  }

  /** Of the texts that are kept beside hashes. */
  get keptBytes(): number {
    return this.#columns.reduce((sum, texts) => sum + (texts instanceof HashedTexts ? texts.keptBytes : 0), 0)
  }

  /** Ids of the rows sampled, by column. */
  sampledIds(): Int32Array[] {
    return this.#sample.columns()
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    // A blank beyond ASCII begins with a byte above ASCII.
    const first = bytes[start]!
    if (!this.#hasText) this.#hasText = (first > 0x20 && first < 0x80) || isVisible(bytes, start, end)
    this.#filled++
    const texts = this.#columns[column]!
    const place = texts.placeOf(bytes, start, end)
    this.#places[column] = place
    if (this.#mayHold && texts instanceof HashedTexts) texts.keep(place, bytes, start, end)
  }

  endRecord(): void {
    if (!this.#hasText && !this.#keepsEmpty) this.#empty++
    else if (this.#isHeader()) this.#repeatedHeader++
    else {
      this.#sparseEnd = 3 * this.#filled <= this.#places.length ? this.#sparseEnd + 1 : 0
      this.#addRow()
    }
    this.dropRecord()
  }

  dropRecord(): void {
    this.#places.fill(NO_TEXT)
    this.#hasText = false
    this.#filled = 0
    this.#mayHold = this.#sample.mayHold
  }

  #addRow(): void {
    const places = this.#places
    const columns = this.#columns
    for (let column = 0; column < places.length; column++) {
      if (places[column] !== NO_TEXT) columns[column]!.count(places[column]!)
    }
    const ids = this.#sample.add()
    if (ids === null) return
    for (let column = 0; column < places.length; column++) ids[column] = this.#idOf(column)
  }

  #idOf(column: number): number {
    const place = this.#places[column]!
    return place === NO_TEXT ? NO_TEXT : this.#columns[column]!.idAt(place)
  }

  /** Replaces texts by values or hashes until the texts left take at most `maxBytes`, as far as they decide a type. */
  shrink(maxBytes = MAX_TEXT_BYTES): void {
    for (;;) {
      const held = this.#columns.reduce((sum, texts) => sum + (texts instanceof TextCounts ? texts.sizeBytes : 0), 0)
      const largest = this.#largestColumn()
      if (held <= maxBytes || largest === null) return
      this.#compact(largest)
    }
  }

  #compact(column: number): void {
    const texts = this.#columns[column] as TextCounts
    const found = compactTexts(texts, this.#decided.get(column) ?? null)
    if (found === null) {
      this.#askFrom[column] = ASK_AGAIN * texts.sizeBytes
      return
    }
    const { compact, newIds } = found
    const ids = new Set(this.#sample.idsOf(column))
    // The current row continues.
    const current = this.#idOf(column)
    if (current !== NO_TEXT) {
      ids.add(current)
      this.#places[column] = newIds[current]!
    }
    if (compact instanceof HashedTexts) {
      for (const id of ids) compact.keep(newIds[id]!, texts.bytes, texts.startOf(id), texts.endOf(id))
    }
    this.#sample.renumber(column, newIds)
    this.#columns[column] = compact
    this.#readHeader(column)
  }

  /** Null: nothing can be replaced. */
  #largestColumn(): number | null {
    let largest: number | null = null
    let most = 0
    for (const [column, texts] of this.#columns.entries()) {
      if (!(texts instanceof TextCounts) || texts.size < MIN_TEXTS) continue
      if (texts.sizeBytes < this.#askFrom[column]! || texts.sizeBytes <= most) continue
      largest = column
      most = texts.sizeBytes
    }
    return largest
  }

  /** Columns whose values proved to be texts after their texts were removed, with the types that they have. */
  mistaken(): Map<number, CompactType> {
    const found = new Map<number, CompactType>()
    for (const [column, texts] of this.#columns.entries()) {
      const type = texts instanceof CountedValues ? texts.otherType() : null
      if (type !== null) found.set(column, type)
    }
    return found
  }

  #readHeader(column: number): void {
    const text = this.#header?.[column]
    const texts = this.#columns[column]!
    const isEmpty = text === undefined || text.length === 0
    const idOf = (name: Buffer) => texts.idAt(texts.placeOf(name, 0, name.length))
    this.#headerIds[column] = isEmpty ? NO_TEXT : idOf(text)
    if (column > 0 || isEmpty) return
    this.#markedIds = [`\ufeff${text}`, `\ufeff"${String(text).replaceAll('"', '""')}"`].map((name) =>
      idOf(Buffer.from(name)),
    )
  }

  #isHeader(): boolean {
    if (this.#header === null) return false
    for (let column = 0; column < this.#places.length; column++) {
      const id = this.#idOf(column)
      if (id !== this.#headerIds[column] && !(column === 0 && this.#markedIds.includes(id))) return false
    }
    return true
  }
}

function isVisible(bytes: Uint8Array, start: number, end: number): boolean {
  return /[^\p{Zs}]/u.test(textAt(bytes, start, end))
}
