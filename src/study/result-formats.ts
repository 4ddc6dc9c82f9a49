import type { OutputFormat, ResultFormat } from './study.ts'

interface FormatTraits {
  /** What the service is asked for. */
  readonly artifact: OutputFormat
  /** A spreadsheet program may take texts for formulas. Other formats say themselves what is text. */
  readonly mayHoldFormulas: boolean
}

/** What the house asks of the format of result files. */
export const RESULT_FORMATS: { readonly [F in ResultFormat]: FormatTraits } = {
  parquet: { artifact: 'parquet', mayHoldFormulas: false },
  csv: { artifact: 'csv', mayHoldFormulas: true },
  arrow: { artifact: 'arrow', mayHoldFormulas: false },
  sav: { artifact: 'parquet', mayHoldFormulas: false },
}
