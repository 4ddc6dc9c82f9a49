import { areSumsOf, both, type Figures, hasGreatSum, RunningFigures, type TotalsCell } from './figures.ts'

/** Groups that add up by no chance. */
const MIN_GROUPS = 2
/** A row without a label is a subtotal by so many sums at least. */
const MIN_SUMS = 2
/** Rows of a group without a label. */
const MIN_ROWS = 2

/**
 * Recognizes subtotals among the rows of a table: each is the sum of the rows since the last one, or of several groups
 * below which it stands. Rows that a label names are all subtotals, or none is; rows without a label must also close the
 * table.
 */
export class Subtotals {
  readonly #width: number
  /** Rows since the last subtotal. */
  #group: RunningFigures
  /** Groups that no total of several groups has taken yet. */
  #closed: Figures[] = []
  readonly #found: number[] = []
  #certain = 0
  #unlabelled = 0
  #isContradicted = false

  constructor(width: number) {
    this.#width = width
    this.#group = new RunningFigures(width)
  }

  /**
   * @param at what names the row.
   * @param isLabelled whether its first text could be the label of a total.
   */
  add(cells: readonly TotalsCell[], at: number, isLabelled: boolean): void {
    if (this.#isContradicted) return
    const group = this.#group
    if (isLabelled) this.#take(cells, at)
    else if (group.rows >= MIN_ROWS && this.#closes(group, cells)) {
      this.#unlabelled++
      this.#close(group, cells, at)
    } else group.add(cells)
  }

  /** Whether nothing speaks against the subtotals that were found so far. */
  get isLikely(): boolean {
    return !this.#isContradicted && this.#certain >= MIN_GROUPS
  }

  /** The rows that are subtotals, once all rows were added. */
  rows(): readonly number[] {
    const isOpen = this.#group.rows > 0
    return this.isLikely && (this.#unlabelled === 0 || !isOpen) ? this.#found : []
  }

  #take(cells: readonly TotalsCell[], at: number): void {
    const group = this.#group
    if (group.rows > 0) {
      if (areSumsOf(group, cells)) this.#close(group, cells, at)
      else this.#isContradicted = true
      return
    }
    // A total of several groups, the grand total among them.
    let sum: Figures = new RunningFigures(this.#width)
    for (let first = this.#closed.length - 1; first >= 0; first--) {
      sum = both(this.#closed[first]!, sum)
      if (!areSumsOf(sum, cells)) continue
      this.#closed = [...this.#closed.slice(0, first), sum]
      this.#found.push(at)
      return
    }
    this.#isContradicted = true
  }

  /** Without a label nothing but sums, of several columns, is a subtotal. */
  #closes(group: RunningFigures, cells: readonly TotalsCell[]): boolean {
    let sums = 0
    for (let column = 0; column < cells.length; column++) {
      const { kind, text } = cells[column]!
      if (kind !== 'number') continue
      const { numbers, sum, size, max } = group.column(column)
      const value = Number(text)
      if (numbers < MIN_ROWS || value <= max || Math.abs(value - sum) > 1e-9 * size) return false
      sums++
    }
    return sums >= MIN_SUMS
  }

  #close(group: RunningFigures, cells: readonly TotalsCell[], at: number): void {
    if (hasGreatSum(group, cells)) this.#certain++
    this.#found.push(at)
    this.#closed.push(group)
    this.#group = new RunningFigures(this.#width)
  }
}
