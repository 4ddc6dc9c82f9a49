import { once } from 'node:events'
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'

interface Entry {
  readonly method: number
  readonly compressedBytes: number
  readonly headerAt: number
  /** CRC-32 of the unpacked bytes. */
  readonly checksum: number
}

export const DAMAGED =
  'The file looks like an Excel workbook, but is damaged or was cut short. Open it in Excel, save it again (or export CSV) and send that.'

const END = 0x06054b50
const ENTRY = 0x02014b50
const MAX_ENTRIES = 20_000
/** Sheets compress to about a twentieth; a part that unpacks to more than this many times its size is not a sheet. */
const MAX_RATIO = 100
/** The ratio of smaller unpacked parts does not matter. */
const ANY_RATIO_BYTES = 64 * 2 ** 20
/** The part of a file that would declare its document type. */
const PROLOG_BYTES = 4_096

/**
 * Parts of a workbook from the zip directory (PKWARE APPNOTE 6.3, sections 4.3 and 4.4), each decompressed only as far
 * as requested.
 */
export class ZipParts {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, Entry>

  /** @throws {UnreadableFileError} */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    try {
      this.#entries = directory(bytes)
    } catch (error) {
      // Offsets that point outside the file.
      throw error instanceof RangeError ? new UnreadableFileError(DAMAGED, { cause: error }) : error
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** @throws {UnreadableFileError} when the part has more than `maxBytes`, or is damaged. */
  async whole(name: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.chunks(name, maxBytes, signal)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** Decompressed bytes, piece by piece. */
  async *chunks(name: string, maxBytes: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new UnreadableFileError(DAMAGED)
    const packed = this.#packed(entry)
    if (entry.method === 0) {
      if (packed.length > maxBytes) throw tooLarge(maxBytes)
      refuseDocumentType(packed)
      if (crc32(packed) !== entry.checksum) throw new UnreadableFileError(DAMAGED)
      yield packed
      return
    }
    const most = Math.min(maxBytes, Math.max(ANY_RATIO_BYTES, MAX_RATIO * packed.length))
    const inflate = createInflateRaw({ chunkSize: 1 << 18 })
    const source = Readable.from(slices(packed))
    source.pipe(inflate)
    let bytes = 0
    let checksum = 0
    try {
      for await (const chunk of inflate as AsyncIterable<Buffer>) {
        signal?.throwIfAborted()
        if (bytes === 0) refuseDocumentType(chunk)
        bytes += chunk.length
        if (bytes > most) throw tooLarge(most)
        checksum = crc32(chunk, checksum)
        yield chunk
      }
      // A wrong byte may still unpack, to another number in a cell.
      if (checksum !== entry.checksum) throw new UnreadableFileError(DAMAGED)
    } catch (error) {
      if (error instanceof UnreadableFileError || signal?.aborted) throw error
      throw new UnreadableFileError(DAMAGED, { cause: error })
    } finally {
      source.destroy()
      inflate.destroy()
      if (!inflate.closed) await once(inflate, 'close')
    }
  }

  #packed({ headerAt, compressedBytes }: Entry): Buffer {
    const bytes = this.#bytes
    if (headerAt + 30 > bytes.length) throw new UnreadableFileError(DAMAGED)
    const start = headerAt + 30 + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28)
    if (start + compressedBytes > bytes.length) throw new UnreadableFileError(DAMAGED)
    return bytes.subarray(start, start + compressedBytes)
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1 << 16) yield bytes.subarray(at, at + (1 << 16))
}

function directory(bytes: Buffer): ReadonlyMap<string, Entry> {
  let end = bytes.length - 22
  while (end >= 0 && end > bytes.length - 22 - 65_536 && bytes.readUInt32LE(end) !== END) end--
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new UnreadableFileError(DAMAGED)
  let count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff) {
    // Zip64: the locator lies just before.
    const at64 = Number(bytes.readBigUInt64LE(end - 20 + 8))
    count = Number(bytes.readBigUInt64LE(at64 + 32))
    at = Number(bytes.readBigUInt64LE(at64 + 48))
  }
  if (count > MAX_ENTRIES) throw new UnreadableFileError(DAMAGED)
  const entries = new Map<string, Entry>()
  for (let i = 0; i < count; i++) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new UnreadableFileError(DAMAGED)
    if ((bytes.readUInt16LE(at + 8) & 1) !== 0) {
      throw new UnreadableFileError('The workbook has a password. Save it without a password, or export CSV.')
    }
    const method = bytes.readUInt16LE(at + 10)
    if (method !== 0 && method !== 8) throw new UnreadableFileError(DAMAGED)
    const nameBytes = bytes.readUInt16LE(at + 28)
    const extraBytes = bytes.readUInt16LE(at + 30)
    const extra = bytes.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes)
    const sizes = zip64(extra, [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)])
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes)
    if (entries.has(name)) throw new UnreadableFileError(DAMAGED)
    entries.set(name, {
      method,
      compressedBytes: sizes[1]!,
      headerAt: sizes[2]!,
      checksum: bytes.readUInt32LE(at + 16),
    })
    at += 46 + nameBytes + extraBytes + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Numbers that did not fit into 32 bits are in the extra field, in this sequence. */
function zip64(extra: Buffer, numbers: readonly number[]): number[] {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return numbers.map((number) => {
    if (number !== 0xffffffff) return number
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

/** Parts declare none (ECMA-376, part 2, 8.1.4): a document type could define entities that grow without bound. */
function refuseDocumentType(start: Buffer): void {
  if (!start.subarray(0, PROLOG_BYTES).includes('<!DOCTYPE')) return
  throw new UnreadableFileError(
    'The workbook declares a document type with entities of its own, which Excel never writes. Open it in Excel, save it again and send that.',
  )
}

function tooLarge(maxBytes: number): UnreadableFileError {
  return new UnreadableFileError(
    `The workbook unpacks to more than ${Math.floor(maxBytes / 2 ** 20)} MB in one of its parts, the limit for an Excel file. ` +
      'Export the sheet as CSV or Parquet and send that.',
  )
}
