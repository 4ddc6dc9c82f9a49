import { brotliCompressSync } from 'node:zlib'
import { binary, i32, i64, list, struct, type Thrift, varint } from './thrift-bytes.ts'

/** One column of whole numbers, all 7, run-length encoded: a page of a dozen bytes holds as many as it says. */
export interface RunParquet {
  /** Values that each page's one run holds and its header says it holds. */
  readonly valuesPerPage: number
  readonly pages: number
  /** As the file's metadata tells them; default what the pages hold. */
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

/** Columns of texts, `c0` and so on, each the same: every text in as many rows after one another as the others. */
export interface TextsParquet {
  readonly columns: number
  readonly texts: readonly string[]
  readonly rows: number
  /** Row groups of so many rows, each with the texts once more; default 1. */
  readonly groups?: number
}

/** The texts of a row group are there once, and packed: a file of kilobytes unpacks to as many gigabytes as it has rows. */
export function textsParquet({ columns, texts, rows, groups = 1 }: TextsParquet): Buffer {
  const plain = Buffer.concat(
    texts.map((text) => {
      const bytes = Buffer.from(text)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(bytes.length)
      return Buffer.concat([length, bytes])
    }),
  )
  const runs = texts.flatMap((_, i) => [varint(BigInt(Math.floor((rows + i) / texts.length)) << 1n), Buffer.from([i])])
  const dictionary = page(
    plain,
    2,
    7,
    struct([
      [1, i32(texts.length)],
      [2, i32(0)],
    ]),
  )
  const data = page(
    Buffer.concat([Buffer.from([8]), ...runs]),
    0,
    5,
    struct([
      [1, i32(rows)],
      [2, i32(8)],
      [3, i32(3)],
      [4, i32(3)],
    ]),
  )
  const chunk = Buffer.concat([dictionary.bytes, data.bytes])
  const unpacked = dictionary.unpackedBytes + data.unpackedBytes
  const schema = [
    struct([
      [4, binary('schema')],
      [5, i32(columns)],
    ]),
    ...Array.from({ length: columns }, (_, i) =>
      struct([
        [1, i32(6)],
        [3, i32(0)],
        [4, binary(`c${i}`)],
        [6, i32(0)],
      ]),
    ),
  ]
  const group = (g: number): Thrift =>
    struct([
      [
        1,
        list(
          12,
          Array.from({ length: columns }, (_, i) => {
            const at = 4 + (g * columns + i) * chunk.length
            return struct([
              [2, i64(at)],
              [
                3,
                struct([
                  [1, i32(6)],
                  [2, list(5, [i32(0), i32(3), i32(8)])],
                  [3, list(8, [binary(`c${i}`)])],
                  [4, i32(BROTLI)],
                  [5, i64(rows)],
                  [6, i64(unpacked)],
                  [7, i64(chunk.length)],
                  [9, i64(at + dictionary.bytes.length)],
                  [11, i64(at)],
                ]),
              ],
            ])
          }),
        ),
      ],
      [2, i64(unpacked * columns)],
      [3, i64(rows)],
    ])
  const chunks = Array.from({ length: columns * groups }, () => chunk)
  return fileOf(chunks, schema, rows * groups, ...Array.from({ length: groups }, (_, g) => group(g)))
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
