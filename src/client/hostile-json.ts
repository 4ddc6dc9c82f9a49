/** What is looked at in the text of a JSON reply before it is parsed: linear, and without a stack. */

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether arrays and objects stand more than `depth` deep in each other: parsing a few MiB of brackets takes 300 MB. */
export function nestsDeeper(text: string, depth: number): boolean {
  let open = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === BACKSLASH) i++
      else if (unit === QUOTE) inString = false
    } else if (unit === QUOTE) inString = true
    // [ and {, ] and } differ in one bit that no other character of JSON outside of strings shares.
    else if ((unit | 0x20) === 0x7b) {
      open++
      if (open > depth) return true
    } else if ((unit | 0x20) === 0x7d) open--
  }
  return false
}

/** An escaped pair; half of one; any other escape, so that `\\ud800` is read as a backslash and text. */
const ESCAPE = /\\u[dD][89abAB][0-9a-fA-F]{2}(\\u[dD][c-fC-F][0-9a-fA-F]{2})?|\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\./g

/**
 * Escapes of half a surrogate pair become U+FFFD, which is what any encoder writes for them: a level spelt so stands so
 * in the artifact. Kept as they are they would have no canonical form and no UTF-8.
 */
export function withWellFormedEscapes(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json
  return json.replace(ESCAPE, (found: string, lowHalf: string | undefined) =>
    /^\\u[dD][89a-fA-F]/.test(found) && lowHalf === undefined ? '\\ufffd' : found,
  )
}
