import stringWidth from 'string-width'

/** Columns of a terminal that a text takes: two for each East Asian character, none for a combining mark. */
export function textWidth(text: string): number {
  // Most texts, and the library segments them all.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

const segmenter = new Intl.Segmenter()

/** The longest beginning of a text that takes at most `width` columns, in whole characters as people see them. */
export function startOfWidth(text: string, width: number): string {
  return within(
    Array.from(segmenter.segment(text), ({ segment }) => segment),
    width,
  ).join('')
}

/** The longest end of a text that takes at most `width` columns. */
export function endOfWidth(text: string, width: number): string {
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment)
  return within(characters.reverse(), width).reverse().join('')
}

function within(characters: readonly string[], width: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => {
    used += textWidth(character)
    return used > width
  })
  return characters.slice(0, end < 0 ? characters.length : end)
}
