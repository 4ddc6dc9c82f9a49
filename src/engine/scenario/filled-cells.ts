/** The cells of a scenario that have rows. */

export interface FilledCells {
  /** Length L: which of the K cells each is, ascending. */
  readonly index: Int32Array
  /** L × D, row-major. */
  readonly codes: Int32Array
  /** Length L: its rows. */
  readonly counts: Int32Array
}

/**
 * @param cells K × D, row-major.
 * @param counts Length K.
 */
export function filledCells(cells: Int32Array, D: number, counts: Int32Array): FilledCells {
  const index = Int32Array.from(counts.keys()).filter((c) => counts[c]! > 0)
  const codes = new Int32Array(index.length * D)
  index.forEach((c, l) => {
    for (let d = 0; d < D; d++) codes[l * D + d] = cells[c * D + d]!
  })
  return { index, codes, counts: counts.filter((count) => count > 0) }
}
