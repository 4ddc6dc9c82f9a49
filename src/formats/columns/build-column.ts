import type { RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'

/** Value counts of numbers are kept up to this many distinct values. */
export const MAX_COUNTS = 4_096

/** Facts about a column of numbers or dates from the whole file. */
export type NumberFacts = Omit<RawNumberColumn, 'values' | 'valid'>

/** Facts about a column of texts from the whole file. */
export type TextFacts = Pick<RawTextColumn, 'type' | 'name' | 'missing' | 'distinct'>

/** @param values of the rows held, NaN where missing; kept, and changed. */
export function numberColumn(facts: NumberFacts, values: Float64Array): RawNumberColumn {
  const { type, name, missing, distinct, min, max, decimals, counts } = facts
  const valid = new Uint8Array(values.length)
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]!)) values[row] = 0
    else valid[row] = 1
  }
  return { type, name, missing, distinct, values, valid, min, max, decimals, counts }
}

/** Codes of texts by first appearance. */
export class TextCodes {
  readonly #codes = new Map<string, number>()

  get texts(): Iterable<string> {
    return this.#codes.keys()
  }

  get size(): number {
    return this.#codes.size
  }

  /** -1 for null, which is missing. */
  codeFor(value: string | null): number {
    if (value === null) return -1
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    this.#codes.set(value, this.#codes.size)
    return this.#codes.size - 1
  }

  find(value: string): number | undefined {
    return this.#codes.get(value)
  }
}

/**
 * @param codes of the rows held, as `texts` gave them; kept, and changed.
 * @param counts of the texts in the whole file, by the same codes.
 */
export function textColumn(facts: TextFacts, texts: TextCodes, codes: Int32Array, counts: Float64Array): RawTextColumn {
  const dictionary = [...texts.texts].sort()
  const rank = new Int32Array(dictionary.length)
  const sortedCounts = new Float64Array(dictionary.length)
  for (const [index, text] of dictionary.entries()) {
    const code = texts.find(text)!
    rank[code] = index
    sortedCounts[index] = counts[code]!
  }
  for (let row = 0; row < codes.length; row++) if (codes[row]! >= 0) codes[row] = rank[codes[row]!]!
  const { type, name, missing, distinct } = facts
  return {
    type,
    name,
    missing,
    distinct,
    codes,
    dictionary,
    counts: sortedCounts,
    meanWords: meanWords(dictionary),
  }
}

function meanWords(texts: readonly string[]): number {
  let words = 0
  for (const text of texts) words += text.match(/\S+/g)?.length ?? 0
  return texts.length === 0 ? 0 : words / texts.length
}
