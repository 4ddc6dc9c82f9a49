import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type EncodingName, isReadable } from './decoders.ts'
import { rankEncodings } from './rank-encodings.ts'
import { textEvidence } from './text-evidence.ts'

/** The encoding of a text that is neither UTF-8 nor UTF-16. */
export interface RecognizedEncoding {
  readonly encoding: EncodingName
  /** Others that the bytes fit nearly as well, and with which they are another text. */
  readonly alternatives: readonly EncodingName[]
}

/**
 * Measured on 656 small tables in 29 languages and 10 encodings, from a single word beyond ASCII to 60 names: all 507 from
 * `SURE` on were right, and 628 of 630 from `LIKELIER` on; below, 14 of 26.
 */
const SURE = 0.7
const LIKELIER = 0.2
/** Largest share of letters in unusual places; with more, no known encoding fits. */
const MOST_ODD = 0.5

/**
 * @param start bytes before the text
 * @throws {UnreadableFileError} when the bytes fit several encodings, in which they are different texts, and none is
 * likelier; and when they fit none.
 */
export async function recognizeEncoding(
  path: string,
  start: number,
  signal?: AbortSignal,
): Promise<RecognizedEncoding> {
  const [best, ...others] = await rankEncodings(await textEvidence(path, start, signal))
  if (best === undefined || best.odd > MOST_ODD) {
    throw new UnreadableFileError(
      'The text is not UTF-8, and no other encoding that can be recognized fits its bytes. Save the file as UTF-8, ' +
        `or declare its encoding in the dataset's entry of the study, such as "encoding: ibm866".`,
    )
  }
  const { encoding } = best
  if (!isReadable(encoding)) {
    throw new UnreadableFileError(
      `The text seems to be in the DOS code page ${encoding.slice(2)}, which cannot be read. Save the file as UTF-8. ` +
        `If it has another encoding, declare it in the dataset's entry of the study, such as "encoding: windows-1252".`,
    )
  }
  const alternatives = others
    .filter(({ score }) => best.score - score < SURE)
    .filter((other) => isReadable(other.encoding))
  const [second] = alternatives
  if (second !== undefined && best.score - second.score < LIKELIER) {
    const names = [best, ...alternatives].map((one) => one.encoding)
    throw new UnreadableFileError(
      `The text is not UTF-8, and its bytes fit ${listed(names)} alike, but each encoding gives other letters. ` +
        `Declare the right one in the dataset's entry of the study, such as "encoding: ${encoding}", or save the file as UTF-8.`,
    )
  }
  return { encoding, alternatives: alternatives.map((other) => other.encoding).filter(isReadable) }
}

/** `a, b and c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
