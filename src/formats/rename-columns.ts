import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { OutputFormat } from '../base/result-formats.ts'
import { csvField } from '../base/text/csv-field.ts'
import { uniqueNames } from '../base/unique-names.ts'
import { guardedRecords, guardedText } from './csv/formula-cells.ts'
import { splitRecords } from './csv/split-records.ts'
import { nameColumnsApart, writeOwnNames } from './parquet/name-columns-apart.ts'
import { parquetColumns, topLevelNames } from './parquet/parquet-columns.ts'
import { damagedParquet } from './reading/damaged-parquet.ts'
import { DuckDBTypeId, DuckDbSession, sqlName, sqlText } from './reading/duckdb-session.ts'
import { UnreadableFileError } from './reading/unreadable-file-error.ts'

export interface RenameOptions {
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  readonly signal?: AbortSignal
  /** Whether cells of CSV that begin like a formula, names of columns too, get an apostrophe in front. */
  readonly escapesFormulas?: boolean
}

/**
 * Copies a table under other names of its columns, in bounded memory; rows and their sequence stay. Equal files and names
 * give equal bytes.
 *
 * @param target a new file; what was written stays when an error is thrown.
 * @param names old name → new name. Columns that would share a new name keep their own, and so do those whose new name is blank.
 * @throws {UnreadableFileError} when the table is damaged; and the signal's reason.
 */
export async function renameColumns(
  source: string,
  format: OutputFormat,
  target: string,
  names: ReadonlyMap<string, string>,
  options: RenameOptions,
): Promise<void> {
  await RENAMING[format](source, target, names, options)
}

type Rename = (
  source: string,
  target: string,
  names: ReadonlyMap<string, string>,
  options: RenameOptions,
) => Promise<void>

const RENAMING: { readonly [F in OutputFormat]: Rename } = {
  parquet: renameInParquet,
  csv: renameInCsv,
  arrow: async (source, target, names, { signal }) => {
    const { renameInArrow } = await import('./arrow/rename-in-arrow.ts')
    await renameInArrow(source, target, (own) => newNames(own, names), signal)
  },
}

/** Blank names, and names with a NUL, are lost in some formats. */
const UNUSABLE = /^\s*$|\0/

function newNames(own: readonly string[], names: ReadonlyMap<string, string>): readonly string[] {
  const wished = own.map((name) => {
    const other = names.get(name)
    return other === undefined || UNUSABLE.test(other) ? name : other
  })
  return uniqueNames(wished, own).names
}

const DIALECT = { delimiter: ',', quote: '"', escape: '"' } as const
const HEAD_BYTES = 1 << 20

/** Only the header changes, and cells that begin like a formula. */
async function renameInCsv(
  source: string,
  target: string,
  names: ReadonlyMap<string, string>,
  { signal, escapesFormulas = false }: RenameOptions,
): Promise<void> {
  const header = await csvHeader(source)
  const shown = newNames(header.names, names).map((name) => (escapesFormulas ? guardedText(name) : name))
  const record = shown.map(csvField).join(',')
  const out = await open(target, 'wx', 0o644)
  try {
    await out.writeFile(record)
    const pieces: AsyncIterable<Buffer> = createReadStream(source, { start: header.bytes })
    for await (const piece of escapesFormulas ? guardedRecords(pieces) : pieces) {
      signal?.throwIfAborted()
      await out.writeFile(piece)
    }
    await out.sync()
  } finally {
    await out.close()
  }
}

/** Names of a CSV file's columns, and the byte at which the line of the header ends. */
async function csvHeader(path: string): Promise<{ readonly names: readonly string[]; readonly bytes: number }> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    const bytes = endOfRecord(head)
    const text = head
      .subarray(0, bytes)
      .toString('utf8')
      .replace(/^\ufeff/, '')
    const [names] = splitRecords(text, DIALECT, true, 1).records
    if (names === undefined) throw new UnreadableFileError('The CSV file has no header in its first MiB.')
    return { names, bytes }
  } finally {
    await file.close()
  }
}

/** The first byte of a line end outside quotes; the end if there is none. */
function endOfRecord(bytes: Buffer): number {
  let isQuoted = false
  for (const [i, byte] of bytes.entries()) {
    if (byte === 0x22) isQuoted = !isQuoted
    else if (!isQuoted && (byte === 0x0a || byte === 0x0d)) return i
  }
  return bytes.length
}

async function renameInParquet(
  source: string,
  target: string,
  names: ReadonlyMap<string, string>,
  { tempDir, signal }: RenameOptions,
): Promise<void> {
  // One thread: row groups and dictionaries depend on the rows alone.
  const session = await DuckDbSession.open({
    tempDir,
    readPaths: [source],
    writePaths: [target],
    threads: 1,
    ...(signal && { signal }),
  })
  try {
    const file = session.readable(source)
    const table = `read_parquet(${sqlText(file)}, hive_partitioning = false, filename = false)`
    const header = await (await session.connection()).run(`SELECT * FROM ${table} LIMIT 0`)
    const own = await topLevelNames(session, file, header.columnNames())
    const types = header.columnTypes()
    const apart = nameColumnsApart(newNames(own, names))
    const selected = own.map((name, i) => {
      const [column] = parquetColumns(name, `c${i}`, types[i]!)
      const isText = types[i]!.typeId === DuckDBTypeId.VARCHAR && column !== undefined && 'expression' in column
      return `${isText ? column.expression : `c${i}`} AS ${sqlName(apart.written[i]!)}`
    })
    const from = `${table} AS t(${own.map((_, i) => `c${i}`).join(', ')})`
    await session.run(
      `COPY (SELECT ${selected.join(', ')} FROM ${from}) TO ${sqlText(target)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
    )
    await writeOwnNames(target, apart)
    await forceToDisk(target)
  } catch (error) {
    throw damagedParquet(error, signal)
  } finally {
    await session.close()
  }
}

async function forceToDisk(path: string): Promise<void> {
  const file: FileHandle = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
