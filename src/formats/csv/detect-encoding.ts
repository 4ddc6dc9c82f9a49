import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { utf16WithoutMark } from '../../base/text/utf-16.ts'
import { endOfWholeCharacters } from '../encoding/decoders.ts'
import type { StartOfText } from '../encoding/recode-text.ts'

/**
 * Infers the encoding from the first bytes of a file.
 *
 * Byte order marks decide. Valid UTF-8 in the head means UTF-8, and the scan of the whole file checks the rest. Anything
 * else is recognized by the letters of the whole file.
 */
export function detectEncoding(head: Buffer, headIsWholeFile: boolean): StartOfText {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bomBytes: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bomBytes: 2 }
  const wide = utf16WithoutMark(head)
  if (wide !== null) return { encoding: wide, bomBytes: 0 }

  const whole = headIsWholeFile ? head : head.subarray(0, endOfWholeCharacters(head))
  return { encoding: isUtf8(whole) ? 'utf-8' : encodingOfInvalidUtf8(countUtf8(head)), bomBytes: 0 }
}

export interface Utf8Count {
  /** Well-formed characters of two to four bytes. */
  readonly multibyte: number
  /** Bytes above 0x7F that belong to no character. */
  readonly invalid: number
}

/**
 * A file with many valid characters and hardly any invalid byte is damaged UTF-8; otherwise it has another encoding.
 */
export function encodingOfInvalidUtf8(count: Utf8Count): StartOfText['encoding'] {
  return count.multibyte >= 10 * count.invalid ? 'utf-8-damaged' : 'unknown'
}

/** Counts the bytes of a file from one on, in memory of one piece. Pieces before the first invalid byte do not count. */
export async function countUtf8OfFile(path: string, start: number): Promise<Utf8Count> {
  let multibyte = 0
  let invalid = 0
  const add = (bytes: Buffer) => {
    if (invalid === 0 && isUtf8(bytes)) return
    const found = countUtf8(bytes)
    multibyte += found.multibyte
    invalid += found.invalid
  }
  // A character that is cut at the end of a piece belongs to the next one.
  let cut = Buffer.alloc(0)
  for await (const piece of createReadStream(path, { start, highWaterMark: PIECE_BYTES })) {
    const bytes = Buffer.concat([cut, piece as Buffer])
    const whole = endOfWholeCharacters(bytes)
    add(bytes.subarray(0, whole))
    cut = bytes.subarray(whole)
  }
  add(cut)
  return { multibyte, invalid }
}

const PIECE_BYTES = 1 << 20

function countUtf8(bytes: Buffer): Utf8Count {
  let multibyte = 0
  let invalid = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte < 0x80) continue
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    if (length > 1 && byte < 0xf5 && isUtf8(bytes.subarray(i, i + length)) && i + length <= bytes.length) {
      multibyte++
      i += length - 1
    } else {
      invalid++
    }
  }
  return { multibyte, invalid }
}
