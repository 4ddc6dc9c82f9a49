import type { RecordSink } from '../coded/coded-rows.ts'
import { textAt } from '../columns/read-value.ts'
import type { CsvDialect } from './csv-dialect.ts'
import type { ParsedRecords } from './parsed-records.ts'
import { RecordParser } from './record-parser.ts'

/** Records of the beginning of a file, and how well the dialect fits. */
export interface SplitRecords extends Pick<ParsedRecords, 'quotedFields' | 'strayQuotes'> {
  /** Fields without their quotes; blank lines are left out. */
  readonly records: readonly (readonly string[])[]
  /** A quote was still open at the end of the text, so the last record is unreliable. */
  readonly openQuote: boolean
}

/** More fields than any text has. */
const MAX_FIELDS = 2 ** 30 - 1

/**
 * Splits text into records, to infer its dialect and find its header.
 *
 * @param complete the text ends where the file ends; otherwise the last, perhaps incomplete, record is left out.
 */
export function splitRecords(text: string, dialect: CsvDialect, complete: boolean, maxRecords = 1_000): SplitRecords {
  const rows = new TextRows()
  const parser = new RecordParser({ dialect, skipRecords: 0, width: MAX_FIELDS, maxRecords }, rows)
  // The parser needs a mark behind the end.
  const bytes = Buffer.from(`${text}\0`)
  parser.parse(bytes, bytes.length - 1, complete)
  const { quotedFields, strayQuotes, openQuoteLine } = parser.result()
  return { records: rows.records, quotedFields, strayQuotes, openQuote: openQuoteLine !== null }
}

/** Keeps records as texts. */
class TextRows implements RecordSink {
  readonly records: string[][] = []
  #fields: string[] = []

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    this.#fillTo(column)
    this.#fields.push(textAt(bytes, start, end))
  }

  endRecord(fields: number): void {
    this.#fillTo(fields)
    this.records.push(this.#fields)
    this.#fields = []
  }

  dropRecord(): void {
    this.#fields = []
  }

  #fillTo(length: number): void {
    while (this.#fields.length < length) this.#fields.push('')
  }
}
