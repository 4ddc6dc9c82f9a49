import type { RawTable } from '../../base/raw-table.ts'
import { CodedRows } from '../coded/coded-rows.ts'
import { type CodedColumn, readCodedColumns } from '../coded/read-coded-columns.ts'
import { TEXT } from '../columns/column-type.ts'
import type { CompactType } from '../columns/compact-texts.ts'
import { type ReadTableOptions, sampleSize } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type JsonColumn, JsonColumns, keyOf } from './json-columns.ts'
import { jsonRecords } from './json-records.ts'
import { takeCells } from './record-cells.ts'

/** Rows between two looks at the memory of the texts. */
const PIECE_ROWS = 1_024

/**
 * Reads JSON of one record a row: a list of records, or one record behind the other (JSON Lines). Two passes over the file:
 * one finds the names, which not every record needs to have, the other takes the values. Numbers and truth values keep their
 * type; types of columns of texts are inferred, as in delimited text.
 *
 * @throws {UnreadableFileError}
 */
export async function readJson(path: string, options: ReadTableOptions): Promise<RawTable> {
  const found = new JsonColumns()
  for await (const record of jsonRecords(path, options.signal)) found.add(record)
  if (found.records === 0) throw new UnreadableFileError('The JSON has no records, so the table has no rows.')
  const { columns, notes } = found.named()
  const usable = [...columns.values()].filter(({ kinds }) => !kinds.has('nested'))
  const skippedColumns = [...columns.values()].filter(({ kinds }) => kinds.has('nested')).map(skipped)
  if (usable.length === 0) {
    throw new UnreadableFileError(
      'The records have no value that a table can hold: all of them are empty, or lists of records. Write one value for each name.',
    )
  }
  const rows = await codedRows(path, columns, found.records, options)
  if (rows.rowCount === 0) throw new UnreadableFileError('The records have names but no values.')
  const sampledIds = rows.sampledIds()
  const read = readCodedColumns(
    { rowCount: rows.rowCount, texts: rows.columns, sampledIds },
    usable.map((column) => codedColumn(column, options)),
    { ...options, delimiter: ',' },
  )
  return {
    rowCount: rows.rowCount,
    sampleRows: sampledIds[0]!.length,
    columns: read.columns,
    ...(skippedColumns.length > 0 && { skippedColumns }),
    droppedRows: rows.dropped,
    notes: [
      ...notes,
      ...(usable.some(({ isPart }) => isPart) ? ['Structured columns were split into one column per field.'] : []),
      ...usable.filter(({ kinds }) => kinds.has('lists')).map(listsNote),
      ...skippedColumns.map(({ name, detail }) => `Column "${name}" was left out. ${detail}`),
      ...read.remarks,
    ],
  }
}

const listsNote = ({ name }: JsonColumn): string =>
  `Column "${name}" holds lists, which were read as several answers in a cell.`

const skipped = ({ name }: JsonColumn): { readonly name: string; readonly detail: string } => ({
  name,
  detail: 'The column holds lists of records or of lists; to use them, write a name for each value.',
})

/** Takes the values, and again when a column is of another type than it had when its texts were replaced by values. */
async function codedRows(
  path: string,
  columns: ReadonlyMap<string, JsonColumn>,
  records: number,
  options: ReadTableOptions,
): Promise<CodedRows> {
  const decided = new Map<number, CompactType>()
  for (const { name, at, kinds } of columns.values()) if (isText(name, kinds, options)) decided.set(at, TEXT)
  for (;;) {
    const maxSampleRows = sampleSize(records, columns.size, options)
    const rows = new CodedRows({ width: columns.size, header: null, maxSampleRows, decided })
    let taken = 0
    for await (const record of jsonRecords(path, options.signal)) {
      takeCells(record, (path, kind, text) => {
        if (kind === 'nested') return
        const bytes = Buffer.from(text)
        rows.field(columns.get(keyOf(path))!.at, bytes, 0, bytes.length)
      })
      rows.endRecord()
      if (++taken % PIECE_ROWS === 0) rows.shrink()
    }
    const mistaken = rows.mistaken()
    if (mistaken.size === 0) return rows
    for (const [column, type] of mistaken) decided.set(column, decided.has(column) ? TEXT : type)
  }
}

function codedColumn({ name, at, kinds }: JsonColumn, options: ReadTableOptions): CodedColumn {
  if (areNumbers(kinds)) return { name, at, declared: 'number' }
  return { name, at, declared: isText(name, kinds, options) ? 'text' : 'untyped' }
}

const areNumbers = (kinds: JsonColumn['kinds']): boolean => kinds.size === 1 && kinds.has('number')

/** What the study declares so; the file itself types a column of numbers. */
const isText = (name: string, kinds: JsonColumn['kinds'], { textColumns }: ReadTableOptions): boolean =>
  textColumns?.has(name) === true && !areNumbers(kinds)
