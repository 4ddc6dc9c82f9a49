import { gunzipSync, constants as zlib } from 'node:zlib'
import { isJson } from '../../base/is-json.ts'
import { namedText, withoutCode } from './foreign-texts.ts'
import { jsonKind } from './json-kind.ts'

/**
 * Files of other programs that are recognized to be named, with the way to a table. Each answer is the rest of a sentence
 * that begins "The file is".
 */

/** First bytes of a SAS data file, of any version since 7. */
const SAS_MAGIC = Buffer.from('000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011', 'hex')
const SAS_TRANSPORT = 'HEADER RECORD*******'

const STATA = 'a Stata file, which cannot be read. In Stata, write it with "export delimited", and send that.'
const SAS =
  'which cannot be read. In SAS, write it with PROC EXPORT as CSV or Excel; in R, haven reads it, and write.csv writes it. Send that.'
const R =
  'an R data file, which cannot be read. In R, write the table with write.csv(x, "data.csv", row.names = FALSE), and send that.'

/** What a file is by bytes that no table begins with; null: none of these. */
export function foreignBytes(head: Buffer): string | null {
  if (head.subarray(0, SAS_MAGIC.length).equals(SAS_MAGIC)) return `a SAS data file (.sas7bdat), ${SAS}`
  const start = head.subarray(0, 64).toString('latin1')
  if (start.startsWith(SAS_TRANSPORT)) return `a SAS transport file (.xpt), ${SAS}`
  if (start.startsWith('<stata_dta>') || isOldStata(head)) return STATA
  if (isR(start) || isR(unpacked(head))) return R
  return null
}

/** Versions 4 to 12: version, order of bytes (1 or 2), type of file (1), and a zero. */
function isOldStata(head: Buffer): boolean {
  const [version = 0, order = 0, type, zero] = head
  return version >= 105 && version <= 115 && (order === 1 || order === 2) && type === 1 && zero === 0
}

/** A workspace (.RData), or one object (.rds) in binary or as text, of versions 2 and 3. */
const R_STARTS = ['RDX2\n', 'RDX3\n', 'RDA2\n', 'RDA3\n', 'X\n\0\0\0\x02', 'X\n\0\0\0\x03', 'A\n2\n', 'A\n3\n']

function isR(start: string): boolean {
  return (
    R_STARTS.some((known) => start.startsWith(known)) && (!start.startsWith('A\n') || /^A\n\d\n\d{5,6}\n\d/.test(start))
  )
}

/** So few bytes hold the beginning, whatever they unpack to. */
const PACKED_BYTES = 4_096

/** The first bytes within a gzip file; empty: it is none, or damaged. */
function unpacked(head: Buffer): string {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return ''
  try {
    const bytes = gunzipSync(head.subarray(0, PACKED_BYTES), { finishFlush: zlib.Z_SYNC_FLUSH })
    return bytes.subarray(0, 64).toString('latin1')
  } catch {
    return ''
  }
}

const JSON_WAY = 'not a table. Send the list of its records alone, [{ "name": value }, …], or CSV or Excel.'
const SQL =
  'a dump of a database in SQL, not a table. Restore it, export the table with the rows as CSV, and send that.'

/** What a text is that no delimited table begins like; null: it may be a table. */
export function foreignText(head: string): string | null {
  const text = head.trimStart()
  const json = areLists(text) ? 'one list a line' : jsonKind(text)
  if (json !== null) return `JSON (${json}), ${JSON_WAY}`
  if (isSql(text)) return SQL
  const inCode = withoutCode(text)
  const inner = inCode === null ? null : jsonKind(inCode)
  return inner === null ? namedText(text) : `JSON (${inner}) within code, ${JSON_WAY}`
}

/** Lines that are looked at; a table of one column has other texts among so many. */
const MAX_LINES = 10

/** Whether each line is a JSON list of the same length, of two values and more. */
function areLists(text: string): boolean {
  if (!text.startsWith('[')) return false
  const lines = text
    .split(/\r?\n/, MAX_LINES + 1)
    .slice(0, MAX_LINES)
    .filter((line) => line.trim() !== '')
  // The head of a file may end within a line.
  const whole = lines.length > 2 && !/[\r\n]$/.test(text) ? lines.slice(0, -1) : lines
  const lengths = whole.map((line) => listLength(line))
  return whole.length > 1 && lengths[0]! > 1 && lengths.every((length) => length === lengths[0])
}

function listLength(line: string): number {
  if (!isJson(line)) return 0
  const value: unknown = JSON.parse(line)
  return Array.isArray(value) ? value.length : 0
}

const SQL_COMMENTS = /^(?:\s+|REM\s+INSERTING\b[^\n]*(?:\n|$)|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/;?)+/
/** How dumps begin. The names of the columns of a table may begin like some of these, so one of the others must follow. */
const SQL_BEGIN =
  /^(?:(?:INSERT|REPLACE)\s|COPY\s|(?:CREATE|DROP)\s|(?:BEGIN(?:\s+TRANSACTION)?|START\s+TRANSACTION)\s*;|PRAGMA\s|SET\s|LOCK\s+TABLES\s|USE\s)/i
const SQL_ROWS =
  /^[ \t]*(?:(?:(?:INSERT\s+(?:IGNORE\s+)?|REPLACE\s+)INTO\s+|INSERT\s+(?=\[))(?:\[[^\]\n]*\]|[^\s,;[])+\s*(?:\(|VALUES\b|SELECT\b)|COPY\s+[^\s,;]+\s*(?:\([^)\n]*\)\s*)?FROM\s+stdin;|CREATE\s+(?:TEMPORARY\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[^\s,;]+\s*\()/im

function isSql(text: string): boolean {
  const statements = text.replace(SQL_COMMENTS, '')
  return SQL_BEGIN.test(statements) && SQL_ROWS.test(statements)
}
