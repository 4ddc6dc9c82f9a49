/**
 * Bins of all predictors of a tree, row by row, and the tables of counts of its nodes. All predictors are counted in one pass
 * over a node's rows: their bins lie side by side in memory, and neighbouring increments go to different tables.
 *
 * n  rows of the table     F  predictors     B  bins of all predictors together     G  target classes
 */

export interface Predictor {
  /** Length: rows of the table. Bin of every row. */
  readonly bins: Uint8Array
  readonly binCount: number
  /** Ordered bins are split at a threshold. Unordered ones (levels) are first ordered by the target within the node. */
  readonly ordered: boolean
  /** The gain of a cut by chance for every bin beyond two, because the target chose their order. */
  readonly gainPerBin: number
  /** 1: bin 0 is missing. Thresholds then never put unobserved bins on the side of missing. */
  readonly missing: 0 | 1
}

/** Most cells of a table of counts per row of the node; with more, the node's rows are sorted instead. */
const CELLS_PER_ROW = 3

/** Predictors with at most this many bins are counted in a node of n rows. */
export function mostBins(n: number, g: number): number {
  return (CELLS_PER_ROW * n) / g
}

export class RowCells {
  /** B */
  readonly binCount: number
  /** Length F: the predictor's bins are numbered from here on. */
  readonly firstBin: Int32Array
  /** Length F: how many predictors come before it by number of bins, ties by position. */
  readonly rank: Int32Array
  /** Length F, by rank: number of bins; end and first of them. */
  readonly #sizes: Int32Array
  readonly #ends: Int32Array
  readonly #firstByRank: Int32Array
  /** n x F, row-major, predictors by rank: numbers of bins. */
  readonly #bins: Uint16Array

  /** At most 255 predictors of at most 256 bins. */
  constructor(predictors: readonly Pick<Predictor, 'bins' | 'binCount'>[], rows: number) {
    const F = predictors.length
    const byRank = predictors
      .map((_, f) => f)
      .sort((a, b) => predictors[a]!.binCount - predictors[b]!.binCount || a - b)
    this.firstBin = new Int32Array(F)
    this.rank = new Int32Array(F)
    this.#sizes = new Int32Array(F)
    this.#ends = new Int32Array(F)
    this.#firstByRank = new Int32Array(F)
    this.#bins = new Uint16Array(rows * F)
    let first = 0
    for (let r = 0; r < F; r++) {
      const f = byRank[r]!
      const { bins, binCount } = predictors[f]!
      this.firstBin[f] = first
      this.rank[f] = r
      this.#firstByRank[r] = first
      writeColumn(this.#bins, bins, rows, F, r, first)
      first += binCount
      this.#sizes[r] = binCount
      this.#ends[r] = first
    }
    this.binCount = first
  }

  /** How many predictors, by rank, have at most this many bins. */
  predictorsUpTo(most: number): number {
    let r = 0
    while (r < this.#sizes.length && this.#sizes[r]! <= most) r++
    return r
  }

  /** Bins of the first `counted` predictors by rank. */
  binsOf(counted: number): number {
    return counted === 0 ? 0 : this.#ends[counted - 1]!
  }

  /**
   * Counts the first `counted` predictors by rank: table[bin · G + class] becomes the number of the node's rows there.
   *
   * rows, start, n  the node is rows[start … start + n - 1]
   * classes         classes[i] is the class of rows[start + i]
   */
  count(
    table: Int32Array,
    counted: number,
    rows: Int32Array,
    start: number,
    n: number,
    classes: Uint8Array,
    g: number,
  ): void {
    if (counted === 0) return
    const bins = this.#bins
    const F = this.#sizes.length
    table.fill(0, 0, this.binsOf(counted) * g)
    // Four per iteration: the loop itself would cost as much as its work.
    const fours = counted & ~3
    for (let i = 0; i < n; i++) {
      const c = classes[i]!
      const from = rows[start + i]! * F
      let at = from
      for (const end = from + fours; at < end; at += 4) {
        table[bins[at]! * g + c]!++
        table[bins[at + 1]! * g + c]!++
        table[bins[at + 2]! * g + c]!++
        table[bins[at + 3]! * g + c]!++
      }
      for (const end = from + counted; at < end; at++) table[bins[at]! * g + c]!++
    }
  }

  /**
   * Bins of the other predictors in a node that is too small to count them: the bins of the predictor of rank `counted` + j are
   * out[j · n … j · n + n - 1]. A row's bins are together in memory here, and far apart in the predictors' own arrays.
   */
  gather(out: Uint8Array, counted: number, rows: Int32Array, start: number, n: number): void {
    const bins = this.#bins
    const F = this.#sizes.length
    const first = this.#firstByRank
    for (let i = 0; i < n; i++) {
      const from = rows[start + i]! * F
      for (let r = counted, to = i; r < F; r++, to += n) out[to] = bins[from + r]! - first[r]!
    }
  }

  /** Length that `gather` needs at most, with G or K at most `g`. */
  gatheredAtMost(rows: number, g: number): number {
    const F = this.#sizes.length
    return F * Math.min(rows, Math.ceil(((this.#sizes[F - 1] ?? 0) * g) / CELLS_PER_ROW))
  }
}

function writeColumn(to: Uint16Array, bins: Uint8Array, rows: number, F: number, column: number, first: number): void {
  for (let i = 0, at = column; i < rows; i++, at += F) to[at] = first + bins[i]!
}
