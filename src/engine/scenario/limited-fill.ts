/**
 * The largest fill where cells may also have no more than a part of the mix, however many rows are filled.
 *
 * K  cells, M  margins (see margins.ts), s  fill,  l  largest part of the mix that a cell may have
 *
 *   maximise s   as in fill.ts, and also   q(c) <= l(c) s
 *
 * F(z), the largest fill with the caps min(cap, l z), is concave in z, and the s that is sought is the largest one with F(s) = s. Newton's
 * method from z = 1 comes down to it, and in finitely many steps, because F is piecewise linear: the prices of each program
 * give its slope.
 */
import { type CappedCells, type Fill, FULL_FILL_TOLERANCE, maximalFill } from './fill.ts'
import type { Margins } from './margins.ts'

export interface LimitedCells extends CappedCells {
  /** Length K: l, 1 where there is no limit. */
  readonly limit: Float64Array
}

export interface LimitedFill {
  /** s */
  readonly fill: number
  /** The last program: at z = s, or where s is below `least` at a larger z whose program shows it. */
  readonly last: Fill
  /** Length K: the caps of the last program. */
  readonly cap: Float64Array
}

/** @param least A fill below this is not looked for further. */
export async function largestFill(cells: LimitedCells, margins: Margins, least: number): Promise<LimitedFill> {
  const { margins: of, limit } = cells
  const D = margins.columnCount
  for (let z = 1; ; ) {
    const cap = cells.cap.map((most, c) => (limit[c]! < 1 ? Math.min(most, limit[c]! * z) : most))
    const last = await maximalFill({ margins: of, cap }, margins)
    if (last.fill >= z - FULL_FILL_TOLERANCE) return { fill: Math.min(z, last.fill), last, cap }
    if (limit.every((part) => part >= 1)) return { fill: last.fill, last, cap }
    let slope = 0
    for (let c = 0; c < cap.length; c++) {
      if (cap[c] === cells.cap[c]) continue
      let price = 0
      for (let d = 0; d < D; d++) price += last.prices[of[c * D + d]!]!
      slope += limit[c]! * Math.max(0, price)
    }
    // F(z) < z and F(0) >= 0, so the slope is below 1 but for rounding. F(z) is no less than s either.
    const tangent = slope < 1 ? (last.fill - slope * z) / (1 - slope) : last.fill
    const next = Math.max(0, Math.min(last.fill, tangent))
    if (next < least) return { fill: next, last, cap }
    z = next
  }
}
