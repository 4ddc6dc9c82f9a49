/**
 * The cells of the conditioned categorical columns and their mass in the model.
 *
 * K  cells, D  conditioned categorical columns (the first D of the order), k  codes of a leaf
 *
 * A cell's probability is the product of leaf frequencies along the order's trees. Cells are found column by column, without
 * those of probability 0 and without codes that must not occur. With at most MAX_CELLS cells nothing is sampled: rare cells are
 * there, with their mass. For more cells, see sampled-cells.ts.
 */

import { leafOf, type Model, type Order } from '../model/model.ts'
import { LeafFrequencies } from './leaf-frequencies.ts'
import type { Margins } from './margins.ts'
import { type CellTable, sampleCells } from './sampled-cells.ts'

/** Most cells that are all enumerated. */
const MAX_CELLS = 200_000

/**
 * Most cells of a sampled table, which is also the number that is projected one by one (see feasibility.ts), and most codes of all
 * its cells together: 50,000 cells up to 12 columns, 20,000 with 30, 2,000 with 300. Measured on a survey of 1,100 rows with 30
 * conditioned columns: fill and effective rows with 5,000, 20,000 and 90,000 cells differ by less than 8 %.
 */
const MAX_SAMPLED_CELLS = 50_000
const MAX_SAMPLED_CODES = 600_000

export interface CellOptions {
  /** Of the D columns: which codes may occur, and where a sampled table has to be dense. */
  readonly margins: Margins
  /** Default MAX_CELLS. */
  readonly maxCells?: number
  /** Default MAX_SAMPLED_CELLS, fewer with very many columns. */
  readonly maxSampledCells?: number
}

/**
 * The allowed cells: all of them up to `maxCells`; above that, a sample in which cells represent themselves or others
 * like them.
 *
 * @throws RangeError when the order does not begin with the categorical columns of the margins.
 */
export function enumerateCells(model: Model, order: Order, options: CellOptions): CellTable {
  const { margins, maxCells = MAX_CELLS } = options
  const D = margins.columnCount
  margins.ofCode.forEach((codes, d) => {
    const column = model.columns[order.columns[d] ?? -1]
    if (column?.kind !== 'categorical' || column.codeCount !== codes.length) {
      throw new RangeError(`column ${d} of the order is not the categorical column of ${codes.length} codes`)
    }
  })
  const all = enumerateAll(model, order, margins, maxCells)
  if (all !== null) return all
  const { maxSampledCells = Math.min(MAX_SAMPLED_CELLS, Math.floor(MAX_SAMPLED_CODES / D)) } = options
  return sampleCells(model, order, margins, maxSampledCells)
}

/**
 * All allowed cells; null if there are more than `most`. Breadth first, so that they are counted before any of their arrays is made,
 * and the work is at most D times `most` even if few beginnings can be completed.
 */
function enumerateAll(model: Model, order: Order, margins: Margins, most: number): CellTable | null {
  const row = new Int32Array(model.columns.length)
  let codes = new Int32Array(0)
  let probabilities = Float64Array.of(1)
  for (let d = 0; d < margins.columnCount; d++) {
    const tree = order.trees[d]!
    const ofCode = margins.ofCode[d]!
    const frequencies = new LeafFrequencies(tree)
    const K = probabilities.length
    const leaves = new Int32Array(K)
    const allowed = new Int32Array(tree.feature.length).fill(-1)
    let next = 0
    for (let c = 0; c < K; c++) {
      for (let e = 0; e < d; e++) row[order.columns[e]!] = codes[c * d + e]!
      const leaf = leafOf(tree, row)
      leaves[c] = leaf
      if (allowed[leaf]! < 0) allowed[leaf] = countAllowed(frequencies.of(leaf).codes, ofCode)
      next += allowed[leaf]!
    }
    if (next > most) return null
    const longer = new Int32Array(next * (d + 1))
    const products = new Float64Array(next)
    let at = 0
    for (let c = 0; c < K; c++) {
      const { codes: levels, counts, rows } = frequencies.of(leaves[c]!)
      for (let i = 0; i < levels.length; i++) {
        if (ofCode[levels[i]!]! < 0) continue
        for (let e = 0; e < d; e++) longer[at * (d + 1) + e] = codes[c * d + e]!
        longer[at * (d + 1) + d] = levels[i]!
        products[at++] = probabilities[c]! * (counts[i]! / rows)
      }
    }
    codes = longer
    probabilities = products
  }
  return { codes, probabilities, sampledShare: 0 }
}

function countAllowed(codes: Int32Array, ofCode: Int32Array): number {
  let count = 0
  for (let i = 0; i < codes.length; i++) if (ofCode[codes[i]!]! >= 0) count++
  return count
}
