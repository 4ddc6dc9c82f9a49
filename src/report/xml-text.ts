import { escapeText } from '../base/text/escape-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/**
 * Text that XML 1.0 can hold. It cannot express most control characters, lone surrogates and the two noncharacters of the first plane
 * (section 2.2): they are shown as escapes.
 */
export const heldText = (text: string): string =>
  escapeText(text).replaceAll(/[\uFFFE\uFFFF]/g, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

/** For content and attributes. */
export const xmlText = (text: string): string =>
  heldText(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
