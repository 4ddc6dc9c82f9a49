// Files that others wrote, with what their indexes expect of a reader, and the judgement of what was read. Plain JavaScript,
// since `npm run formats:table` uses it without a compiler.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../../shared/data')

export const SHARED_FOLDERS = ['formats/csv', 'formats/parquet', 'formats/excel', 'formats/sav', 'surveys']

/** Files of which "either" is expected, and how this reader refuses them. */
const REFUSED = {
  'nullpadding.csv': /different numbers of fields/,
  'bad.csv': /1 row of 4 has more fields than the 3 of the header \(line 2\)/,
  'hadoop_lz4_compressed.parquet': /LZ4/,
  'invalid_utf8_dictionary.parquet': /not UTF-8/,
  'hotel-encrypted.sav': /with a password\. Save it without/,
  'pass_protected.xlsx': /password/,
  'empty-sheets.xlsx': /header but no rows/,
  // Text by its content, whatever its name says.
  'too_small.xls': /header but no rows/,
}

/** Files of which "either" is expected that are read in another way than by those who wrote the index, for a reason. */
const OTHERWISE = {
  // No header row: its first row is a date and a number, as all others are.
  'date_1904.xlsx': { rows: 3, columns: 2 },
  // No header row either; the index has no numbers. One of the rows is empty.
  'any_sheets.xlsb': { rows: 5, columns: 2 },
  // Five rows of merged header above one of data; readers that know no merged header take four of them for data.
  'multiline-headers.xlsx': { rows: 1, columns: 4 },
  // Two rows of header with groups of columns; one of them is data to other readers.
  'masculinity-survey.csv': { rows: 231, columns: 12 },
  'april_2017_responses.xlsx': { rows: 175, columns: 48 },
}

export function sharedFiles(folder) {
  const index = join(ROOT, folder, 'index.json')
  if (!existsSync(index)) return []
  const { files } = JSON.parse(readFileSync(index, 'utf8'))
  return files.map(({ name, expected }) => ({ name, path: join(ROOT, folder, name), expected }))
}

export function tableShape(table) {
  return {
    rows: table.rowCount + table.droppedRows.empty + table.droppedRows.repeatedHeader,
    columns: table.columns.length + (table.skippedColumns ?? []).length,
  }
}

export function checkReading({ name, expected }, reading) {
  const refusal = REFUSED[name]
  if (expected.accept === false || refusal !== undefined) {
    const isMet = expected.accept !== true && 'refused' in reading && (refusal ?? /./).test(reading.refused)
    return { expected: expected.accept === false ? 'refused' : 'either: refused', isMet }
  }
  const otherwise = OTHERWISE[name]
  const allowed =
    otherwise === undefined
      ? [expected, ...(expected.also_acceptable ?? [])]
      : expected.accept === 'either'
        ? [otherwise]
        : []
  return {
    expected: `${expected.accept === 'either' ? 'either: ' : ''}${allowed.map(shapeText).join(' or ')}`,
    isMet: !('refused' in reading) && allowed.some((shape) => shapeText(shape) === shapeText(reading)),
  }
}

export function shapeText({ rows, columns }) {
  return `${rows} x ${columns}`
}
