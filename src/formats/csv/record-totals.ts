import type { TotalsCell } from '../totals/figures.ts'
import type { TotalsRows } from '../totals/totals-note.ts'
import { TotalsWatch } from '../totals/totals-watch.ts'
import { namesTotals } from '../totals/totals-words.ts'
import type { ColumnNumbers } from './column-numbers.ts'
import type { SparseRecord } from './end-notes.ts'

/** Labels of rows that a note may name. */
const MAX_TEXTS = 1_000

/** Records at the end of a file, divided. */
interface SettledEnd {
  /** Records above the totals, or above the last record that looks like one. */
  readonly data: readonly SparseRecord[]
  readonly totals: readonly SparseRecord[]
  /** The other records. */
  readonly rest: readonly SparseRecord[]
}

/** Finds the records of a text file that are totals. */
export class RecordTotals {
  readonly #numbers: ColumnNumbers
  readonly #watch: TotalsWatch
  /** First texts, by line, of the first row and of those with a label. */
  readonly #texts = new Map<number, string>()
  #last: { readonly fields: SparseRecord['fields']; readonly cells: readonly TotalsCell[] } | null = null

  constructor(numbers: ColumnNumbers, width: number) {
    this.#numbers = numbers
    this.#watch = new TotalsWatch(width)
  }

  couldBe(record: SparseRecord): boolean {
    return this.#watch.couldBeTotals(this.#cellsOf(record))
  }

  #cellsOf({ fields }: SparseRecord): readonly TotalsCell[] {
    // Most records are asked for twice.
    if (this.#last?.fields !== fields) this.#last = { fields, cells: this.#numbers.cellsOf(fields) }
    return this.#last.cells
  }

  /** Counts a record of data. */
  add(record: SparseRecord): void {
    const text = firstText(record)
    const isNamed = this.#texts.size === 0 || (this.#texts.size < MAX_TEXTS && namesTotals(text))
    if (isNamed) this.#texts.set(record.line, text)
    this.#watch.add(this.#cellsOf(record), record.line)
  }

  /** @param end records that may be notes or totals, below which nothing else stands. */
  settle(end: readonly SparseRecord[]): SettledEnd {
    const have = end.map((record) => this.couldBe(record))
    const first = have.indexOf(true)
    if (first < 0) return { data: [], totals: [], rest: end }
    const isTotals = (record: SparseRecord) => this.#watch.isTotals(this.#cellsOf(record), false)
    if (!end.some((record, i) => have[i] && isTotals(record))) {
      const last = have.lastIndexOf(true) + 1
      return { data: end.slice(0, last), totals: [], rest: end.slice(last) }
    }
    const below = end.slice(first)
    return {
      data: end.slice(0, first),
      totals: below.filter((_, i) => have[first + i]),
      rest: below.filter((_, i) => !have[first + i]),
    }
  }

  /** @param last totals at the end. */
  rows(last: readonly SparseRecord[]): TotalsRows | null {
    const rows = [...this.#watch.rowsAmongData(), ...last.map(({ line }) => line)]
    const [first] = rows
    if (first === undefined) return null
    const record = last.find(({ line }) => line === first)
    const text = record === undefined ? (this.#texts.get(first) ?? '') : firstText(record)
    // A sum is no label.
    return { rows, text: /^[\d.,'\s+-]*$/.test(text) ? '' : text }
  }
}

function firstText({ fields }: SparseRecord): string {
  return fields.find((text) => text.trim() !== '')?.trim() ?? ''
}
