/** A compound file ([MS-CFB]): sectors, a table of their chains, and a directory of streams. */

const [END_OF_CHAIN, FREE] = [0xfffffffe, 0xffffffff]
const HEADER_BYTES = 512
const HEADER_FAT_SECTORS = 109
const ENTRY_BYTES = 128
const STREAM = 2

/**
 * The bytes of a stream; null where there is none of this name, where it is so small that it lies in the mini stream, or where
 * the file is damaged.
 */
export function compoundStream(bytes: Buffer, names: readonly string[]): Buffer | null {
  if (bytes.length < HEADER_BYTES) return null
  const size = 2 ** bytes.readUInt16LE(30)
  if (size < HEADER_BYTES || size > 1 << 16) return null
  const sector = (at: number): Buffer => bytes.subarray((at + 1) * size, (at + 2) * size)
  const next = chains(bytes, sector, size)
  const chain = (first: number): Buffer => {
    const parts: Buffer[] = []
    // A circle ends where every sector was there once.
    for (let at = first; at < END_OF_CHAIN && parts.length <= bytes.length / size; at = next(at)) parts.push(sector(at))
    return Buffer.concat(parts)
  }
  const directory = chain(bytes.readUInt32LE(48))
  const smallest = bytes.readUInt32LE(56)
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const length = directory.readUInt16LE(at + 64)
    const name = directory.toString('utf16le', at, at + Math.max(0, Math.min(64, length) - 2))
    const streamBytes = directory.readUInt32LE(at + 120)
    if (directory[at + 66] !== STREAM || !names.includes(name) || streamBytes < smallest) continue
    const stream = chain(directory.readUInt32LE(at + 116))
    return stream.length < streamBytes ? null : stream.subarray(0, streamBytes)
  }
  return null
}

/** The sector that follows another one. */
function chains(bytes: Buffer, sector: (at: number) => Buffer, size: number): (at: number) => number {
  const perSector = size / 4
  const table: number[] = []
  for (let i = 0; i < HEADER_FAT_SECTORS; i++) table.push(bytes.readUInt32LE(76 + 4 * i))
  const most = bytes.length / size
  let more = bytes.readUInt32LE(68)
  for (let count = 0; more < END_OF_CHAIN && count <= most; count++) {
    const part = sector(more)
    if (part.length < size) break
    for (let i = 0; i < perSector - 1; i++) table.push(part.readUInt32LE(4 * i))
    more = part.readUInt32LE(size - 4)
  }
  const fat = table.filter((at) => at !== FREE && at !== END_OF_CHAIN)
  return (at) => {
    const part = sector(fat[Math.floor(at / perSector)] ?? FREE)
    const place = 4 * (at % perSector)
    return part.length < place + 4 ? END_OF_CHAIN : part.readUInt32LE(place)
  }
}
