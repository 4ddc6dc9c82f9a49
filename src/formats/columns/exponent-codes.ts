/** `1E2`: a class, a room, a size, or a power of ten. Nobody needs a power of ten for fewer than ten digits. */
const BARE = /^\d+[eE]\d$/
/** As programs write powers of ten: with a fraction, or with a sign of the exponent. */
const SCIENTIFIC = /^[+-]?(?:\d*[.,]\d*[eE][+-]?|\d+[eE][+-])\d+$/
/** Fewer among other numbers are powers of ten that somebody wrote by hand. */
const LEAST_SHARE = 0.25

/** Whether texts that could be powers of ten are codes. */
export class ExponentCodes {
  #bare = 0
  #texts = 0
  #isScientific = false

  /** @param text trimmed, not missing; every distinct text once. */
  add(text: string): void {
    this.#texts++
    if (BARE.test(text)) this.#bare++
    else if (SCIENTIFIC.test(text)) this.#isScientific = true
  }

  get areCodes(): boolean {
    return !this.#isScientific && this.#bare > 1 && this.#bare >= LEAST_SHARE * this.#texts
  }
}
