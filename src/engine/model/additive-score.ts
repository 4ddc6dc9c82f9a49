/**
 * Additive scores: the prediction of the target by a linear model of all candidates, as one more predictor for its tree.
 *
 *   z(row) = sum over columns of effect[code of the row in the column]
 *
 * A tree needs a split for every piece of a sum, and a small table has too few leaves for them: sums of many effects (a bill
 * made of the services booked), products (a sum of logarithms) and many weak effects come out blurred. A score combines them
 * in one ordered predictor; the tree decides by likelihood whether and where it splits on it.
 *
 * Terms are added in the same sequence everywhere, so that a row gets the same bin wherever it is computed.
 *
 * n  rows     F  columns of a score     K  codes of a column
 */

export interface Score {
  /** Length F: column indices, ascending. */
  readonly columns: Int32Array
  /** Length F + 1: where each column's K effects start in `effects`. */
  readonly at: Int32Array
  /** Effects by column and code. */
  readonly effects: Float64Array
  /** Ascending. A row's bin is the number of cuts below its z. */
  readonly cuts: Float64Array
  /** For a crossing (`find-crossings.ts`): z is the index of a cell, and its bin is groups[z]. Otherwise null. */
  readonly groups: Uint16Array | null
}

/** The part of the training data that a score reads. */
interface CodedRows {
  readonly rowCount: number
  /** By column, each of length n. */
  readonly codes: readonly Uint16Array[]
}

/** Bin of one row; codes[c] is its code in column c. */
export function scoreBin(score: Score, codes: ArrayLike<number>): number {
  const { columns, at, effects } = score
  let z = 0
  for (let j = 0; j < columns.length; j++) z += effects[at[j]! + codes[columns[j]!]!]!
  return binOf(score, z)
}

/** Bin of a row's z. */
export function binOf({ cuts, groups }: Pick<Score, 'cuts' | 'groups'>, z: number): number {
  return groups ? groups[z]! : cutsBelow(cuts, z)
}

/** z of rows of the training data, length of `rows`; without `rows`, of all n. */
export function scoreValues(
  { columns, at, effects }: Omit<Score, 'cuts' | 'groups'>,
  data: CodedRows,
  rows?: Int32Array,
) {
  const z = new Float64Array(rows ? rows.length : data.rowCount)
  for (let j = 0; j < columns.length; j++) {
    const codes = data.codes[columns[j]!]!
    if (rows) addEffectsAt(z, effects, at[j]!, codes, rows)
    else addEffects(z, effects, at[j]!, codes)
  }
  return z
}

function addEffects(z: Float64Array, effects: Float64Array, offset: number, codes: Uint16Array): void {
  for (let i = 0; i < z.length; i++) z[i] = z[i]! + effects[offset + codes[i]!]!
}

function addEffectsAt(
  z: Float64Array,
  effects: Float64Array,
  offset: number,
  codes: Uint16Array,
  rows: Int32Array,
): void {
  for (let i = 0; i < z.length; i++) z[i] = z[i]! + effects[offset + codes[rows[i]!]!]!
}

/** Bins of all n rows of the training data. A score that is being grown with has at most 255 cuts. */
export function scoreBins(score: Score, data: CodedRows): Uint8Array {
  const z = scoreValues(score, data)
  const bins = new Uint8Array(z.length)
  if (score.groups) for (let i = 0; i < z.length; i++) bins[i] = score.groups[z[i]!]!
  else new CutTable(score.cuts).write(z, z.length, bins, 0)
  return bins
}

function cutsBelow(cuts: Float64Array, z: number): number {
  let low = 0
  let high = cuts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (cuts[middle]! < z) low = middle + 1
    else high = middle
  }
  return low
}

const CELLS = 1024

/**
 * `cutsBelow` for many values: the range of the cuts is divided into equal cells, each with the number of cuts before it. Bisection
 * costs a mispredicted branch per step; here most values need one look-up.
 */
export class CutTable {
  readonly #cuts: Float64Array
  readonly #low: number
  readonly #scale: number
  /** Length CELLS: cuts in earlier cells. */
  readonly #before = new Uint8Array(CELLS)

  /** At most 255 cuts. */
  constructor(cuts: Float64Array) {
    this.#cuts = cuts
    const first = cuts[0] ?? 0
    const last = cuts[cuts.length - 1] ?? 0
    // Cells 0 and CELLS - 1 hold values outside the range.
    this.#scale = last > first ? (CELLS - 2) / (last - first) : 0
    this.#low = first
    let cut = 0
    for (let cell = 0; cell < CELLS; cell++) {
      while (cut < cuts.length && cellOf(cuts[cut]!, this.#low, this.#scale) < cell) cut++
      this.#before[cell] = cut
    }
  }

  /** to[at + i] = number of cuts below z[i], for i below `count`. */
  write(z: Float64Array, count: number, to: Uint8Array | Uint16Array, at: number): void {
    const cuts = this.#cuts
    const before = this.#before
    const low = this.#low
    const scale = this.#scale
    for (let i = 0; i < count; i++) {
      const value = z[i]!
      // Cells are ordered like z, so cuts of earlier cells are below, and cuts of later cells are not.
      let bin = before[cellOf(value, low, scale)]!
      while (bin < cuts.length && cuts[bin]! < value) bin++
      to[at + i] = bin
    }
  }
}

function cellOf(z: number, low: number, scale: number): number {
  const cell = (z - low) * scale + 1
  return cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell | 0
}
