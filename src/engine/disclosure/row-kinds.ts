/**
 * Rows that a question treats alike.
 *
 * n  kept rows of the seed, K  kinds
 */
export interface RowKinds {
  /** Length n: the kind of each row; -1: it does not count. */
  readonly ofRow: Int32Array
  /** Length K: one of its rows. */
  readonly first: readonly number[]
  /** Length K: how many rows it has. */
  readonly rows: Float64Array
}

/**
 * The kinds of the rows that count.
 *
 * @param groups Rows of one group are alike; null: every row is by itself.
 * @param counts Length n: 0 for rows that do not count; null: all do.
 * @param n Rows.
 */
export function kindsOfRows(
  groups: { readonly ofRow: Int32Array; readonly first: readonly number[] } | null,
  counts: Uint8Array | null,
  n: number,
): RowKinds {
  const ofRow = new Int32Array(n).fill(-1)
  const kindOf = new Int32Array(groups === null ? n : groups.first.length).fill(-1)
  const first: number[] = []
  const rows = new Float64Array(kindOf.length)
  for (let row = 0; row < n; row++) {
    if (counts !== null && counts[row] === 0) continue
    const group = groups === null ? row : groups.ofRow[row]!
    let kind = kindOf[group]!
    if (kind < 0) {
      kind = first.length
      kindOf[group] = kind
      first.push(row)
    }
    ofRow[row] = kind
    rows[kind]!++
  }
  return { ofRow, first, rows: rows.subarray(0, first.length) }
}
