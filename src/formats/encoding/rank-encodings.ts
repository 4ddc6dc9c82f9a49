/**
 * Which encodings the bytes of a text fit, likeliest first.
 *
 * jschardet, a port of chardet 7, gives a confidence by the pairs of letters of each language. On a few words it
 * hesitates between tables that share most letters, so its confidence is reduced by how oddly the words read.
 */

import { decodeAll, type KnownEncoding } from './decoders.ts'
import { oddLetters } from './odd-letters.ts'
import { placedSigns } from './placed-signs.ts'
import type { TextEvidence } from './text-evidence.ts'

export interface RankedEncoding {
  readonly encoding: KnownEncoding
  /** The texts beyond ASCII, decoded. */
  readonly text: string
  /** Logarithm; a difference of 0.7 is a factor of 2. */
  readonly score: number
  readonly odd: number
}

/** The candidates, the most usual first: names in the library, and the frequency of an encoding relative to similar ones. */
const SOUGHT: readonly (readonly [encoding: KnownEncoding, names: readonly string[], weight: number])[] = [
  ['windows-1252', ['windows-1252'], 1.15],
  ['windows-1250', ['windows-1250'], 1],
  ['windows-1251', ['windows-1251'], 1],
  ['windows-1253', ['windows-1253'], 1],
  ['windows-1254', ['windows-1254'], 1],
  ['windows-1255', ['windows-1255'], 1],
  ['windows-1256', ['windows-1256'], 1],
  ['windows-1257', ['windows-1257'], 0.8],
  ['windows-1258', ['windows-1258', 'cp1258'], 0.6],
  ['macintosh', ['macroman'], 1],
  ['iso-8859-2', ['iso-8859-2'], 0.6],
  ['koi8-r', ['koi8-r'], 1],
  ['gb18030', ['gb18030'], 1],
  ['big5', ['big5', 'big5hkscs'], 1],
  ['shift_jis', ['cp932', 'shift_jis', 'shift_jis_2004'], 1],
  ['euc-jp', ['euc-jp', 'euc-jis-2004', 'euc_jis_2004'], 1],
  ['euc-kr', ['cp949', 'euc-kr'], 1],
  // Known only to be refused: without them their files would pass for Mac Roman.
  ['cp850', ['cp850'], 0.4],
  ['cp437', ['cp437'], 0.4],
  ['cp852', ['cp852'], 0.4],
]

/** Less than any confidence of the library. Letters of two bytes that are all valid are evidence, and kana are more evidence. */
const LEAST_CONFIDENCE = 1e-4
const VALID_PAIRS = 2e-4
const KANA_CONFIDENCE = 0.02
const KANA = /[\u3041-\u30fe]/u
/** How strongly unusual letters lower the confidence, and signs in their places raise it. */
const ODD_WEIGHT = 3
const PLACED_WEIGHT = 2

/** Encodings with characters of two bytes: any two letters of a Western text may be one. */
const OF_TWO_BYTES: ReadonlySet<KnownEncoding> = new Set(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'])
/** A single character is little evidence for them, and none where its second byte is in ASCII, as in "20 °C". */
const SINGLE_CHARACTER = -1.5
/** Of the characters of two bytes that people write, this share has a second byte in ASCII; of accidental ones, nearly all. */
const SHARE_OF_ASCII = 0.4
const MOST_COUNTED = 3

/** Encodings in which the texts are different; of those in which they are the same, the most usual. */
export async function rankEncodings(evidence: TextEvidence): Promise<RankedEncoding[]> {
  const confidences = await confidenceByName(evidence.all)
  const ranked: RankedEncoding[] = []
  const areSigns = placedSigns(await decodeAll(evidence.beyondAscii, 'windows-1252')) > 0
  for (const [encoding, names, weight] of SOUGHT) {
    const text = await decodeAll(evidence.beyondAscii, encoding)
    const odd = oddLetters(text, encoding)
    const found = Math.max(...names.map((name) => confidences.get(name) ?? 0))
    const confidence = Math.max(found, found > 0 ? 0 : confidenceOfPairs(encoding, text))
    if (confidence === 0 || !Number.isFinite(odd)) continue
    const pairs = OF_TWO_BYTES.has(encoding) ? pairsOf(evidence.beyondAscii) : null
    const isSingle = pairs?.different === 1
    if (isSingle && (pairs.areWithAscii || areSigns)) continue
    const accidental = pairs?.areWithAscii ? Math.min(MOST_COUNTED, pairs.different) * Math.log(SHARE_OF_ASCII) : 0
    const fit = Math.log((confidence + LEAST_CONFIDENCE) * weight) + accidental + (isSingle ? SINGLE_CHARACTER : 0)
    ranked.push({ encoding, text, odd, score: fit - ODD_WEIGHT * odd + PLACED_WEIGHT * placedSigns(text) })
  }
  // Of encodings that give the same texts, the most usual is named.
  const different = ranked.filter(({ text }, i) => ranked.findIndex((other) => other.text === text) === i)
  const bestOf = ({ text }: RankedEncoding) =>
    Math.max(...ranked.flatMap((other) => (other.text === text ? [other.score] : [])))
  return different.map((one) => ({ ...one, score: bestOf(one) })).sort((a, b) => b.score - a.score)
}

/** Characters of two bytes in a text of an encoding that has them. */
interface Pairs {
  readonly different: number
  /** Whether the second byte of each is in ASCII. */
  readonly areWithAscii: boolean
}

function pairsOf(bytes: Buffer): Pairs {
  const pairs = new Set<number>()
  let areWithAscii = true
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at]!
    if (first < 0x80) continue
    const second = bytes[++at] ?? 0
    pairs.add(first * 256 + second)
    if (second >= 0x80) areWithAscii = false
  }
  return { different: pairs.size, areWithAscii }
}

/** The library gives up on multibyte encodings where there are few letters. */
function confidenceOfPairs(encoding: KnownEncoding, text: string): number {
  if (encoding === 'shift_jis' || encoding === 'euc-jp') return KANA.test(text) ? KANA_CONFIDENCE : VALID_PAIRS
  return ['gb18030', 'big5', 'euc-kr'].includes(encoding) ? VALID_PAIRS : 0
}

async function confidenceByName(bytes: Buffer): Promise<ReadonlyMap<string, number>> {
  const { default: jschardet } = await import('jschardet')
  const detectEncodings = SOUGHT.flatMap(([, names]) => names)
  const confidences = new Map<string, number>()
  for (const { encoding, confidence } of jschardet.detectAll(bytes, { minimumThreshold: 0, detectEncodings })) {
    if (encoding !== null) confidences.set(encoding.toLowerCase(), confidence)
  }
  return confidences
}
