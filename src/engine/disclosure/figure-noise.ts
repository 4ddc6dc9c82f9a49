/**
 * The noise of figures that are weighted means of the seed's rows.
 *
 * n  kept rows of the seed,  w  weights of a side among the rows that count, a  their weights without the scenario, each summing to 1
 * K  kinds of rows: all of one kind have the same w, the same a and the same margins, so that the sum of their draws is enough
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
import type { RowKinds } from './row-kinds.ts'

/** Noise of a level of a conditioned column, in its rows. */
const LEVEL_ROWS = 1

/** Rows that say different things are this far apart, as a part of twice the standard deviation. */
const TYPICAL_STEP = 1.6

/** A side of a comparison, for one outcome. */
export interface NoisySide {
  readonly parts: readonly Part[]
  /** Length K: w of each row of a kind. */
  readonly weights: Float64Array
  /** Length K: a. */
  readonly natural: Float64Array
  readonly margins: readonly ConditionedMargins[]
  readonly spread: ValueSpread
}

export interface ConditionedMargins {
  /** Names the column and its margins. */
  readonly name: string
  /** The margin of the rows of a kind; anything where their weights are 0. */
  readonly marginOf: (kind: number) => number
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
  /** Length K: what is multiplied with the draw of each row of a kind. */
  readonly ofKind: Float64Array
}

/** The noise of the figures of both sides. */
export class FigureNoise {
  readonly #keys: RowKeys
  readonly #kinds: RowKinds
  /** Of each side. */
  readonly #drawn: readonly (readonly Drawn[])[]

  constructor(keys: RowKeys, kinds: RowKinds, sides: readonly NoisySide[]) {
    this.#keys = keys
    this.#kinds = kinds
    this.#drawn = sides.map((side) => drawnBy(side, kinds))
  }

  /**
   * @param figure Names the figure: each has draws of its own.
   * @returns The noise on each side.
   */
  draw(figure: string): number[] {
    const { ofRow, rows } = this.#kinds
    // What both sides were asked alike has the same draws on both.
    const known = new Map<string, Float64Array>()
    return this.#drawn.map((drawn) => {
      let noise = 0
      for (const { purpose, ofKind } of drawn) {
        const sums = known.get(purpose) ?? this.#keys.sumsOfDraws(`${purpose} ${figure}`, ofRow, rows.length)
        known.set(purpose, sums)
        for (let kind = 0; kind < sums.length; kind++) noise += sums[kind]! * ofKind[kind]!
      }
      return noise
    })
  }

  /**
   * The variance of the difference of two sides' noise.
   *
   * @param isNoisy Which of the sides have any.
   */
  variance(isNoisy: readonly boolean[]): number {
    const { rows } = this.#kinds
    const [one, other] = this.#drawn.map((drawn, side) => (isNoisy[side] === true ? drawn : []))
    const others = new Map(other!.map(({ purpose, ofKind }) => [purpose, ofKind]))
    let variance = 0
    for (const { purpose, ofKind } of one!) {
      const shared = others.get(purpose)
      others.delete(purpose)
      ofKind.forEach((part, kind) => {
        variance += rows[kind]! * (part - (shared?.[kind] ?? 0)) ** 2
      })
    }
    for (const ofKind of others.values())
      ofKind.forEach((part, kind) => {
        variance += rows[kind]! * part * part
      })
    return variance
  }
}

function drawnBy({ parts, weights, natural, margins, spread: { largest, sd } }: NoisySide, kinds: RowKinds): Drawn[] {
  const { rows: n, heaviest } = sizeOf(natural, kinds)
  const typical = (rows: number): number => TYPICAL_STEP * rows * sd
  // At least the largest influence of a row, and more where many rows may say as much.
  const size = (rows: number): number => Math.max(largest * Math.max(1, heaviest / rows), typical(rows))
  const question = questionOf(parts)
  return [
    ...layersOf(parts).map(({ purpose, rows }) => {
      const perRow = size(rows) / Math.sqrt(n)
      return { purpose, ofKind: weights.map((w) => w * perRow) }
    }),
    ...margins.map(({ name, marginOf }) => {
      const rows = rowsByMargin(marginOf, natural, kinds)
      const change = (w: number, kind: number): number => {
        const moved = w - natural[kind]!
        return moved === 0 ? 0 : (moved * typical(LEVEL_ROWS)) / Math.sqrt(rows[marginOf(kind)] ?? 1)
      }
      return { purpose: `${question} levels ${name}`, ofKind: weights.map(change) }
    }),
  ]
}

/** The rows with a weight, and the heaviest one over the root mean square. */
function sizeOf(natural: Float64Array, kinds: RowKinds): { rows: number; heaviest: number } {
  let [rows, squares, most] = [0, 0, 0]
  natural.forEach((a, kind) => {
    if (a === 0) return
    rows += kinds.rows[kind]!
    squares += kinds.rows[kind]! * a * a
    if (a > most) most = a
  })
  return rows === 0 ? { rows: 1, heaviest: 1 } : { rows, heaviest: most / Math.sqrt(squares / rows) }
}

/** By margin: rows with a weight; none: no entry. */
function rowsByMargin(marginOf: (kind: number) => number, natural: Float64Array, kinds: RowKinds): number[] {
  const rows: number[] = []
  natural.forEach((a, kind) => {
    if (a === 0) return
    const margin = marginOf(kind)
    rows[margin] = (rows[margin] ?? 0) + kinds.rows[kind]!
  })
  return rows
}
