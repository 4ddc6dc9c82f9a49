/**
 * Lists of codes, such as `101,204` or `101 204 305`: several answers of one person, which look like a number with
 * thousands separators. The codes are few, and each stands now first or alone, now later. Of a number the parts have
 * their places: in 1,500 and 2,500 the 500 never comes first, and the 1 never later.
 */
export class AnswerLists {
  readonly #codes = new Map<string, Places>()
  #separator: string | null = null
  #lists = 0
  /** Rows with a list. */
  #rows = 0
  #isOut = false

  /**
   * @param text a value of the column.
   * @param rows that have it.
   */
  add(text: string, rows: number): void {
    if (this.#isOut) return
    const parts = LIST.exec(text)
    if (parts === null || (parts[1] !== undefined && this.#separator !== null && parts[1] !== this.#separator)) {
      this.#isOut = true
      return
    }
    this.#separator ??= parts[1] ?? null
    const codes = text.split(SEPARATOR)
    if (codes.length > 1) {
      this.#lists++
      this.#rows += rows
    }
    for (const [at, code] of codes.entries()) {
      const places = this.#codes.get(code) ?? { first: 0, later: 0, alone: 0 }
      if (codes.length === 1) places.alone += rows
      else if (at === 0) places.first += rows
      else places.later += rows
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
    const later = places.filter((code) => code.later > 0)
    const first = places.filter((code) => code.first > 0)
    const move = (codes: typeof places, elsewhere: (code: Places) => boolean) =>
      codes.filter(elsewhere).length >= MOVING_SHARE * codes.length
    return move(later, ({ first, alone }) => first + alone > 0) && move(first, ({ later, alone }) => later + alone > 0)
  }

  /**
   * Whether the parts are no whole numbers with decimals, `1,2`. Nobody ticks an option twice, but decimals know nothing of the
   * number before them: some would be the same, `1,1`.
   */
  get excludeEachOther(): boolean {
    const expected = [...this.#codes.values()].reduce((sum, { first, later }) => sum + first * later, 0)
    return expected >= MIN_EXPECTED * this.#rows
  }
}

/** Rows with a code in each place. */
interface Places {
  first: number
  later: number
  alone: number
}

/** Codes have up to six digits and no leading zero: "000" is the end of a number. */
const LIST = /^(?:0|[1-9]\d{0,5})(?:([, ]) ?(?:[1-9]\d{0,5})(?:\1 ?[1-9]\d{0,5})*)?$/
const SEPARATOR = /, ?| /
/** No question has more options. */
const MOST_CODES = 50
const LEAST_LISTS = 3
const MOVING_SHARE = 0.75
/** Rows with the same code twice, if codes were independent; where no row has one, that is no chance. */
const MIN_EXPECTED = 6
