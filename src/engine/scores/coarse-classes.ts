/** Groups the codes of a column into few classes. K  codes */

/**
 * Runs of neighbouring codes with about the same number of rows. With at most `most` codes, every code is its own class.
 *
 * counts   length K: rows by code
 * returns  length K: code → class, 0 … at most `most` - 1, without gaps
 */
export function coarseClasses(counts: Int32Array, most: number): Uint8Array {
  const k = counts.length
  const classes = new Uint8Array(k)
  if (k <= most) return classes.map((_, code) => code)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  let before = 0
  let quantile = -1
  let current = -1
  for (let code = 0; code < k; code++) {
    // A code is placed at the middle of its rows, so a heavy code does not pull its neighbours along.
    const middle = Math.floor(((before + counts[code]! / 2) * most) / Math.max(1, rows))
    if (counts[code]! > 0 && middle !== quantile) {
      quantile = middle
      current++
    }
    classes[code] = Math.max(0, current)
    before += counts[code]!
  }
  return classes
}

/** The most frequent codes have a class each, ties by code; the rest share one. Returns code → class. */
export function frequentClasses(counts: Int32Array, most: number): Uint8Array {
  const k = counts.length
  const classes = new Uint8Array(k)
  if (k <= most) return classes.map((_, code) => code)
  const byCount = Array.from(counts.keys()).sort((a, b) => counts[b]! - counts[a]! || a - b)
  byCount.forEach((code, rank) => {
    classes[code] = Math.min(rank, most - 1)
  })
  return classes
}

/**
 * Association of cells and classes: mutual information in log-likelihood units (rows x nats), less its expectation under
 * independence, half the degrees of freedom.
 *
 * table  cells x T counts, row-major
 * worth  effective rows for each of those that are counted
 */
export function informationOf(
  table: Int32Array,
  cells: number,
  T: number,
  worth: number,
): { excess: number; freedom: number } {
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
  return { excess: (sum + xlogx(rows)) * worth - freedom / 2, freedom }
}

/** Counts of cells are small, so their terms are cached. */
const KNOWN = Float64Array.from({ length: 4_096 }, (_, i) => (i < 2 ? 0 : i * Math.log(i)))

function xlogx(count: number): number {
  return count < KNOWN.length ? KNOWN[count]! : count * Math.log(count)
}
