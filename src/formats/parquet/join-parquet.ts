/**
 * Joins Parquet files of the same columns by their row groups: the pages of all files, then their Bloom filters, then one footer. So
 * does DuckDB write a single file, and a row group's pages depend on its rows alone.
 *
 * Numbers of fields are those of `parquet.thrift` of Apache Parquet.
 */
import { type TablePiece, tailOf } from '../writing/table-piece.ts'
import { i16, i64, itemsOf, numberOf, readStruct, structOf, type ThriftValue, writeStruct } from './thrift-struct.ts'

const MAGIC = Buffer.from('PAR1')
/** Length of the footer, and the magic. */
const TAIL_BYTES = 4 + MAGIC.length

const FILE = { rows: 3, groups: 4 } as const
const GROUP = { columns: 1, rows: 3, fileOffset: 5, ordinal: 7 } as const
const CHUNK = { metadata: 3, offsetIndex: 4, columnIndex: 6 } as const
const COLUMN = { dataPage: 9, dictionaryPage: 11, bloomFilter: 14 } as const

type Fields = Map<number, ThriftValue>

/** Where the bytes of a piece lie in it, and its footer. */
interface Piece {
  readonly piece: TablePiece
  readonly footer: Buffer
  /** Pages end and Bloom filters begin. */
  readonly pagesEnd: number
  readonly filtersEnd: number
}

export async function* joinParquet(tables: readonly TablePiece[]): AsyncGenerator<Uint8Array, void, undefined> {
  // Footers are read twice, because as structures all of them together would take much memory.
  const pieces: Piece[] = []
  for (const table of tables) pieces.push(await openPiece(table))
  const [first] = pieces
  if (first === undefined) throw new RangeError('a table has at least one piece')
  yield MAGIC
  for (const { piece, pagesEnd } of pieces) if (pagesEnd > MAGIC.length) yield* piece.read(MAGIC.length, pagesEnd)
  for (const { piece, pagesEnd, filtersEnd } of pieces) {
    if (filtersEnd > pagesEnd) yield* piece.read(pagesEnd, filtersEnd)
  }
  const footer = joinFooters(pieces)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  yield Buffer.concat([footer, length, MAGIC])
}

async function openPiece(piece: TablePiece): Promise<Piece> {
  const tail = await tailOf(piece, TAIL_BYTES)
  if (!tail.subarray(4).equals(MAGIC)) throw new RangeError('a piece is no Parquet file')
  const length = tail.readUInt32LE(0)
  const footer = (await tailOf(piece, length + TAIL_BYTES)).subarray(0, length)
  const filtersEnd = piece.bytes - TAIL_BYTES - length
  let pagesEnd = filtersEnd
  for (const group of itemsOf(readStruct(footer).get(FILE.groups))) {
    for (const column of columnsOf(structOf(group))) {
      pagesEnd = Math.min(pagesEnd, numberOf(column.get(COLUMN.bloomFilter)) ?? filtersEnd)
    }
  }
  return { piece, footer, pagesEnd, filtersEnd }
}

function joinFooters(pieces: readonly Piece[]): Buffer {
  let pagesAt = MAGIC.length
  let filtersAt = pieces.reduce((sum, { pagesEnd }) => sum + pagesEnd - MAGIC.length, MAGIC.length)
  let rows = 0
  const whole = readStruct((pieces[0] as Piece).footer)
  const groups: ThriftValue[] = []
  for (const { footer, pagesEnd, filtersEnd } of pieces) {
    const fields = readStruct(footer)
    rows += numberOf(fields.get(FILE.rows)) ?? 0
    const by = { pages: pagesAt - MAGIC.length, filters: filtersAt - pagesEnd }
    for (const group of itemsOf(fields.get(FILE.groups))) {
      const moved = structOf(group)
      moveGroup(moved, by, groups.length)
      // As bytes: of many groups the structures would take much memory.
      groups.push({ type: group.type, bytes: writeStruct(moved) })
    }
    pagesAt += pagesEnd - MAGIC.length
    filtersAt += filtersEnd - pagesEnd
  }
  const list = whole.get(FILE.groups)
  if (list === undefined || !('items' in list)) throw new RangeError('a footer has no row groups')
  whole.set(FILE.rows, i64(rows))
  whole.set(FILE.groups, { ...list, items: groups })
  return writeStruct(whole)
}

function moveGroup(group: Fields, by: { readonly pages: number; readonly filters: number }, ordinal: number): void {
  moveField(group, GROUP.fileOffset, by.pages)
  if (group.has(GROUP.ordinal)) group.set(GROUP.ordinal, i16(ordinal))
  for (const chunk of itemsOf(group.get(GROUP.columns)).map(structOf)) {
    if (chunk.has(CHUNK.offsetIndex) || chunk.has(CHUNK.columnIndex)) throw new RangeError('a piece has page indexes')
  }
  for (const column of columnsOf(group)) {
    moveField(column, COLUMN.dataPage, by.pages)
    moveField(column, COLUMN.dictionaryPage, by.pages)
    moveField(column, COLUMN.bloomFilter, by.filters)
  }
}

function columnsOf(group: Fields): Fields[] {
  return itemsOf(group.get(GROUP.columns)).map((chunk) => structOf(structOf(chunk).get(CHUNK.metadata)))
}

function moveField(fields: Fields, id: number, by: number): void {
  const offset = numberOf(fields.get(id))
  if (offset !== undefined && offset > 0) fields.set(id, i64(offset + by))
}
