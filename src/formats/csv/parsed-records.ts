/** The structure of a file. Records include title lines and the header, but not blank lines. */
export interface ParsedRecords {
  readonly records: number
  /** Records by their number of fields. */
  readonly widths: ReadonlyMap<number, number>
  /** Line of an opening quote that is never closed. */
  readonly openQuoteLine: number | null
  /** Line of the first opening quote whose text has line ends, and goes on behind the closing quote. */
  readonly straddlingQuoteLine: number | null
  /** Fields in correct quotes. */
  readonly quotedFields: number
  /** Fields of data records in correct quotes that are words for missing values, by column. */
  readonly quotedWords: ReadonlyMap<number, number>
  /** Quotes within unquoted fields, and texts behind a closing quote. */
  readonly strayQuotes: number
  readonly nulBytes: number
  /** Data records behind a blank line that follows a data record. */
  readonly gaps: number
  /** Data records with fewer fields than columns; the other fields are missing. */
  readonly short: LineList
  /** Data records with empty fields beyond the columns; these were cut. */
  readonly trimmed: LineList
  /** Data records with filled fields beyond the columns, left out. */
  readonly leftOut: LineList
}

export interface LineList {
  readonly count: number
  /** The first lines, at most five. */
  readonly lines: readonly number[]
}
