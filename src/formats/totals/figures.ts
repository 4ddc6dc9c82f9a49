import type { TotalsLabel } from './totals-words.ts'

/** A cell as totals see it; the text of a number is in standard syntax. */
export interface TotalsCell {
  readonly kind: string
  readonly text: string
}

/** What the cells of a column come to. */
export interface ColumnFigures {
  filled: number
  numbers: number
  sum: number
  /** Of the absolute values. */
  size: number
  max: number
}

/** What the rows of a table, or of a group of them, come to. */
export interface Figures {
  readonly rows: number
  column(at: number): ColumnFigures
}

/** Rows of data without which no figure can be told from an answer. */
const MIN_ROWS = 3
/** Columns whose sums stand in a row by no chance. */
const MIN_SUMS = 2
/** One sum is no chance where it is that of so many numbers, and so many times the largest of them. */
const MIN_SUMMED = 20
const FAR_BEYOND = 3

const noFigures = (): ColumnFigures => ({ filled: 0, numbers: 0, sum: 0, size: 0, max: Number.NEGATIVE_INFINITY })

/** Figures that grow row by row. */
export class RunningFigures implements Figures {
  rows = 0
  readonly #columns: readonly ColumnFigures[]

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, noFigures)
  }

  column(at: number): ColumnFigures {
    return this.#columns[at]!
  }

  add(cells: readonly TotalsCell[]): void {
    this.rows++
    for (let at = 0; at < cells.length; at++) {
      const { kind, text } = cells[at]!
      if (kind === 'empty') continue
      const column = this.#columns[at]!
      column.filled++
      if (kind !== 'number') continue
      const value = Number(text)
      column.numbers++
      column.sum += value
      column.size += Math.abs(value)
      if (value > column.max) column.max = value
    }
  }
}

/** The figures of two groups of rows together, as they are when they are asked for. */
export function both(one: Figures, other: Figures): Figures {
  return {
    get rows() {
      return one.rows + other.rows
    },
    column: (at) => {
      const a = one.column(at)
      const b = other.column(at)
      return {
        filled: a.filled + b.filled,
        numbers: a.numbers + b.numbers,
        sum: a.sum + b.sum,
        size: a.size + b.size,
        max: Math.max(a.max, b.max),
      }
    },
  }
}

/** Whether a row without a label has nothing but sums of columns, and nothing in a column of texts that every row fills. */
export function areSumsAlone(figures: Figures, cells: readonly TotalsCell[]): boolean {
  if (figures.rows < MIN_ROWS) return false
  let sums = 0
  for (const [at, { kind, text }] of cells.entries()) {
    if (kind === 'empty') continue
    if (kind !== 'number' || matchOf(figures, at, text, 'total') !== 'certain') return false
    if (isSum(figures.column(at), text)) sums++
  }
  const isBare = ({ kind }: TotalsCell, at: number) =>
    kind === 'empty' && figures.column(at).filled === figures.rows && figures.column(at).numbers === 0
  return sums > 0 && cells.some(isBare)
}

/**
 * One text that no rule knows, in a column without numbers, and beside it nothing but sums: of at least two columns, or of one
 * of many numbers.
 */
export function areSumsBesideText(figures: Figures, cells: readonly TotalsCell[]): boolean {
  if (figures.rows < MIN_ROWS) return false
  let sums = 0
  let isPlain = false
  let textAt = -1
  for (const [at, { kind, text }] of cells.entries()) {
    if (kind === 'empty') continue
    if (kind === 'text' && textAt < 0 && sums === 0) textAt = at
    else if (kind === 'number' && isGreatSum(figures.column(at), text)) {
      sums++
      const { numbers, max } = figures.column(at)
      isPlain ||= numbers >= MIN_SUMMED && Number(text) >= FAR_BEYOND * max
    } else return false
  }
  return textAt >= 0 && (sums >= MIN_SUMS || isPlain) && figures.column(textAt).numbers === 0
}

/** Whether the figures of a labelled row are those of the rows. */
export function areFiguresOf(figures: Figures, cells: readonly TotalsCell[], label: TotalsLabel): boolean {
  const found = cells.flatMap(({ kind, text }, at) => (kind === 'number' ? [matchOf(figures, at, text, label)] : []))
  return found.includes('certain') && 2 * found.filter((match) => match !== 'none').length >= found.length
}

/** Whether all numbers of a row are sums or means of the rows, and one of them a sum. */
export function areSumsOf(figures: Figures, cells: readonly TotalsCell[]): boolean {
  let sums = 0
  for (const [at, { kind, text }] of cells.entries()) {
    if (kind !== 'number') continue
    const column = figures.column(at)
    if (isSum(column, text)) sums++
    else if (column.numbers === 0 || !isMean(column, text)) return false
  }
  return sums > 0
}

/** Whether one of the numbers of a row is a sum, and larger than what it is the sum of. */
export function hasGreatSum(figures: Figures, cells: readonly TotalsCell[]): boolean {
  return cells.some(({ kind, text }, at) => kind === 'number' && isGreatSum(figures.column(at), text))
}

/** `likely`: a figure that an answer may have by chance. */
function matchOf(figures: Figures, at: number, text: string, label: TotalsLabel): 'certain' | 'likely' | 'none' {
  const column = figures.column(at)
  const value = Number(text)
  if (isSum(column, text)) return value > column.max ? 'certain' : 'likely'
  const { numbers, filled, max } = column
  if (numbers > 0 && isMean(column, text)) return label === 'mean' || decimalsOf(text) > 0 ? 'certain' : 'likely'
  if (value === numbers || value === filled || value === figures.rows)
    return label === 'count' || (value > max && value >= MIN_ROWS) ? 'certain' : 'likely'
  return 'none'
}

function isGreatSum(column: ColumnFigures, text: string): boolean {
  return isSum(column, text) && Number(text) > column.max
}

/** A sum may be rounded to the digits that it has. */
function isSum({ numbers, sum, size }: ColumnFigures, text: string): boolean {
  return numbers > 0 && Math.abs(Number(text) - sum) <= 0.5 * 10 ** -decimalsOf(text) + 1e-9 * size
}

function isMean({ numbers, sum, size }: ColumnFigures, text: string): boolean {
  const decimals = decimalsOf(text)
  const rounding = decimals === 0 ? 0 : 0.5 * 10 ** -decimals
  return Math.abs(Number(text) - sum / numbers) <= rounding + (1e-9 * size) / numbers
}

/** Digits after the point. */
function decimalsOf(text: string): number {
  return /\.(\d+)$/.exec(text)?.[1]?.length ?? 0
}
