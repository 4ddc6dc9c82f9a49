/**
 * Text from data, safe to print: control characters, line separators and bidirectional overrides are written as
 * escapes, so that a level name can neither move the cursor nor end a line (study language, section 12.6).
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => {
    const point = c.codePointAt(0)!
    return point <= 0xff ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`
  })
}
