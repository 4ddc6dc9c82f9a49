import { isUtf8 } from 'node:buffer'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  type CountedColumn,
  missingColumn,
  standardNumber,
  ValueCounting,
} from '../reading/artifact-summary.ts'
import { ReadOtherwiseError } from '../reading/unreadable-file-error.ts'
import { splitRecords } from './split-records.ts'

const DIALECT = { delimiter: ',', quote: '"', escape: '"' } as const

/** Mixed line ends, blank lines, and characters that no text file should contain. */
const ODD = /\r(?!\n)|(?:^|\n)[ \t]*(?:\r?\n|$(?!\n))|\0/

/**
 * Counts a small CSV file of the simplest form without a database: `summarizeTable` gives the same figures.
 *
 * @throws {ReadOtherwiseError} when the file needs the reader for all forms.
 */
export function summarizeSmallCsv(bytes: Buffer, request: ArtifactRequest): ArtifactSummary {
  if (!isUtf8(bytes)) throw new ReadOtherwiseError()
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const body = text.replace(/\r?\n$/, '')
  if (ODD.test(body) || (body.includes('\r\n') && /(?<!\r)\n/.test(body))) throw new ReadOtherwiseError()
  const { records, strayQuotes, openQuote } = splitRecords(text, DIALECT, true, Number.POSITIVE_INFINITY)
  const [names, ...rows] = records
  if (names === undefined || names.length < 2 || strayQuotes > 0 || openQuote) throw new ReadOtherwiseError()
  if (rows.some((row) => row.length !== names.length)) throw new ReadOtherwiseError()
  const counting = new ValueCounting(request)
  counting.add(rows.length, (name): CountedColumn => {
    const index = names.indexOf(name)
    if (index < 0) throw missingColumn(name, names)
    return {
      values: rows.map((row) => row[index]!),
      level: (value) => (value === '' ? null : (value as string)),
      number: (value) => standardNumber(value as string),
    }
  })
  return counting.summary(names)
}
