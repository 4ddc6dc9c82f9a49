import type { CodedTable } from '../coded/read-coded-columns.ts'
import type { ColumnTexts } from '../columns/column-texts.ts'
import { type ColumnType, standardType } from '../columns/column-type.ts'
import { CountedValues, HashedTexts } from '../columns/compact-texts.ts'
import { inferColumn } from '../columns/infer-column.ts'
import { settleDoubts } from '../columns/settle-doubts.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { presentText } from '../columns/value-forms.ts'
import type { TextRow } from '../header/cell-texts.ts'
import { type ColumnFigures, type Figures, noFigures, type TotalsCell } from '../totals/figures.ts'

const EMPTY: TotalsCell = { kind: 'empty', text: '' }
/** The most usual values, found fast. */
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** The numbers in the columns of a text table, whose types are inferred when they are first asked for. */
export class ColumnNumbers {
  readonly #table: Pick<CodedTable, 'rowCount' | 'texts'>
  readonly #delimiter: string
  readonly #types = new Map<number, ColumnType>()

  constructor(table: Pick<CodedTable, 'rowCount' | 'texts'>, delimiter: string) {
    this.#table = table
    this.#delimiter = delimiter
  }

  /** The number that a text writes in a column, in standard syntax; null: it is none. */
  standardText(at: number, text: string): string | null {
    if (!/\d/.test(text) && !/\p{Nd}/u.test(text)) return null
    const type = this.#typeOf(at)
    const isStandard = type.type === 'text' || (type.type === 'number' && type.form.name === 'standard')
    if (isStandard && PLAIN_NUMBER.test(text)) return text
    // Numbers of a column of texts may count them.
    const form = type.type === 'number' ? type.form : type.type === 'text' ? standardType(false).form : null
    const standard = form?.standardText(text) ?? null
    return standard === null || Number.isNaN(Number(standard)) ? null : standard
  }

  cellsOf(row: TextRow): readonly TotalsCell[] {
    const cells: TotalsCell[] = []
    for (let at = 0; at < this.#table.texts.length; at++) {
      const text = presentText(row[at] ?? '')
      const standard = text === null ? null : this.standardText(at, text)
      if (text === null) cells.push(EMPTY)
      else cells.push(standard === null ? { kind: 'text', text } : { kind: 'number', text: standard })
    }
    return cells
  }

  /** What all rows of the table but some come to; columns are counted when they are asked for. */
  figuresWithout(rows: readonly TextRow[]): Figures {
    const known = new Map<number, ColumnFigures>()
    return {
      rows: this.#table.rowCount - rows.length,
      column: (at) => {
        const figures =
          known.get(at) ??
          this.#count(
            at,
            rows.map((row) => row[at] ?? ''),
          )
        known.set(at, figures)
        return figures
      },
    }
  }

  #count(at: number, without: readonly string[]): ColumnFigures {
    const figures = noFigures()
    const add = (value: number, count: number) => {
      figures.filled += count
      if (Number.isNaN(value)) return
      figures.numbers += count
      figures.sum += count * value
      figures.size += count * Math.abs(value)
      figures.squares += count * value * value
      if (count > 0 && value > figures.max) figures.max = value
      if (count > 0 && value < figures.min) figures.min = value
    }
    const numberOf = (text: string) => Number(this.standardText(at, text) ?? Number.NaN)
    const texts = this.#table.texts[at]!
    if (texts instanceof TextCounts) {
      const counts = texts.counts()
      for (let id = 0; id < texts.size; id++) {
        const text = counts[id]! > 0 ? presentText(texts.textOf(id)) : null
        if (text === null) continue
        const left = counts[id]! - without.filter((other) => presentText(other) === text).length
        if (left > 0) add(numberOf(text), left)
      }
      return figures
    }
    const removed = without.flatMap((text) => presentText(text) ?? []).map(numberOf)
    const { counts } = (texts as CountedValues | HashedTexts).keys
    const values = texts instanceof CountedValues ? texts.numbers() : null
    for (let id = 0; id < counts.length; id++) {
      const value = values?.[id] ?? Number.NaN
      const left = counts[id]! - (values === null ? 0 : removed.filter((other) => other === value).length)
      if (left > 0) add(value, left)
    }
    return figures
  }

  #typeOf(at: number): ColumnType {
    let type = this.#types.get(at) ?? this.#infer(at)
    const isDoubtful = type.type === 'mark-decides' || (type.type === 'number' && type.couldBeAnswers)
    if (isDoubtful && !this.#types.has(at)) {
      const inferred = this.#table.texts.map((_, column) => this.#infer(column))
      for (const [column, settled] of settleDoubts(inferred, this.#delimiter).entries())
        this.#types.set(column, settled)
      type = this.#types.get(at)!
    }
    this.#types.set(at, type)
    return type
  }

  #infer(at: number): ColumnType {
    const texts: ColumnTexts = this.#table.texts[at]!
    return texts instanceof CountedValues || texts instanceof HashedTexts
      ? texts.type
      : inferColumn(texts as TextCounts)
  }
}
