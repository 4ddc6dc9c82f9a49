import {
  areFiguresOf,
  areSumsAlone,
  areSumsBesideText,
  both,
  type Figures,
  RunningFigures,
  type TotalsCell,
} from './figures.ts'
import { Subtotals } from './subtotals.ts'
import { namesTotals, numberIn, type TotalsLabel, totalsLabel } from './totals-words.ts'

/** Rows of data without which no figure can be told from an answer. */
const MIN_ROWS = 3
/** Labels that are looked up once. */
const MAX_KNOWN = 10_000
/** Rows directly under a header that may be totals. */
const MAX_TOP = 5

interface Row {
  readonly cells: readonly TotalsCell[]
  readonly at: number
}

interface Label {
  /** Null: the text may label the totals of a group alone. */
  readonly label: TotalsLabel | null
  readonly text: string
  readonly key: string
}

/**
 * Recognizes the rows of totals of a table: a label such as "Total" as the first text, with sums, counts or means of the
 * columns; or no text at all, with the sum of every column that it has; or any text, with nothing but sums of two columns
 * and more, or of many numbers, which are no chance. They stand below the table, directly under its header, or within it as subtotals. A label
 * that is a value of its column, such as a brand, is none.
 */
export class TotalsWatch {
  readonly #width: number
  /** Of `#top`. */
  readonly #topFigures: RunningFigures
  /** Of all other rows. */
  readonly #below: RunningFigures
  readonly #all: Figures
  readonly #subtotals: Subtotals
  readonly #known = new Map<string, Pick<Label, 'label'> | null>()
  /** Labels among the data, with their columns, without those of `#top`. */
  readonly #values = new Set<string>()
  /** The first row, and the rows below it as long as they have labels. */
  readonly #top: Row[] = []
  #isTop = true

  constructor(width: number) {
    this.#width = width
    this.#topFigures = new RunningFigures(width)
    this.#below = new RunningFigures(width)
    this.#all = both(this.#topFigures, this.#below)
    this.#subtotals = new Subtotals(width)
  }

  /**
   * Counts a row of data.
   *
   * @param at what names the row: its number in the sheet, its line in the file.
   */
  add(cells: readonly TotalsCell[], at: number): void {
    const found = this.#labelled(cells)
    this.#subtotals.add(cells, at, found !== null && found.label !== 'mean' && found.label !== 'count')
    const isLabelled = found !== null && found.label !== null
    this.#isTop &&= this.#top.length === 0 || (isLabelled && this.#top.length < MAX_TOP)
    if (this.#isTop) this.#top.push({ cells, at })
    else if (isLabelled) this.#values.add(found.key)
    ;(this.#isTop ? this.#topFigures : this.#below).add(cells)
  }

  /** Whether a row, which may be the last one, has the form of a row of totals. */
  couldBeTotals(cells: readonly TotalsCell[]): boolean {
    return (
      this.#all.rows >= MIN_ROWS &&
      (this.#strictLabel(cells) !== null || areSumsAlone(this.#all, cells) || areSumsBesideText(this.#all, cells))
    )
  }

  /**
   * Whether the figures of such a row are those of the rows that were counted.
   *
   * @param mayLackResults whether formulas of the file have no stored result, so that a label may stand alone.
   */
  isTotals(cells: readonly TotalsCell[], mayLackResults: boolean): boolean {
    const labelled = this.#strictLabel(cells)
    const isTopLabel = this.#top.some(({ cells }) => this.#labelled(cells)?.key === labelled?.key)
    if (labelled !== null && isTopLabel) return false
    return this.#areTotals(this.#all, cells, labelled, mayLackResults)
  }

  /** The label of a row at the end that is no row of totals by its figures; null: it has none, or a value of its column. */
  labelOf(cells: readonly TotalsCell[]): string | null {
    const labelled = this.#strictLabel(cells)
    if (labelled === null || this.#values.has(labelled.key)) return null
    return cells.some(({ kind }) => kind === 'number') ? labelled.text : null
  }

  /** The rows under the header and within the table that are totals, once all rows were counted. */
  rowsAmongData(): readonly number[] {
    const subtotals = this.#subtotals.rows()
    return subtotals.length > 0 ? subtotals : this.#topTotals()
  }

  #topTotals(): readonly number[] {
    // All rows with labels, or the first one alone.
    for (const count of new Set([this.#top.length, 1])) {
      const rest = new RunningFigures(this.#width)
      for (const { cells } of this.#top.slice(count)) rest.add(cells)
      const below = both(rest, this.#below)
      const top = this.#top.slice(0, count)
      if (top.length > 0 && top.every(({ cells }) => this.#areTotals(below, cells, this.#strictLabel(cells), false)))
        return top.map(({ at }) => at)
    }
    return []
  }

  #areTotals(
    figures: Figures,
    cells: readonly TotalsCell[],
    labelled: (Label & { readonly label: TotalsLabel }) | null,
    mayLackResults: boolean,
  ): boolean {
    if (figures.rows < MIN_ROWS) return false
    if (labelled === null) return areSumsAlone(figures, cells) || areSumsBesideText(figures, cells)
    const { label, text, key } = labelled
    if (this.#values.has(key)) return false
    if (cells.some(({ kind }) => kind === 'number')) return areFiguresOf(figures, cells, label)
    const isAlone = cells.filter(({ kind }) => kind !== 'empty').length === 1
    // In a column of numbers that word is no answer.
    const column = figures.column(cells.findIndex(({ kind }) => kind !== 'empty'))
    const isBare = label === 'total' && column.numbers > 0 && column.numbers === column.filled
    return isAlone && (isBare || numberIn(text) === figures.rows || (mayLackResults && label !== 'count'))
  }

  #strictLabel(cells: readonly TotalsCell[]): (Label & { readonly label: TotalsLabel }) | null {
    const found = this.#labelled(cells)
    return found === null || found.label === null ? null : { ...found, label: found.label }
  }

  /** The label with which a row begins; null: it begins with none. */
  #labelled(cells: readonly TotalsCell[]): Label | null {
    const at = cells.findIndex(({ kind }) => kind !== 'empty')
    const cell = cells[at]
    if (cell?.kind !== 'text') return null
    const { text } = cell
    let known = this.#known.get(text)
    if (known === undefined) {
      const label = totalsLabel(text)
      known = label === null && !namesTotals(text) ? null : { label }
      if (this.#known.size < MAX_KNOWN) this.#known.set(text, known)
    }
    return known === null ? null : { ...known, text, key: `${at} ${text.trim()}` }
  }
}
