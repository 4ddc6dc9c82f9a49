import type { RawColumn, RawTextColumn } from '../../base/raw-table.ts'
import { NO_TEXT } from '../coded/coded-sample.ts'
import { readCodedColumns } from '../coded/read-coded-columns.ts'
import { inferColumn } from '../columns/infer-column.ts'
import { TextCounts } from '../columns/text-counts.ts'
import type { DuckDbSession } from '../reading/duckdb-session.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import type { ColumnProfile } from './column-profile.ts'

/** Texts of a sample that show whether a column could hold anything but texts. */
const TRIED_TEXTS = 2_000
/** A column with more different texts holds texts, whatever they look like. */
const MAX_TEXTS = 1_000_000

/**
 * Reads numbers and dates that a Parquet file holds as texts, as they are read in a CSV file. Columns that hold anything
 * else stay as they are.
 *
 * @param profiles of the columns, in the same sequence; their tables are in the session.
 * @returns the columns, and notes about those that were read.
 */
export async function typedTexts(
  session: DuckDbSession,
  rowCount: number,
  columns: readonly RawColumn[],
  profiles: readonly ColumnProfile[],
  { textColumns, isNoAnswer, decimalMark }: Pick<ReadTableOptions, 'textColumns' | 'isNoAnswer' | 'decimalMark'>,
): Promise<{ readonly columns: readonly RawColumn[]; readonly remarks: readonly string[] }> {
  const found: { readonly column: RawTextColumn; readonly texts: TextCounts; readonly ids: Int32Array }[] = []
  for (const [i, column] of columns.entries()) {
    const profile = profiles[i]!
    if (!('codes' in column) || !('rawTable' in profile) || profile.source.declared !== 'text') continue
    if (textColumns?.has(column.name) || profile.distinct > MAX_TEXTS || !couldBeTyped(column)) continue
    const texts = await countedTexts(session, profile.table)
    if (isValueLike(texts)) found.push({ column, texts, ids: idsOf(column, texts) })
  }
  const read = readCodedColumns(
    { rowCount, texts: found.map(({ texts }) => texts), sampledIds: found.map(({ ids }) => ids) },
    found.map(({ column }, at) => ({ name: column.name, at, declared: 'untyped', hasNoAnswers: true })),
    { delimiter: '', isNoAnswer, decimalMark },
  )
  const typed = new Map<RawColumn, RawColumn>(found.map(({ column }, at) => [column, read.columns[at]!]))
  const marked = (column: RawColumn): RawColumn => {
    const mark = decimalMark?.(column.name) ?? read.decimalMark
    return 'codes' in column && mark !== null ? { ...column, decimalMark: mark } : column
  }
  return { columns: columns.map((column) => typed.get(column) ?? marked(column)), remarks: read.remarks }
}

/** Whether texts are values, or show how the file writes decimals. */
function isValueLike(texts: TextCounts): boolean {
  const type = inferColumn(texts)
  return type.type !== 'text' || type.decimalMark !== undefined
}

/** Whether some of the texts, from the first to the last, could be values. Most columns of texts are recognized so. */
function couldBeTyped({ dictionary, counts }: RawTextColumn): boolean {
  const step = Math.max(1, Math.floor(dictionary.length / TRIED_TEXTS))
  const texts = new TextCounts()
  for (let code = 0; code < dictionary.length; code += step) add(texts, dictionary[code]!, counts[code]!)
  return isValueLike(texts)
}

/** All texts of the file with their counts. */
async function countedTexts(session: DuckDbSession, table: string): Promise<TextCounts> {
  const texts = new TextCounts()
  for await (const chunk of session.chunks(`SELECT v, n::DOUBLE FROM ${table} ORDER BY v`)) {
    const counts = chunk.getColumnValues(1)
    for (const [row, text] of chunk.getColumnValues(0).entries()) add(texts, text as string, counts[row] as number)
  }
  return texts
}

function add(texts: TextCounts, text: string, count: number): void {
  const bytes = Buffer.from(text)
  texts.count(texts.placeOf(bytes, 0, bytes.length), count)
}

/** The ids of the rows held. */
function idsOf({ dictionary, codes }: RawTextColumn, texts: TextCounts): Int32Array {
  const idOf = dictionary.map((text) => {
    const bytes = Buffer.from(text)
    return texts.idAt(texts.placeOf(bytes, 0, bytes.length))
  })
  return codes.map((code) => (code < 0 ? NO_TEXT : idOf[code]!))
}
