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
  /** Of the squares. */
  squares: number
  min: number
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

export const noFigures = (): ColumnFigures => ({
  filled: 0,
  numbers: 0,
  sum: 0,
  size: 0,
  squares: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
})

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
      column.squares += value * value
      if (value > column.max) column.max = value
      if (value < column.min) column.min = value
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
        squares: a.squares + b.squares,
        min: Math.min(a.min, b.min),
        max: Math.max(a.max, b.max),
      }
    },
  }
}

/**
 * Whether a row without a label has nothing but sums of columns, and nothing in a column of texts that every row fills. Where all
 * columns have numbers, the sums are several, far beyond the numbers.
 */
export function areSumsAlone(figures: Figures, cells: readonly TotalsCell[]): boolean {
  if (figures.rows < MIN_ROWS) return false
  let sums = 0
  let plain = 0
  for (const [at, { kind, text }] of cells.entries()) {
    if (kind === 'empty') continue
    if (kind !== 'number' || matchOf(figures, at, text, 'total') !== 'certain') return false
    if (isSum(figures.column(at), text)) sums++
    if (isPlainSum(figures.column(at), text)) plain++
  }
  const isBare = ({ kind }: TotalsCell, at: number) => kind === 'empty' && figures.column(at).filled === figures.rows
  const bare = [...cells.keys()].filter((at) => isBare(cells[at]!, at))
  if (sums > 0 && bare.some((at) => figures.column(at).numbers === 0)) return true
  return plain === sums && (plain >= MIN_SUMS || (plain > 0 && bare.length > 0))
}

/** A sum that is no chance: of many numbers, and far beyond the largest of them. */
function isPlainSum(column: ColumnFigures, text: string): boolean {
  return column.numbers >= MIN_SUMMED && isSum(column, text) && Number(text) >= FAR_BEYOND * column.max
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
      isPlain ||= isPlainSum(figures.column(at), text)
    } else return false
  }
  return textAt >= 0 && (sums >= MIN_SUMS || isPlain) && figures.column(textAt).numbers === 0
}

/** Whether the figures of a labelled row are those of the rows. */
export function areFiguresOf(figures: Figures, cells: readonly TotalsCell[], label: TotalsLabel): boolean {
  const numbers = cells.flatMap(({ kind, text }, at) => (kind === 'number' ? [{ at, text }] : []))
  const named = NAMED[label]
  if (named !== undefined && numbers.length > 0) {
    const areNamed = numbers.every(({ at, text }) => named(figures.column(at), text))
    // One figure may be that of an answer by chance.
    if (areNamed && (numbers.length >= MIN_NAMED || numbers.some(({ text }) => decimalsOf(text) > 0))) return true
  }
  const found = numbers.map(({ at, text }) => matchOf(figures, at, text, label))
  return found.includes('certain') && 2 * found.filter((match) => match !== 'none').length >= found.length
}

const MIN_NAMED = 2

/** Whether a number, rounded to any digits, is what a label says. Means and shares are often rounded to whole ones. */
const NAMED: { readonly [L in TotalsLabel]?: (column: ColumnFigures, text: string) => boolean } = {
  mean: (column, text) => isMeanTimes(1, column, text),
  share: (column, text) => isMeanTimes(1, column, text) || isMeanTimes(100, column, text),
  min: (column, text) => Number(text) === column.min,
  max: (column, text) => Number(text) === column.max,
  deviation: (column, text) => [0, 1].some((less) => isRounded(text, deviationOf(column, less))),
}

/** Where digits are few beside the numbers of a column, most numbers are its rounded mean. */
function isMeanTimes(of: number, { sum, numbers, min, max }: ColumnFigures, text: string): boolean {
  return of * (max - min) >= 5 * 10 ** -decimalsOf(text) && isRounded(text, (of * sum) / numbers)
}

function isRounded(text: string, exactly: number): boolean {
  return Math.abs(Number(text) - exactly) <= 0.5 * 10 ** -decimalsOf(text) + 1e-6 * Math.abs(exactly)
}

function deviationOf({ numbers, sum, squares }: ColumnFigures, less: number): number {
  return Math.sqrt(Math.max(0, squares - (sum * sum) / numbers) / (numbers - less))
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
