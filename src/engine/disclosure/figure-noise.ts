/**
 * The noise of figures that are weighted means of the seed's rows.
 *
 * n  kept rows of the seed,  w  weights of a side among the rows that count, a  their weights without the scenario, each summing to 1
 *
 *   noise = sum over rows of w eta + sum over conditioned columns of (w - a) zeta
 *   eta   independent draws of a row, of standard deviation c / √n for a group of n rows: c rows of the group
 *   zeta  likewise c / √l for a level of l rows: shares near 1 make a level the group
 *
 * It is linear in the weights, as if the answers had been measured with an error. So questions that differ in their shares alone show
 * the same error, and no number of them shows the figure behind it. Noise that were scaled by the weights could be solved for.
 * The second term is that of the change, because a small shift has a small error.
 */

import { layersOf, type Part, questionOf } from './asked-group.ts'
import type { RowKeys } from './row-keys.ts'

/** Noise of a level of a conditioned column, in its rows. */
const LEVEL_ROWS = 1

/** Rows that say different things are this far apart, as a part of twice the standard deviation. */
const TYPICAL_STEP = 1.6

/** A side of a comparison, for one outcome. */
export interface NoisySide {
  readonly parts: readonly Part[]
  /** Length n: w. */
  readonly weights: Float64Array
  /** Length n: a. */
  readonly natural: Float64Array
  readonly margins: readonly ConditionedMargins[]
}

export interface ConditionedMargins {
  /** Names the column and its margins. */
  readonly name: string
  /** The margin of a row; anything where its weights are 0. */
  readonly marginOf: (row: number) => number
}

/** What one row may say: 0 to 1 for shares, else by the values of the rows that count. */
export interface ValueSpread {
  /** The largest distance from the mean. */
  readonly largest: number
  readonly sd: number
}

/** Two opposite answers are two standard deviations apart where half of the rows give each. */
export const SHARE_SPREAD: ValueSpread = { largest: 1, sd: 1 / TYPICAL_STEP }

interface Drawn {
  readonly purpose: string
  /** Length n: what is multiplied with each row's draw. */
  readonly ofRow: Float64Array
}

/** The noise of one side's figures. */
export class FigureNoise {
  readonly #keys: RowKeys
  readonly #drawn: readonly Drawn[]

  constructor(keys: RowKeys, { parts, weights, natural, margins }: NoisySide, { largest, sd }: ValueSpread) {
    this.#keys = keys
    const { rows: n, heaviest } = sizeOf(natural)
    const typical = (rows: number): number => TYPICAL_STEP * rows * sd
    // At least the largest influence of a row, and more where many rows may say as much.
    const size = (rows: number): number => Math.max(largest * Math.max(1, heaviest / rows), typical(rows))
    const question = questionOf(parts)
    this.#drawn = [
      ...layersOf(parts).map(({ purpose, rows }) => {
        const perRow = size(rows) / Math.sqrt(n)
        return { purpose, ofRow: weights.map((w) => w * perRow) }
      }),
      ...margins.map(({ name, marginOf }) => {
        const rows = rowsByMargin(marginOf, natural)
        const change = (w: number, row: number): number => {
          const moved = w - natural[row]!
          return moved === 0 ? 0 : (moved * typical(LEVEL_ROWS)) / Math.sqrt(rows[marginOf(row)] ?? 1)
        }
        return { purpose: `${question} levels ${name}`, ofRow: weights.map(change) }
      }),
    ]
  }

  /** @param figure Names the figure: each has draws of its own. */
  draw(figure: string): number {
    let noise = 0
    for (const { purpose, ofRow } of this.#drawn) noise += this.#keys.sumOfDraws(`${purpose} ${figure}`, ofRow)
    return noise
  }

  /** The variance of the difference of two sides' noise; null stands for a side without noise. */
  static varianceOf(one: FigureNoise | null, other: FigureNoise | null): number {
    const drawnBy = (side: FigureNoise | null): readonly Drawn[] => (side === null ? [] : side.#drawn)
    const others = new Map(drawnBy(other).map(({ purpose, ofRow }) => [purpose, ofRow]))
    let variance = 0
    for (const { purpose, ofRow } of drawnBy(one)) {
      const shared = others.get(purpose)
      others.delete(purpose)
      for (let row = 0; row < ofRow.length; row++) variance += (ofRow[row]! - (shared?.[row] ?? 0)) ** 2
    }
    for (const ofRow of others.values()) for (const part of ofRow) variance += part * part
    return variance
  }
}

/** The rows with a weight, and the heaviest one over the root mean square. */
function sizeOf(natural: Float64Array): { rows: number; heaviest: number } {
  let [rows, squares, most] = [0, 0, 0]
  for (const a of natural) {
    if (a === 0) continue
    rows++
    squares += a * a
    if (a > most) most = a
  }
  return rows === 0 ? { rows: 1, heaviest: 1 } : { rows, heaviest: most / Math.sqrt(squares / rows) }
}

/** By margin: rows with a weight; none: no entry. */
function rowsByMargin(marginOf: (row: number) => number, natural: Float64Array): number[] {
  const rows: number[] = []
  for (let row = 0; row < natural.length; row++) {
    if (natural[row] === 0) continue
    const margin = marginOf(row)
    rows[margin] = (rows[margin] ?? 0) + 1
  }
  return rows
}
