/**
 * The released shares of a column's levels: of all rows, to three decimals. A level of fewer than `LEAST_ROWS` rows has none. What the
 * others leave over must not give such a level away: while the levels without a share have fewer rows than that in all, the rarest
 * of the others has none either.
 */
import { LEAST_ROWS } from './rounded-counts.ts'

/**
 * @param codes level of each row, -1 where missing
 * @param weights of the rows, mean 1; absent where all rows count alike
 * @returns one per level; null where it is not released.
 */
export function releasedShares(
  levelCount: number,
  codes: ArrayLike<number>,
  weights?: Float64Array,
): readonly (number | null)[] {
  const rows = new Float64Array(levelCount)
  const weight = new Float64Array(levelCount)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!
    if (code < 0) continue
    rows[code]!++
    weight[code]! += weights === undefined ? 1 : weights[row]!
  }
  const byRows = [...rows.keys()].sort((a, b) => rows[a]! - rows[b]! || b - a)
  const hidden = new Set(byRows.filter((code) => rows[code]! < LEAST_ROWS))
  let hiddenRows = byRows.reduce((sum, code) => sum + (hidden.has(code) ? rows[code]! : 0), 0)
  for (const code of byRows) {
    if (hiddenRows === 0 || hiddenRows >= LEAST_ROWS) break
    if (hidden.has(code)) continue
    hidden.add(code)
    hiddenRows += rows[code]!
  }
  return Array.from(weight, (sum, code) => (hidden.has(code) ? null : Math.round((sum / codes.length) * 1000) / 1000))
}
