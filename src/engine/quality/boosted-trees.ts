/**
 * Gradient boosting of classification trees on binned features (Friedman 2001; histograms and growth by best leaf as in LightGBM,
 * Ke and others 2017). It does only what the two-sample test needs: it scores rows outside its training set, and keeps no model.
 *
 * n  rows, of which some train and the others are scored     d  features     B  bins of all features together
 * g  gradient of the logistic loss: label - probability       z  score, in log-odds
 *
 * A histogram holds one number per bin: rows · ROW + sum of g in units of 1 / GRADIENT_UNITS. Both are whole numbers far below
 * 2^53, so that sums and differences are exact and a bin is read and written once.
 */

export interface BoostedRows {
  readonly d: number
  /** Length n d, row after row: the bin of every feature, counted over all features. */
  readonly bins: Int32Array
  /** Length d + 1: the start of the feature's bins among all B. */
  readonly firstBin: Int32Array
  /** Length d: 1 if the sequence of bins has no meaning. */
  readonly nominal: Uint8Array
  /** Length n: 0 or 1. */
  readonly labels: Uint8Array
}

export interface BoostingOptions {
  readonly trees: number
  readonly leaves: number
  readonly leafRows: number
  readonly learningRate: number
}

const ROW = 2 ** 32
/** |g| is at most 1: with fewer than 2^16 rows, sums of g stay below ROW / 2. */
export const GRADIENT_UNITS = 2 ** 14

/** Weight in rows by which the mean gradient of a level is shrunk to 0 before levels are sorted. */
export const LEVEL_SMOOTHING = 10

/** A node that may be split: its rows train[start … end - 1] and scored[scoredStart … scoredEnd - 1]. */
interface OpenLeaf {
  readonly start: number
  readonly end: number
  readonly scoredStart: number
  readonly scoredEnd: number
  /** Length B. */
  readonly histogram: Float64Array
  readonly split: Split | null
}

interface Split {
  readonly gain: number
  readonly feature: number
  /** Bin of the feature → 1 where its rows go left. */
  readonly left: Uint8Array
}

/**
 * Trains on rows `train` and scores rows `scored`; both are reordered.
 *
 * returns  length of `scored`: z of scored[i] as it was given
 */
export function boostAndScore(
  rows: BoostedRows,
  train: Int32Array,
  scored: Int32Array,
  options: BoostingOptions,
): Float64Array {
  const order = scored.slice()
  const z = new Float64Array(rows.labels.length)
  const gradient = new Float64Array(rows.labels.length)
  const booster = new TreeGrower(rows, train, scored, gradient, options)
  for (let t = 0; t < options.trees; t++) {
    writeGradients(rows.labels, z, train, gradient)
    booster.grow(z)
  }
  return Float64Array.from(order, (row) => z[row]!)
}

function writeGradients(labels: Uint8Array, z: Float64Array, train: Int32Array, gradient: Float64Array): void {
  for (let i = 0; i < train.length; i++) {
    const row = train[i]!
    gradient[row] = labels[row]! - 1 / (1 + Math.exp(-z[row]!))
  }
}

class TreeGrower {
  readonly #rows: BoostedRows
  readonly #train: Int32Array
  readonly #scored: Int32Array
  readonly #gradient: Float64Array
  readonly #options: BoostingOptions
  readonly #spare: Int32Array
  /** Histograms for reuse. */
  readonly #free: Float64Array[] = []
  /** Bins of a nominal feature by mean gradient; bins of other features in sequence. */
  readonly #order: Int32Array
  readonly #mean: Float64Array
  /** The best split of the current leaf so far: its gain, its feature, the last bin in sequence that goes left. */
  #gain = Number.NaN
  #feature = -1
  #cut = 0

  constructor(
    rows: BoostedRows,
    train: Int32Array,
    scored: Int32Array,
    gradient: Float64Array,
    options: BoostingOptions,
  ) {
    this.#rows = rows
    this.#train = train
    this.#scored = scored
    this.#gradient = gradient
    this.#options = options
    this.#spare = new Int32Array(Math.max(train.length, scored.length))
    this.#order = new Int32Array(256)
    this.#mean = new Float64Array(256)
  }

  /** Grows one tree on the gradients and adds its leaves to z, for trained and for scored rows. */
  grow(z: Float64Array): void {
    const histogram = this.#histogram(0, this.#train.length)
    const bounds = { start: 0, end: this.#train.length, scoredStart: 0, scoredEnd: this.#scored.length }
    const leaves = [this.#leaf(bounds, histogram)]
    while (leaves.length < this.#options.leaves) {
      let best = -1
      for (let i = 0; i < leaves.length; i++) {
        const { split } = leaves[i]!
        if (split !== null && (best < 0 || split.gain > leaves[best]!.split!.gain)) best = i
      }
      if (best < 0) break
      const [left, right] = this.#divide(leaves[best]!)
      leaves[best] = left
      leaves.push(right)
    }
    for (const leaf of leaves) {
      this.#raise(leaf, z)
      this.#free.push(leaf.histogram)
    }
  }

  #leaf(bounds: Omit<OpenLeaf, 'histogram' | 'split'>, histogram: Float64Array): OpenLeaf {
    return { ...bounds, histogram, split: this.#bestSplit(histogram, bounds.start, bounds.end) }
  }

  /** Makes the children. The smaller one is counted; the other is the parent minus the smaller one. */
  #divide(parent: OpenLeaf): [OpenLeaf, OpenLeaf] {
    const { start, end, scoredStart, scoredEnd, histogram } = parent
    const { feature, left: goesLeft } = parent.split!
    const middle = this.#partition(this.#train, start, end, feature, goesLeft)
    const scoredMiddle = this.#partition(this.#scored, scoredStart, scoredEnd, feature, goesLeft)
    const isLeftSmaller = middle - start <= end - middle
    const counted = isLeftSmaller ? this.#histogram(start, middle) : this.#histogram(middle, end)
    subtract(histogram, counted)
    const left = { start, end: middle, scoredStart, scoredEnd: scoredMiddle }
    const right = { start: middle, end, scoredStart: scoredMiddle, scoredEnd }
    return [
      this.#leaf(left, isLeftSmaller ? counted : histogram),
      this.#leaf(right, isLeftSmaller ? histogram : counted),
    ]
  }

  #histogram(start: number, end: number): Float64Array {
    const { d, bins, firstBin } = this.#rows
    const train = this.#train
    const gradient = this.#gradient
    const histogram = this.#free.pop() ?? new Float64Array(firstBin[d]!)
    histogram.fill(0)
    for (let i = start; i < end; i++) {
      const row = train[i]!
      const packed = ROW + Math.round(gradient[row]! * GRADIENT_UNITS)
      const last = (row + 1) * d
      for (let at = row * d; at < last; at++) {
        const b = bins[at]!
        histogram[b] = histogram[b]! + packed
      }
    }
    return histogram
  }

  /** The split that lowers the squared error of the gradients most; null if none leaves enough rows on both sides. */
  #bestSplit(histogram: Float64Array, start: number, end: number): Split | null {
    const { d, firstBin, nominal } = this.#rows
    const { leafRows } = this.#options
    const n = end - start
    if (n < 2 * leafRows) return null
    let all = 0
    for (let b = firstBin[0]!; b < firstBin[1]!; b++) all += histogram[b]!
    const total = all - n * ROW
    this.#gain = 0
    this.#feature = -1
    for (let f = 0; f < d; f++) {
      const first = firstBin[f]!
      this.#orderBins(histogram, first, firstBin[f + 1]! - first, nominal[f] === 1)
      this.#scanCuts(f, histogram, first, firstBin[f + 1]! - first, n, total)
    }
    const feature = this.#feature
    if (feature < 0) return null
    const first = firstBin[feature]!
    const count = firstBin[feature + 1]! - first
    const left = new Uint8Array(count)
    this.#orderBins(histogram, first, count, nominal[feature] === 1)
    for (let i = 0; i <= this.#cut; i++) left[this.#order[i]!] = 1
    return { gain: this.#gain, feature, left }
  }

  /** The best split of one feature with ordered bins, for n rows whose gradients sum to `total`. */
  #scanCuts(feature: number, histogram: Float64Array, first: number, count: number, n: number, total: number): void {
    const { leafRows } = this.#options
    const order = this.#order
    const whole = (total * total) / n
    let packed = 0
    for (let i = 0; i < count - 1; i++) {
      packed += histogram[first + order[i]!]!
      const rows = Math.round(packed / ROW)
      if (rows < leafRows) continue
      if (n - rows < leafRows) break
      const sum = packed - rows * ROW
      const rest = total - sum
      const gain = (sum * sum) / rows + (rest * rest) / (n - rows) - whole
      if (gain > this.#gain) {
        this.#gain = gain
        this.#feature = feature
        this.#cut = i
      }
    }
  }

  #orderBins(histogram: Float64Array, first: number, count: number, isNominal: boolean): void {
    if (isNominal) this.#orderLevels(histogram, first, count)
    else for (let i = 0; i < count; i++) this.#order[i] = i
  }

  /** The best split of a nominal feature is a cut of its bins sorted by mean gradient (Breiman and others 1984). */
  #orderLevels(histogram: Float64Array, first: number, count: number): void {
    const order = this.#order
    const mean = this.#mean
    // Insertion sort: levels are few, and no array is allocated.
    for (let i = 0; i < count; i++) {
      const packed = histogram[first + i]!
      const rows = Math.round(packed / ROW)
      const value = (packed - rows * ROW) / (rows + LEVEL_SMOOTHING)
      mean[i] = value
      let at = i
      while (at > 0 && mean[order[at - 1]!]! > value) {
        order[at] = order[at - 1]!
        at--
      }
      order[at] = i
    }
  }

  #partition(list: Int32Array, start: number, end: number, feature: number, goesLeft: Uint8Array): number {
    const { d, bins, firstBin } = this.#rows
    const first = firstBin[feature]!
    let left = start
    let right = 0
    for (let i = start; i < end; i++) {
      const row = list[i]!
      if (goesLeft[bins[row * d + feature]! - first] === 1) list[left++] = row
      else this.#spare[right++] = row
    }
    for (let i = 0; i < right; i++) list[left + i] = this.#spare[i]!
    return left
  }

  /** One Newton step of the logistic loss in a leaf. */
  #raise({ start, end, scoredStart, scoredEnd }: OpenLeaf, z: Float64Array): void {
    let sum = 0
    let curvature = 1e-6
    for (let i = start; i < end; i++) {
      const row = this.#train[i]!
      const g = this.#gradient[row]!
      sum += g
      // probability · (1 - probability), from the gradient alone.
      const size = Math.abs(g)
      curvature += size * (1 - size)
    }
    const step = (this.#options.learningRate * sum) / curvature
    addAt(z, this.#train, start, end, step)
    addAt(z, this.#scored, scoredStart, scoredEnd, step)
  }
}

function subtract(histogram: Float64Array, counted: Float64Array): void {
  for (let i = 0; i < histogram.length; i++) histogram[i] = histogram[i]! - counted[i]!
}

function addAt(z: Float64Array, rows: Int32Array, start: number, end: number, step: number): void {
  for (let i = start; i < end; i++) z[rows[i]!] = z[rows[i]!]! + step
}
