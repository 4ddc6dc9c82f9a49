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
  const footer = struct([
    [1, i32(2)],
    [2, list(12, schema)],
    [3, i64(claimed)],
    [4, list(12, [group])],
  ]).bytes
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), chunk, footer, length, Buffer.from('PAR1')])
}

interface Thrift {
  readonly type: number
  readonly bytes: Buffer
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) {
      bytes.push(Number(rest))
      return Buffer.from(bytes)
    }
    bytes.push(Number(rest & 127n) | 128)
  }
}

function zigzag(value: number): Buffer {
  const wide = BigInt(value)
  return varint((wide << 1n) ^ (wide >> 63n))
}

const i32 = (value: number): Thrift => ({ type: 5, bytes: zigzag(value) })
const i64 = (value: number): Thrift => ({ type: 6, bytes: zigzag(value) })
const binary = (text: string): Thrift => ({
  type: 8,
  bytes: Buffer.concat([varint(BigInt(text.length)), Buffer.from(text)]),
})

function list(type: number, items: readonly Thrift[]): Thrift {
  const head =
    items.length < 15
      ? Buffer.from([(items.length << 4) | type])
      : Buffer.concat([Buffer.from([0xf0 | type]), varint(BigInt(items.length))])
  return { type: 9, bytes: Buffer.concat([head, ...items.map((item) => item.bytes)]) }
}

function struct(fields: readonly (readonly [number, Thrift])[]): Thrift {
  const parts: Buffer[] = []
  let last = 0
  for (const [id, { type, bytes }] of fields) {
    parts.push(Buffer.from([((id - last) << 4) | type]), bytes)
    last = id
  }
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) }
}
