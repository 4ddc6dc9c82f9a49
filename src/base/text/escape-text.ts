/**
 * Characters that can move the cursor, change colours, hide or reorder text: control characters, line and paragraph
 * separators, bidirectional controls (Unicode Technical Report 36), zero-width characters, and lone surrogates.
 */
const UNSAFE = /[\p{Control}\p{Surrogate}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/gu

/** Of these, what may hide or reorder text on a page. Marks of direction (U+200E, U+200F) are in texts of some languages. */
const MISLEADING = /[\u061C\u200B\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text that is safe to print: characters that a terminal would interpret are shown as escapes (`\n`, `\x1b`,
 * `\u{202e}`).
 */
export function escapeText(text: string): string {
  return text.replaceAll(UNSAFE, (character) => {
    const code = character.codePointAt(0)!
    const hexadecimal = code.toString(16)
    return NAMED[character] ?? (code < 0x100 ? `\\x${hexadecimal.padStart(2, '0')}` : `\\u{${hexadecimal}}`)
  })
}

/** Text for a page: characters that would reorder or hide what stands beside them are shown as escapes (`\u{202e}`). */
export function showMisleading(text: string): string {
  return text.replaceAll(MISLEADING, escapeText)
}

/**
 * JSON whose strings hold no characters that a terminal would interpret: these become `\\uXXXX`, which reads back as
 * the same data. Line feeds stay: outside of strings they are layout, and JSON has already escaped those inside.
 */
export function escapeJson(json: string): string {
  return json.replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
