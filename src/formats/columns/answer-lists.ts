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
  #values = 0
  #allRows = 0
  #haveThreeDigits = true
  #hasThree = false
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
    this.#values++
    this.#allRows += rows
    if (codes.some((code) => code.length !== 3)) this.#haveThreeDigits = false
    if (codes.length > 2) this.#hasThree = true
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
    if (this.#isOut || this.#lists === 0) return false
    const places = [...this.#codes.values()]
    const later = places.filter((code) => code.later > 0)
    const first = places.filter((code) => code.first > 0)
    const firstMoving = shareOf(first, ({ later, alone }) => later + alone > 0)
    const laterMoving = shareOf(later, ({ first, alone }) => first + alone > 0)
    if (this.#lists >= LEAST_LISTS) return firstMoving >= MOVING_SHARE && laterMoving >= MOVING_SHARE
    // Amounts have numbers of four and five digits, too, and do not come back as `101`, `101,204` and `204,305` do.
    const recur = this.#haveThreeDigits && this.#allRows >= MIN_ROWS * this.#values
    return recur && firstMoving === 1 && laterMoving >= FEW_MOVING_SHARE
  }

  /** The codes of a column in which some row has three and more, so that no comma marks decimals; null for others. */
  get listed(): ReadonlySet<string> | null {
    return this.#isOut || !this.#hasThree ? null : new Set(this.#codes.keys())
  }

  /** The codes of a column where each one of a list also stands alone; null for others. */
  get alone(): ReadonlySet<string> | null {
    if (this.#isOut || this.#lists === 0) return null
    return [...this.#codes.values()].every(({ alone }) => alone > 0) ? new Set(this.#codes.keys()) : null
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

function shareOf(places: readonly Places[], isPart: (code: Places) => boolean): number {
  return places.filter(isPart).length / places.length
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
/** Of one or two lists one code at an end may stand nowhere else. */
const FEW_MOVING_SHARE = 0.5
/** Rows of each value, on average, where there are so few lists. */
const MIN_ROWS = 5
/** Rows with the same code twice, if codes were independent; where no row has one, that is no chance. */
const MIN_EXPECTED = 6
