import { decodeWindows1252 } from '../reading/windows-1252.ts'

/** Decodes a file's texts, and counts those with bytes that are invalid in the encoding. */
export class SavDecoder {
  readonly encoding: string
  readonly note: string | null
  readonly #strict: InstanceType<typeof TextDecoder>
  readonly #lenient: InstanceType<typeof TextDecoder>
  /** Texts with bytes that were replaced by U+FFFD. */
  faults = 0

  /**
   * @param name the encoding that the file names (record 20); null = not named.
   * @param codePage code page of the machine that wrote it; null = not declared.
   */
  constructor(name: string | null, codePage: number | null) {
    const found = name === null ? decoderOf(codePageLabel(codePage)) : (decoderOf(name) ?? decoderOf(pageOfName(name)))
    this.#strict = found ?? new TextDecoder(FALLBACK, { fatal: true })
    this.encoding = this.#strict.encoding
    this.#lenient = new TextDecoder(this.encoding)
    this.note =
      found !== null
        ? null
        : name === null
          ? 'The file does not name the encoding of its texts; they were read as Windows-1252.'
          : `The file names the encoding "${name.slice(0, 40)}", which is unknown; its texts were read as Windows-1252.`
  }

  decode(bytes: Uint8Array): string {
    if (this.encoding === FALLBACK) return decodeWindows1252(bytes)
    const text = this.#strictly(bytes)
    if (text !== null) return text
    const whole = this.encoding === 'utf-8' ? this.#strictly(withoutTornEnd(bytes)) : null
    if (whole !== null) return whole
    this.faults++
    return this.#lenient.decode(bytes)
  }

  /** Null = some bytes are invalid in the encoding. */
  #strictly(bytes: Uint8Array): string | null {
    try {
      return this.#strict.decode(bytes)
    } catch {
      return null
    }
  }
}

const FALLBACK = 'windows-1252'

/** Without an incomplete letter at the end, which remains when a text was cut to the width of its variable. */
function withoutTornEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < length ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

function decoderOf(label: string | null): InstanceType<typeof TextDecoder> | null {
  // Encodings of two bytes per letter are never those of a system file, whose blanks are single bytes.
  if (label === null || /utf-?(16|32)|ucs/i.test(label)) return null
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return null
  }
}

function pageOfName(name: string): string | null {
  const digits = /^(?:cp|ms|windows|win|ibm|x-cp)?[-_ ]?(\d{3,5})$/i.exec(name)
  return digits === null ? null : codePageLabel(Number(digits[1]))
}

/** Name of a code page by the Encoding standard; 2 and 3 mean ASCII and "8 bits", which name no encoding. */
function codePageLabel(page: number | null): string | null {
  if (page === null) return null
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  if (page > 28_590 && page <= 28_606) return `iso-8859-${page - 28_590}`
  return PAGES[page] ?? null
}

const PAGES: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  20127: 'windows-1252',
  20866: 'koi8-r',
  21866: 'koi8-u',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
}
