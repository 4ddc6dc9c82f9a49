/**
 * Whether a mark between digits may group thousands: `9.800` is 9.8 or 9,800. A column says so by all of its numbers
 * together.
 */
export class DigitGroups {
  readonly #grouped: RegExp
  readonly #mark: '.' | ','
  /** Different numbers with the mark, and those of them whose last digit is a zero. */
  #marked = 0
  #zeros = 0
  /** Some number has the mark where no group ends, or too many digits for a number without it. */
  #isContradicted = false
  /** Some number below 1,000 has no mark. */
  #small = false
  #isLong = false

  constructor(mark: '.' | ',') {
    this.#mark = mark
    this.#grouped = mark === '.' ? /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/ : /^[+-]?[1-9]\d{0,2}(,\d{3})+$/
  }

  /** @param number without units and dressings. */
  add(number: string): void {
    if (this.#isContradicted) return
    if (!number.includes(this.#mark)) {
      if (/^[+-]?\d{1,3}$/.test(number)) this.#small = true
      else if (/\d{4}/.test(number)) this.#isContradicted = true
      return
    }
    if (!this.#grouped.test(number)) {
      this.#isContradicted = true
      return
    }
    this.#marked++
    if (/\d{2}[.,]|[.,].*[.,]/.test(number)) this.#isLong = true
    if (number.endsWith('0')) this.#zeros++
  }

  get isContradicted(): boolean {
    return this.#isContradicted
  }

  /** The mark is one of thousands or of decimals: nothing in the column contradicts either. */
  get isOpen(): boolean {
    return this.#marked > 0 && !this.#isContradicted
  }

  /** Some number with the mark would be 10 or more with decimals. */
  get isLong(): boolean {
    return this.#isLong
  }

  /**
   * Who writes decimals writes as many as there are (9.8 and 412), or the same number of them everywhere (9.800 and
   * 412.000). Thousands are 9.800 and 412.
   */
  get isLikely(): boolean {
    return this.isOpen && this.#small && this.#zeros > 0 && this.#marked > 2
  }
}
