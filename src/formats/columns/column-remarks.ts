import { listText } from '../../base/text/amount-text.ts'

const MAX_NAMES = 5

/** Collects what was found in the columns of a file; columns in which the same was found share a note. */
export class ColumnRemarks {
  /** Phrase after "has" → columns. */
  readonly #phrases = new Map<string, string[]>()
  /** Text → columns and values in which it was missing. */
  readonly #missing = new Map<string, { columns: string[]; values: number }>()

  /** @param phrase what the column has, to follow "has" and "have". */
  has(column: string, phrase: string): void {
    const columns = this.#phrases.get(phrase) ?? []
    columns.push(column)
    this.#phrases.set(phrase, columns)
  }

  /** Texts that stand for a missing value, and how often they do in the column. Empty cells are missing without a word. */
  missing(column: string, texts: readonly (readonly [text: string, count: number])[]): void {
    for (const [text, count] of [...texts].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (text === '') continue
      const found = this.#missing.get(text) ?? { columns: [], values: 0 }
      found.columns.push(column)
      found.values += count
      this.#missing.set(text, found)
    }
  }

  /** Sentences, in the order in which things were first found. */
  notes(): string[] {
    const phrases = [...this.#phrases].map(([phrase, columns]) =>
      columns.length === 1 ? `Column "${columns[0]}" has ${phrase}.` : `Columns ${names(columns)} have ${phrase}.`,
    )
    const missing = [...this.#missing].map(([text, { columns, values }]) => {
      const count = `${values} ${values === 1 ? 'value' : 'values'}`
      return columns.length === 1
        ? `Column "${columns[0]}": "${text}" was taken as missing (${count}).`
        : `"${text}" was taken as missing in ${columns.length} columns (${count}): ${names(columns)}.`
    })
    return [...phrases, ...missing]
  }
}

function names(columns: readonly string[]): string {
  const shown = columns.map((name) => `"${name}"`)
  if (columns.length > MAX_NAMES) return listText(shown, MAX_NAMES)
  return `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`
}
