import { EditDistance } from '../../base/text/edit-distance.ts'

/** Characters of a name that are compared. */
const COMPARED = 100

/**
 * Most pairs of characters compared for one request, less than 2 ms: a client chooses both the names and the
 * candidates, and everybody else waits.
 */
const MAX_PAIRS = 1_000_000

/** Finds names similar to those of one request. All its searches share one budget. */
export class NameSearch {
  #pairsLeft: number

  constructor(maxPairs = MAX_PAIRS) {
    this.#pairsLeft = maxPairs
  }

  /**
   * The `candidates` most similar to `name`, nearest first, at most `limit`; ties keep the candidates' sequence. Case
   * counts little, so `Region` finds `region` first. If there are very many candidates, only the first ones are
   * compared, and the others follow in their sequence.
   */
  nearest(name: string, candidates: readonly string[], limit: number): string[] {
    const wanted = name.slice(0, COMPARED)
    const distanceTo = distancesFrom(wanted)
    const distances: number[] = []
    // Half of the remaining budget: other faults of the request need suggestions too.
    const least = this.#pairsLeft / 2
    for (const candidate of candidates) {
      this.#pairsLeft -= pairsOf(wanted, candidate)
      if (this.#pairsLeft < least) break
      distances.push(distanceTo(candidate))
    }
    const compared = [...distances.keys()].sort((a, b) => distances[a]! - distances[b]! || a - b)
    const found = compared.slice(0, limit).map((i) => candidates[i] as string)
    return [...found, ...candidates.slice(distances.length, distances.length + limit - found.length)]
  }

  /** The one name of which `name` is likely a misspelling, or null if none is near enough or the budget is used up. */
  likely(name: string, candidates: readonly string[]): string | null {
    if (name.length > COMPARED) return null
    const distanceTo = distancesFrom(name)
    let found: string | null = null
    let shortest = Number.POSITIVE_INFINITY
    for (const candidate of candidates) {
      // The distance is at least the difference in length.
      if (Math.abs(candidate.length - name.length) > Math.min(shortest, mistakesAllowed(name, candidate))) continue
      this.#pairsLeft -= pairsOf(name, candidate)
      if (this.#pairsLeft < 0) return null
      const distance = distanceTo(candidate)
      if (distance >= shortest) continue
      shortest = distance
      found = candidate
    }
    return found !== null && Math.floor(shortest) <= mistakesAllowed(name, found) ? found : null
  }
}

function pairsOf(name: string, candidate: string): number {
  return name.length * Math.min(candidate.length, COMPARED)
}

/** Most mistakes in a misspelt name: one in three characters. */
function mistakesAllowed(name: string, other: string): number {
  return Math.max(1, Math.floor(Math.max(name.length, other.length) / 3))
}

/** Distances of lower-cased names from one name, plus a little if only their case differs. */
function distancesFrom(name: string): (candidate: string) => number {
  const from = new EditDistance(name.toLowerCase().slice(0, COMPARED))
  return (candidate) => from.to(candidate.slice(0, COMPARED).toLowerCase()) + (candidate === name ? 0 : 0.1)
}
