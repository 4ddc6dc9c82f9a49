/** Splits one cell of a multi-select column into the options it lists. */

/** What stands between the options of a cell. */
export type Separator = '\n' | ';' | '|' | ','

/**
 * Splits a cell that lists several options. Separators within brackets or between two digits divide nothing, so that
 * "Espresso (black, no milk)" and "1,000" stay whole. Blanks around the parts and empty parts (a separator at the end) go.
 *
 * @param betweenDigits a comma between two digits divides, too: for lists of codes such as "1,3,5".
 */
export function splitCell(text: string, separator: Separator, betweenDigits = false): string[] {
  const parts: string[] = []
  const isClosed = closes(text)
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (isClosed && OPENING.has(char)) depth++
    else if (isClosed && CLOSING.has(char)) depth--
    else if (char === separator && depth === 0) {
      if (separator === ',' && !betweenDigits && isDigit(text[at - 1]) && isDigit(text[at + 1])) continue
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])

/** Whether every bracket that opens is closed again; otherwise brackets are characters like others. */
function closes(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (OPENING.has(char)) depth++
    else if (CLOSING.has(char) && --depth < 0) return false
  }
  return depth === 0
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}
