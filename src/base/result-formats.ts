/**
 * Formats of generated tables, with their media types: a service makes them, and this machine writes, reads and renames them. This is the
 * one list: tables over formats are typed by it, so that a new format is an error of the compiler at each table.
 */
export const OUTPUT_FORMATS = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.file',
} as const

export type OutputFormat = keyof typeof OUTPUT_FORMATS

export const OUTPUT_FORMAT_NAMES = Object.keys(OUTPUT_FORMATS) as readonly OutputFormat[]

interface ResultTraits {
  /** What the service is asked for. */
  readonly artifact: OutputFormat
  /** A spreadsheet program may take texts for formulas. Other formats say themselves what is text. */
  readonly mayHoldFormulas: boolean
}

/** Formats of result files: those of a service, and those that are made of one of them on this machine. */
export const RESULT_FORMATS = {
  parquet: { artifact: 'parquet', mayHoldFormulas: false },
  csv: { artifact: 'csv', mayHoldFormulas: true },
  arrow: { artifact: 'arrow', mayHoldFormulas: false },
  sav: { artifact: 'parquet', mayHoldFormulas: false },
} as const satisfies { readonly [F in OutputFormat]: ResultTraits & { readonly artifact: F } } & Record<
  string,
  ResultTraits
>

export type ResultFormat = keyof typeof RESULT_FORMATS

export const RESULT_FORMAT_NAMES = Object.keys(RESULT_FORMATS) as readonly ResultFormat[]

/** The format is one that a service makes and this machine reads. */
export const isOutputFormat = (format: ResultFormat): format is OutputFormat => Object.hasOwn(OUTPUT_FORMATS, format)
