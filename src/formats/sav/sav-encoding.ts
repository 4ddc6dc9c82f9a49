import {
  type EncodingName,
  encodingOf,
  endOfWholeCharacters,
  openDecoder,
  type PieceDecoder,
} from '../encoding/decoders.ts'

const FALLBACK: EncodingName = 'windows-1252'

/** Decodes a file's texts, and counts those with bytes that are invalid in the encoding. */
export class SavDecoder {
  readonly encoding: EncodingName
  readonly note: string | null
  readonly #decode: PieceDecoder
  /** Texts with bytes that were replaced by U+FFFD. */
  faults = 0

  private constructor(encoding: EncodingName, decode: PieceDecoder, note: string | null) {
    this.encoding = encoding
    this.#decode = decode
    this.note = note
  }

  /**
   * @param name the encoding that the file names (record 20); null = not named.
   * @param codePage code page of the machine that wrote it; null = not declared.
   */
  static async open(name: string | null, codePage: number | null): Promise<SavDecoder> {
    const found =
      name === null
        ? singleByteBlanks(codePageLabel(codePage))
        : (singleByteBlanks(name) ?? singleByteBlanks(pageOfName(name)))
    const encoding = found ?? FALLBACK
    const note =
      found !== null
        ? null
        : name === null
          ? 'The file does not name the encoding of its texts; they were read as Windows-1252.'
          : `The file names the encoding "${name.slice(0, 40)}", which is unknown; its texts were read as Windows-1252.`
    return new SavDecoder(encoding, await openDecoder(encoding), note)
  }

  decode(bytes: Uint8Array): string {
    // A text that was cut to the width of its variable may end within a letter.
    const whole = this.encoding === 'utf-8' ? bytes.subarray(0, endOfWholeCharacters(bytes)) : bytes
    const text = this.#decode(whole) + this.#decode(null)
    if (text.includes('\ufffd')) this.faults++
    return text
  }
}

/** The encoding of a label; null for none, and for one whose blanks are not single bytes, as they are in a system file. */
function singleByteBlanks(label: string | null): EncodingName | null {
  return label === null || /utf-?(16|32)|ucs/i.test(label) ? null : encodingOf(label)
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
