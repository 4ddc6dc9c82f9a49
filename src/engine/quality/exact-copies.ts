/**
 * Rows that equal a training row in every column; numbers are rounded as in the seed.
 *
 * d  columns     n  rows trained on     m  rows of the part
 */

import type { ComparedRows, Part } from './compared-rows.ts'

/** Share of a part's rows, 0…1. */
export function copyShare({ columns, rowCount }: ComparedRows, part: Part): number {
  const n = rowCount.training
  const m = rowCount[part]
  // Rows with one hash form a chain: its first row here, the others through `next`.
  const first = new Map<number, number>()
  const next = new Int32Array(n).fill(-1)
  for (let row = 0; row < n; row++) {
    const hash = hashRow('training', row)
    next[row] = first.get(hash) ?? -1
    first.set(hash, row)
  }
  let copies = 0
  for (let row = 0; row < m; row++) {
    let candidate = first.get(hashRow(part, row)) ?? -1
    while (candidate >= 0 && !isEqual(candidate, row)) candidate = next[candidate]!
    if (candidate >= 0) copies++
  }
  return copies / m

  /** FNV-1a over the row's numbers. */
  function hashRow(of: Part, row: number): number {
    let hash = 0x811c9dc5
    for (let c = 0; c < columns.length; c++) hash = Math.imul(hash ^ columns[c]!.rows[of][row]!, 0x01000193)
    return hash
  }

  function isEqual(trained: number, row: number): boolean {
    for (let c = 0; c < columns.length; c++) {
      const { rows } = columns[c]!
      if (rows.training[trained] !== rows[part][row]) return false
    }
    return true
  }
}
