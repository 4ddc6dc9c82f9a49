/** Encodes values in Thrift's compact protocol, for the footers and page headers of Parquet files written by hand. */
export interface Thrift {
  readonly type: number
  readonly bytes: Buffer
}

export function varint(value: bigint): Buffer {
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

export const i32 = (value: number): Thrift => ({ type: 5, bytes: zigzag(value) })
export const i64 = (value: number): Thrift => ({ type: 6, bytes: zigzag(value) })
export const binary = (text: string): Thrift => ({
  type: 8,
  bytes: Buffer.concat([varint(BigInt(text.length)), Buffer.from(text)]),
})

export function list(type: number, items: readonly Thrift[]): Thrift {
  const head =
    items.length < 15
      ? Buffer.from([(items.length << 4) | type])
      : Buffer.concat([Buffer.from([0xf0 | type]), varint(BigInt(items.length))])
  return { type: 9, bytes: Buffer.concat([head, ...items.map((item) => item.bytes)]) }
}

export function struct(fields: readonly (readonly [number, Thrift])[]): Thrift {
  const parts: Buffer[] = []
  let last = 0
  for (const [id, { type, bytes }] of fields) {
    parts.push(Buffer.from([((id - last) << 4) | type]), bytes)
    last = id
  }
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) }
}
