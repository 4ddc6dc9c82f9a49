/** `1E2`, `12E05`: a class, a room, a product, or a power of ten. Nobody needs one of these for fewer than ten digits. */
const BARE = /^\d+[eE](?:\d|0\d{1,2})$/
/** Programs write the sign of a power of ten before zeros. */
const ZERO_FIRST = /[eE]0\d/
const PLAIN = /^\d+$/
/** As programs write powers of ten: with a fraction, or with a sign of the exponent. */
const SCIENTIFIC = /^[+-]?(?:\d*[.,]\d*[eE][+-]?|\d+[eE][+-])\d+$/
/** Fewer among other numbers are powers of ten that somebody wrote by hand, if nothing else speaks for codes. */
const LEAST_SHARE = 0.25
/** Codes of one length are not shorter. */
const MIN_LENGTH = 4

/** Whether texts that could be powers of ten are codes. */
export class ExponentCodes {
  #bare = 0
  #texts = 0
  #isScientific = false
  /** All other texts are digits alone. */
  #arePlain = true
  #hasZeroFirst = false
  /** Of all texts; null: they differ. */
  #length: number | null = -1

  /** @param text trimmed, not missing; every distinct text once. */
  add(text: string): void {
    this.#texts++
    if (this.#length === -1) this.#length = text.length
    else if (this.#length !== text.length) this.#length = null
    if (BARE.test(text)) {
      this.#bare++
      if (ZERO_FIRST.test(text)) this.#hasZeroFirst = true
    } else if (SCIENTIFIC.test(text)) this.#isScientific = true
    else if (!PLAIN.test(text)) this.#arePlain = false
  }

  get areCodes(): boolean {
    if (this.#isScientific || this.#bare === 0) return false
    if (this.#bare > 1 && this.#bare >= LEAST_SHARE * this.#texts) return true
    return this.#arePlain && (this.#hasZeroFirst || (this.#length ?? 0) >= MIN_LENGTH)
  }
}
