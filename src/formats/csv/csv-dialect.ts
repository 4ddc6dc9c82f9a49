/** How a delimited text file is written; every field is one ASCII character. */
export interface CsvDialect {
  readonly delimiter: string
  /** Empty: quotes have no meaning. */
  readonly quote: string
  /** The quote itself when it is escaped by doubling (RFC 4180), or a backslash; empty without a quote. */
  readonly escape: string
}

export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
  '\x1f': 'none',
}

/** Means "one column": a character that no text file contains. */
export const NO_DELIMITER = '\x1f'
