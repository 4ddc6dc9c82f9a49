/** Wider than most letters of a system font; a character of Chinese, Japanese or Korean is as wide as it is high. */
const NARROW = 0.56
const WIDE = 1.02

/** East Asian wide characters, and emoji. */
const IS_WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/**
 * A text that fits `width` units of a picture at this font size; a longer one ends with `…`. An estimate: a picture is
 * drawn without fonts.
 */
export function fitLabel(text: string, width: number, size: number): string {
  const most = width / size
  let used = 0
  let fitting = ''
  for (const character of text) {
    const units = IS_WIDE.test(character) ? WIDE : NARROW
    if (used + units > most) {
      const room = most - (used + NARROW)
      return `${room >= 0 ? fitting : [...fitting].slice(0, -1).join('')}…`
    }
    used += units
    fitting += character
  }
  return text
}
