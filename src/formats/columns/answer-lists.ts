/**
 * Lists of codes, such as `101,204` or `101 204 305`: several answers of one person, which look like a number with
 * thousands separators. The codes are few, and each stands now first or alone, now later. Of a number the parts have
 * their places: in 1,500 and 2,500 the 500 never comes first, and the 1 never later.
 */
export class AnswerLists {
  readonly #codes = new Map<string, { first: boolean; later: boolean; alone: boolean }>()
  #separator: string | null = null
  #lists = 0
  #isOut = false

  /** @param text a value of the column. */
  add(text: string): void {
    if (this.#isOut) return
    const parts = LIST.exec(text)
    if (parts === null || (parts[1] !== undefined && this.#separator !== null && parts[1] !== this.#separator)) {
      this.#isOut = true
      return
    }
    this.#separator ??= parts[1] ?? null
    const codes = text.split(SEPARATOR)
    if (codes.length > 1) this.#lists++
    for (const [at, code] of codes.entries()) {
      const places = this.#codes.get(code) ?? { first: false, later: false, alone: false }
      if (codes.length === 1) places.alone = true
      else if (at === 0) places.first = true
      else places.later = true
      this.#codes.set(code, places)
    }
    if (this.#codes.size > MOST_CODES || new Set(codes).size < codes.length) this.#isOut = true
  }

  /** What joins the codes, as a word. */
  get joint(): 'commas' | 'blanks' {
    return this.#separator === ' ' ? 'blanks' : 'commas'
  }

  /** Whether all values so far are lists of few codes. */
  get mayBeAnswers(): boolean {
    return !this.#isOut
  }

  /** Whether all values so far are lists of the same few codes. */
  get areAnswers(): boolean {
    if (this.#isOut || this.#lists < LEAST_LISTS) return false
    const places = [...this.#codes.values()]
    const later = places.filter((code) => code.later)
    const first = places.filter((code) => code.first)
    const move = (codes: typeof places, elsewhere: (code: (typeof places)[number]) => boolean) =>
      codes.filter(elsewhere).length >= MOVING_SHARE * codes.length
    return move(later, ({ first, alone }) => first || alone) && move(first, ({ later, alone }) => later || alone)
  }
}

/** Codes have up to three digits and no leading zero: "000" is the end of a number. */
const LIST = /^(?:0|[1-9]\d{0,2})(?:([, ]) ?(?:[1-9]\d{0,2})(?:\1 ?[1-9]\d{0,2})*)?$/
const SEPARATOR = /, ?| /
/** No question has more options. */
const MOST_CODES = 50
const LEAST_LISTS = 3
const MOVING_SHARE = 0.75
