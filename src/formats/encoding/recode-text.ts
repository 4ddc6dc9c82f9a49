import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { ENCODINGS, type EncodingName, encodingOf, openDecoder } from './decoders.ts'
import { listed, recognizeEncoding } from './recognize-encoding.ts'

/** What is known of a text's encoding before its letters are read. */
export interface StartOfText {
  /** `utf-8-damaged`: UTF-8 with a few invalid bytes. `unknown`: to be recognized. */
  readonly encoding: EncodingName | 'utf-8-damaged' | 'unknown'
  /** Bytes of the byte order mark. */
  readonly bomBytes: number
  /** The study or the caller names it. */
  readonly isDeclared?: boolean
}

const CHUNK_BYTES = 1 << 20
/** A tenth of the letters: the declared encoding is another one. */
const MOST_UNREADABLE = 0.1

/**
 * Writes the text of `source` to `target` as UTF-8 without a byte order mark, in bounded memory.
 *
 * @returns notes: the encoding, and how many letters could not be read and became U+FFFD.
 * @throws {UnreadableFileError} when the encoding cannot be recognized, and when the declared one does not fit.
 */
export async function recodeText(
  source: string,
  target: string,
  { encoding: known, bomBytes, isDeclared = false }: StartOfText,
  signal?: AbortSignal,
): Promise<string[]> {
  const { encoding, notes } = await settledEncoding(source, known, bomBytes, isDeclared, signal)
  const { unreadable, letters } = await transcode(source, target, encoding, bomBytes, signal)
  if (isDeclared && unreadable > MOST_UNREADABLE * letters) {
    throw new UnreadableFileError(
      `The file is declared to be in ${encoding}, but ${unreadable} of its ${letters} bytes or characters beyond ASCII cannot be read in that encoding. ` +
        `Correct "encoding" in the dataset's entry of the study, or remove it to have the encoding recognized.`,
    )
  }
  if (unreadable > 0) {
    notes.push(
      `${unreadable} ${unreadable === 1 ? 'character was' : 'characters were'} not readable and became "\ufffd".`,
    )
  }
  return notes
}

async function settledEncoding(
  source: string,
  known: StartOfText['encoding'],
  bomBytes: number,
  isDeclared: boolean,
  signal: AbortSignal | undefined,
): Promise<{ encoding: EncodingName; notes: string[] }> {
  if (known === 'utf-8-damaged') return { encoding: 'utf-8', notes: [] }
  if (isDeclared && known !== 'unknown')
    return { encoding: known, notes: [`The text was read as ${known}, as declared.`] }
  if (known !== 'unknown') return { encoding: known, notes: [`The text is in ${nameOf(known)}.`] }
  const { encoding, alternatives, strayBytes } = await recognizeEncoding(source, bomBytes, signal)
  if (strayBytes > 0) {
    const [bytes, were] = strayBytes === 1 ? ['1 byte', 'It was'] : [`${strayBytes} bytes`, 'They were']
    return {
      encoding,
      notes: [
        `Only ${bytes} of the header ${strayBytes === 1 ? 'is' : 'are'} beyond ASCII, too few to recognize an encoding. ${were} read as ${nameOf(encoding)}. ` +
          `If letters look wrong, declare another encoding in the dataset's entry of the study, such as "encoding: macintosh".`,
      ],
    }
  }
  if (alternatives.length === 0) {
    return {
      encoding,
      notes: [
        `The text is in ${nameOf(encoding)}, recognized by its letters. If letters look wrong, declare another encoding ` +
          `in the dataset's entry of the study, such as "encoding: ${encoding === 'windows-1252' ? 'windows-1250' : 'windows-1252'}".`,
      ],
    }
  }
  return {
    encoding,
    notes: [
      `The text was read as ${nameOf(encoding)}, but its bytes fit ${listed(alternatives)} as well. If letters look wrong, ` +
        `declare "encoding: ${alternatives[0]}" in the dataset's entry of the study.`,
    ],
  }
}

/** The name that people know the encoding by. */
function nameOf(encoding: EncodingName): string {
  if (encoding.startsWith('utf-16')) return 'UTF-16'
  return COMMON_NAMES[encoding] ?? encoding.replace(/^windows/, 'Windows')
}

const COMMON_NAMES: Partial<Record<EncodingName, string>> = {
  macintosh: 'Mac Roman (macintosh)',
  shift_jis: 'Shift-JIS (shift_jis)',
  'euc-kr': 'EUC-KR (euc-kr)',
  'euc-jp': 'EUC-JP (euc-jp)',
  gb18030: 'GB18030 (gb18030)',
  big5: 'Big5 (big5)',
  'koi8-r': 'KOI8-R (koi8-r)',
  'iso-8859-2': 'ISO 8859-2 (iso-8859-2)',
}

async function transcode(
  source: string,
  target: string,
  encoding: EncodingName,
  start: number,
  signal: AbortSignal | undefined,
): Promise<{ unreadable: number; letters: number }> {
  const decode = await openDecoder(encoding)
  const out = await open(target, 'wx', 0o600)
  let unreadable = 0
  let letters = 0
  const write = async (text: string) => {
    unreadable += countOf(text, /\ufffd/g)
    letters += countOf(text, /[^\0-\x7f]/g)
    await out.writeFile(text)
  }
  try {
    const options = { start, highWaterMark: CHUNK_BYTES, ...(signal === undefined ? {} : { signal }) }
    for await (const chunk of createReadStream(source, options)) await write(decode(chunk as Buffer))
    await write(decode(null))
  } finally {
    await out.close()
  }
  return { unreadable, letters }
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  pattern.lastIndex = 0
  while (pattern.exec(text) !== null) count++
  return count
}

/**
 * The start of a text whose encoding is declared.
 *
 * @param label a name or label of the Encoding standard
 * @param head the first bytes of the file
 * @throws {UnreadableFileError} for an unknown name, and for a byte order mark of another encoding.
 */
export function declaredStart(label: string, head: Buffer): StartOfText {
  const encoding = encodingOf(label)
  if (encoding === null) throw new UnreadableFileError(unknownEncoding(label))
  const mark = MARKS.find(([, bytes]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes)))
  if (mark === undefined) return { encoding, bomBytes: 0, isDeclared: true }
  const [marked, bytes] = mark
  // "utf-16" means the one with the little end first; the mark says which it is.
  const isSame = marked === encoding || (marked === 'utf-16be' && label.trim().toLowerCase() === 'utf-16')
  if (isSame) return { encoding: marked, bomBytes: bytes.length, isDeclared: true }
  throw new UnreadableFileError(
    `The file is declared to be in ${encoding}, but begins with the byte order mark of ${marked}. ` +
      `Correct "encoding" in the dataset's entry of the study, or remove it.`,
  )
}

const MARKS: readonly (readonly [EncodingName, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** The message about an unknown name of an encoding, with the known names. */
export function unknownEncoding(label: string): string {
  return `"${label.slice(0, 40)}" is not an encoding that can be read. Declare one of: ${ENCODINGS.join(', ')}.`
}
