/**
 * Keeps rules in the rows of a batch.
 *
 * b  rows of the batch     k  rows that break a rule     n  rows of the seed
 *
 * Relations keep most rules while columns are drawn (`rule-bounds.ts`). Rows that break one all the same are drawn again as a whole, given
 * what the scenario presets: that is the distribution of the model given the rules (rejection sampling). Rows that a few draws do not settle
 * take the columns of the rules from a row of the seed that keeps them with what is preset. Preset columns never change.
 */

import type { GivenValues } from './block-values.ts'
import { brokenRows, copyRow, type DrawnColumn } from './drawn-columns.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { type DonorContext, RuleDonors } from './rule-donors.ts'

/** Draws of a row before it takes values of the seed; each has its own random numbers. */
const MOST_DRAWS = 16
/** Blocks of a further draw are this far from those of the draw before: no table has so many. */
const DRAW_STRIDE = 2 ** 26

export interface RuleKeeperContext extends DonorContext {
  readonly seed: number
  readonly preset: readonly Uint16Array[]
  readonly given: ReadonlyMap<number, GivenValues>
}

/** Preset columns of the rows that are drawn again, and a draw of them. */
export interface Redraw {
  readonly preset: readonly Uint16Array[]
  readonly given: ReadonlyMap<number, GivenValues>
  /** Draws the first rows of these. */
  readonly draw: (firstBlock: number, rows: number) => readonly DrawnColumn[]
}

/** Working memory of one thread for one generation. */
export class RuleKeeper {
  readonly #context: RuleKeeperContext
  readonly #open: () => Redraw
  readonly #donors: RuleDonors
  #redraw: Redraw | null = null

  /** @param open Makes room for rows that are drawn again. */
  constructor(context: RuleKeeperContext, open: () => Redraw) {
    this.#context = context
    this.#open = open
    this.#donors = new RuleDonors(context)
  }

  /**
   * Changes the rows of a batch that break a rule.
   *
   * first  its first row in what is preset
   */
  keep(out: readonly DrawnColumn[], firstBlock: number, first: number, rows: number): void {
    let broken = brokenRows(this.#context, out, rows)
    for (let draw = 1; draw < MOST_DRAWS && broken.length > 0; draw++) {
      const again = this.#drawAgain(broken, firstBlock + draw * DRAW_STRIDE, first)
      const still = new Set(brokenRows(this.#context, again, broken.length))
      broken = broken.filter((row, i) => {
        if (still.has(i)) return true
        copyRow(again, i, out, row)
        return false
      })
    }
    const stream = new RandomStream(this.#context.seed, PURPOSE.donor, firstBlock)
    for (const row of broken) this.#donors.settle(out, row, stream)
  }

  #drawAgain(broken: readonly number[], firstBlock: number, first: number): readonly DrawnColumn[] {
    const { preset, given } = this.#context
    this.#redraw ??= this.#open()
    const { preset: room, given: givenRoom, draw } = this.#redraw
    for (const [i, row] of broken.entries()) {
      const from = first + row
      preset.forEach((codes, position) => {
        room[position]![i] = codes[from]!
      })
      for (const [column, { values, valid }] of given) {
        const own = givenRoom.get(column)!
        own.values[i] = values[from]!
        own.valid[i] = valid[from]!
      }
    }
    return draw(firstBlock, broken.length)
  }
}
