import { listText } from '../../base/text/amount-text.ts'

const MAX_NAMES = 5

/** Collects remarks about the columns of a file; columns with the same remark share a note. */
export class ColumnRemarks {
  /** Phrase after "has" → columns. */
  readonly #phrases = new Map<string, string[]>()
  /** Text → columns and values in which it counted as missing. */
  readonly #missing = new Map<string, { columns: string[]; values: number }>()

  /** @param phrase describes what the column has; follows "has" and "have". */
  has(column: string, phrase: string): void {
    const columns = this.#phrases.get(phrase) ?? []
    columns.push(column)
    this.#phrases.set(phrase, columns)
  }

  /**
   * Texts that mean a missing value, and how often they occur in the column. Empty cells are missing without a note.
   */
  missing(column: string, texts: readonly (readonly [text: string, count: number])[]): void {
    for (const [text, count] of [...texts].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (text === '') continue
      const found = this.#missing.get(text) ?? { columns: [], values: 0 }
      found.columns.push(column)
      found.values += count
      this.#missing.set(text, found)
    }
  }

  /** Texts of a column that were read as missing. */
  missingIn(column: string): readonly string[] {
    return [...this.#missing].flatMap(([text, { columns }]) => (columns.includes(column) ? [text] : []))
  }

  /** Sentences, by first discovery. */
  notes(): string[] {
    const phrases = [...this.#phrases].map(([phrase, columns]) =>
      columns.length === 1 ? `Column "${columns[0]}" has ${phrase}.` : `Columns ${names(columns)} have ${phrase}.`,
    )
    const missing = [...this.#missing].map(([text, { columns, values }]) => {
      const count = `${values} ${values === 1 ? 'value' : 'values'}`
      return columns.length === 1
        ? `Column "${columns[0]}": "${text}" was read as missing (${count}).`
        : `"${text}" was read as missing in ${columns.length} columns (${count}): ${names(columns)}.`
    })
    return [...phrases, ...missing]
  }
}

function names(columns: readonly string[]): string {
  const shown = columns.map((name) => `"${name}"`)
  if (columns.length > MAX_NAMES) return listText(shown, MAX_NAMES)
  return `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`
}
