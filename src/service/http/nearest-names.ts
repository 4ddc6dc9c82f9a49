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
  const from = new EditDistance(name.toLowerCase())
  return (candidate) => from.to(candidate.slice(0, COMPARED).toLowerCase()) + (candidate === name ? 0 : 0.1)
}

/** Characters of a text that are compared. */
export const COMPARED = 100

const WORD_BITS = 32
const NOWHERE = new Int32Array(Math.ceil(COMPARED / WORD_BITS))

/**
 * Optimal string alignment distances from one text, by their first characters: insertions, deletions, substitutions and
 * exchanges of neighbours. A column of the distance table is stored as bits where it rises and falls, 32 rows per word
 * (Hyyrö 2003, in the blocks of Myers 1999). This takes a fiftieth of the time of filling in the table.
 */
export class EditDistance {
  readonly #length: number
  readonly #words: number
  /** Character → the places where the text has it, as bits. */
  readonly #places = new Map<number, Int32Array>()
  // Of the previous column, by word: where it rises and falls, where the diagonal stays, and the places of its
  // character.
  readonly #rises: Int32Array
  readonly #falls: Int32Array
  readonly #stays: Int32Array

  constructor(text: string) {
    this.#length = Math.min(text.length, COMPARED)
    this.#words = Math.ceil(this.#length / WORD_BITS)
    for (let i = 0; i < this.#length; i++) {
      const code = text.charCodeAt(i)
      let places = this.#places.get(code)
      if (places === undefined) {
        places = new Int32Array(this.#words)
        this.#places.set(code, places)
      }
      places[i >>> 5]! |= 1 << (i & 31)
    }
    this.#rises = new Int32Array(this.#words)
    this.#falls = new Int32Array(this.#words)
    this.#stays = new Int32Array(this.#words)
  }

  to(other: string): number {
    const length = Math.min(other.length, COMPARED)
    if (this.#length === 0) return length
    this.#rises.fill(-1)
    this.#falls.fill(0)
    this.#stays.fill(0)
    let placesBefore: Int32Array = NOWHERE
    let distance = this.#length
    for (let j = 0; j < length; j++) {
      const places = this.#places.get(other.charCodeAt(j)) ?? NOWHERE
      distance += this.#column(places, placesBefore)
      placesBefore = places
    }
    return distance
  }

  /** Advances by a column; returns the change of the distance in the last row. */
  #column(places: Int32Array, placesBefore: Int32Array): number {
    const lastBit = (this.#length - 1) & 31
    let change = 0
    let riseCarried = 1
    let fallCarried = 0
    let exchangeCarried = 0
    for (let word = 0; word < this.#words; word++) {
      const here = places[word]!
      const rises = this.#rises[word]!
      const falls = this.#falls[word]!
      const matched = ~this.#stays[word]! & here
      const exchanged = ((matched << 1) | exchangeCarried) & placesBefore[word]!
      const equal = here | fallCarried
      const stays = ((((equal & rises) + rises) | 0) ^ rises) | equal | falls | exchanged
      const up = falls | ~(stays | rises)
      const down = stays & rises
      if (word === this.#words - 1) change = ((up >>> lastBit) & 1) - ((down >>> lastBit) & 1)
      const upShifted = (up << 1) | riseCarried
      const downShifted = (down << 1) | fallCarried
      exchangeCarried = matched >>> 31
      riseCarried = up >>> 31
      fallCarried = down >>> 31
      this.#rises[word] = downShifted | ~(stays | upShifted)
      this.#falls[word] = upShifted & stays
      this.#stays[word] = stays
    }
    return change
  }
}
