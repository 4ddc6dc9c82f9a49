/**
 * The cells of the conditioned categorical columns and their mass in the model.
 *
 * K  cells, D  conditioned categorical columns (the first D of the order)
 *
 * A cell's probability is the product of leaf frequencies along the order's trees. Cells are found depth first, without
 * those of probability 0 and without codes that must not occur. Nothing is sampled: rare cells are there, with their mass.
 */
import type { Model, Order } from '../model.ts'
import { LeafFrequencies } from './leaf-frequencies.ts'

export interface CellTable {
  /** K × D, row-major: codes, in the order's sequence of columns. */
  readonly codes: Int32Array
  /** Length K: probability of the cell in the model when nothing is conditioned. */
  readonly probabilities: Float64Array
  /** At most this probability was left out because there are too many allowed cells; 0 as a rule. */
  readonly prunedShare: number
}

/** Most cells that are found by probability; above, the rarest without a seed row are left out. */
const MAX_CELLS = 200_000

export interface CellOptions {
  /** Per conditioned categorical column, length L: whether a code may occur. */
  readonly allowed: readonly Uint8Array[]
  /** Default MAX_CELLS. */
  readonly maxCells?: number
}

/**
 * Enumerates the allowed cells. Where there are more than `maxCells`, those below a probability threshold are left out,
 * except those that a row of the training sample lies in.
 *
 * @throws RangeError when the order does not begin with as many categorical columns as `allowed` has.
 */
export function enumerateCells(model: Model, order: Order, { allowed, maxCells = MAX_CELLS }: CellOptions): CellTable {
  const columns = order.columns.subarray(0, allowed.length)
  allowed.forEach((codes, d) => {
    const column = model.columns[columns[d] ?? -1]
    if (column?.kind !== 'categorical' || column.codeCount !== codes.length) {
      throw new RangeError(`column ${d} of the order is not the categorical column of ${codes.length} codes`)
    }
  })
  const walk = new CellWalk(model, order, allowed)
  let found = walk.atLeast(0, maxCells)
  if (found !== null) return found
  for (let threshold = 1e-3 / maxCells; found === null; threshold *= 4) found = walk.atLeast(threshold, maxCells)
  return withSampleCells(model, columns, allowed, found, walk)
}

/** Adds the cells of the sample's rows that are missing. */
function withSampleCells(
  model: Model,
  columns: Int32Array,
  allowed: readonly Uint8Array[],
  cells: CellTable,
  walk: CellWalk,
): CellTable {
  const D = columns.length
  const index = new CellIndex(
    Array.from(columns, (c) => model.columns[c]!.codeCount),
    cells.codes,
  )
  const seen = new CellIndex(index.codeCounts, new Int32Array(0))
  const codes = Array.from(cells.codes)
  const probabilities = Array.from(cells.probabilities)
  let { prunedShare } = cells
  const cell = new Int32Array(D)
  for (let row = 0; row < model.rowCount; row++) {
    let isAllowed = true
    for (let d = 0; d < D; d++) {
      cell[d] = model.codes[columns[d]!]![row]!
      if (allowed[d]![cell[d]!] === 0) isAllowed = false
    }
    if (!isAllowed || index.find(cell) >= 0 || seen.find(cell) >= 0) continue
    seen.add(cell)
    const probability = walk.probabilityOf(cell)
    if (probability <= 0) continue
    codes.push(...cell)
    probabilities.push(probability)
    prunedShare = Math.max(0, prunedShare - probability)
  }
  return { codes: Int32Array.from(codes), probabilities: Float64Array.from(probabilities), prunedShare }
}

class CellWalk {
  readonly #order: Order
  readonly #allowed: readonly Uint8Array[]
  /** Codes by column index. */
  readonly #row: Int32Array
  readonly #leaves: readonly LeafFrequencies[]

  constructor(model: Model, order: Order, allowed: readonly Uint8Array[]) {
    this.#order = order
    this.#allowed = allowed
    this.#row = new Int32Array(model.columns.length)
    this.#leaves = allowed.map((_, d) => new LeafFrequencies(order.trees[d]!))
  }

  /** The cells whose probability is at least the threshold (and above 0); null when there are more than `most`. */
  atLeast(threshold: number, most: number): CellTable | null {
    const D = this.#allowed.length
    let prunedShare = 0
    const codes: number[] = []
    const probabilities: number[] = []
    const visit = (depth: number, probability: number): boolean => {
      if (depth === D) {
        if (probabilities.length === most) return false
        for (let d = 0; d < D; d++) codes.push(this.#row[this.#order.columns[d]!]!)
        probabilities.push(probability)
        return true
      }
      const { codes: levels, counts, rows } = this.#leaves[depth]!.given(this.#row)
      for (let i = 0; i < levels.length; i++) {
        const p = probability * (counts[i]! / rows)
        if (p <= 0 || this.#allowed[depth]![levels[i]!] === 0) continue
        if (p < threshold) {
          prunedShare += p
          continue
        }
        this.#row[this.#order.columns[depth]!] = levels[i]!
        if (!visit(depth + 1, p)) return false
      }
      return true
    }
    if (!visit(0, 1)) return null
    return { codes: Int32Array.from(codes), probabilities: Float64Array.from(probabilities), prunedShare }
  }

  probabilityOf(cell: Int32Array): number {
    let probability = 1
    for (let d = 0; d < cell.length; d++) {
      const { codes, counts, rows } = this.#leaves[d]!.given(this.#row)
      const at = codes.indexOf(cell[d]!)
      if (at < 0) return 0
      probability *= counts[at]! / rows
      this.#row[this.#order.columns[d]!] = cell[d]!
    }
    return probability
  }
}

/** Finds a cell's index by its codes. */
export class CellIndex {
  /** Length D: codes of each column. */
  readonly codeCounts: readonly number[]
  readonly #cells = new Map<number | string, number>()
  /** Whether a cell's codes fit one exact integer. */
  readonly #compact: boolean

  /** @param codes K × D, row-major; the index of a cell is its row. */
  constructor(codeCounts: readonly number[], codes: Int32Array) {
    this.codeCounts = codeCounts
    this.#compact = codeCounts.reduce((product, count) => product * count, 1) <= Number.MAX_SAFE_INTEGER
    const D = codeCounts.length
    for (let o = 0; D > 0 && o < codes.length; o += D) this.add(codes.subarray(o, o + D))
    if (D === 0) this.add(codes)
  }

  add(cell: Int32Array): void {
    this.#cells.set(this.#key(cell), this.#cells.size)
  }

  /** Index of the cell, -1 when it is not there. */
  find(cell: Int32Array): number {
    return this.#cells.get(this.#key(cell)) ?? -1
  }

  #key(cell: Int32Array): number | string {
    if (!this.#compact) return cell.join()
    let key = 0
    for (let d = 0; d < cell.length; d++) key = key * this.codeCounts[d]! + cell[d]!
    return key
  }
}
