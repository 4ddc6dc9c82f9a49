/**
 * Limits on the texts of a model. Everyone who requests a dataset reads the cleaned schema whole: unbounded texts would
 * turn a file of kilobytes into an answer of a gigabyte. Sizes are bytes of UTF-8.
 */
import { Buffer } from 'node:buffer'

/** Longest header of a column. */
export const MAX_NAME_BYTES = 1024
/** Longest level; longer texts are free text. */
export const MAX_LEVEL_BYTES = 1024
/** Largest cleaned schema, all entries together, as JSON. */
export const MAX_SCHEMA_BYTES = 4 * 1024 * 1024

export function isLonger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || (3 * text.length > maxBytes && Buffer.byteLength(text) > maxBytes)
}

/** As many whole characters of a text as fit. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (!isLonger(text, maxBytes)) return text
  // The rest of a character that was cut in two decodes as a replacement character.
  return Buffer.from(text.slice(0, maxBytes))
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '')
}
