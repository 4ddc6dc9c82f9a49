import type { Bins } from '../../base/bins.ts'

/** Counts numbers in bins: from an edge up to, but without, the next; the last bin holds its upper edge as well. */
export class BinCounting {
  readonly #edges: readonly number[]
  readonly #counts: number[]
  #below = 0
  #above = 0

  /** @param edges ascending, at least two. */
  constructor(edges: readonly number[]) {
    this.#edges = edges
    this.#counts = new Array(edges.length - 1).fill(0)
  }

  add(value: number): void {
    const edges = this.#edges
    const last = edges.length - 1
    if (value < edges[0]!) this.#below++
    else if (value > edges[last]!) this.#above++
    else {
      let low = 0
      let high = last
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if (value < edges[middle]!) high = middle
        else low = middle
      }
      this.#counts[low]!++
    }
  }

  bins(): Bins {
    return { edges: this.#edges, counts: this.#counts, below: this.#below, above: this.#above }
  }
}
