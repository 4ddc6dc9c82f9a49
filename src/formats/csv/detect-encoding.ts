import { isUtf8 } from 'node:buffer'

/** `utf-8-damaged`: UTF-8 with a few invalid bytes; they become U+FFFD. */
export type TextEncodingName = 'utf-8' | 'utf-8-damaged' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface DetectedEncoding {
  readonly encoding: TextEncodingName
  /** Bytes of the byte order mark. */
  readonly bomBytes: number
}

/**
 * Infers the encoding from the first bytes of a file.
 *
 * Byte order marks decide. Without one, NULs at one parity mean UTF-16. Valid UTF-8 in the head means UTF-8, and the
 * scan of the whole file checks the rest. Anything else is Windows-1252, which defines every byte.
 */
export function detectEncoding(head: Buffer, headIsWholeFile: boolean): DetectedEncoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bomBytes: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bomBytes: 2 }

  let even = 0
  let odd = 0
  for (let i = 0; i < head.length; i++) if (head[i] === 0) (i & 1) === 0 ? even++ : odd++
  const pairs = head.length / 2
  if (odd > 0.3 * pairs && even < 0.02 * pairs + 1) return { encoding: 'utf-16le', bomBytes: 0 }
  if (even > 0.3 * pairs && odd < 0.02 * pairs + 1) return { encoding: 'utf-16be', bomBytes: 0 }

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
export function encodingOfInvalidUtf8(count: Utf8Count): TextEncodingName {
  return count.multibyte >= 10 * count.invalid ? 'utf-8-damaged' : 'windows-1252'
}

export function countUtf8(bytes: Buffer): Utf8Count {
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

/**
 * Length of `bytes` without a character that is cut at the end (RFC 3629: at most four bytes, of which the last three
 * are 10xxxxxx).
 */
export function endOfWholeCharacters(bytes: Uint8Array): number {
  const end = bytes.length
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back]!
    if (byte < 0x80) return end
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? end - back : end
    }
  }
  return end
}
