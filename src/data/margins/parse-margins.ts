/** The rows of a file of margins: `column`, `level` and `share`, in any sequence, separated by commas, semicolons or tabs. */

import { splitRecords } from '../../formats/csv/split-records.ts'
import { suggest } from '../../study/diagnostics/did-you-mean.ts'
import type { MarginRow, MarginsFile } from '../../study/margins/margins-file.ts'

const NAMES = ['column', 'level', 'share'] as const
const DELIMITERS = [',', ';', '\t'] as const

/** More rows than all levels of a schema. */
const MOST_ROWS = 100_000

const EXPECTED =
  'expected: a header with the names column, level and share, and a row for each level: region,North,0.26'

export function parseMargins(text: string): Pick<MarginsFile, 'rows' | 'fault'> {
  const whole = text.replace(/^\ufeff/, '')
  const head = whole.split(/\r?\n/, 1)[0]!
  const delimiter = DELIMITERS.find((mark) => head.includes(mark)) ?? ','
  const split = splitRecords(whole, { delimiter, quote: '"', escape: '"' }, true, MOST_ROWS + 1)
  const [header, ...records] = split.records.map((fields) => fields.map((field) => field.trim()))
  const failed = (summary: string, line: number, detail = EXPECTED) => ({ rows: [], fault: { summary, detail, line } })
  if (header === undefined) return failed('the file of margins is empty', 1)
  if (split.openQuote) return failed('a quotation mark of the file of margins is never closed', 1, '')
  const at = NAMES.map((name) => header.findIndex((field) => field.toLowerCase() === name))
  const missing = NAMES.filter((_, i) => at[i]! < 0)
  if (missing.length > 0 || header.length > NAMES.length) {
    const near = missing.flatMap((name) => {
      const [found] = suggest(
        name,
        header.filter((field) => !NAMES.some((known) => known === field.toLowerCase())),
      )
      return found === undefined ? [] : [`"${found}" is probably ${name}`]
    })
    return failed(`the header of the file of margins is ${header.join(', ')}`, 1, [...near, EXPECTED].join('\n'))
  }
  if (records.length >= MOST_ROWS) return failed(`the file of margins has more than ${MOST_ROWS} rows`, 1, '')
  const lines = linesOf(whole, records.length)
  const odd = records.findIndex((fields) => fields.length !== header.length)
  if (odd >= 0) return failed(`this row of margins has ${records[odd]!.length} fields`, lines[odd]!)
  const rows = records.map((fields, i): MarginRow => {
    const [column, level, share] = at.map((place) => fields[place]!)
    return { column: column!, level: level!, share: share!, line: lines[i]! }
  })
  return rows.length === 0 ? failed('the file of margins has no rows', 1) : { rows, fault: null }
}

/** The lines of the records below the header. Where texts have line ends of their own, all are told at the first line. */
function linesOf(text: string, records: number): readonly number[] {
  const filled = text.split(/\r?\n/).flatMap((line, i) => (line.trim() === '' ? [] : [i + 1]))
  return filled.length === records + 1 ? filled.slice(1) : new Array<number>(records).fill(1)
}
