import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { damagedSav } from './sav-cursor.ts'
import type { SavDictionary } from './sav-dictionary.ts'

const inflateAsync = promisify(inflate)

/** Multiple of 8. */
const CHUNK_BYTES = 262_144
/** SPSS makes blocks of 4 MB. */
const MAX_BLOCK_BYTES = 16_777_216
const MAX_INFLATED_BYTES = 2_147_483_648
const BLOCK_ENTRY_BYTES = 24
/**
 * Surveys compress to about a tenth; beyond a harmless size, data that unpack to more than this many times their size
 * are not a survey.
 */
const MAX_RATIO = 100
const ANY_RATIO_BYTES = 67_108_864

/**
 * The data part of the file in whole units of 8 bytes, inflated if it is zlib-compressed. An incomplete unit at the end
 * is left out. The next chunk reuses the array.
 */
export async function* savWords(
  file: FileHandle,
  fileSize: number,
  dictionary: SavDictionary,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint32Array> {
  const chunk = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  const source =
    dictionary.compression === 2
      ? inflatedBlocks(file, fileSize, dictionary)
      : uncompressedChunks(file, dictionary.dataStart, fileSize)
  for await (const bytes of source) {
    signal?.throwIfAborted()
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - filled)
      chunk.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === CHUNK_BYTES) {
        yield new Uint32Array(chunk.buffer)
        filled = 0
      }
    }
  }
  if (filled >= 8) yield new Uint32Array(chunk.buffer, 0, Math.floor(filled / 8) * 2)
}

async function* uncompressedChunks(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (let at = start; at < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, end - at), at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Blocks in the sequence of the trailer; their sizes are trusted only within the file and the limits above. */
async function* inflatedBlocks(
  file: FileHandle,
  fileSize: number,
  { dataStart, littleEndian }: SavDictionary,
): AsyncGenerator<Uint8Array> {
  const header = await readExactly(file, fileSize, dataStart, 24)
  const int64 = (bytes: Buffer, at: number) =>
    Number(littleEndian ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at))
  const int32 = (bytes: Buffer, at: number) => (littleEndian ? bytes.readInt32LE(at) : bytes.readInt32BE(at))
  const trailerStart = int64(header, 8)
  const trailer = await readExactly(file, fileSize, trailerStart, 24)
  const blocks = int32(trailer, 20)
  if (blocks < 0) throw damagedSav('a count of blocks is wrong')
  const entries = await readExactly(file, fileSize, trailerStart + 24, blocks * BLOCK_ENTRY_BYTES)
  let inflated = 0
  for (let i = 0; i < blocks; i++) inflated += Math.min(int32(entries, i * BLOCK_ENTRY_BYTES + 16), MAX_BLOCK_BYTES)
  if (inflated > Math.min(MAX_INFLATED_BYTES, Math.max(ANY_RATIO_BYTES, MAX_RATIO * fileSize))) {
    throw new UnreadableFileError(
      'The SPSS file holds more data once unpacked than can be read (2 GB, or 100 times its size). Export it as CSV or .sav.',
    )
  }
  let next = dataStart + 24
  for (let i = 0; i < blocks; i++) {
    const entry = i * BLOCK_ENTRY_BYTES
    const size = int32(entries, entry + 16)
    const compressedSize = int32(entries, entry + 20)
    // Blocks follow one another, so none is read twice.
    if (int64(entries, entry + 8) !== next || compressedSize <= 0 || size < 0 || size > MAX_BLOCK_BYTES) {
      throw damagedSav('its compressed blocks are in the wrong places')
    }
    const compressed = await readExactly(file, Math.min(fileSize, trailerStart), next, compressedSize)
    next += compressedSize
    let bytes: Buffer
    try {
      bytes = await inflateAsync(compressed, { maxOutputLength: Math.max(1, size) })
    } catch (error) {
      throw new UnreadableFileError(damagedSav('a compressed block cannot be unpacked').detail, { cause: error })
    }
    if (bytes.length !== size) throw damagedSav('a compressed block cannot be unpacked')
    yield bytes
  }
}

async function readExactly(file: FileHandle, end: number, at: number, length: number): Promise<Buffer> {
  if (at < 0 || length < 0 || at + length > end) throw damagedSav('its compressed data are incomplete')
  const bytes = Buffer.alloc(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled)
    if (bytesRead === 0) throw damagedSav('its compressed data are incomplete')
    filled += bytesRead
  }
  return bytes
}
