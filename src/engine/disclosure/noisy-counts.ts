/**
 * Counts of the seed's rows as a shared service tells them: with a noise of a few rows, which also decides whether there are
 * enough to tell anything.
 *
 * n  kept rows of the seed
 *
 * With a fixed threshold one person more or less decides whether there is an answer, so that whoever finds the threshold learns
 * what that person answered. With noise a change of the answer says little about one person. Groups of fewer than 10 rows are
 * never told, and of somewhat larger ones the noise decides: of up to 40 rows where one person may be left out.
 */

import { layersOf, type Part } from './asked-group.ts'
import { type Disclosure, LEAST_ROWS } from './rounded-counts.ts'
import { RowKeys } from './row-keys.ts'

/** The noise of a count is never larger, and never more than three of its standard deviations. */
const MOST_NOISE = 15
const MOST_DEVIATIONS = 3

/** Rows of a group, or of a part of it, and the sum of their noise. */
export interface CountedRows {
  readonly rows: number
  readonly noise: number
}

/** Tells counts of one group and of its parts. */
export class CountTeller {
  /** Length n: the noise of each row; null: counts have none. */
  readonly noiseOfRow: Float64Array | null
  /** The fewest rows that are told, noise included; 0: all are, to the owner. */
  readonly least: number
  /** The largest noise. */
  readonly #most: number = 0
  /** Whether no part leaves anybody out: how many they all are is known. */
  readonly isOfEverybody: boolean

  /** @param parts Of the group: see asked-group.ts. */
  constructor(disclosure: Disclosure, parts: readonly Part[]) {
    this.least = disclosure === 'exact' ? 0 : LEAST_ROWS
    this.isOfEverybody = parts.length === 0
    this.noiseOfRow = null
    if (!(disclosure instanceof RowKeys)) return
    this.noiseOfRow = new Float64Array(disclosure.rowCount)
    const layers = layersOf(parts)
    for (const { purpose, rows } of layers) disclosure.addDraws(`${purpose} counts`, rows, this.noiseOfRow)
    const deviation = Math.sqrt(layers.reduce((sum, { rows }) => sum + rows ** 2, 0))
    this.#most = Math.min(MOST_NOISE, Math.ceil(MOST_DEVIATIONS * deviation))
    this.least += this.#most
  }

  /**
   * @param inside Length n: the part of each row that is in.
   * @param counts Length n: 0 for rows that do not count; null: all do.
   */
  count(inside: Float64Array, counts: Uint8Array | null = null): CountedRows {
    let [rows, noise] = [0, 0]
    for (let row = 0; row < inside.length; row++) {
      if (counts !== null && counts[row] === 0) continue
      rows += inside[row]!
      if (this.noiseOfRow !== null) noise += this.#noise(row, inside[row]!)
    }
    return { rows, noise }
  }

  /** The same of some rows. */
  countAt(inside: Float64Array, rowsAt: Uint32Array): CountedRows {
    let [rows, noise] = [0, 0]
    for (const row of rowsAt) {
      rows += inside[row]!
      noise += this.#noise(row, inside[row]!)
    }
    return { rows, noise }
  }

  /** The rows with their noise, at least 1; not to be told. */
  noisy({ rows, noise }: CountedRows): number {
    return Math.max(1, rows + this.#bounded(noise, rows))
  }

  /** The rows as they are told; null: too few. */
  told({ rows, noise }: CountedRows): number | null {
    if (this.least === 0) return rows
    const told = rows + this.#bounded(noise, rows)
    return rows >= LEAST_ROWS && told >= this.least ? told : null
  }

  /** The factor by which a told count differs from the true one; 1 where it is not told. */
  ratio(counted: CountedRows): number {
    const told = this.told(counted)
    return told === null || counted.rows === 0 ? 1 : told / counted.rows
  }

  #noise(row: number, part: number): number {
    return this.noiseOfRow === null ? 0 : part * this.noiseOfRow[row]!
  }

  /**
   * The sum of independent draws of the rows, as the noise of one count. What is beyond the bound is mirrored there. If it were
   * cut off, many groups would have the same noise, and with it a fixed threshold.
   */
  #bounded(noise: number, rows: number): number {
    if (rows === 0 || this.#most === 0) return 0
    const turn = 4 * this.#most
    const along = noise / Math.sqrt(rows) + this.#most
    const within = along - turn * Math.floor(along / turn)
    return (within > turn / 2 ? turn - within : within) - this.#most
  }
}
