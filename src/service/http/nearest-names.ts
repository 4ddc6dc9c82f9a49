/** Characters of a name that are compared. */
const COMPARED = 100

/** Pairs of characters compared in one search at most, some 5 ms: whoever asks chooses both the name and the candidates. */
const MAX_PAIRS = 500_000

/**
 * The names of `candidates` that are most like `name`, nearest first, at most `limit`; ties keep the candidates' order.
 * Case counts little, so that `Region` finds `region` first. Of very many candidates only the first ones are compared,
 * and the others follow in their order.
 */
export function nearestNames(name: string, candidates: readonly string[], limit: number): string[] {
  const wanted = name.slice(0, COMPARED)
  let pairs = 0
  return candidates
    .map((candidate, index) => {
      pairs += wanted.length * Math.min(candidate.length, COMPARED)
      const distance = pairs <= MAX_PAIRS ? distanceBetween(wanted, candidate) : Number.POSITIVE_INFINITY
      return { candidate, index, distance }
    })
    .sort((a, b) => (a.distance === b.distance ? a.index - b.index : a.distance - b.distance))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** The one name that `name` is likely a misspelling of, or null when none is near enough. */
export function likelyName(name: string, candidates: readonly string[]): string | null {
  const [nearest] = nearestNames(name, candidates, 1)
  if (nearest === undefined || name.length > COMPARED) return null
  const mistakes = Math.floor(distanceBetween(name, nearest))
  return mistakes <= Math.max(1, Math.floor(Math.max(name.length, nearest.length) / 3)) ? nearest : null
}

/** Three rows of the table of distances, used again and again. */
let [beforeLast, last, row] = Array.from({ length: 3 }, () => new Uint16Array(COMPARED + 1)) as [
  Uint16Array,
  Uint16Array,
  Uint16Array,
]

/** Optimal string alignment distance of the lower-cased names, plus a little when only their case differs. */
function distanceBetween(left: string, right: string): number {
  const a = left.toLowerCase().slice(0, COMPARED)
  const b = right.toLowerCase().slice(0, COMPARED)
  for (let j = 0; j <= b.length; j++) last[j] = j
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1)
    const codeBefore = i > 1 ? a.charCodeAt(i - 2) : -1
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1)
      let cost = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (code === other ? 0 : 1))
      if (j > 1 && code === b.charCodeAt(j - 2) && codeBefore === other) cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row[j] = cost
    }
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return last[b.length]! + (left === right ? 0 : 0.1)
}
