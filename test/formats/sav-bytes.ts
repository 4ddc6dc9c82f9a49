import { deflateSync } from 'node:zlib'

/** A value of a case: a number, a text, or null for system-missing. */
type SavCell = number | string | null

interface SavVariableSpec {
  readonly name: string
  /** The variable's label. */
  readonly label?: string
  /** 0 = numeric. Very long strings are given as their segments, with record 14. */
  readonly width?: number
  readonly format?: number
  /** As SPSS counts them: negative for ranges. */
  readonly missing?: { readonly count: number; readonly values: readonly (number | string)[] }
  readonly labels?: readonly (readonly [number | string, string])[]
}

export interface SavSpec {
  readonly variables: readonly SavVariableSpec[]
  readonly rows: readonly (readonly SavCell[])[]
  readonly littleEndian?: boolean
  readonly compression?: 0 | 1 | 2
  /** The number in the header; by default the true number of rows. */
  readonly caseCount?: number
  readonly encoding?: string | null
  /** Encoding of the bytes; default UTF-8. */
  readonly bytesAs?: 'utf8' | 'latin1'
  readonly weight?: number
  readonly extensions?: readonly { readonly subtype: number; readonly bytes: Buffer }[]
  /** For zsav: the size of a block in the trailer. */
  readonly claimedBlockBytes?: number
}

/** Writes a system file by hand, after the PSPP developers' description. */
export function savBytes(spec: SavSpec): Buffer {
  const { littleEndian = true, compression = 0, bytesAs = 'utf8', encoding = 'UTF-8' } = spec
  const int32 = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [i, value] of values.entries())
      littleEndian ? bytes.writeInt32LE(value, i * 4) : bytes.writeInt32BE(value, i * 4)
    return bytes
  }
  const int64 = (value: number) => {
    const bytes = Buffer.alloc(8)
    littleEndian ? bytes.writeBigInt64LE(BigInt(value)) : bytes.writeBigInt64BE(BigInt(value))
    return bytes
  }
  const float64 = (value: number) => {
    const bytes = Buffer.alloc(8)
    littleEndian ? bytes.writeDoubleLE(value) : bytes.writeDoubleBE(value)
    return bytes
  }
  const padded = (text: string, length: number) => {
    const bytes = Buffer.alloc(length, ' ')
    Buffer.from(text, bytesAs).copy(bytes)
    return bytes
  }
  const value = (cell: number | string) => (typeof cell === 'number' ? float64(cell) : padded(cell, 8))

  const parts: Buffer[] = []
  const elementOf: number[] = []
  let elements = 0
  for (const { name, label, width = 0, format = 5, missing } of spec.variables) {
    elementOf.push(elements)
    const hasLabel = label === undefined ? 0 : 1
    parts.push(int32(2, width, hasLabel, missing?.count ?? 0, format << 16, format << 16), padded(name, 8))
    if (label !== undefined) {
      const { length } = Buffer.from(label, bytesAs)
      parts.push(int32(length), padded(label, Math.ceil(length / 4) * 4))
    }
    parts.push(...(missing?.values ?? []).map(value))
    elements++
    for (let rest = width - 8; rest > 0; rest -= 8, elements++) parts.push(int32(2, -1, 0, 0, 0, 0), padded('', 8))
  }
  for (const [i, { labels }] of spec.variables.entries()) {
    if (labels === undefined) continue
    parts.push(int32(3, labels.length))
    for (const [cell, label] of labels) {
      const bytes = Buffer.from(label, bytesAs)
      const field = Buffer.alloc(Math.ceil((bytes.length + 1) / 8) * 8, ' ')
      field[0] = bytes.length
      bytes.copy(field, 1)
      parts.push(value(cell), field)
    }
    parts.push(int32(4, 1, elementOf[i]! + 1))
  }
  const extensions = [...(spec.extensions ?? [])]
  if (encoding !== null) extensions.push({ subtype: 20, bytes: Buffer.from(encoding) })
  for (const { subtype, bytes } of extensions) parts.push(int32(7, subtype, 1, bytes.length), bytes)
  parts.push(int32(999, 0))
  const header = Buffer.concat([
    padded(compression === 2 ? '$FL3@(#) made by hand' : '$FL2@(#) made by hand', 64),
    int32(2, elements, compression, spec.weight ?? 0, spec.caseCount ?? spec.rows.length),
    float64(100),
    Buffer.alloc(84, ' '),
  ])
  const dictionary = Buffer.concat([header, ...parts])

  const cells = spec.rows.flatMap((row) =>
    row.flatMap((cell, i) => {
      const { width = 0 } = spec.variables[i]!
      if (width === 0) return [float64(cell === null ? -Number.MAX_VALUE : Number(cell))]
      const bytes = padded(String(cell ?? ''), Math.ceil(width / 8) * 8)
      return Array.from({ length: bytes.length / 8 }, (_, k) => bytes.subarray(k * 8, k * 8 + 8))
    }),
  )
  if (compression === 0) return Buffer.concat([dictionary, ...cells])
  const packed = bytecode(cells, (bytes) => (littleEndian ? bytes.readDoubleLE() : bytes.readDoubleBE()))
  if (compression === 1) return Buffer.concat([dictionary, packed])

  const half = Math.floor(packed.length / 16) * 8
  const blocks = [packed.subarray(0, half), packed.subarray(half)].filter((block) => block.length > 0)
  const deflated = blocks.map((block) => deflateSync(block))
  const start = dictionary.length
  const trailerStart = start + 24 + deflated.reduce((sum, block) => sum + block.length, 0)
  const entries: Buffer[] = []
  let inflatedAt = start
  let at = start + 24
  for (const [i, block] of blocks.entries()) {
    const size = spec.claimedBlockBytes ?? block.length
    entries.push(int64(inflatedAt), int64(at), int32(size, deflated[i]!.length))
    inflatedAt += block.length
    at += deflated[i]!.length
  }
  return Buffer.concat([
    ...[dictionary, int64(start), int64(trailerStart), int64(24 + blocks.length * 24), ...deflated],
    ...[int64(-100), int64(0), int32(0x3ff000, blocks.length), ...entries],
  ])
}

function bytecode(elements: readonly Buffer[], numberOf: (bytes: Buffer) => number): Buffer {
  const parts: Buffer[] = []
  for (let i = 0; i <= elements.length; i += 8) {
    const codes = Buffer.alloc(8)
    const literals: Buffer[] = []
    for (let k = 0; k < 8; k++) {
      const element = elements[i + k]
      if (element === undefined) {
        codes[k] = i + k === elements.length ? 252 : 0
        continue
      }
      const number = numberOf(element)
      if (element.equals(Buffer.alloc(8, ' '))) codes[k] = 254
      else if (number === -Number.MAX_VALUE) codes[k] = 255
      else if (Number.isInteger(number) && number >= -99 && number <= 151) codes[k] = number + 100
      else {
        codes[k] = 253
        literals.push(element)
      }
    }
    parts.push(codes, ...literals)
  }
  return Buffer.concat(parts)
}
