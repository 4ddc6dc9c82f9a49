import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { tableFromIPC } from '@uwdata/flechette'
import { parse } from 'csv-parse/sync'
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

export type Value = string | number | null

/** An artifact as a reader that knows nothing of this project sees it. */
export interface IndependentTable {
  readonly rowCount: number
  readonly columns: readonly string[]
  /** Column → `integer`, `float`, `text`, or what else the file calls it; CSV: by what its values look like. */
  readonly types: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, readonly Value[]>>
}

export async function readIndependently(path: string): Promise<IndependentTable> {
  const bytes = await readFile(path)
  switch (extname(path)) {
    case '.parquet':
      return readParquet(bytes)
    case '.arrow':
      return readArrow(bytes)
    case '.csv':
      return readCsv(bytes)
    default:
      throw new Error(`no reader for ${path}`)
  }
}

/** hyparquet with the compressors that it does not have itself. */
async function readParquet(bytes: Buffer): Promise<IndependentTable> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const metadata = await parquetMetadataAsync(file)
  const rows = await parquetReadObjects({ file, metadata, compressors })
  const elements = parquetSchema(metadata).children.map((child) => child.element)
  const columns = elements.map((element) => element.name)
  const types = elements.map((element) => {
    if (element.type === 'INT64' || element.type === 'INT32')
      return element.converted_type === undefined || /^INT/.test(element.converted_type)
        ? 'integer'
        : element.converted_type
    if (element.type === 'DOUBLE' || element.type === 'FLOAT') return 'float'
    return element.type === 'BYTE_ARRAY' && element.converted_type === 'UTF8' ? 'text' : String(element.type)
  })
  return table(Number(metadata.num_rows), columns, types, (name) => rows.map((row) => row[name]))
}

/** Flechette. */
function readArrow(bytes: Buffer): IndependentTable {
  const read = tableFromIPC(new Uint8Array(bytes))
  const columns = read.schema.fields.map((field) => field.name)
  const types = read.schema.fields.map((field) => {
    const type = field.type as { typeId: number; dictionary?: { typeId: number } }
    // Flatbuffers' type ids (Schema.fbs of Arrow); a dictionary counts as the type of its values.
    const id = type.typeId === -1 ? type.dictionary?.typeId : type.typeId
    return id === 2 ? 'integer' : id === 3 ? 'float' : id === 5 || id === 20 ? 'text' : `type ${id}`
  })
  return table(read.numRows, columns, types, (name) => [...(read.getChild(name) as Iterable<unknown>)])
}

function readCsv(bytes: Buffer): IndependentTable {
  const [header, ...rows] = parse(bytes, { bom: false, relax_column_count: false }) as string[][]
  const columns = header as string[]
  const cells = (name: string) => rows.map((row) => row[columns.indexOf(name)] as string)
  const types = columns.map((name) => {
    const filled = cells(name).filter((cell) => cell !== '')
    if (filled.every((cell) => /^-?\d+$/.test(cell))) return 'integer'
    return filled.every((cell) => cell.trim() !== '' && Number.isFinite(Number(cell))) ? 'float' : 'text'
  })
  return table(rows.length, columns, types, (name) => {
    const isText = types[columns.indexOf(name)] === 'text'
    return cells(name).map((cell) => (cell === '' ? null : isText ? cell : Number(cell)))
  })
}

function table(
  rowCount: number,
  columns: readonly string[],
  types: readonly string[],
  valuesOf: (name: string) => readonly unknown[],
): IndependentTable {
  return {
    rowCount,
    columns,
    types: Object.fromEntries(columns.map((name, i) => [name, types[i] as string])),
    values: Object.fromEntries(columns.map((name) => [name, valuesOf(name).map(plain)])),
  }
}

const plain = (value: unknown): Value =>
  value === null || value === undefined ? null : typeof value === 'bigint' ? Number(value) : (value as Value)

export function countOf(table: IndependentTable, column: string, level: string): number {
  return (table.values[column] as readonly Value[]).filter((value) => value === level).length
}
