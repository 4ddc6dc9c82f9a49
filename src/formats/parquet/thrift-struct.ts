/**
 * Structures in Thrift's compact protocol as they are, so that single fields can change: hyparquet reads footers and writes none. What
 * is not changed is written back byte by byte. See "Thrift Compact protocol encoding" of Apache Thrift.
 */

/** A value and its type; numbers and texts as their bytes. */
export type ThriftValue =
  | { readonly type: number; readonly bytes: Buffer }
  | { readonly type: typeof LIST; readonly itemType: number; readonly items: ThriftValue[] }
  | { readonly type: typeof STRUCT; readonly fields: Map<number, ThriftValue> }

const TRUE = 1
const FALSE = 2
const BYTE = 3
const I16 = 4
const I64 = 6
const DOUBLE = 7
const BINARY = 8
const LIST = 9
const STRUCT = 12

const NOTHING = Buffer.alloc(0)

/** @throws {RangeError} for bytes that are no such structure. */
export function readStruct(bytes: Buffer): Map<number, ThriftValue> {
  return new Reader(bytes).struct()
}

export function writeStruct(fields: ReadonlyMap<number, ThriftValue>): Buffer {
  const parts: Buffer[] = []
  putStruct(parts, fields)
  return Buffer.concat(parts)
}

export function structOf(value: ThriftValue | undefined): Map<number, ThriftValue> {
  if (value === undefined || !('fields' in value)) throw new RangeError('a structure is missing')
  return value.fields
}

export function itemsOf(value: ThriftValue | undefined): ThriftValue[] {
  if (value === undefined || !('items' in value)) throw new RangeError('a list is missing')
  return value.items
}

/** A whole number of at most 53 bits; undefined where the field is absent. */
export function numberOf(value: ThriftValue | undefined): number | undefined {
  if (value === undefined || !('bytes' in value)) return undefined
  const zigzag = new Reader(value.bytes).varint()
  return Number((zigzag >> 1n) ^ -(zigzag & 1n))
}

export const i64 = (value: number): ThriftValue => number(I64, value)
export const i16 = (value: number): ThriftValue => number(I16, value)

const number = (type: number, value: number): ThriftValue => {
  const wide = BigInt(value)
  return { type, bytes: varintBytes((wide << 1n) ^ (wide >> 63n)) }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  struct(): Map<number, ThriftValue> {
    const fields = new Map<number, ThriftValue>()
    for (let id = 0; ; ) {
      const head = this.#byte()
      if (head === 0) return fields
      const delta = head >> 4
      if (delta === 0) {
        const zigzag = Number(this.varint())
        id = (zigzag >> 1) ^ -(zigzag & 1)
      } else id += delta
      const type = head & 15
      // The type of a truth value is the value.
      fields.set(id, type === TRUE || type === FALSE ? { type, bytes: NOTHING } : this.#value(type))
    }
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }

  #value(type: number): ThriftValue {
    if (type === STRUCT) return { type, fields: this.struct() }
    if (type === LIST) {
      const head = this.#byte()
      const itemType = head & 15
      const length = head >> 4 === 15 ? Number(this.varint()) : head >> 4
      const items: ThriftValue[] = []
      for (let i = 0; i < length; i++) items.push(this.#value(itemType))
      return { type, itemType, items }
    }
    const start = this.#at
    if (type === TRUE || type === FALSE || type === BYTE) this.#at += 1
    else if (type <= I64) this.varint()
    else if (type === DOUBLE) this.#at += 8
    else if (type === BINARY) {
      const length = Number(this.varint())
      this.#at += length
    } else throw new RangeError(`a footer has the type ${type}`)
    if (this.#at > this.#bytes.length) throw new RangeError('a footer is cut short')
    return { type, bytes: this.#bytes.subarray(start, this.#at) }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new RangeError('a footer is cut short')
    return byte
  }
}

function putStruct(parts: Buffer[], fields: ReadonlyMap<number, ThriftValue>): void {
  let last = 0
  for (const [id, value] of fields) {
    const delta = id - last
    if (delta > 0 && delta < 16) parts.push(Buffer.from([(delta << 4) | value.type]))
    else parts.push(Buffer.from([value.type]), varintBytes(BigInt((id << 1) ^ (id >> 31))))
    last = id
    putValue(parts, value)
  }
  parts.push(Buffer.from([0]))
}

function putValue(parts: Buffer[], value: ThriftValue): void {
  if ('fields' in value) return putStruct(parts, value.fields)
  if ('bytes' in value) {
    parts.push(value.bytes)
    return
  }
  const { items, itemType } = value
  if (items.length < 15) parts.push(Buffer.from([(items.length << 4) | itemType]))
  else parts.push(Buffer.from([0xf0 | itemType]), varintBytes(BigInt(items.length)))
  for (const item of items) putValue(parts, item)
}

function varintBytes(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 127n) | 128)
  }
}
