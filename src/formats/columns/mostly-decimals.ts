/** A number with one mark that groups no thousands, and what may stand around it: `12,5 %`. */
const DECIMAL = /^[^\d.,]{0,4}\d+([.,])(?:\d{1,2}|\d{4,})[^\d.,]{0,4}$/
/** Any other number. */
const NUMBER = /^[^\d.,]{0,4}\d+(?:[.,]\d+)*[^\d.,]{0,4}$/
/** Several answers: `1,2,5`. */
const SEVERAL = /\d,\d{1,2},/

/** Fewest different texts, and least share of them, that are numbers. */
const MIN_NUMBERS = 10
const MIN_SHARE = 0.8

/**
 * The decimal mark of a column of numbers beside a few words, which is text. It shows how the file writes numbers, as the marks of
 * other columns do.
 */
export class MostlyDecimals {
  #texts = 0
  #numbers = 0
  readonly #decimals = { ',': 0, '.': 0 }
  #isSeveral = false

  /** @param text trimmed, not missing; every distinct text once. */
  add(text: string): void {
    this.#texts++
    if (SEVERAL.test(text)) this.#isSeveral = true
    const mark = DECIMAL.exec(text)?.[1] as ',' | '.' | undefined
    if (mark !== undefined) this.#decimals[mark]++
    if (mark !== undefined || NUMBER.test(text)) this.#numbers++
  }

  /** Null where the texts show none. */
  get mark(): ',' | '.' | null {
    if (this.#isSeveral || this.#numbers < MIN_NUMBERS || this.#numbers < MIN_SHARE * this.#texts) return null
    const { ',': commas, '.': points } = this.#decimals
    if (commas > 0 === points > 0) return null
    return commas > 0 ? ',' : '.'
  }
}
