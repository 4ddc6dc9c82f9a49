/** A unit: letters with the signs of powers and parts, or a sign alone. */
const UNIT = String.raw`(?:[\p{L}\u00b5\u03bc\u00b0][\p{L}\u00b0\u00b2\u00b3\u00b9^*·/²³]{0,11}(?:[23](?!\d))?\.?|[%\u2030"'\u2032\u2033])`
const NUMBER = String.raw`\d+(?:[.,]\d+|['\u2019 \u00a0\u202f]\d{3}(?!\d))*[.,]?`
const MEASURE = new RegExp(`^[+\\-\u2212]?(?:${NUMBER}[ \u00a0\u202f]?${UNIT}[ ,]*){1,3}$`, 'u')
const PARTS = new RegExp(`${NUMBER}[ \u00a0\u202f]?(${UNIT})`, 'gu')
/** No number with its units is longer. */
const MAX_LENGTH = 40

/**
 * The units of a text that is a number with its unit, in their sequence: "kg" of "50 kg", "ft in" of "5 ft 11 in".
 *
 * @param text trimmed.
 * @returns null when the text is anything else.
 */
export function unitsOf(text: string): string | null {
  if (text.length > MAX_LENGTH || !MEASURE.test(text)) return null
  return Array.from(text.matchAll(PARTS), ([, unit]) => unit!).join(' ')
}

/** The number before the unit of such a text. */
export function withoutUnit(text: string, unit: string): string {
  return text.slice(0, text.length - unit.length).trimEnd()
}
