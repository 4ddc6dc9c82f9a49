import type { CsvDialect } from './csv-dialect.ts'

/** Records of the beginning of a file, and how well the dialect fits. */
export interface SplitRecords {
  /** Fields without their quotes; blank lines are left out. */
  readonly records: readonly (readonly string[])[]
  /** Quotes within unquoted fields, and text after a closing quote. */
  readonly strayQuotes: number
  /** Fields with correct quotes. */
  readonly quotedFields: number
  /** A quote was still open at the end of the text, so the last record is unreliable. */
  readonly openQuote: boolean
}

/**
 * Splits text into records leniently: LF, CRLF and CR all end a record outside quotes; a quote opens a quoted field
 * only as the field's first character; text after a closing quote is kept.
 *
 * For the beginning of a file, to infer its dialect and find its header; whole files go through `scan-records.ts`.
 *
 * @param complete the text ends where the file ends; otherwise the last, perhaps incomplete, record is left out.
 */
export function splitRecords(text: string, dialect: CsvDialect, complete: boolean, maxRecords = 1_000): SplitRecords {
  const { delimiter, quote, escape: escapeMark } = dialect
  const records: string[][] = []
  let strayQuotes = 0
  let quotedFields = 0
  let fields: string[] = []
  let i = 0
  const n = text.length
  let openQuote = false
  let ended = true
  let quoted = false

  const endRecord = () => {
    if (fields.length > 1 || quoted || !/^[ \t]*$/.test(fields[0] ?? '')) records.push(fields)
    fields = []
    quoted = false
    ended = true
  }

  while (i < n && records.length < maxRecords) {
    ended = false
    let field = ''
    if (quote !== '' && text[i] === quote) {
      i++
      quoted = true
      let closed = false
      while (i < n) {
        const c = text[i]!
        if (c === escapeMark && escapeMark !== quote && i + 1 < n) {
          field += text[i + 1]
          i += 2
        } else if (c === quote) {
          if (escapeMark === quote && text[i + 1] === quote) {
            field += quote
            i += 2
          } else {
            i++
            closed = true
            break
          }
        } else {
          field += c
          i++
        }
      }
      if (!closed) openQuote = true
      else quotedFields++
    }
    const rest = i
    while (i < n && text[i] !== delimiter && text[i] !== '\n' && text[i] !== '\r') {
      if (text[i] === quote && quote !== '') strayQuotes++
      i++
    }
    if (field !== '' && i > rest) strayQuotes++
    fields.push(field + text.slice(rest, i))
    if (i >= n) break
    const c = text[i]!
    i++
    if (c === delimiter) {
      if (i >= n) fields.push('')
      continue
    }
    if (c === '\r' && text[i] === '\n') i++
    endRecord()
  }
  if (!ended && complete && fields.length > 0 && records.length < maxRecords) endRecord()
  return { records, strayQuotes, quotedFields, openQuote: openQuote && complete }
}
