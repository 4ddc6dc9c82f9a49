/** Likely spellings of a misspelt name (Damerau 1964; the restricted form of the distance, also in typo lists of compilers). */

/** Longer names are compared by `sameSpelling` only: computing the distance costs the product of the lengths. */
const LONGEST_COMPARED = 200

/** Shorter words begin too many names. */
const SHORTEST_WORD = 3

/** Most suggestions returned. */
const MOST_SUGGESTIONS = 3

/**
 * Candidates that `name` may have meant, best first, at most three. Candidates with the same spelling (`sameSpelling`)
 * come first, then those within a Damerau-Levenshtein distance of max(1, ⌊length/4⌋) code points, nearest first, then
 * those of which `name` is the first words (`loyalty` of `loyalty.member`). `name` itself is never suggested.
 */
export function suggest(name: string, candidates: Iterable<string>): readonly string[] {
  const key = spellingKey(name)
  const points = [...name]
  const limit = Math.max(1, Math.floor(points.length / 4))
  const same: string[] = []
  const near: { candidate: string; distance: number }[] = []
  const longer: string[] = []
  for (const candidate of candidates) {
    if (candidate === name) continue
    const other = spellingKey(candidate)
    if (other === key) {
      same.push(candidate)
    } else if (points.length >= SHORTEST_WORD && other.startsWith(`${key} `)) {
      longer.push(candidate)
    } else if (name.length <= LONGEST_COMPARED && candidate.length <= LONGEST_COMPARED) {
      const distance = editDistance(points, [...candidate], limit)
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

function spellingKey(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .replace(TYPOGRAPHIC_QUOTES, '$1')
    .toLowerCase()
    .replaceAll(/[_.\- ]/g, ' ')
}

/**
 * Optimal string alignment distance between two lists of code points: insertions, deletions, substitutions and swaps
 * of neighbours cost 1. Returns `limit + 1` as soon as the distance must exceed `limit`.
 */
function editDistance(a: readonly string[], b: readonly string[], limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const substitution = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforeLast[j - 2]! + 1)
      }
      row.push(distance)
      if (distance < least) least = distance
    }
    if (least > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
