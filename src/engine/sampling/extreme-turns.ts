/**
 * The rhythm in which the smallest and the largest value of a column are drawn.
 *
 * Few rows have an extreme, so a file of independent draws often lacks it: an extreme of a single row is absent from 37 % of files
 * of the training sample's size. Measures from end to end (histograms of equal width, ranges) then differ from the seed's. So rows
 * that draw from an extreme's bin take it in turn, as often as the bin's rows have it: once in every round of `period` draws, at a
 * random place of its first half. The first half, because a bin that is drawn less often than in the seed does not complete its round.
 *
 * V  distinct values     m  training rows of the bin     c  those that have the extreme
 */

import type { EncodedNumeric } from '../model/model.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { isCell } from './value-cells.ts'

/** Part of a round in which the extreme is drawn. */
const PLACES = 0.5

interface Extreme {
  /** Index of the value, 0 or V - 1. */
  readonly value: number
  readonly bin: number
  /** Draws of the bin per draw of the extreme: m / c, rounded down. */
  readonly period: number
  /** Draws so far, and the draw of the round that takes the extreme; -1 before it is drawn. */
  draws: number
  turn: number
}

export class ExtremeTurns {
  /** Bin → its extreme. */
  readonly #byBin: ReadonlyMap<number, Extreme>
  readonly #trainingRows: number
  readonly #stream = new RandomStream(0, PURPOSE.extreme)
  #seed = 0
  #column = 0

  constructor(column: EncodedNumeric) {
    const { values, cumulative, binStart } = column
    const last = binStart.length - 2
    const ofBin = (bin: number, value: number): [number, Extreme][] => {
      const m = cumulative[binStart[bin + 1]!]! - cumulative[binStart[bin]!]!
      const c = cumulative[value + 1]! - cumulative[value]!
      const period = Math.floor(m / c)
      // If more than half of the bin's rows have the extreme, every draw would take it.
      const isTaken = isCell(column, value) && period >= 2
      return isTaken ? [[bin, { value, bin, period, draws: 0, turn: -1 }]] : []
    }
    // A single bin contains both ends; such columns have few rows.
    this.#byBin = new Map(last > 0 ? [...ofBin(0, 0), ...ofBin(last, values.length - 1)] : [])
    this.#trainingRows = cumulative[values.length]! / Math.max(1e-9, 1 - column.missingShare)
  }

  /** Begins a batch, which continues about where the previous one would have ended. */
  start(seed: number, column: number, firstRow: number): void {
    this.#seed = seed
    this.#column = column
    for (const extreme of this.#byBin.values()) {
      const rounds = firstRow / this.#trainingRows
      extreme.draws = Math.floor(rounds * extreme.period)
      extreme.turn = -1
    }
  }

  /** Whether `isNext` decides the bin's draws. */
  has(bin: number): boolean {
    return this.#byBin.has(bin)
  }

  /** Counts a draw of the bin. Returns whether it takes the extreme. */
  isNext(bin: number): boolean {
    const extreme = this.#byBin.get(bin)!
    const place = extreme.draws % extreme.period
    if (place === 0 || extreme.turn < 0) {
      const round = Math.floor(extreme.draws / extreme.period)
      this.#stream.reset(this.#seed, PURPOSE.extreme, round, this.#column)
      if (extreme.value > 0) this.#stream.word()
      extreme.turn = this.#stream.below(Math.ceil(PLACES * extreme.period))
    }
    extreme.draws++
    return place === extreme.turn
  }
}
