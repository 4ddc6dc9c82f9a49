import { eastAsianWidth } from 'get-east-asian-width'

/** Latin letters, and the dashes, dots, arrows, lines and ticks of our own texts: each takes one column. */
const NARROW = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u257f\u2713-\u2718]*$/

/** Columns of a terminal that a text takes: two for each East Asian character, none for a combining mark. */
export function textWidth(text: string): number {
  // Most texts, and the segmenter takes longer to load than a table to draw.
  if (NARROW.test(text)) return text.length
  return charactersOf(text).reduce((sum, character) => sum + characterWidth(character), 0)
}

/** The longest beginning of a text that takes at most `width` columns, in whole characters as people see them. */
export function startOfWidth(text: string, width: number): string {
  return within(charactersOf(text), width).join('')
}

/** The longest end of a text that takes at most `width` columns. */
export function endOfWidth(text: string, width: number): string {
  return within(charactersOf(text).reverse(), width).reverse().join('')
}

let segmenter: Intl.Segmenter | undefined

/** Characters as people see them: a letter with its marks, an emoji of several. */
function charactersOf(text: string): string[] {
  if (NARROW.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u

function characterWidth(character: string): number {
  if (EMOJI.test(character)) return 2
  const visible = [...character].find((one) => !INVISIBLE.test(one))
  return visible === undefined ? 0 : eastAsianWidth(visible.codePointAt(0)!)
}

function within(characters: readonly string[], width: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => {
    used += characterWidth(character)
    return used > width
  })
  return characters.slice(0, end < 0 ? characters.length : end)
}
