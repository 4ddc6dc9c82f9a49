import type { SheetCell } from './sheet-source.ts'
import { numberIn, type TotalsLabel, totalsLabel } from './totals-words.ts'

/** Rows of data without which no figure can be told from an answer. */
const MIN_ROWS = 3
/** Columns whose sums stand in a row by no chance. */
const MIN_SUMS = 2

/** Labels that are looked up once. */
const MAX_KNOWN = 10_000

interface Column {
  filled: number
  numbers: number
  sum: number
  /** Of the absolute values. */
  size: number
  max: number
}

/**
 * Recognizes the rows of totals below a table: a label such as "Total" as the first text, with sums, counts or means of the
 * columns above; or no text at all, with the sum of every column that it has; or any text, with nothing but sums of two
 * columns and more, which are no chance. A label that is a value of its column, such as a brand, is none.
 */
export class TotalsWatch {
  readonly #columns: Column[]
  readonly #known = new Map<string, TotalsLabel | null>()
  /** Labels among the data, with their columns. */
  readonly #values = new Set<string>()
  #rows = 0

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, () => ({ filled: 0, numbers: 0, sum: 0, size: 0, max: 0 }))
  }

  /** Counts a row of data. */
  add(cells: readonly SheetCell[]): void {
    this.#rows++
    const labelled = this.#labelled(cells)
    if (labelled !== null) this.#values.add(labelled.key)
    for (const [at, { kind, text }] of cells.entries()) {
      if (kind === 'empty') continue
      const column = this.#columns[at]!
      column.filled++
      if (kind !== 'number') continue
      const value = Number(text)
      column.max = column.numbers++ === 0 ? value : Math.max(column.max, value)
      column.sum += value
      column.size += Math.abs(value)
    }
  }

  /** Whether a row, which may be the last one, has the form of a row of totals. */
  couldBeTotals(cells: readonly SheetCell[]): boolean {
    return (
      this.#rows >= MIN_ROWS &&
      (this.#labelled(cells) !== null || this.#hasSumsAlone(cells) || this.#hasSumsBesideText(cells))
    )
  }

  /**
   * Whether the figures of such a row are those of the rows that were counted.
   *
   * @param mayLackResults whether formulas of the sheet have no stored result, so that a label may stand alone.
   */
  isTotals(cells: readonly SheetCell[], mayLackResults: boolean): boolean {
    const labelled = this.#labelled(cells)
    if (labelled === null) return this.#hasSumsAlone(cells) || this.#hasSumsBesideText(cells)
    const { label, text, key } = labelled
    if (this.#values.has(key)) return false
    const numbers = cells.flatMap(({ kind, text }, at) => (kind === 'number' ? [{ at, text }] : []))
    if (numbers.length === 0) {
      const isAlone = cells.filter(({ kind }) => kind !== 'empty').length === 1
      return isAlone && (numberIn(text) === this.#rows || (mayLackResults && label !== 'count'))
    }
    const found = numbers.map(({ at, text }) => this.#matchOf(this.#columns[at]!, text, label))
    return found.includes('certain') && 2 * found.filter((match) => match !== 'none').length >= numbers.length
  }

  /** The label with which a row begins; null: it begins with none. */
  #labelled(cells: readonly SheetCell[]): { label: TotalsLabel; text: string; key: string } | null {
    const at = cells.findIndex(({ kind }) => kind !== 'empty')
    const cell = cells[at]
    if (cell?.kind !== 'text') return null
    const { text } = cell
    let label = this.#known.get(text)
    if (label === undefined) {
      label = totalsLabel(text)
      if (this.#known.size < MAX_KNOWN) this.#known.set(text, label)
    }
    return label === null ? null : { label, text, key: `${at} ${text.trim()}` }
  }

  /** Nothing but sums of columns, and nothing in a column that every row fills. */
  #hasSumsAlone(cells: readonly SheetCell[]): boolean {
    let sums = 0
    let isBare = false
    for (const [at, { kind, text }] of cells.entries()) {
      const column = this.#columns[at]!
      if (kind === 'empty') isBare ||= column.filled === this.#rows && column.numbers === 0
      else if (kind !== 'number' || this.#matchOf(column, text, 'total') !== 'certain') return false
      else if (isSum(column, text)) sums++
    }
    return isBare && sums > 0
  }

  /** One text that no rule knows, in a column without numbers, and beside it nothing but sums, of at least two columns. */
  #hasSumsBesideText(cells: readonly SheetCell[]): boolean {
    let sums = 0
    let texts = 0
    for (const [at, { kind, text }] of cells.entries()) {
      const column = this.#columns[at]!
      if (kind === 'empty') continue
      if (kind === 'text' && sums === 0 && column.numbers === 0) texts++
      else if (kind === 'number' && isSum(column, text) && Number(text) > column.max) sums++
      else return false
    }
    return texts === 1 && sums >= MIN_SUMS
  }

  /** `likely`: a figure that an answer may have by chance. */
  #matchOf(column: Column, text: string, label: TotalsLabel): 'certain' | 'likely' | 'none' {
    const value = Number(text)
    if (isSum(column, text)) return value > column.max ? 'certain' : 'likely'
    const { numbers, filled, max } = column
    if (numbers > 0 && isMean(column, text)) return label === 'mean' || decimalsOf(text) > 0 ? 'certain' : 'likely'
    if (value === numbers || value === filled || value === this.#rows)
      return label === 'count' || (value > max && value >= MIN_ROWS) ? 'certain' : 'likely'
    return 'none'
  }
}

/** A sum may be rounded to the digits that it has. */
function isSum({ numbers, sum, size }: Column, text: string): boolean {
  return numbers > 0 && Math.abs(Number(text) - sum) <= 0.5 * 10 ** -decimalsOf(text) + 1e-9 * size
}

function isMean({ numbers, sum, size }: Column, text: string): boolean {
  const decimals = decimalsOf(text)
  const rounding = decimals === 0 ? 0 : 0.5 * 10 ** -decimals
  return Math.abs(Number(text) - sum / numbers) <= rounding + (1e-9 * size) / numbers
}

/** Digits after the point. */
function decimalsOf(text: string): number {
  return /\.(\d+)$/.exec(text)?.[1]?.length ?? 0
}
