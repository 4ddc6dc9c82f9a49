/**
 * What cells tell of classes: mutual information in log-likelihood units (rows x nats), less what independent ones have by chance,
 * half the degrees of freedom.
 *
 * table  cells x T counts, row-major
 */
export function informationOf(table: Int32Array, cells: number, T: number): { excess: number; freedom: number } {
  const totals = new Int32Array(T)
  let sum = 0
  let occupied = 0
  let rows = 0
  for (let cell = 0, o = 0; cell < cells; cell++, o += T) {
    let inCell = 0
    for (let t = 0; t < T; t++) {
      const count = table[o + t]!
      if (count === 0) continue
      inCell += count
      totals[t] = totals[t]! + count
      sum += xlogx(count)
    }
    if (inCell === 0) continue
    occupied++
    sum -= xlogx(inCell)
    rows += inCell
  }
  let present = 0
  for (let t = 0; t < T; t++) {
    if (totals[t] === 0) continue
    sum -= xlogx(totals[t]!)
    present++
  }
  const freedom = Math.max(0, occupied - 1) * Math.max(0, present - 1)
  return { excess: sum + xlogx(rows) - freedom / 2, freedom }
}

/** Counts of cells are small: their terms are kept. */
const KNOWN = Float64Array.from({ length: 4_096 }, (_, i) => (i < 2 ? 0 : i * Math.log(i)))

function xlogx(count: number): number {
  return count < KNOWN.length ? KNOWN[count]! : count * Math.log(count)
}
