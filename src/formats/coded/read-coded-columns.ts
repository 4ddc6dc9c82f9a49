import type { RawColumn } from '../../base/raw-table.ts'
import { type NumberFacts, numberColumn, TextCodes, textColumn } from '../columns/build-column.ts'
import {
  type ColumnProfile,
  inferColumn,
  MAX_COUNTS,
  profileColumn,
  type SourceColumn,
} from '../columns/column-profile.ts'
import { ColumnRemarks } from '../columns/column-remarks.ts'
import { countTexts, isFewEnough, numberFacts, type TextProfile, textFacts } from '../columns/raw-columns.ts'
import { settleDoubts, type TextColumnType } from '../columns/text-column-type.ts'
import { trimmedSql } from '../columns/value-forms.ts'
import type { DuckDbSession } from '../reading/duckdb-session.ts'
import { type ClearColumn, type ClearNumbers, type ClearTexts, clearColumn } from './clear-column.ts'
import { NO_TEXT } from './coded-rows.ts'
import type { StoredTexts } from './stored-texts.ts'
import type { TextCounts } from './text-counts.ts'

/** A table as ids of texts. */
export interface CodedTable {
  readonly rowCount: number
  readonly texts: readonly TextCounts[]
  /** Texts that were removed from memory. */
  readonly stored: StoredTexts
  /** Of the rows held, by column. */
  readonly sampledIds: readonly Int32Array[]
}

/** A column of the table; its SQL refers to the text as `c` and `at`. */
export interface CodedColumn extends SourceColumn {
  readonly at: number
}

/**
 * Infers the columns' types from all their distinct texts and reads their values. Columns of a clear type are typed
 * here, all others by DuckDB, which receives their distinct texts. Each text is read once, not each row.
 */
export async function readCodedColumns(
  session: DuckDbSession,
  table: CodedTable,
  columns: readonly CodedColumn[],
  delimiter: string,
): Promise<{ columns: RawColumn[]; remarks: string[] }> {
  const { rowCount, texts, stored, sampledIds } = table
  const remarks = new ColumnRemarks()
  const clear: (ClearColumn | null)[] = []
  const inferred: TextColumnType[] = []
  for (const [i, column] of columns.entries()) {
    const { at } = column
    const found = column.declared === 'untyped' && !stored.has(at) ? clearColumn(texts[at]!) : null
    clear.push(found)
    if (found === null) {
      await stored.add(at, texts[at]!)
      const source = { relation: stored.relationOf(at), count: 'sum(n)::BIGINT' }
      inferred.push(await inferColumn(session, i, source, column, remarks))
    } else {
      remarks.missing(column.name, found.words)
      inferred.push(found.type)
    }
  }
  const read: RawColumn[] = []
  for (const [i, type] of settleDoubts(inferred, delimiter).entries()) {
    const column = columns[i]!
    const ids = sampledIds[column.at]!
    const found = clear[i]!
    if (found === null) {
      const profile = await profileColumn(session, i, rowCount, column, type, remarks)
      read.push(await profiledColumn(session, stored, column, profile, ids))
      continue
    }
    if ('remarks' in type) for (const remark of type.remarks) remarks.has(column.name, remark)
    if (found.kind === 'numbers') remarks.missing(column.name, found.marks)
    read.push(
      found.kind === 'numbers'
        ? clearNumberColumn(column.name, found, texts[column.at]!, ids, rowCount)
        : clearTextColumn(column.name, found, texts[column.at]!, ids, rowCount),
    )
  }
  return { columns: read, remarks: remarks.notes() }
}

function clearNumberColumn(
  name: string,
  { numbers, counts, decimals }: ClearNumbers,
  texts: TextCounts,
  ids: Int32Array,
  rowCount: number,
): RawColumn {
  const { firstId } = texts
  const values = new Float64Array(ids.length)
  for (let row = 0; row < ids.length; row++) {
    values[row] = ids[row] === NO_TEXT ? Number.NaN : numbers[ids[row]! - firstId]!
  }
  return numberColumn({ type: 'number', name, decimals, ...countedNumbers(numbers, counts, rowCount) }, values)
}

function countedNumbers(
  numbers: Float64Array,
  textCounts: Uint32Array,
  rowCount: number,
): Pick<NumberFacts, 'missing' | 'distinct' | 'min' | 'max' | 'counts'> {
  // NaN comes last.
  const sorted = numbers.slice().sort()
  let distinct = 0
  let length = 0
  for (; length < sorted.length && !Number.isNaN(sorted[length]!); length++) {
    if (length === 0 || sorted[length] !== sorted[length - 1]) distinct++
  }
  const counts = distinct > MAX_COUNTS ? null : new Map<number, number>()
  if (counts !== null) for (let i = 0; i < length; i++) counts.set(sorted[i]!, 0)
  let missing = rowCount
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    if (Number.isNaN(number)) continue
    const count = textCounts[i]!
    missing -= count
    counts?.set(number, counts.get(number)! + count)
  }
  return { missing, distinct, min: sorted[0]!, max: sorted[length - 1]!, counts }
}

function clearTextColumn(
  name: string,
  { words, distinct, counts: textCounts }: ClearTexts,
  texts: TextCounts,
  ids: Int32Array,
  rowCount: number,
): RawColumn {
  const { firstId, size } = texts
  const missingWords = new Set(words.map(([text]) => text))
  let missing = rowCount
  for (const count of textCounts) missing -= count
  for (const [, count] of words) missing += count
  const found = new TextCodes()
  const read = (id: number) => {
    const text = texts.textOf(id)
    return missingWords.has(text) ? null : text
  }
  const codes = codesOf(ids, firstId, size, (id) => found.codeFor(read(id)))
  const counts = new Float64Array(found.size)
  for (let row = 0; row < ids.length; row++)
    if (codes[row]! >= 0) counts[codes[row]!] = textCounts[ids[row]! - firstId]!
  return textColumn({ type: 'text', name, missing, distinct }, found, codes, counts)
}

/** @param codeFor called once for each id. */
function codesOf(ids: Int32Array, firstId: number, size: number, codeFor: (id: number) => number): Int32Array {
  const unseen = -2
  const codeOfId = new Int32Array(size).fill(unseen)
  const codes = new Int32Array(ids.length)
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row]!
    if (id === NO_TEXT) {
      codes[row] = -1
      continue
    }
    let code = codeOfId[id - firstId]!
    if (code === unseen) {
      code = codeFor(id)
      codeOfId[id - firstId] = code
    }
    codes[row] = code
  }
  return codes
}

/** A column that DuckDB has profiled. */
async function profiledColumn(
  session: DuckDbSession,
  stored: StoredTexts,
  { at }: CodedColumn,
  profile: ColumnProfile,
  ids: Int32Array,
): Promise<RawColumn> {
  let end = 0
  for (let row = 0; row < ids.length; row++) if (ids[row]! >= end) end = ids[row]! + 1
  const isWanted = new Uint8Array(end)
  for (let row = 0; row < ids.length; row++) if (ids[row] !== NO_TEXT) isWanted[ids[row]!] = 1
  const wanted = await stored.addWanted(at, isWanted)
  const values = `SELECT id, ${profile.value} AS g FROM ${stored.relationOf(at)} SEMI JOIN ${wanted} USING (id)`
  if (!('rawTable' in profile)) {
    const numberOfId = new Float64Array(end).fill(Number.NaN)
    for await (const chunk of session.chunks(`SELECT id, coalesce(g::DOUBLE, 'nan'::DOUBLE) FROM (${values})`)) {
      const numbers = chunk.getColumnValues(1)
      for (const [i, id] of chunk.getColumnValues(0).entries()) numberOfId[id as number] = numbers[i] as number
    }
    const numbers = Float64Array.from(ids, (id) => (id === NO_TEXT ? Number.NaN : numberOfId[id]!))
    return numberColumn(numberFacts(profile), numbers)
  }
  await session.run(`CREATE TABLE sampled_${at} AS ${values}`)
  return sampledTexts(session, `sampled_${at}`, profile, ids, end)
}

async function sampledTexts(
  session: DuckDbSession,
  sampled: string,
  profile: TextProfile,
  ids: Int32Array,
  end: number,
): Promise<RawColumn> {
  const texts = new TextCodes()
  const codeOfId = new Int32Array(end).fill(-1)
  for await (const chunk of session.chunks(`SELECT id, g FROM ${sampled} WHERE g IS NOT NULL`)) {
    const raw = chunk.getColumnValues(1)
    for (const [i, id] of chunk.getColumnValues(0).entries()) {
      codeOfId[id as number] = texts.codeFor(profile.read(raw[i] as string))
    }
  }
  const codes = Int32Array.from(ids, (id) => (id === NO_TEXT ? -1 : codeOfId[id]!))
  const wanted = isFewEnough(profile) ? null : `SELECT ${trimmedSql('g')} FROM ${sampled}`
  return textColumn(textFacts(profile), texts, codes, await countTexts(session, profile, texts, wanted))
}
