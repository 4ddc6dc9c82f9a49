import type { RawTable } from '../../base/raw-table.ts'
import { mix32 } from '../reading/row-sample.ts'
import { TextCounts } from './text-counts.ts'

/** Extra rows that may accumulate before those with the largest hashes are removed. */
const SLACK = 1.25
const FIRST_ROWS = 1_024

/**
 * Samples rows of a stream of unknown length; the result equals `sampleRowIndexes` of all rows. Rows are ids of texts,
 * one for each column.
 *
 * k  rows wanted, n rows held (k to 1.25 k), w columns
 */
export class CodedSample {
  readonly #wanted: number
  readonly #width: number
  readonly #capacity: number
  /** n x w, row by row. */
  #ids: Int32Array
  #hashes: Uint32Array
  #length = 0
  #cut = 2 ** 32 - 1
  #rowCount = 0

  constructor(wanted: number, width: number) {
    this.#wanted = wanted
    this.#width = width
    this.#capacity = Math.ceil(SLACK * wanted)
    const rows = Math.min(FIRST_ROWS, this.#capacity)
    this.#ids = new Int32Array(rows * width)
    this.#hashes = new Uint32Array(rows)
  }

  /** Rows seen so far. */
  get rowCount(): number {
    return this.#rowCount
  }

  /**
   * Counts another row.
   *
   * @returns where to write its ids, of length w; null when it is not held.
   */
  add(): Int32Array | null {
    const hash = mix32(this.#rowCount++)
    if (hash > this.#cut) return null
    if (this.#length === this.#hashes.length) this.#makeRoom()
    // The threshold may have decreased.
    if (hash > this.#cut) return null
    this.#hashes[this.#length] = hash
    return this.#ids.subarray(this.#length * this.#width, ++this.#length * this.#width)
  }

  /** The sampled rows in sequence: for each column the ids. */
  columns(): Int32Array[] {
    this.#choose()
    const width = this.#width
    return Array.from({ length: width }, (_, column) => {
      const ids = new Int32Array(this.#length)
      for (let row = 0; row < ids.length; row++) ids[row] = this.#ids[row * width + column]!
      return ids
    })
  }

  #makeRoom(): void {
    if (this.#length === this.#capacity) return this.#choose()
    const rows = Math.min(2 * this.#length, this.#capacity)
    const ids = new Int32Array(rows * this.#width)
    ids.set(this.#ids)
    this.#ids = ids
    const hashes = new Uint32Array(rows)
    hashes.set(this.#hashes)
    this.#hashes = hashes
  }

  /** Keeps the k rows with the smallest hashes, which are distinct. */
  #choose(): void {
    if (this.#length <= this.#wanted) return
    this.#cut = this.#hashes.slice(0, this.#length).sort()[this.#wanted - 1]!
    const width = this.#width
    let kept = 0
    for (let row = 0; row < this.#length; row++) {
      if (this.#hashes[row]! > this.#cut) continue
      this.#hashes[kept] = this.#hashes[row]!
      this.#ids.copyWithin(kept * width, row * width, (row + 1) * width)
      kept++
    }
    this.#length = kept
  }
}

/** Takes the fields of data records as they are parsed. */
export interface RecordSink {
  /**
   * A field that is not empty.
   *
   * @param bytes valid during the call only; `start` inclusive, `end` exclusive.
   */
  field(column: number, bytes: Uint8Array, start: number, end: number): void
  /** The fields since the last record form a record; columns without a field are empty. */
  endRecord(): void
  /** The fields since the last record form no row: the record has more filled fields than the table has columns. */
  dropRecord(): void
}

/** Texts of the header and of the current row are added again after all others were removed. */
const KEPT_TEXTS = 2

/** Id of an empty text, which is never counted. */
export const NO_TEXT = -1

export interface CodedRowsOptions {
  readonly width: number
  /** A row that equals it is not a data row; null: there is no header. */
  readonly header: readonly string[] | null
  /** Rows held at most. */
  readonly maxSampleRows: number
}

/**
 * Takes the rows of a table as they are parsed, without rows that are entirely empty or repeat the header. Counts the
 * distinct texts of each column, and holds a sample of the rows as ids of these texts.
 */
export class CodedRows implements RecordSink {
  readonly #columns: readonly TextCounts[]
  readonly #sample: CodedSample
  readonly #header: readonly Buffer[] | null
  readonly #headerIds: Int32Array
  /** Places of the current row's texts. */
  readonly #places: Int32Array
  #hasText = false
  #empty = 0
  #repeatedHeader = 0

  constructor({ width, header, maxSampleRows }: CodedRowsOptions) {
    this.#columns = Array.from({ length: width }, () => new TextCounts())
    this.#sample = new CodedSample(maxSampleRows, width)
    this.#places = new Int32Array(width).fill(NO_TEXT)
    this.#header = header === null ? null : Array.from({ length: width }, (_, i) => Buffer.from(header[i] ?? ''))
    this.#headerIds = new Int32Array(width)
    for (let column = 0; column < width; column++) this.#readHeader(column)
  }

  /** Without the dropped rows. */
  get rowCount(): number {
    return this.#sample.rowCount
  }

  get dropped(): RawTable['droppedRows'] {
    return { empty: this.#empty, repeatedHeader: this.#repeatedHeader }
  }

  get columns(): readonly TextCounts[] {
    return this.#columns
  }

  /** Ids of the rows sampled, by column. */
  sampledIds(): Int32Array[] {
    return this.#sample.columns()
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    // A blank beyond ASCII begins with a byte above ASCII.
    const first = bytes[start]!
    if (first > 0x20 && first < 0x80) this.#hasText = true
    this.#places[column] = this.#columns[column]!.placeOf(bytes, start, end)
  }

  endRecord(): void {
    if (!this.#hasText && this.#isEmpty()) this.#empty++
    else if (this.#isHeader()) this.#repeatedHeader++
    else this.#addRow()
    this.dropRecord()
  }

  dropRecord(): void {
    this.#places.fill(NO_TEXT)
    this.#hasText = false
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

  /**
   * Removes texts until the remaining ones take at most `maxBytes`.
   *
   * @param keep stores the texts of a column elsewhere first.
   */
  async shrink(maxBytes: number, keep: (column: number, texts: TextCounts) => Promise<void>): Promise<void> {
    for (;;) {
      const bytes = this.#columns.reduce((sum, texts) => sum + texts.sizeBytes, 0)
      const largest = this.#largestColumn()
      if (bytes <= maxBytes || largest === null) return
      const texts = this.#columns[largest]!
      await keep(largest, texts)
      // The current row continues.
      const id = this.#idOf(largest)
      const text = id === NO_TEXT ? null : Buffer.from(texts.textOf(id))
      texts.clear()
      this.#readHeader(largest)
      if (text !== null) this.#places[largest] = texts.placeOf(text, 0, text.length)
    }
  }

  /** Null: nothing can be removed. */
  #largestColumn(): number | null {
    let largest: number | null = null
    for (const [column, { size, sizeBytes }] of this.#columns.entries()) {
      if (size <= KEPT_TEXTS) continue
      if (largest === null || sizeBytes > this.#columns[largest]!.sizeBytes) largest = column
    }
    return largest
  }

  #readHeader(column: number): void {
    const text = this.#header?.[column]
    const texts = this.#columns[column]!
    const isEmpty = text === undefined || text.length === 0
    this.#headerIds[column] = isEmpty ? NO_TEXT : texts.idAt(texts.placeOf(text, 0, text.length))
  }

  #isHeader(): boolean {
    if (this.#header === null) return false
    for (let column = 0; column < this.#places.length; column++) {
      if (this.#idOf(column) !== this.#headerIds[column]) return false
    }
    return true
  }

  #isEmpty(): boolean {
    for (const [column, texts] of this.#columns.entries()) {
      const id = this.#idOf(column)
      if (id !== NO_TEXT && /[^\p{Zs}]/u.test(texts.textOf(id))) return false
    }
    return true
  }
}
