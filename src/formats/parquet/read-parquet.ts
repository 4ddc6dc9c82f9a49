import { stat } from 'node:fs/promises'
import type { RawTable } from '../../base/raw-table.ts'
import { nameColumns } from '../columns/column-names.ts'
import {
  BIGINT,
  DuckDBBigIntVector,
  DuckDBDataChunk,
  DuckDBTypeId,
  DuckDbSession,
  sqlText,
} from '../reading/duckdb-session.ts'
import { type ReadTableOptions, sampleRowIndexes, sampleSize } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type ColumnNotes, columnNotes, readColumnNotes } from './column-notes.ts'
import { type LevelsOf, profileColumns } from './column-profile.ts'
import { type ParquetColumn, parquetColumns, type ReadableColumn, topLevelNames } from './parquet-columns.ts'
import { refuseByFooter } from './parquet-footer.ts'
import { checkClaims, checkUnpacked } from './parquet-size.ts'
import { readRawColumns } from './raw-columns.ts'
import { readTextBoxes } from './text-boxes.ts'
import { typedTexts } from './typed-texts.ts'

const MAX_COLUMNS = 5_000

/**
 * Reads a Parquet file: any encoding and codec that DuckDB knows (all but LZ4 in Hadoop's framing and LZO).
 *
 * Declared types are used; only text without a declaration gets an inferred type, as in a CSV file. Rows in which every column is null
 * are left out and counted if there are several columns.
 *
 * @throws {UnreadableFileError}
 */
export async function readParquet(path: string, options: ReadTableOptions): Promise<RawTable> {
  const session = await DuckDbSession.open({ ...options, readPaths: [path] })
  try {
    return await readFrom(path, options, session)
  } catch (error) {
    throw inWords(error)
  } finally {
    await session.close()
  }
}

async function readFrom(path: string, options: ReadTableOptions, session: DuckDbSession): Promise<RawTable> {
  await refuseByFooter(path)
  const notes: string[] = []
  const read = `read_parquet(${sqlText(session.readable(path))}, hive_partitioning = false, filename = false`
  const { size } = await stat(path)
  const claimedRows = await checkClaims(session, session.readable(path), size)
  const header = await (await session.connection()).run(`SELECT * FROM ${read}) LIMIT 0`)
  const headerNames = await topLevelNames(session, session.readable(path), header.columnNames())
  const types = header.columnTypes()
  if (headerNames.length > MAX_COLUMNS) {
    throw new UnreadableFileError(`The file has ${headerNames.length} columns; at most ${MAX_COLUMNS} can be read.`)
  }
  // Numbered names, since a Parquet file may have empty ones, which SQL cannot express.
  const numbered = headerNames.map((_, i) => `f${i}`)
  await session.run(
    `CREATE VIEW file AS SELECT * FROM ${read}, file_row_number = true) AS t(${[...numbered, 'position'].join(', ')})`,
  )
  const named = nameColumns(headerNames)
  notes.push(...named.notes)

  const found = named.names.flatMap((name, i) => parquetColumns(name, `f${i}`, types[i]!))
  await checkUnpacked(session, found, size)
  const binary = await binaryColumns(
    session,
    numbered.filter((_, i) => types[i]!.typeId === DuckDBTypeId.BLOB),
  )
  const inferred = found.map(
    (column): ParquetColumn =>
      'declared' in column && binary.some((blob) => column.expression.includes(`decode(${blob})`))
        ? { name: column.name, skipped: 'The column holds binary data.' }
        : column,
  )
  const readable = inferred.filter((column): column is ReadableColumn => 'declared' in column)
  const unique = nameColumns(readable.map((column) => column.name)).names
  const columns = readable.map((column, i) => ({ ...column, name: unique[i]! }))
  const skippedColumns = inferred.flatMap((column) =>
    'skipped' in column ? [{ name: column.name, detail: column.skipped }] : [],
  )
  if (columns.length === 0) {
    throw new UnreadableFileError(
      'The file has no usable column: binary data, maps, and lists of anything but texts and whole numbers cannot be modelled.',
    )
  }
  if (columns.length > headerNames.length - skippedColumns.length) {
    notes.push('Structured columns were split into one column per field.')
  }
  for (const { name, hasLists } of columns)
    if (hasLists) notes.push(`Column "${name}" holds lists, which were read as several answers in a cell.`)
  for (const { name, detail } of skippedColumns) notes.push(`Column "${name}" was left out. ${detail}`)

  const [counted] = await session.rows(
    `SELECT count(*), count(*) FILTER (${columns.map((column) => `${column.expression} IS NULL`).join(' AND ')}) FROM file`,
  )
  const rows = Number(counted?.[0])
  if (rows !== claimedRows) {
    throw new UnreadableFileError(
      `The Parquet file claims ${claimedRows} rows, but ${rows} were found. Write or download it again.`,
    )
  }
  const emptyRows = columns.length > 1 ? Number(counted?.[1]) : 0
  if (rows === emptyRows) throw new UnreadableFileError('The file has columns but no rows.')
  if (emptyRows > 0) {
    const filled = columns.map((column) => `${column.expression} IS NOT NULL`).join(' OR ')
    await session.run(`CREATE TABLE filled AS SELECT * FROM file WHERE ${filled}`)
  }
  const relation = emptyRows > 0 ? 'filled' : 'file'
  const rowCount = rows - emptyRows

  const noted = await readColumnNotes(session, session.readable(path))
  if (noted.isDamaged) notes.push('What the file says about its columns (whatif:…) is damaged and was ignored.')
  const levelsOf: LevelsOf = (name) => (noted.areTextsRead ? 'all' : options.levelsOf?.(name))
  const { profiles, remarks } = await profileColumns(session, relation, rowCount, columns, levelsOf)
  const sampleRows = sampleSize(rowCount, columns.length, options)
  const chosen = await chosenRows(session, relation, 'position', rowCount, sampleRows)
  const held = await readRawColumns(session, chosen.source, chosen.rows, profiles, levelsOf)
  const unnoted = withoutNoted(options, noted)
  const typed = noted.areTextsRead
    ? { columns: held, remarks: [] }
    : await typedTexts(session, rowCount, held, profiles, unnoted)
  const boxed = noted.areTextsRead ? typed.columns : readTextBoxes(typed.columns, rowCount, remarks, unnoted)
  return {
    rowCount,
    sampleRows: chosen.rows,
    columns: boxed.map((column) => ({ ...column, ...columnNotes(noted, column.name) })),
    ...(skippedColumns.length > 0 ? { skippedColumns } : {}),
    droppedRows: { empty: emptyRows, repeatedHeader: 0 },
    ...(noted.rules.length > 0 && { rules: noted.rules }),
    notes: [...notes, ...remarks.notes(), ...typed.remarks],
  }
}

/** The file itself says what the texts of some columns are. */
function withoutNoted(options: ReadTableOptions, { levels, types }: ColumnNotes): ReadTableOptions {
  return { ...options, textColumns: new Set([...(options.textColumns ?? []), ...levels.keys(), ...types.keys()]) }
}

/** The columns of bytes that are not all UTF-8 text. */
async function binaryColumns(session: DuckDbSession, columns: readonly string[]): Promise<string[]> {
  if (columns.length === 0) return []
  const bad = columns.map((column) => `count(*) FILTER (${column} IS NOT NULL AND try(decode(${column})) IS NULL)`)
  const [row] = await session.rows(`SELECT ${bad.join(', ')} FROM file`)
  return columns.filter((_, i) => Number(row?.[i]) > 0)
}

/**
 * DuckDB's message names files and settings that the sender of the file does not know, so it is replaced by a
 * description.
 */
function inWords(error: unknown): unknown {
  if (error instanceof UnreadableFileError || error instanceof TypeError || error instanceof RangeError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/out of memory|could not allocate|no space left|interrupted/i.test(message)) return error
  for (const [pattern, detail] of FAULTS)
    if (pattern.test(message)) return new UnreadableFileError(detail, { cause: error })
  return new UnreadableFileError(
    'The file looks like Parquet, but is damaged or was cut short: it could not be read to its end. Write or download it again.',
    { cause: error },
  )
}

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/encrypt/i, 'The Parquet file is encrypted. Write it without encryption and send it again.'],
  [
    /invalid string encoding|invalid unicode|utf-?8/i,
    'A text column of the Parquet file holds bytes that are not UTF-8. Write the file again with its texts in UTF-8.',
  ],
  [
    /lz4|lzo|codec|decompress/i,
    'The Parquet file has a compression that cannot be read here (perhaps LZ4 in the old Hadoop form), or is damaged. ' +
      'Write it again with zstd or snappy.',
  ],
]

interface ChosenRows {
  /** SQL source of the sampled rows, with their position as `row_at`; unsorted. */
  readonly source: string
  readonly rows: number
}

/**
 * All rows of `relation`, or a deterministic sample if there are more than `maxRows`.
 *
 * @param position SQL over the relation: a whole number that rises from row to row of the file, with or without gaps.
 */
async function chosenRows(
  session: DuckDbSession,
  relation: string,
  position: string,
  rowCount: number,
  maxRows: number,
): Promise<ChosenRows> {
  const located = `SELECT *, ${position} AS row_at FROM ${relation}`
  if (rowCount <= maxRows) return { source: `(${located})`, rows: rowCount }
  const indexes = sampleRowIndexes(rowCount, maxRows)
  await appendIndexes(session, indexes)
  const [row] = await session.rows(`SELECT min(${position}), max(${position}) FROM ${relation}`)
  const [first, last] = [Number(row?.[0]), Number(row?.[1])]
  // Without gaps the index is the position minus its start; otherwise the positions are numbered in sequence.
  const positions =
    last - first + 1 === rowCount
      ? `SELECT row_index + ${first} AS chosen_at FROM chosen`
      : `SELECT chosen_at FROM (SELECT ${position} AS chosen_at, row_number() OVER (ORDER BY ${position}) - 1 AS row_index FROM ${relation})
         SEMI JOIN chosen USING (row_index)`
  await session.run(`CREATE TABLE chosen_positions AS ${positions}`)
  return {
    source: `(${located} WHERE ${position} IN (SELECT chosen_at FROM chosen_positions))`,
    rows: indexes.length,
  }
}

async function appendIndexes(session: DuckDbSession, indexes: Float64Array): Promise<void> {
  await session.run('CREATE TABLE chosen (row_index BIGINT)')
  const appender = await (await session.connection()).createAppender('chosen')
  for (let start = 0; start < indexes.length; start += 2_048) {
    const part = indexes.subarray(start, start + 2_048)
    const chunk = DuckDBDataChunk.create([BIGINT], part.length)
    const vector = chunk.getColumnVector(0)
    if (!(vector instanceof DuckDBBigIntVector)) throw new TypeError('expected a column of 64-bit integers')
    for (const [i, index] of part.entries()) vector.setItem(i, BigInt(index))
    vector.flush()
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}
