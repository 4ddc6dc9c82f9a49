/**
 * Decoding by the names of the Encoding standard (encoding.spec.whatwg.org).
 *
 * Node's own `TextDecoder` decodes most of them. For some its tables are smaller than those of the standard: Korean lacks
 * the 8,822 syllables that Windows adds to EUC-KR, and Windows-1252 is read as Latin-1. Two letters of KOI8-U differ between
 * versions of Node. iconv-lite has these. The standard decodes gbk as gb18030.
 */

/** What detection looks for, and what a message lists. */
export const ENCODINGS = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'macintosh', 'x-mac-cyrillic'],
  ...['iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-10'],
  ...['iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'koi8-r', 'koi8-u', 'ibm866'],
  ...['gbk', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'euc-kr'],
] as const

export type EncodingName = (typeof ENCODINGS)[number]

/** Encodings of DOS, which are not in the standard: they are recognized, and not read. */
export type DosEncoding = 'cp437' | 'cp850' | 'cp852'
export type KnownEncoding = EncodingName | DosEncoding

/** Names of the tables in iconv-lite. */
const BY_ICONV: Partial<Record<KnownEncoding, string>> = {
  cp437: 'cp437',
  cp850: 'cp850',
  cp852: 'cp852',
  'windows-1252': 'windows-1252',
  'windows-1255': 'windows-1255',
  'windows-874': 'windows-874',
  'koi8-u': 'koi8-u',
  'euc-kr': 'cp949',
  shift_jis: 'cp932',
  'euc-jp': 'euc-jp',
  big5: 'big5-hkscs',
}

/** The encoding of a name or label of the standard, `latin1` or `sjis` among them; null: there is none. */
export function encodingOf(label: string): EncodingName | null {
  const asked = label.trim().toLowerCase()
  try {
    const { encoding } = new TextDecoder(asked)
    return ENCODINGS.find((name) => name === encoding) ?? null
  } catch {
    return null
  }
}

/** Whether the standard has the encoding. */
export function isReadable(encoding: KnownEncoding): encoding is EncodingName {
  return ENCODINGS.some((name) => name === encoding)
}

/** Decodes piece by piece; null = the end, behind which another text may begin. Bytes without a meaning become U+FFFD. */
export type PieceDecoder = (bytes: Uint8Array | null) => string

export async function openDecoder(encoding: KnownEncoding): Promise<PieceDecoder> {
  const table = BY_ICONV[encoding]
  if (table !== undefined) {
    const { default: iconv } = await import('iconv-lite')
    const decoder = iconv.getDecoder(table, { stripBOM: false })
    return (bytes) => (bytes === null ? (decoder.end() ?? '') : decoder.write(Buffer.from(bytes)))
  }
  const decoder = new TextDecoder(encoding === 'gbk' ? 'gb18030' : encoding, { ignoreBOM: true })
  return (bytes) => (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
}

export async function decodeAll(bytes: Uint8Array, encoding: KnownEncoding): Promise<string> {
  const decode = await openDecoder(encoding)
  return decode(bytes) + decode(null)
}

/**
 * Length of bytes in UTF-8 without a character that is cut at the end (RFC 3629: at most four bytes, of which the last three
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
