import { EditDistance } from '../../base/text/edit-distance.ts'

/** Longer names are compared by `sameSpelling` only: computing the distance costs the product of the lengths. */
const LONGEST_COMPARED = 200

/** Shorter words begin too many names. */
const SHORTEST_WORD = 3

/** Most suggestions returned. */
const MOST_SUGGESTIONS = 3

/**
 * Candidates that `name` may have meant, best first, at most three. Candidates with the same spelling (`sameSpelling`)
 * come first, then those within an edit distance of max(1, ⌊length/4⌋), nearest first, then
 * those of which `name` is the first words (`loyalty` of `loyalty.member`). `name` itself is never suggested.
 */
export function suggest(name: string, candidates: Iterable<string>): readonly string[] {
  const key = spellingKey(name)
  const limit = Math.max(1, Math.floor(name.length / 4))
  const from = new EditDistance(name.length <= LONGEST_COMPARED ? name : '')
  const same: string[] = []
  const near: { candidate: string; distance: number }[] = []
  const longer: string[] = []
  for (const candidate of candidates) {
    if (candidate === name) continue
    const other = spellingKey(candidate)
    if (other === key) {
      same.push(candidate)
    } else if (name.length >= SHORTEST_WORD && other.startsWith(`${key} `)) {
      longer.push(candidate)
    } else if (name.length <= LONGEST_COMPARED && candidate.length <= LONGEST_COMPARED) {
      // The distance is at least the difference in length.
      if (Math.abs(candidate.length - name.length) > limit) continue
      const distance = from.to(candidate)
      if (distance <= limit) near.push({ candidate, distance })
    }
  }
  near.sort((a, b) => a.distance - b.distance)
  return [...same, ...near.map((n) => n.candidate), ...longer].slice(0, MOST_SUGGESTIONS)
}

/**
 * Candidates equal to `name` after Unicode NFC, trimming and case folding, without typographic quotation marks around it, where
 * `_`, `.`, `-` and space count as one character. Only these may be corrected without asking.
 */
export function sameSpelling(name: string, candidates: Iterable<string>): readonly string[] {
  const key = spellingKey(name)
  return [...candidates].filter((candidate) => candidate !== name && spellingKey(candidate) === key)
}

/** Quotation marks of a word processor, which are no quotation marks of YAML and so become a part of the name. */
const TYPOGRAPHIC_QUOTES = /^[\u2018-\u201F\u00AB\u2039](.+)[\u2018-\u201F\u00BB\u203A]$/su

/** The text between typographic quotation marks; null where there are none. */
export function betweenTypographicQuotes(text: string): string | null {
  return TYPOGRAPHIC_QUOTES.exec(text.trim())?.[1] ?? null
}

function spellingKey(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .replace(TYPOGRAPHIC_QUOTES, '$1')
    .toLowerCase()
    .replaceAll(/[_.\- ]/g, ' ')
}
