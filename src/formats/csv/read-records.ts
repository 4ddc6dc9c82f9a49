import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { RecordSink } from '../coded/coded-rows.ts'
import { endOfWholeCharacters } from './detect-encoding.ts'
import { type ParsedRecords, type ParserOptions, RecordParser } from './record-parser.ts'

export interface ReadRecordsOptions extends ParserOptions {
  readonly bomBytes: number
  readonly signal?: AbortSignal
  /** Between two pieces of the file. */
  readonly onPiece: () => Promise<void>
}

const PIECE_BYTES = 1 << 20

/**
 * Reads the records of a file in one pass, in memory of a few pieces and the longest field.
 *
 * @returns null as soon as bytes are met that are not UTF-8.
 * @throws {UnreadableFileError} for a record that is too long.
 */
export async function readRecords(
  path: string,
  sink: RecordSink,
  options: ReadRecordsOptions,
): Promise<ParsedRecords | null> {
  const parser = new RecordParser(options, sink)
  const file = await open(path, 'r')
  try {
    let buffer = Buffer.alloc(2 * PIECE_BYTES)
    let position = options.bomBytes
    /** Bytes at the front of the buffer that are to be parsed again, or that are the beginning of a character. */
    let kept = 0
    /** Of these, how many are known to be UTF-8. */
    let checked = 0
    for (;;) {
      options.signal?.throwIfAborted()
      // One byte is left for the mark behind the end.
      if (buffer.length - kept - 1 < PIECE_BYTES) buffer = Buffer.concat([buffer.subarray(0, kept)], 2 * buffer.length)
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept - 1, position)
      position += bytesRead
      const end = kept + bytesRead
      const isLast = bytesRead === 0
      const whole = isLast ? end : endOfWholeCharacters(buffer.subarray(0, end))
      if (!isUtf8(buffer.subarray(checked, whole))) return null
      // A character that is cut stands behind what is parsed, where the mark must be.
      const next = buffer[whole]!
      buffer[whole] = 0
      const parsed = parser.parse(buffer, whole, isLast)
      buffer[whole] = next
      if (isLast) return parser.result()
      buffer.copyWithin(0, parsed, end)
      kept = end - parsed
      checked = whole - parsed
      await options.onPiece()
    }
  } finally {
    await file.close()
  }
}
