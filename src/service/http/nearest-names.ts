import { COMPARED, EditDistance } from './edit-distance.ts'

/**
 * Pairs of characters compared for one request at most, less than 2 ms: whoever asks chooses both the names and the candidates,
 * and everybody else waits.
 */
const MAX_PAIRS = 1_000_000

/** Looks for names like those of one request: what one search has used is missing to the next. */
export class NameSearch {
  #pairsLeft: number

  constructor(maxPairs = MAX_PAIRS) {
    this.#pairsLeft = maxPairs
  }

  /**
   * The names of `candidates` that are most like `name`, nearest first, at most `limit`; ties keep the candidates' order.
   * Case counts little, so that `Region` finds `region` first. Of very many candidates only the first ones are compared,
   * and the others follow in their order.
   */
  nearest(name: string, candidates: readonly string[], limit: number): string[] {
    const wanted = name.slice(0, COMPARED)
    const distanceTo = distancesFrom(wanted)
    const distances: number[] = []
    // Half of what is left: the other faults of a request have likely names too.
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

  /** The one name that `name` is likely a misspelling of, or null when none is near enough or comparing became too dear. */
  likely(name: string, candidates: readonly string[]): string | null {
    if (name.length > COMPARED) return null
    const distanceTo = distancesFrom(name)
    let found: string | null = null
    let shortest = Number.POSITIVE_INFINITY
    for (const candidate of candidates) {
      // A difference in length is as many mistakes.
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

/** Mistakes that a name may have to be taken for another one: one in three characters. */
function mistakesAllowed(name: string, other: string): number {
  return Math.max(1, Math.floor(Math.max(name.length, other.length) / 3))
}

/** Distances of lower-cased names from one, plus a little where only their case differs. */
function distancesFrom(name: string): (candidate: string) => number {
  const from = new EditDistance(name.toLowerCase())
  return (candidate) => from.to(candidate.slice(0, COMPARED).toLowerCase()) + (candidate === name ? 0 : 0.1)
}
