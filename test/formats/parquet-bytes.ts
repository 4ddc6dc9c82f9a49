import { brotliCompressSync } from 'node:zlib'
import { binary, i32, i64, list, struct, type Thrift, varint } from './thrift-bytes.ts'

/** One column of whole numbers, all 7, run-length encoded: a page of a dozen bytes holds as many as it says. */
export interface RunParquet {
  /** Values that each page's one run holds and its header says it holds. */
  readonly valuesPerPage: number
  readonly pages: number
  /** The number in the file's metadata; by default the number in the pages. */
  readonly claimedRows?: number
  /** Structures around the column. */
  readonly depth?: number
  /** Bytes that the page's header says it unpacks to. */
  readonly claimedPageBytes?: number
}

/** Writes the file by hand: Thrift compact protocol, format version 2. */
export function runParquet(spec: RunParquet): Buffer {
  const { valuesPerPage, pages, depth = 0 } = spec
  const rows = valuesPerPage * pages
  const names = [...Array.from({ length: depth }, () => 'g'), 'v']
  const dictionary = Buffer.alloc(4)
  dictionary.writeInt32LE(7)
  const dictionaryHeader = struct([
    [1, i32(2)],
    [2, i32(dictionary.length)],
    [3, i32(dictionary.length)],
    [
      7,
      struct([
        [1, i32(1)],
        [2, i32(2)],
      ]),
    ],
  ])
  // Bit width 1, then one run (length << 1) of the value 0; nothing else, since the column is required.
  const data = Buffer.concat([Buffer.from([1]), varint(BigInt(valuesPerPage) << 1n), Buffer.from([0])])
  const dataHeader = struct([
    [1, i32(0)],
    [2, i32(spec.claimedPageBytes ?? data.length)],
    [3, i32(data.length)],
    [
      5,
      struct([
        [1, i32(valuesPerPage)],
        [2, i32(8)],
        [3, i32(3)],
        [4, i32(3)],
      ]),
    ],
  ])
  const page = Buffer.concat([dataHeader.bytes, data])
  const chunk = Buffer.concat([dictionaryHeader.bytes, dictionary, ...Array.from({ length: pages }, () => page)])
  const dataAt = 4 + dictionaryHeader.bytes.length + dictionary.length
  const claimed = spec.claimedRows ?? rows
  const schema = [
    struct([
      [4, binary('schema')],
      [5, i32(1)],
    ]),
    ...Array.from({ length: depth }, () =>
      struct([
        [3, i32(0)],
        [4, binary('g')],
        [5, i32(1)],
      ]),
    ),
    struct([
      [1, i32(1)],
      [3, i32(0)],
      [4, binary('v')],
    ]),
  ]
  const meta = struct([
    [1, i32(1)],
    [2, list(5, [i32(0), i32(3), i32(8)])],
    [3, list(8, names.map(binary))],
    [4, i32(0)],
    [5, i64(claimed)],
    [6, i64(chunk.length)],
    [7, i64(chunk.length)],
    [9, i64(dataAt)],
    [11, i64(4)],
  ])
  const group = struct([
    [
      1,
      list(12, [
        struct([
          [2, i64(4)],
          [3, meta],
        ]),
      ]),
    ],
    [2, i64(chunk.length)],
    [3, i64(claimed)],
  ])
  return fileOf([chunk], schema, claimed, group)
}

/** Columns of texts, `c0` and so on. */
export interface TextsParquet {
  /** The texts of each column; all occur in equally many rows, one after the other. */
  readonly columns: readonly (readonly string[])[]
  readonly rows: number
  /** Row groups of so many rows, each with the texts once more; default 1. */
  readonly groups?: number
}

/** The texts of a row group are there once, and packed: a file of kilobytes unpacks to as many gigabytes as it has rows. */
export function textsParquet({ columns, rows, groups = 1 }: TextsParquet): Buffer {
  // Columns of the same texts are packed once.
  const known = new Map<readonly string[], TextChunk>()
  for (const texts of columns) if (!known.has(texts)) known.set(texts, textChunk(texts, rows))
  const schema = [
    struct([
      [4, binary('schema')],
      [5, i32(columns.length)],
    ]),
    ...columns.map((_, i) =>
      struct([
        [1, i32(6)],
        [3, i32(0)],
        [4, binary(`c${i}`)],
        [6, i32(0)],
      ]),
    ),
  ]
  const chunks: Buffer[] = []
  const rowGroups: Thrift[] = []
  let at = 4
  for (let g = 0; g < groups; g++) {
    const metas: Thrift[] = []
    for (const [i, texts] of columns.entries()) {
      const chunk = known.get(texts)!
      metas.push(columnOf(chunk, `c${i}`, rows, at))
      chunks.push(chunk.bytes)
      at += chunk.bytes.length
    }
    const unpacked = columns.reduce((sum, texts) => sum + known.get(texts)!.unpackedBytes, 0)
    rowGroups.push(
      struct([
        [1, list(12, metas)],
        [2, i64(unpacked)],
        [3, i64(rows)],
      ]),
    )
  }
  return fileOf(chunks, schema, rows * groups, ...rowGroups)
}

interface TextChunk {
  readonly bytes: Buffer
  readonly dictionaryBytes: number
  readonly unpackedBytes: number
}

/** A dictionary, and a page of one run of rows for each of its texts. */
function textChunk(texts: readonly string[], rows: number): TextChunk {
  const plain = texts.map((text) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(text))
    return Buffer.concat([length, Buffer.from(text)])
  })
  const runs = texts.flatMap((_, i) => [varint(BigInt(Math.floor((rows + i) / texts.length)) << 1n), Buffer.from([i])])
  const ofDictionary = struct([
    [1, i32(texts.length)],
    [2, i32(0)],
  ])
  const ofData = struct([
    [1, i32(rows)],
    [2, i32(8)],
    [3, i32(3)],
    [4, i32(3)],
  ])
  const dictionary = page(Buffer.concat(plain), 2, 7, ofDictionary)
  const data = page(Buffer.concat([Buffer.from([8]), ...runs]), 0, 5, ofData)
  return {
    bytes: Buffer.concat([dictionary.bytes, data.bytes]),
    dictionaryBytes: dictionary.bytes.length,
    unpackedBytes: dictionary.unpackedBytes + data.unpackedBytes,
  }
}

function columnOf(chunk: TextChunk, name: string, rows: number, at: number): Thrift {
  const meta = struct([
    [1, i32(6)],
    [2, list(5, [i32(0), i32(3), i32(8)])],
    [3, list(8, [binary(name)])],
    [4, i32(BROTLI)],
    [5, i64(rows)],
    [6, i64(chunk.unpackedBytes)],
    [7, i64(chunk.bytes.length)],
    [9, i64(at + chunk.dictionaryBytes)],
    [11, i64(at)],
  ])
  return struct([
    [2, i64(at)],
    [3, meta],
  ])
}

const BROTLI = 4

/** A packed page with its header: `type`, and the field that describes pages of that type. */
function page(content: Buffer, type: number, field: number, description: Thrift) {
  const packed = brotliCompressSync(content)
  const header = struct([
    [1, i32(type)],
    [2, i32(content.length)],
    [3, i32(packed.length)],
    [field, description],
  ]).bytes
  return { bytes: Buffer.concat([header, packed]), unpackedBytes: header.length + content.length }
}

function fileOf(chunks: readonly Buffer[], schema: readonly Thrift[], rows: number, ...groups: Thrift[]): Buffer {
  const footer = struct([
    [1, i32(2)],
    [2, list(12, schema)],
    [3, i64(rows)],
    [4, list(12, groups)],
  ]).bytes
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), ...chunks, footer, length, Buffer.from('PAR1')])
}
