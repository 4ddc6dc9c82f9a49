/**
 * A table of cells where there are too many to enumerate: many conditioned columns, or columns of very many levels.
 *
 * D  conditioned categorical columns, K  partial cells (codes of the first d columns), S  cells of the sample's rows
 * p  mass of a partial cell in the model;  q  its mass once raked to the margins so far;  f  frequency of a code in a leaf
 * h = (q / sum of q + p / sum of p) / 2: importance
 *
 * Column by column, every partial cell is continued by the codes of its leaf. If that gives more continuations than there is room
 * for, those with an importance of at least c = 1 / room are kept as they are, and so is every continuation to the cell of a seed
 * row. The others are drawn systematically with probability h / c, and those drawn represent the rest with p c / h. (Optimal
 * resampling of Fearnhead and Clifford 2003, without their search for c.) The masses of any set of cells are unbiased, and the
 * table's total is exact.
 *
 * Importance must follow what the projection will make of the cells, not the model alone: otherwise levels that the scenario raises
 * tenfold would have a tenth of the cells they need. So q is raked to the margins of the columns so far after each column, which is
 * iterative proportional fitting spread over the walk. The half of p keeps what fitting got wrong.
 *
 * Cost: D · K routings, and 3 D² · K steps of raking; K is at most the room. The same table for every seed of a generation.
 */

import type { Model, Order } from '../model/model.ts'
import { PURPOSE, RandomStream } from '../sampling/random.ts'
import { type Partials, prepareStep, type Step } from './cell-continuations.ts'
import type { Margins } from './margins.ts'
import { seedCells } from './seed-cells.ts'

/** Cells of the conditioned categorical columns. K  cells, D  conditioned categorical columns (the first D of the order) */
export interface CellTable {
  /** K × D, row-major: codes, in the order's sequence of columns; cells ascend lexicographically. */
  readonly codes: Int32Array
  /** Length K: probability of the cell in the model when nothing is conditioned. */
  readonly probabilities: Float64Array
  /**
   * Share of the mass of all allowed cells that is in sampled cells, each of which represents similar cells that were not drawn; 0 if
   * all cells are there.
   */
  readonly sampledShare: number
}

/** Sweeps after each column: the multipliers are kept, so the first columns have had many at the end. */
const RAKING_SWEEPS = 3

/**
 * At most `room` cells; at most half of them are cells of seed rows, which are kept with the model's own mass.
 *
 * @param margins Of the order's first D columns, D at least 1.
 */
export function sampleCells(model: Model, order: Order, margins: Margins, room: number): CellTable {
  const D = margins.columnCount
  const seeds = seedCells(model, order.columns.subarray(0, D), margins, Math.floor(room / 2))
  const seedCount = seeds.length / D
  const row = new Int32Array(model.columns.length)
  let partials: Partials = {
    count: 1,
    codes: new Int32Array(0),
    masses: Float64Array.of(1),
    raked: Float64Array.of(1),
    exact: Uint8Array.of(1),
    seeds: Int32Array.of(0, seedCount),
  }
  for (let d = 0; d < D; d++) {
    const step = prepareStep(order, margins, d, partials, row)
    partials = continuePartials(partials, step, seeds, D, room)
    rake(partials, margins, d + 1)
  }
  const { count, codes, masses, exact } = partials
  let total = 0
  let sampled = 0
  for (let i = 0; i < count; i++) {
    total += masses[i]!
    if (exact[i] === 0) sampled += masses[i]!
  }
  return { codes, probabilities: masses, sampledShare: total > 0 ? sampled / total : 0 }
}

/** All continuations if there is room, else a sample of them. */
function continuePartials(partials: Partials, step: Step, seeds: Int32Array, D: number, room: number): Partials {
  const all = step.continuations.reduce((sum, { codes }) => sum + codes.length, 0)
  const isWhole = all <= room
  // One more: rounding may put an additional point on the line.
  const next = new NextPartials(partials, step, seeds, D, isWhole ? all : room + 1)
  if (isWhole) {
    step.continuations.forEach(({ codes }, i) => {
      next.enter(i)
      for (let j = 0; j < codes.length; j++) next.take(j, 0)
    })
  } else {
    drawContinuations(partials, step, next, 1 / (room - seeds.length / D))
  }
  return next.finish()
}

/** Systematic sampling: points at equal distances along the running sum of the importance, from a random start. */
function drawContinuations(partials: Partials, step: Step, next: NextPartials, spacing: number): void {
  let point = new RandomStream(0, PURPOSE.cells, 0, step.d).real() * spacing
  let passed = 0
  for (let i = 0; i < partials.count; i++) {
    const { codes, unraked, raked } = step.continuations[i]!
    const k = codes.length
    const p = partials.masses[i]! * step.modelFactor
    const q = partials.raked[i]! * step.rakedFactor
    const width = p * unraked[k]! + q * raked[k]!
    next.enter(i)
    for (let j = 0; ; j++) {
      const hit = point < passed + width ? firstAbove(unraked, raked, p, q, point - passed, j) : k
      j = Math.min(hit, next.firstWithSeed(j))
      if (j >= k) break
      next.take(j, spacing)
      const end = passed + p * unraked[j + 1]! + q * raked[j + 1]!
      while (point < end) point += spacing
    }
    passed += width
  }
}

/** The first j of at least `from` with p unraked[j + 1] + q raked[j + 1] above the value; k when there is none. */
function firstAbove(
  unraked: Float64Array,
  raked: Float64Array,
  p: number,
  q: number,
  value: number,
  from: number,
): number {
  let low = from
  let high = unraked.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (p * unraked[middle + 1]! + q * raked[middle + 1]! > value) high = middle
    else low = middle + 1
  }
  return low
}

/** Adds continuations in their sequence. */
class NextPartials {
  readonly #partials: Partials
  readonly #step: Step
  readonly #seeds: Int32Array
  readonly #D: number
  readonly #codes: Int32Array
  readonly #masses: Float64Array
  readonly #raked: Float64Array
  readonly #exact: Uint8Array
  readonly #seedStarts: Int32Array
  #size = 0
  /** The partial cell that is being continued, and its next seed cell. */
  #i = 0
  #seed = 0

  constructor(partials: Partials, step: Step, seeds: Int32Array, D: number, most: number) {
    this.#partials = partials
    this.#step = step
    this.#seeds = seeds
    this.#D = D
    this.#codes = new Int32Array(most * (step.d + 1))
    this.#masses = new Float64Array(most)
    this.#raked = new Float64Array(most)
    this.#exact = new Uint8Array(most)
    this.#seedStarts = new Int32Array(most + 1)
  }

  enter(i: number): void {
    this.#i = i
    this.#seed = this.#partials.seeds[i]!
  }

  /** The first code from the j-th on that leads to a seed cell; the number of codes when there is none. */
  firstWithSeed(j: number): number {
    const { codes } = this.#step.continuations[this.#i]!
    if (this.#seed === this.#partials.seeds[this.#i + 1]!) return codes.length
    const found = codes.indexOf(this.#seeds[this.#seed * this.#D + this.#step.d]!, j)
    return found < 0 ? codes.length : found
  }

  /** Takes the j-th code of the entered partial cell: as it is, or for others too where it is less important than c. */
  take(j: number, c: number): void {
    const { d, continuations, modelFactor, rakedFactor } = this.#step
    const { codes, masses, raked, exact, seeds } = this.#partials
    const i = this.#i
    const continuation = continuations[i]!
    const code = continuation.codes[j]!
    const p = masses[i]! * (continuation.unraked[j + 1]! - continuation.unraked[j]!)
    const q = raked[i]! * (continuation.raked[j + 1]! - continuation.raked[j]!)
    const from = this.#seed
    while (this.#seed < seeds[i + 1]! && this.#seeds[this.#seed * this.#D + d] === code) this.#seed++
    const importance = p * modelFactor + q * rakedFactor
    const isKept = this.#seed > from || importance >= c
    const scale = isKept ? 1 : c / importance
    const at = this.#size++
    for (let e = 0; e < d; e++) this.#codes[at * (d + 1) + e] = codes[i * d + e]!
    this.#codes[at * (d + 1) + d] = code
    this.#masses[at] = p * scale
    this.#raked[at] = q * scale
    this.#exact[at] = isKept ? exact[i]! : 0
    this.#seedStarts[at] = from
    this.#seedStarts[at + 1] = this.#seed
  }

  finish(): Partials {
    const count = this.#size
    const { modelTotal, d } = this.#step
    let exactTotal = 0
    let sampledTotal = 0
    for (let i = 0; i < count; i++) {
      if (this.#exact[i] === 1) exactTotal += this.#masses[i]!
      else sampledTotal += this.#masses[i]!
    }
    const scale = sampledTotal > 0 ? Math.max(0, modelTotal - exactTotal) / sampledTotal : 1
    for (let i = 0; i < count; i++) if (this.#exact[i] === 0) this.#masses[i]! *= scale
    return {
      count,
      codes: this.#codes.slice(0, count * (d + 1)),
      masses: this.#masses.slice(0, count),
      raked: this.#raked.slice(0, count),
      exact: this.#exact.slice(0, count),
      seeds: this.#seedStarts.slice(0, count + 1),
    }
  }
}

/** Rakes q to the margins of the first d columns. */
function rake({ count, codes, raked }: Partials, { start, ofCode, targets }: Margins, d: number): void {
  const sums = new Float64Array(targets.length)
  for (let sweep = 0; sweep < RAKING_SWEEPS; sweep++) {
    for (let e = 0; e < d; e++) {
      const marginOf = ofCode[e]!
      const first = start[e]!
      const end = start[e + 1]!
      sums.fill(0, first, end)
      for (let i = 0, o = e; i < count; i++, o += d) sums[marginOf[codes[o]!]!]! += raked[i]!
      for (let m = first; m < end; m++) sums[m] = sums[m]! > 0 ? targets[m]! / sums[m]! : 0
      for (let i = 0, o = e; i < count; i++, o += d) raked[i]! *= sums[marginOf[codes[o]!]!]!
    }
  }
}
