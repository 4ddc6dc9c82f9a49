/** Fewer different numbers without the mark show nothing. */
const MIN_WHOLE = 10

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
  /** Every number with the mark has groups. */
  #hasGroupsAlone = true
  /** Different numbers without the mark, the largest of them, and the largest with groups. */
  #whole = 0
  #largestWhole = 0
  #largestGrouped = 0
  #countOfGroups = 0

  constructor(mark: '.' | ',') {
    this.#mark = mark
    this.#grouped = mark === '.' ? /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/ : /^[+-]?[1-9]\d{0,2}(,\d{3})+$/
  }

  /** @param number without units and dressings. */
  add(number: string): void {
    this.#compare(number)
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

  #compare(number: string): void {
    if (!number.includes(this.#mark)) {
      if (!/^[+-]?\d+$/.test(number)) return
      this.#whole++
      this.#largestWhole = Math.max(this.#largestWhole, Math.abs(Number(number)))
    } else if (this.#grouped.test(number)) {
      this.#countOfGroups++
      this.#largestGrouped = Math.max(this.#largestGrouped, Math.abs(Number(number.replaceAll(this.#mark, ''))))
    } else this.#hasGroupsAlone = false
  }

  /**
   * A few numbers with groups among many without the mark, which are as large: `84,211` beside `32599` and `9871`. With decimals it
   * would be the only number that has any, and a thousand times smaller than the others.
   */
  get isAmongWhole(): boolean {
    const groups = this.#countOfGroups
    if (!this.#hasGroupsAlone || groups === 0 || this.#whole < Math.max(MIN_WHOLE, 4 * groups)) return false
    return this.#largestWhole >= 1_000 && this.#largestGrouped <= 10 * this.#largestWhole
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
