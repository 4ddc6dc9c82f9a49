/**
 * The names of `candidates` that are most like `name`, nearest first, at most `limit`; ties keep the candidates' order.
 * Case counts little, so that `Region` finds `region` first.
 */
export function nearestNames(name: string, candidates: readonly string[], limit: number): string[] {
  const wanted = name.slice(0, 100)
  return candidates
    .map((candidate, index) => ({ candidate, index, distance: distanceBetween(wanted, candidate) }))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** The one name that `name` is likely a misspelling of, or null when none is near enough. */
export function likelyName(name: string, candidates: readonly string[]): string | null {
  const [nearest] = nearestNames(name, candidates, 1)
  if (nearest === undefined || name.length > 100) return null
  const mistakes = Math.floor(distanceBetween(name, nearest))
  return mistakes <= Math.max(1, Math.floor(Math.max(name.length, nearest.length) / 3)) ? nearest : null
}

/** Optimal string alignment distance of the lower-cased names, plus a little when only their case differs. */
function distanceBetween(left: string, right: string): number {
  const a = left.toLowerCase()
  const b = right.slice(0, 100).toLowerCase()
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]! + (left === right ? 0 : 0.1)
}
