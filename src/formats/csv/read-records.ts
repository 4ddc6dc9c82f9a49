import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import type { RecordSink } from '../coded/coded-rows.ts'
import { endOfWholeCharacters } from '../encoding/decoders.ts'
import type { ParsedRecords } from './parsed-records.ts'
import { type ParserOptions, RecordParser } from './record-parser.ts'

interface ReadRecordsOptions extends ParserOptions {
  readonly bomBytes: number
  readonly signal?: AbortSignal
  /** Between two pieces of the file. */
  readonly onPiece: () => void
}

const PIECE_BYTES = 1 << 20

/**
 * Reads the records of a text in one pass, in memory of a few pieces and the longest field.
 *
 * @param source the path of the file, or its bytes.
 * @returns null as soon as bytes are found that are not UTF-8.
 * @throws {UnreadableFileError} for a record that is too long.
 */
export async function readRecords(
  source: string | Buffer,
  sink: RecordSink,
  options: ReadRecordsOptions,
): Promise<ParsedRecords | null> {
  // A run counts hundreds of small artifacts: each takes memory of its own size.
  if (typeof source !== 'string') {
    return parsePieces(readerOf(source), Math.min(source.length, PIECE_BYTES), sink, options)
  }
  const file = await open(source, 'r')
  try {
    return await parsePieces(readerOf(file), PIECE_BYTES, sink, options)
  } finally {
    await file.close()
  }
}

/** Reads bytes from a position of the text to a place of a buffer; returns how many, 0 at the end. */
type Reader = (into: Buffer, at: number, length: number, position: number) => Promise<number>

function readerOf(source: FileHandle | Buffer): Reader {
  return async (into, at, length, position) =>
    Buffer.isBuffer(source)
      ? source.copy(into, at, position, position + length)
      : (await source.read(into, at, length, position)).bytesRead
}

async function parsePieces(
  read: Reader,
  pieceBytes: number,
  sink: RecordSink,
  options: ReadRecordsOptions,
): Promise<ParsedRecords | null> {
  const parser = new RecordParser(options, sink)
  // One byte is left for the mark after the end.
  let buffer = Buffer.alloc(2 * pieceBytes + 1)
  let position = options.bomBytes
  /** Bytes at the front of the buffer that must be parsed again, or that begin a character. */
  let kept = 0
  /** How many of these are known to be UTF-8. */
  let checked = 0
  for (;;) {
    options.signal?.throwIfAborted()
    if (buffer.length - kept - 1 < pieceBytes) buffer = Buffer.concat([buffer.subarray(0, kept)], 2 * buffer.length)
    const bytesRead = await read(buffer, kept, buffer.length - kept - 1, position)
    position += bytesRead
    const end = kept + bytesRead
    const isLast = bytesRead === 0
    const whole = isLast ? end : endOfWholeCharacters(buffer.subarray(0, end))
    if (!isUtf8(buffer.subarray(checked, whole))) return null
    // An incomplete character is after the parsed bytes, where the mark must be.
    const next = buffer[whole]!
    buffer[whole] = 0
    const parsed = parser.parse(buffer, whole, isLast)
    buffer[whole] = next
    if (isLast) return parser.result()
    buffer.copyWithin(0, parsed, end)
    kept = end - parsed
    checked = whole - parsed
    options.onPiece()
  }
}
