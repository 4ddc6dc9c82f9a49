import { type FileMetaData, parquetMetadata, parquetRead, type SchemaElement } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressZstd } from 'hyparquet-compressors'
import {
  type ArtifactRequest,
  type ArtifactSummary,
  columnsOf,
  isMissingText,
  missingColumn,
} from '../reading/artifact-summary.ts'
import type { CountedColumn } from '../reading/counted-column.ts'
import { ReadOtherwiseError } from '../reading/unreadable-file-error.ts'
import { ValueCounting } from '../reading/value-counting.ts'

/** Values of all columns, and bytes of all unpacked pages: the most that a small file may expand to. */
const MOST_VALUES = 2_000_000
const MOST_PAGE_BYTES = 32 << 20

/**
 * Counts a small Parquet file of simple columns without a database: `summarizeParquet` gives the same figures.
 *
 * @throws {ReadOtherwiseError} when the file needs the reader for all types, and the library's errors for damage, which
 * that reader has to assess as well.
 */
export async function summarizeSmallParquet(bytes: Buffer, request: ArtifactRequest): Promise<ArtifactSummary> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const metadata = parquetMetadata(file)
  const [root, ...elements] = metadata.schema
  const names = elements.map((element) => element.name)
  if (root?.num_children !== elements.length || new Set(names).size < names.length) throw new ReadOtherwiseError()
  requireModestPages(file, metadata)
  const columns = new Map<string, CountedColumn>()
  for (const name of columnsOf(request)) {
    const element = elements[names.indexOf(name)]
    if (element === undefined) throw missingColumn(name, names)
    columns.set(name, readingOf(element))
  }
  const rowCount = Number(metadata.num_rows)
  const values = new Map<string, unknown[]>(names.map((name) => [name, []]))
  // Every column is decoded, so that any damage is found.
  await parquetRead({
    file,
    metadata,
    compressors: { ZSTD: (input, length) => decompressZstd(input, new Uint8Array(length)) },
    parsers: { stringFromBytes: exactText, timestampFromMicroseconds: exactMilliseconds },
    onChunk: ({ columnName, columnData }) => {
      const into = values.get(columnName)
      for (const value of columnData) into?.push(value)
    },
  })
  for (const found of values.values()) if (found.length !== rowCount) throw new ReadOtherwiseError()
  const counting = new ValueCounting(request)
  counting.add((name) => ({ ...columns.get(name)!, values: values.get(name)! }))
  return counting.summary(rowCount, names)
}

/** The file itself claims its sizes, and memory is reserved for them before a value is read. */
function requireModestPages(file: ArrayBuffer, metadata: FileMetaData): void {
  let values = 0
  let pageBytes = 0
  for (const { columns } of metadata.row_groups) {
    for (const { meta_data: chunk } of columns) {
      if (chunk === undefined || !['UNCOMPRESSED', 'SNAPPY', 'ZSTD'].includes(chunk.codec))
        throw new ReadOtherwiseError()
      const begin = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset)
      const end = begin + Number(chunk.total_compressed_size)
      if (!(begin >= 0 && end <= file.byteLength)) throw new ReadOtherwiseError()
      values += Number(chunk.num_values)
      const reader = { view: new DataView(file, begin, end - begin), offset: 0 }
      while (reader.offset < end - begin) {
        const header = parquetHeader(reader)
        const { data_page_header, data_page_header_v2, dictionary_page_header } = header
        const inPage = data_page_header ?? data_page_header_v2 ?? dictionary_page_header
        if (inPage === undefined || !(inPage.num_values >= 0) || !(header.compressed_page_size >= 0))
          throw new ReadOtherwiseError()
        values += inPage.num_values
        pageBytes += header.uncompressed_page_size
        reader.offset += header.compressed_page_size
        if (!(values <= MOST_VALUES && pageBytes <= MOST_PAGE_BYTES)) throw new ReadOtherwiseError()
      }
    }
  }
}

type Reading = Omit<CountedColumn, 'values'>

/** Two spellings of one number: only whole numbers and short fractions look the same wherever they are written. */
function readingOf({ type, converted_type: converted, logical_type: logical }: SchemaElement): CountedColumn {
  const reading = readingOfType(type, converted ?? null, logical?.type ?? null)
  if (reading === null) throw new ReadOtherwiseError()
  return { values: [], ...reading }
}

function readingOfType(type: string | undefined, converted: string | null, logical: string | null): Reading | null {
  if (type === 'BYTE_ARRAY' && (converted === 'UTF8' || logical === 'STRING')) {
    return {
      level: orMissing((value) => value as string),
      number: orMissing((value) => standardNumber(value as string)),
    }
  }
  const isSimple = logical === null || logical === 'INTEGER'
  if ((type === 'INT32' || type === 'INT64') && isSimple && (converted === null || /^INT_/.test(converted))) {
    return { level: orMissing(String), number: orMissing(Number) }
  }
  if (type === 'DOUBLE' && converted === null && logical === null) {
    const present = (value: unknown) => value !== null && value !== undefined && !Number.isNaN(value)
    return {
      level: (value) => (present(value) ? shortText(value as number) : null),
      number: (value) => (present(value) ? (value as number) : null),
    }
  }
  if (type === 'BOOLEAN') return { level: orMissing(String), number: orMissing(Number) }
  const isTime = converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS'
  if (converted === 'DATE' || isTime) {
    return { level: orMissing(notSimple), number: orMissing((value) => (value as Date).getTime()), isDate: true }
  }
  return null
}

function orMissing<T>(read: (value: unknown) => T): (value: unknown) => T | null {
  return (value) => (value === null || value === undefined ? null : read(value))
}

function shortText(value: number): string {
  const size = Math.abs(value)
  if (Number.isInteger(value) ? size < 9e15 : size >= 1e-4 && size < 1e15) return String(value)
  return notSimple()
}

function notSimple(): never {
  throw new ReadOtherwiseError()
}

/** The form of a number that every reader takes for the same value. */
const STANDARD_NUMBER = /^-?\d{1,17}(?:\.\d{1,17})?$/

/** A text as a number, null where missing; dates, words, `1e5` and all else are for the reader of every form. */
function standardNumber(text: string): number | null {
  if (STANDARD_NUMBER.test(text)) return Number(text)
  return isMissingText(text) ? null : notSimple()
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function exactText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && utf8.decode(bytes)
}

function exactMilliseconds(micros: bigint): Date {
  if (micros % 1000n !== 0n) throw new ReadOtherwiseError()
  return new Date(Number(micros / 1000n))
}
