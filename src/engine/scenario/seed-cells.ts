/**
 * Cells that rows of the training sample lie in.
 *
 * n  rows of the sample, D  conditioned categorical columns, S  cells
 */
import type { Model } from '../model/model.ts'
import { CellIndex } from './cell-index.ts'
import type { Margins } from './margins.ts'

/**
 * The allowed cells of the sample's rows. If there are more than `most`, those whose levels the scenario raises most: common cells
 * are there without them.
 *
 * @param columns Length D: column indices.
 * @returns S × D, row-major, ascending lexicographically.
 */
export function seedCells(model: Model, columns: Int32Array, margins: Margins, most: number): Int32Array {
  const D = columns.length
  const codes = Array.from(columns, (c) => model.codes[c]!)
  const wanted = wantedness(codes, margins)
  const index = new CellIndex(D)
  const cell = new Int32Array(D)
  const add = (row: number): void => {
    for (let d = 0; d < D; d++) cell[d] = codes[d]![row]!
    index.add(cell)
  }
  for (let row = 0; row < wanted.length && index.size <= most; row++) if (wanted[row]! >= 0) add(row)
  if (index.size <= most) return ascending(index.codes, D)
  const chosen = new CellIndex(D)
  const rows = Int32Array.from(wanted.keys()).sort((a, b) => wanted[b]! - wanted[a]! || a - b)
  for (let i = 0; i < rows.length && chosen.size < most; i++) {
    for (let d = 0; d < D; d++) cell[d] = codes[d]![rows[i]!]!
    chosen.add(cell)
  }
  return ascending(chosen.codes, D)
}

/** Length n: sum over the columns of target / share of the row's margins; -1 for a row that is not allowed. */
function wantedness(codes: readonly Uint16Array[], { ofCode, targets }: Margins): Float64Array {
  const n = codes[0]!.length
  const rows = new Float64Array(targets.length)
  codes.forEach((column, d) => {
    for (let row = 0; row < n; row++) {
      const m = ofCode[d]![column[row]!]!
      if (m >= 0) rows[m]!++
    }
  })
  const wanted = new Float64Array(n)
  codes.forEach((column, d) => {
    for (let row = 0; row < n; row++) {
      const m = ofCode[d]![column[row]!]!
      if (m < 0) wanted[row] = -1
      else if (wanted[row]! >= 0) wanted[row]! += (targets[m]! * n) / rows[m]!
    }
  })
  return wanted
}

function ascending(cells: Int32Array, D: number): Int32Array {
  const order = Int32Array.from({ length: cells.length / D }, (_, s) => s).sort((a, b) => {
    for (let d = 0; d < D; d++) {
      const difference = cells[a * D + d]! - cells[b * D + d]!
      if (difference !== 0) return difference
    }
    return 0
  })
  const sorted = new Int32Array(cells.length)
  order.forEach((s, i) => {
    for (let d = 0; d < D; d++) sorted[i * D + d] = cells[s * D + d]!
  })
  return sorted
}
